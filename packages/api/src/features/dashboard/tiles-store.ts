import type { Tile } from '@switchyard/contract/dashboard';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { lockAccount } from '../../database/lock-account.ts';
import { existing, type OpenTransaction } from '../../database/transaction.ts';
import type { LayoutKey } from './layouts-store.ts';

/** The fields of a tile that its owner chooses. */
export type TileFields = Pick<Tile, 'shape' | 'measure' | 'rows' | 'role_ids'>;
/** The report of a tile: a saved view, or a name and a query of its own. */
export type TileSource = { view_id: number; name: null; query: null } | { view_id: null; name: string; query: string };
export type StoredTile = TileFields & TileSource & { id: number; board_id: number | null; owner_id: number; owner_name: string };

const tile = sql`
  select tile.id, tile.board_id, tile.view_id, tile.name, tile.query, tile.shape, tile.measure, tile.rows, tile.owner_id, owner.name as owner_name,
    array(select role_id from dashboard_tile_roles where tile_id = tile.id order by role_id) as role_ids
  from dashboard_tiles as tile join accounts as owner on owner.id = tile.owner_id
`;

/** The tiles of a board. Whether an account sees their views is not looked at. */
export async function listTilesOfBoard(db: Kysely<Tables>, boardId: number): Promise<StoredTile[]> {
  const { rows } = await sql<StoredTile>`${tile} where tile.board_id = ${boardId} order by tile.position, tile.id`.execute(db);
  return rows;
}

/** The tiles of an account on Home in their order, then those that are shared with its roles. Whether it sees their views is not looked at. */
export async function listTiles(db: Kysely<Tables>, accountId: number): Promise<StoredTile[]> {
  const { rows } = await sql<StoredTile>`
    ${tile} where tile.board_id is null and (tile.owner_id = ${accountId} or owner.deleted_at is null and exists (
      select from dashboard_tile_roles as shared join account_roles as held on held.role_id = shared.role_id
      where shared.tile_id = tile.id and held.account_id = ${accountId}))
    order by tile.owner_id <> ${accountId}, tile.owner_id, tile.position, tile.id
  `.execute(db);
  return rows;
}

/** Ids of the tiles of an account on Home or on a board. Its other writes of tiles wait until the transaction ends. */
export async function lockOwnTiles(tx: OpenTransaction, { accountId, boardId }: LayoutKey): Promise<number[]> {
  await lockAccount(tx, accountId);
  const { rows } = await sql<{ id: number }>`
    select id from dashboard_tiles where owner_id = ${accountId} and board_id is not distinct from ${boardId}::int`.execute(tx);
  return rows.map(({ id }) => id);
}

/** A tile of an account, locked until the transaction ends. */
export async function lockTile(tx: OpenTransaction, { id, ownerId }: { id: number; ownerId: number }): Promise<StoredTile | undefined> {
  await sql`select from dashboard_tiles where id = ${id} and owner_id = ${ownerId} for update`.execute(tx);
  // Read by a later statement than the one that waited, so that it sees the roles which another call set meanwhile.
  const { rows } = await sql<StoredTile>`${tile} where tile.id = ${id} and tile.owner_id = ${ownerId}`.execute(tx);
  return rows[0];
}

/** Adds a tile after the others of its owner, and gives its id. */
export async function insertTile(
  tx: OpenTransaction,
  added: TileFields & TileSource & { ownerId: number; boardId: number | null; now: Date },
): Promise<number> {
  const { view_id: viewId, name, query, ownerId, boardId, shape, measure, rows, now } = added;
  const inserted = await sql<{ id: number }>`
    insert into dashboard_tiles (owner_id, board_id, view_id, name, query, shape, measure, rows, position, created_at, updated_at)
    select ${ownerId}, ${boardId}::int, ${viewId}, ${name}, ${query}, ${shape}, ${measure}, ${rows}, coalesce(max(position), 0) + 1, ${now}, ${now}
    from dashboard_tiles where owner_id = ${ownerId}
    returning id
  `.execute(tx);
  const { id } = existing(inserted.rows[0]);
  await insertRoles(tx, id, added.role_ids);
  return id;
}

/** Replaces the fields of a tile, and the name and query of one without a view. */
export async function updateStoredTile(
  tx: OpenTransaction,
  id: number,
  { fields, now }: { fields: TileFields & Pick<TileSource, 'name' | 'query'>; now: Date },
): Promise<void> {
  const { shape, measure, rows, name, query } = fields;
  await sql`
    update dashboard_tiles set shape = ${shape}, measure = ${measure}, rows = ${rows}, name = ${name}, query = ${query}, updated_at = ${now}
    where id = ${id}`.execute(tx);
  await sql`delete from dashboard_tile_roles where tile_id = ${id}`.execute(tx);
  await insertRoles(tx, id, fields.role_ids);
}

export async function deleteStoredTile(tx: OpenTransaction, id: number): Promise<void> {
  await sql`delete from dashboard_tiles where id = ${id}`.execute(tx);
}

async function insertRoles(tx: OpenTransaction, tileId: number, roleIds: readonly number[]): Promise<void> {
  await sql`insert into dashboard_tile_roles (tile_id, role_id) select ${tileId}, unnest(${roleIds}::int[])`.execute(tx);
}
