import { namedBelongings, type Belongings, type BelongingsSummary, type HandOverKind } from '@switchyard/contract/belongings';
import { wireDate } from '@switchyard/contract/dates';
import type { ViewList } from '@switchyard/contract/saved-views';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { existing, type OpenTransaction } from '../../database/transaction.ts';
import { sharedName } from '../saved-views/saved-views-lookup.ts';

/** `name`: null for a tile of a private view. */
type Named = { id: number; name: string | null };

/** A thing that can be handed over, with the label that the audit trail gives it, and the list that its owner has to open to change it. */
export type Owned = Named & { list: ViewList | null };

/** Things of an account that can be handed over; locked until a transaction ends. */
export async function lockOwned(tx: OpenTransaction, kind: HandOverKind, ownerId: number): Promise<Owned[]> {
  const { rows } = await statements[kind](ownerId).execute(tx);
  return rows;
}

const isSharedBoard = sql`(exists (select from board_roles where board_id = boards.id)
  or exists (select from board_accounts where board_id = boards.id))`;

const statements = {
  views: (ownerId) => sql<Owned>`
    select id, name, list from saved_views where owner_id = ${ownerId} and sharing <> 'private' order by id for update`,
  boards: (ownerId) => sql<Owned>`
    select id, name, 'reports' as list from boards where owner_id = ${ownerId} and ${isSharedBoard} order by id for update`,
  tiles: (ownerId) => sql<Owned>`
    select tile.id, coalesce(tile.name, ${sharedName}) as name, 'reports' as list
    from dashboard_tiles tile left join saved_views view on view.id = tile.view_id
    where tile.owner_id = ${ownerId} and exists (select from dashboard_tile_roles where tile_id = tile.id) order by tile.id for update of tile`,
  service_accounts: (ownerId) => sql<Owned>`
    select id, name, null as list from api_tokens where owner_id = ${ownerId} and kind = 'service' order by id for update`,
  rules: (ownerId) => sql<Owned>`select id, name, null as list from alert_rules where owner_id = ${ownerId} order by id for update`,
} as const satisfies Readonly<Record<HandOverKind, (ownerId: number) => ReturnType<typeof sql<Owned>>>>;

/** Gives things of a kind, except views, another owner. */
export async function updateOwner(
  tx: OpenTransaction,
  kind: Exclude<HandOverKind, 'views'>,
  { ids, ownerId, previousId }: { ids: readonly number[]; ownerId: number; previousId: number },
) {
  switch (kind) {
    case 'boards':
      await sql`update boards set owner_id = ${ownerId}, version = version + 1 where id = any(${ids}::int[])`.execute(tx);
      await sql`update dashboard_tiles set owner_id = ${ownerId} where board_id = any(${ids}::int[])`.execute(tx);
      await sql`delete from board_accounts where board_id = any(${ids}::int[]) and account_id = ${ownerId}`.execute(tx);
      // The layout of the owner is that of all readers who have none.
      await sql`delete from board_layouts where board_id = any(${ids}::int[]) and account_id = ${ownerId}`.execute(tx);
      await sql`update board_layouts set account_id = ${ownerId} where board_id = any(${ids}::int[]) and account_id = ${previousId}`.execute(
        tx,
      );
      return;
    case 'tiles':
      await sql`
        update dashboard_tiles set owner_id = ${ownerId}, position = position + 1 + (
          select coalesce(max(position), 0) from dashboard_tiles where owner_id = ${ownerId}) where id = any(${ids}::int[])`.execute(tx);
      return;
    case 'service_accounts':
      await sql`update api_tokens set owner_id = ${ownerId} where id = any(${ids}::int[])`.execute(tx);
      return;
    case 'rules':
      await sql`update alert_rules set owner_id = ${ownerId}, version = version + 1 where id = any(${ids}::int[])`.execute(tx);
  }
}

