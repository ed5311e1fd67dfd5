import type { ViewColumns, ViewList } from '@switchyard/contract/saved-views';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import type { ViewFields } from './saved-views-lookup.ts';

/** A staff role that a view may be shared with. */
export type ShareRole = { id: number; name: string };

/** The staff roles that an account holds, or all of them. */
export async function listShareRoles(db: Kysely<Tables>, { accountId, all }: { accountId: number; all: boolean }): Promise<ShareRole[]> {
  const roles = db.selectFrom('roles').select(['id', 'name']).where('panel', '=', 'user').orderBy('id');
  if (all) return roles.execute();
  return roles.where('id', 'in', db.selectFrom('account_roles').select('role_id').where('account_id', '=', accountId)).execute();
}

/** How many views an account has. Its other writes of views wait until the transaction ends. */
export async function countOwnViews(tx: OpenTransaction, accountId: number): Promise<number> {
  await sql`select from accounts where id = ${accountId} for no key update`.execute(tx);
  const { total } = await tx
    .selectFrom('saved_views')
    .select(sql<number>`count(*)::int`.as('total'))
    .where('owner_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return total;
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

/** Replaces the fields of a view. */
export async function updateStoredView(tx: OpenTransaction, id: number, { role_ids: roleIds, columns, ...texts }: ViewFields, now: Date) {
  await tx
    .updateTable('saved_views')
    .set({ ...texts, columns: toJson(columns), updated_at: now })
    .where('id', '=', id)
    .execute();
  await tx.deleteFrom('saved_view_roles').where('view_id', '=', id).execute();
  await insertRoles(tx, id, roleIds);
}

export async function deleteStoredView(tx: OpenTransaction, id: number): Promise<void> {
  await tx.deleteFrom('saved_views').where('id', '=', id).execute();
}

/** Sets the view that a list opens with for an account; null for none. */
export async function updateDefaultView(tx: OpenTransaction, choice: { accountId: number; list: ViewList; viewId: number | null }) {
  const { accountId, list, viewId } = choice;
  if (viewId === null) {
    await tx.deleteFrom('default_views').where('account_id', '=', accountId).where('list', '=', list).execute();
    return;
  }
  await tx
    .insertInto('default_views')
    .values({ account_id: accountId, list, view_id: viewId })
    .onConflict((conflict) => conflict.columns(['account_id', 'list']).doUpdateSet({ view_id: viewId }))
    .execute();
}

async function insertRoles(tx: OpenTransaction, viewId: number, roleIds: readonly number[]): Promise<void> {
  await sql`insert into saved_view_roles (view_id, role_id) select ${viewId}, unnest(${roleIds}::int[])`.execute(tx);
}

function toJson(columns: ViewColumns): string {
  return JSON.stringify(columns);
}
