import { type Loss, lossLimits } from '@switchyard/contract/losses';
import { wireDate } from '@switchyard/contract/dates';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';

/**
 * Notes who loses what ends with the views, tiles and schedules that an account which is deleted still has: who sees a view, who owns or
 * sees a tile, who sees a board, who owns or receives a scheduled report. Call it before they are deleted. Old losses, and those of the account, end.
 */
export async function insertLosses(tx: OpenTransaction, owner: { id: number; name: string }, now: Date): Promise<void> {
  await sql`
    with lost (kind, view_id, list, name, loser_id) as (
      select 'view', view.id, view.list, view.name, account.id
      from saved_views view join accounts account on view.sharing = 'everyone' or view.sharing = 'roles' and exists (
        select from saved_view_roles shared join account_roles held on held.role_id = shared.role_id
        where shared.view_id = view.id and held.account_id = account.id)
      where view.owner_id = ${owner.id}
      union
      select 'tile', tile.view_id, 'reports', coalesce(tile.name, view.name), loser.id
      from dashboard_tiles tile left join saved_views view on view.id = tile.view_id cross join lateral (
        select tile.owner_id as id union select held.account_id
        from dashboard_tile_roles shared join account_roles held on held.role_id = shared.role_id where shared.tile_id = tile.id
      ) loser where ${owner.id} in (tile.owner_id, view.owner_id)
      union
      select 'board', null, 'reports', board.name, loser.id
      from boards board cross join lateral (
        select account_id as id from board_accounts where board_id = board.id union
        select held.account_id from board_roles shared join account_roles held on held.role_id = shared.role_id where shared.board_id = board.id
      ) loser where board.owner_id = ${owner.id}
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
    where loser_id <> ${owner.id} order by kind desc, lost.view_id, loser_id
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
