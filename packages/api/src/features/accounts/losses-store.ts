import { type Loss, lossLimits } from '@switchyard/contract/losses';
import { wireDate } from '@switchyard/contract/dates';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import { sharedName } from '../saved-views/saved-views-lookup.ts';

/**
 * Notes who loses what ends with the views, tiles, boards and schedules that an account which is deleted still has. Who uses a thing always
 * does: whose list opens with a view, who owns a tile, who is named by a board, who owns or receives a scheduled report. Others
 * who see a view, a tile or a board are told of those with the smallest audiences, up to `lossLimits.noted` losses, because a deletion
 * must not write a row for each of its views and each account of a large console. Call it before the things are deleted. Old losses, and those of the account, end.
 */
export async function insertLosses(tx: OpenTransaction, owner: { id: number; name: string }, now: Date): Promise<void> {
  await sql`
    with thing (kind, id, view_id, list, name, is_for_all, role_ids) as materialized (
      select 'view', view.id, view.id, view.list, view.name, view.sharing = 'everyone',
        array(select role_id from saved_view_roles where view_id = view.id and view.sharing = 'roles')
      from saved_views view where view.owner_id = ${owner.id} and view.sharing <> 'private'
      union all
      select 'tile', tile.id, tile.view_id, 'reports', coalesce(tile.name, ${sharedName}), false,
        array(select role_id from dashboard_tile_roles where tile_id = tile.id)
      from dashboard_tiles tile left join saved_views view on view.id = tile.view_id where ${owner.id} in (tile.owner_id, view.owner_id)
      union all
      select 'board', board.id, null, 'reports', board.name, false, array(select role_id from board_roles where board_id = board.id)
      from boards board where board.owner_id = ${owner.id}
    ), holder (role_id, size) as materialized (
      select role_id, count(*) from account_roles where panel = 'user' group by role_id
    ), audience as (
      select thing.*, case when is_for_all then (select count(*) from accounts where panel = 'user' and deleted_at is null)
        else (select coalesce(sum(size), 0) from holder where role_id = any(role_ids)) end as size
      from thing
    ), announced as materialized (
      select * from (select audience.*, sum(size) over (order by size, kind, id) as total from audience) summed where total <= ${lossLimits.noted}
    ), lost (kind, view_id, list, name, loser_id) as (
      select kind, view_id, list, announced.name, account.id from announced cross join accounts account where is_for_all
      union
      select kind, view_id, list, name, held.account_id from announced join account_roles held on held.role_id = any(role_ids)
      union
      select kind, view_id, list, name, chosen.account_id from thing join default_views chosen using (view_id, list)
      where kind = 'view' and (is_for_all or exists (
        select from account_roles held where held.account_id = chosen.account_id and held.role_id = any(role_ids)))
      union
      select kind, thing.view_id, list, thing.name, tile.owner_id from thing join dashboard_tiles tile using (id) where kind = 'tile'
      union
      select kind, view_id, list, name, named.account_id from thing join board_accounts named on named.board_id = thing.id where kind = 'board'
      union
      select 'schedule', view.id, view.list, schedule.name, loser.id
      from schedules schedule join saved_views view on view.id = schedule.view_id
        cross join lateral (
          select schedule.owner_id as id union select account_id from schedule_recipients where schedule_id = schedule.id
        ) loser
      where ${owner.id} in (schedule.owner_id, view.owner_id)
    )
    insert into losses (account_id, kind, list, name, was_default, owner_name, lost_at)
    select loser_id, kind, lost.list, lost.name,
      kind = 'view' and exists (select from default_views chosen where account_id = loser_id and chosen.view_id = lost.view_id), ${owner.name}, ${now}
    from lost join accounts account on account.id = loser_id and account.panel = 'user' and account.deleted_at is null
    where loser_id <> ${owner.id} and lost.name is not null order by kind desc, lost.view_id, loser_id
  `.execute(tx);
  const oldest = new Date(now.getTime() - lossLimits.days * 86_400_000);
  await sql`delete from losses where account_id = ${owner.id} or lost_at < ${oldest}`.execute(tx);
}

/** Losses of an account in these lists, newest first. */
export async function listLosses(db: Kysely<Tables>, accountId: number, lists: readonly string[]): Promise<Loss[]> {
  const { rows } = await sql<Omit<Loss, 'lost_at'> & { lost_at: Date }>`
    select id, kind, list, name, was_default, owner_name, lost_at from losses
    where account_id = ${accountId} and list = any(${lists}::text[]) order by id desc limit ${lossLimits.shown}
  `.execute(db);
  return rows.map((row) => ({ ...row, lost_at: wireDate(row.lost_at) }));
}

/** Deletes losses of an account. */
export async function deleteLosses(tx: OpenTransaction, accountId: number, ids: readonly number[]): Promise<void> {
  await sql`delete from losses where account_id = ${accountId} and id = any(${ids}::int[])`.execute(tx);
}