/** Ids of the views that an account still has, shared or not. */
export async function listViewIds(tx: OpenTransaction, ownerId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from saved_views where owner_id = ${ownerId} order by id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Rules without their owner, who leaves. They go on. */
export async function updateOwnerless(tx: OpenTransaction, ownerId: number): Promise<void> {
  await sql`update alert_rules set owner_id = null, version = version + 1 where owner_id = ${ownerId}`.execute(tx);
}

/** Deletes the views, shared or not, the tiles with their layout and the service accounts that an account still has. */
export async function deleteOwned(tx: OpenTransaction, ownerId: number): Promise<void> {
  await sql`delete from dashboard_tiles where owner_id = ${ownerId}`.execute(tx);
  await sql`delete from boards where owner_id = ${ownerId}`.execute(tx);
  await sql`delete from board_accounts where account_id = ${ownerId}`.execute(tx);
  await sql`delete from board_layouts where account_id = ${ownerId}`.execute(tx);
  await sql`delete from saved_views where owner_id = ${ownerId}`.execute(tx);
  await sql`delete from api_tokens where owner_id = ${ownerId}`.execute(tx);
}

/** Deletes the schedules of an account, and gives them. */
export async function deleteSchedulesOf(tx: OpenTransaction, ownerId: number): Promise<Named[]> {
  const { rows } = await sql<Named>`delete from schedules where owner_id = ${ownerId} returning id, name`.execute(tx);
  return rows;
}

/** Whether an account is a staff account with access. */
export async function isStaffWithAccess(tx: OpenTransaction, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from accounts where id = ${id}::bigint and panel = 'user' and deleted_at is null and has_access for key share`.execute(tx);
  return rows.length > 0;
}

/** Things that can hang on an account, with their names and owners. */
const things = {
  views: () => sql`select id, name, owner_id from saved_views where sharing <> 'private'`,
  boards: () => sql`select id, name, owner_id from boards where ${isSharedBoard}`,
  tiles: () => sql`
    select tile.id, coalesce(tile.name, ${sharedName}) as name, tile.owner_id from dashboard_tiles tile left join saved_views view on view.id = tile.view_id
    where exists (select from dashboard_tile_roles where tile_id = tile.id)`,
  service_accounts: () => sql`select id, name, owner_id from api_tokens where kind = 'service'`,
  rules: () => sql`select id, name, owner_id from alert_rules`,
  schedules: () => sql`select id, name, owner_id from schedules`,
  silences: (now) => sql`select id, note as name, created_by as owner_id, ends_at from silences where ends_at > ${now}`,
} satisfies Readonly<Record<Exclude<keyof BelongingsSummary, 'personal_tokens'>, (now: Date) => RawBuilder<unknown>>>;

/** Deleted accounts keep their default views. */
const defaults = sql`(select account_id, view_id from default_views join accounts on accounts.id = account_id and deleted_at is null) chosen`;

type Row = Omit<Belongings, 'silences'> & { silences: { id: number; name: string; ends_at: string }[] };

/** Belongings of an account. `showsNames`: the reader sees all apps. */
export async function findBelongings(
  db: Kysely<Tables>,
  { id, showsNames, now }: { id: number; showsNames: boolean; now: Date },
): Promise<Belongings> {
  const list = (kind: keyof typeof things, more = sql``) => sql`
    (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', case when ${showsNames} then name end ${more}) order by id), '[]')
      from (${things[kind](now)}) thing where owner_id = ${id}) as ${sql.ref(kind)}`;
  const { rows } = await sql<Row>`
    select
      ${list(
        'views',
        sql`, 'default_of', (select count(*) from ${defaults} where view_id = thing.id and account_id <> ${id}),
          'schedules_of_others', (select count(*) from schedules where view_id = thing.id and owner_id <> ${id})`,
      )},
      ${list('boards')}, ${list('tiles')}, ${list('service_accounts')}, ${list('rules')}, ${list('schedules')}, ${list('silences', sql`, 'ends_at', ends_at`)},
      (select count(*) from saved_views where owner_id = ${id} and sharing = 'private') as private_views,
      (select count(*) from dashboard_tiles tile where tile.owner_id = ${id} and board_id is null
        and not exists (select from dashboard_tile_roles where tile_id = tile.id)) as private_tiles,
      (select count(*) from api_tokens where owner_id = ${id} and kind = 'personal') as personal_tokens,
      (select count(*) from sessions where account_id = ${id} and expires_at > ${now}) as sessions
  `.execute(db);
  const row = existing(rows[0]);
  return { ...row, silences: row.silences.map((silence) => ({ ...silence, ends_at: wireDate(new Date(silence.ends_at)) })) };
}

/** Counts what hangs on several accounts, with the first names. `showsNames`: the reader sees all apps. */
export async function countBelongings(
  db: Kysely<Tables>,
  { ownerIds, showsNames, now }: { ownerIds: readonly number[]; showsNames: boolean; now: Date },
): Promise<BelongingsSummary> {
  const isOwned = sql`owner_id = any(${ownerIds}::int[])`;
  const summary = (kind: keyof typeof things, more = sql``) => sql`
    (with thing as materialized (select * from (${things[kind](now)}) thing where ${isOwned})
      select jsonb_build_object('count', count(*), 'names', array(
        select name from thing where ${showsNames} and name <> '' order by id limit ${namedBelongings}) ${more}) from thing) as ${sql.ref(kind)}`;
  const { rows } = await sql<BelongingsSummary>`
    select
      ${summary(
        'views',
        sql`, 'default_of', (select count(distinct account_id) from ${defaults} join thing on thing.id = view_id
          where account_id <> all(${ownerIds}::int[]))`,
      )},
      ${summary('boards')}, ${summary('tiles')}, ${summary('service_accounts')}, ${summary('rules')}, ${summary('schedules')}, ${summary('silences')},
      (select count(*) from api_tokens where ${isOwned} and kind = 'personal') as personal_tokens
  `.execute(db);
  return existing(rows[0]);
}
