import { permissionCatalogue, seededRoles } from '@switchyard/contract/permissions';
import { type Kysely, sql } from 'kysely';
import { migrate } from './migrate.ts';
import type { Tables } from './tables.ts';
import { recordAudits, transaction, unaudited, unchanged, type AuditEvent, type OpenTransaction } from './transaction.ts';

/** A permission and the default roles that are meant to hold it. */
export type CataloguedPermission = { id: number; label: string; roleIds: readonly number[] };

const catalogue: readonly CataloguedPermission[] = permissionCatalogue.map(({ id, label }) => ({
  id,
  label,
  roleIds: seededRoles.filter(({ permissions }) => permissions.includes(label)).map((role) => role.id),
}));

/**
 * Brings a database to this version: its schema, and permissions that the version adds.
 * @returns the names of the migrations that ran
 * @throws as `migrate`
 */
export async function prepareDatabase(db: Kysely<Tables>): Promise<string[]> {
  const migrationNames = await migrate(db);
  await reconcilePermissions(db);
  return migrationNames;
}

/**
 * Grants each permission that the database has not met yet to the default roles that are meant to hold it, and audits it.
 * A known permission is never granted again, so what administrators took from a role stays taken. Safe to run in several
 * processes at once.
 */
export async function reconcilePermissions(db: Kysely<Tables>, permissions: readonly CataloguedPermission[] = catalogue): Promise<void> {
  await transaction(db, async (tx) => {
    await sql`lock table known_permissions in exclusive mode`.execute(tx);
    const knownIds = new Set((await tx.selectFrom('known_permissions').select('id').execute()).map(({ id }) => id));
    const newPermissions = permissions.filter(({ id }) => !knownIds.has(id));
    if (newPermissions.length === 0) return unchanged(undefined);
    await tx
      .insertInto('known_permissions')
      .values(newPermissions.map(({ id }) => ({ id })))
      .execute();
    const roles = await tx.selectFrom('roles').select(['id', 'name']).where('is_system', '=', true).orderBy('id').forUpdate().execute();
    const events: AuditEvent[] = [];
    for (const role of roles) {
      const granted = newPermissions.filter(({ roleIds }) => roleIds.includes(role.id)).map(({ id }) => id);
      if (granted.length > 0) events.push(await grant(tx, role, granted));
    }
    if (events.length === 0) return unaudited('a permission became known that no role gets', undefined);
    return recordAudits(tx, events, undefined);
  });
}

async function grant(tx: OpenTransaction, role: { id: number; name: string }, granted: readonly number[]): Promise<AuditEvent> {
  const heldPermissions = await tx.selectFrom('role_permissions').select('permission_id').where('role_id', '=', role.id).execute();
  const from = heldPermissions.map(({ permission_id }) => permission_id).sort((one, other) => one - other);
  const to = [...new Set([...from, ...granted])].sort((one, other) => one - other);
  await tx
    .insertInto('role_permissions')
    .values(granted.map((permission_id) => ({ role_id: role.id, permission_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await tx
    .updateTable('roles')
    .set((eb) => ({ version: eb('version', '+', 1), updated_at: sql`now()` }))
    .where('id', '=', role.id)
    .execute();
  const changes = [{ field: 'permission_ids', from, to }];
  return { actor: null, entity: 'role', action: 'update', id: role.id, label: role.name, request: null, changes };
}
