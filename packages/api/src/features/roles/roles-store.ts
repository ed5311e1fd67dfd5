import type { Panel } from '@switchyard/contract/permissions';
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Tables } from '../../database/tables.ts';

/**
 * Runs a write of roles in one transaction. Such writes are few and wait for each other, because a name is compared with
 * the names and the labels of other roles, which no index could keep apart; reading roles and granting them does not wait.
 */
export async function writeRoles<T>(db: Kysely<Tables>, write: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`lock table roles in share row exclusive mode`.execute(tx);
    return write(tx);
  });
}

/** Adds a custom role and gives its id. */
export async function insertRole(
  tx: Transaction<Tables>,
  role: { panel: Panel; name: string; label: string; badge: string; permissionIds: readonly number[]; now: Date },
): Promise<number> {
  const { permissionIds, now, ...columns } = role;
  const { id } = await tx
    .insertInto('roles')
    .values({ ...columns, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await addPermissions(tx, id, permissionIds);
  return id;
}

/** Writes names and permissions of a role and raises its version. */
export async function changeRole(
  tx: Transaction<Tables>,
  role: { id: number; name: string; label: string; badge: string; permissionIds: readonly number[]; now: Date },
): Promise<void> {
  const { id, permissionIds, now, ...columns } = role;
  await tx
    .updateTable('roles')
    .set((eb) => ({ ...columns, updated_at: now, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
  await tx.deleteFrom('role_permissions').where('role_id', '=', id).execute();
  await addPermissions(tx, id, permissionIds);
}

async function addPermissions(tx: Transaction<Tables>, roleId: number, permissionIds: readonly number[]): Promise<void> {
  await tx
    .insertInto('role_permissions')
    .values(permissionIds.map((permission_id) => ({ role_id: roleId, permission_id })))
    .execute();
}
