import type { ViewColumns, ViewList } from '@switchyard/contract/saved-views';
import { sql } from 'kysely';
import type { OpenTransaction } from '../../database/transaction.ts';
import type { ViewFields } from './saved-views-lookup.ts';

/** How many views an account has. Its other writes of views wait until the transaction ends. */
export async function countOwnViews(tx: OpenTransaction, accountId: number): Promise<number> {
  await sql`select from accounts where id = ${accountId} for no key update`.execute(tx);
  const { rows } = await sql<{ total: number }>`select count(*) as total from saved_views where owner_id = ${accountId}`.execute(tx);
  return rows[0]?.total ?? 0;
}

/** Adds a view and gives its id. */
export async function insertView(tx: OpenTransaction, view: ViewFields & { ownerId: number; list: ViewList; now: Date }): Promise<number> {
  const { ownerId, now, role_ids: roleIds, columns, ...texts } = view;
  const { id } = await tx
    .insertInto('saved_views')
    .values({ ...texts, owner_id: ownerId, columns: toJson(columns), created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertRoles(tx, id, roleIds);
  return id;
}

/** Locks a view until the transaction ends, so that of two changes the second one begins with what the first one left. */
export async function lockView(tx: OpenTransaction, id: number): Promise<void> {
  await sql`select from saved_views where id = ${id} for no key update`.execute(tx);
}

/** Replaces the fields of a view. */
export async function updateStoredView(tx: OpenTransaction, id: number, { role_ids: roleIds, columns, ...texts }: ViewFields, now: Date) {
  await tx
    .updateTable('saved_views')
    .set({ ...texts, columns: toJson(columns), updated_at: now })
    .where('id', '=', id)
    .execute();
  await sql`delete from saved_view_roles where view_id = ${id}`.execute(tx);
  await insertRoles(tx, id, roleIds);
}

export async function deleteStoredView(tx: OpenTransaction, id: number): Promise<void> {
  await sql`delete from saved_views where id = ${id}`.execute(tx);
}

/** Sets the view that a list opens with for an account; null for none. */
export async function updateDefaultView(tx: OpenTransaction, choice: { accountId: number; list: ViewList; viewId: number | null }) {
  const { accountId, list, viewId } = choice;
  if (viewId === null) await sql`delete from default_views where account_id = ${accountId} and list = ${list}`.execute(tx);
  else
    await sql`
      insert into default_views (account_id, list, view_id) values (${accountId}, ${list}, ${viewId})
      on conflict (account_id, list) do update set view_id = excluded.view_id
    `.execute(tx);
}

async function insertRoles(tx: OpenTransaction, viewId: number, roleIds: readonly number[]): Promise<void> {
  await sql`insert into saved_view_roles (view_id, role_id) select ${viewId}, unnest(${roleIds}::int[])`.execute(tx);
}

function toJson(columns: ViewColumns): string {
  return JSON.stringify(columns);
}
