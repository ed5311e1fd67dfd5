import type { Board, UnseenTile } from '@switchyard/contract/boards';
import { permissionId } from '@switchyard/contract/permissions';
import { sql, type Kysely } from 'kysely';
import { inNaturalOrder } from '../../database/sql-conditions.ts';
import type { Tables } from '../../database/tables.ts';
import { existing, type OpenTransaction } from '../../database/transaction.ts';
import type { AccountCaller } from '../../http/bind.ts';

/** The fields of a board that its owner chooses. */
export type BoardFields = Pick<Board, 'name' | 'query' | 'role_ids'> & { account_ids: number[] };

/**
 * Boards that a caller sees, or one of them: own ones first, then those that are shared with it, by name. API tokens see shared ones alone.
 * Views as a role or an account act for no account, so they see none.
 */
export async function listVisibleBoards(db: Kysely<Tables>, { account, by }: AccountCaller, id?: number): Promise<Board[]> {
  const { rows } = await sql<Board>`
    with seen as (
      select board.*, owner.name as owner_name,
        array(select role_id from board_roles where board_id = board.id order by role_id) as role_ids,
        coalesce((select jsonb_agg(jsonb_build_object('id', reader.id, 'name', reader.name) order by reader.id)
          from board_accounts shared join accounts reader on reader.id = shared.account_id and reader.deleted_at is null
          where shared.board_id = board.id), '[]') as accounts
      from boards board join accounts owner on owner.id = board.owner_id
      where (${id ?? null}::bigint is null or board.id = ${id ?? null}::bigint) and (board.owner_id = ${account.id} or owner.deleted_at is null and (
        exists (select from board_accounts where board_id = board.id and account_id = ${account.id})
        or exists (select from board_roles shared join account_roles held on held.role_id = shared.role_id
          where shared.board_id = board.id and held.account_id = ${account.id}))))
    select id, name, query, role_ids, accounts, jsonb_build_object('id', owner_id, 'name', owner_name) as owner,
      owner_id = ${account.id} as is_own, version
    from seen where ${by.kind === 'session'} or cardinality(role_ids) > 0 or accounts <> '[]'
    order by owner_id <> ${account.id}, ${inNaturalOrder('name')}, id
  `.execute(db);
  return rows;
}

/** Locks an own board until the transaction ends; false if there is none. */
export async function lockBoard(tx: OpenTransaction, { id, ownerId }: { id: number; ownerId: number }): Promise<boolean> {
  const { rows } = await sql`select from boards where id = ${id} and owner_id = ${ownerId} for update`.execute(tx);
  return rows.length > 0;
}

/** Whether anybody but its owner sees a board. */
export async function hasReaders(tx: OpenTransaction, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from board_roles where board_id = ${id} union all select from board_accounts where board_id = ${id} limit 1`.execute(tx);
  return rows.length > 0;
}

export async function countBoards(tx: OpenTransaction, ownerId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from boards where owner_id = ${ownerId}`.execute(tx);
  return existing(rows[0]).count;
}

export async function insertBoard(tx: OpenTransaction, added: BoardFields & { ownerId: number; now: Date }): Promise<number> {
  const { name, query, ownerId, now } = added;
  const { rows } = await sql<{ id: number }>`
    insert into boards (owner_id, name, query, created_at, updated_at) values (${ownerId}, ${name}, ${query}, ${now}, ${now}) returning id
  `.execute(tx);
  const { id } = existing(rows[0]);
  await insertReaders(tx, id, added);
  return id;
}

export async function updateStoredBoard(
  tx: OpenTransaction,
  id: number,
  { fields, now }: { fields: BoardFields; now: Date },
): Promise<void> {
  await sql`
    update boards set name = ${fields.name}, query = ${fields.query}, version = version + 1, updated_at = ${now} where id = ${id}`.execute(
    tx,
  );
  await sql`delete from board_roles where board_id = ${id}`.execute(tx);
  await sql`delete from board_accounts where board_id = ${id}`.execute(tx);
  await insertReaders(tx, id, fields);
}

export async function deleteStoredBoard(tx: OpenTransaction, id: number): Promise<void> {
  await sql`delete from boards where id = ${id}`.execute(tx);
}

async function insertReaders(tx: OpenTransaction, id: number, { role_ids, account_ids }: BoardFields): Promise<void> {
  await sql`insert into board_roles (board_id, role_id) select ${id}, unnest(${role_ids}::int[])`.execute(tx);
  await sql`insert into board_accounts (board_id, account_id) select ${id}, unnest(${account_ids}::int[])`.execute(tx);
}

/** Ids of staff accounts among these. */
export async function listStaffIds(tx: OpenTransaction, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from accounts where id = any(${ids}::int[]) and panel = 'user' and deleted_at is null`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Readers of a board who do not see the saved view of one of its tiles, or may open no reports. */
export async function listUnseen(db: Kysely<Tables>, id: number): Promise<UnseenTile[]> {
  const permission = permissionId('manager_app_statistics');
  const { rows } = await sql<UnseenTile>`
    with reader as (
      select true as is_role, role.id, role.name, exists (
        select from role_permissions where role_id = role.id and permission_id = ${permission}) as may_open
      from board_roles shared join roles role on role.id = shared.role_id where shared.board_id = ${id}
      union all
      select false, account.id, account.name, account.has_access and exists (
        select from account_roles held join role_permissions given using (role_id)
        where held.account_id = account.id and given.permission_id = ${permission})
      from board_accounts shared join accounts account on account.id = shared.account_id and account.deleted_at is null
      where shared.board_id = ${id})
    select null::int as tile_id, name as reader from reader where not may_open
    union all
    select tile.id, reader.name from reader cross join dashboard_tiles tile join saved_views view on view.id = tile.view_id
    where tile.board_id = ${id} and may_open and view.sharing <> 'everyone' and not (not is_role and view.owner_id = reader.id)
      and not (view.sharing = 'roles' and exists (
        select from saved_view_roles shared where shared.view_id = view.id and (is_role and shared.role_id = reader.id or not is_role and exists (
          select from account_roles held where held.role_id = shared.role_id and held.account_id = reader.id))))
    order by 1 nulls first, 2 limit 100
  `.execute(db);
  return rows;
}
