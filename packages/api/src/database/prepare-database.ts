import { permissionCatalogue, seededRoles } from '@switchyard/contract/permissions';
import { type Kysely, sql } from 'kysely';
import { migrate, type Waiting } from './migrate.ts';
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
export async function prepareDatabase(db: Kysely<Tables>, waiting?: Waiting): Promise<string[]> {
  const migrationNames = await migrate(db, undefined, waiting);
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
    const ids = permissions.map(({ id }) => id);
    const { rows: newRows } = await sql<{ id: number }>`
      insert into known_permissions (id) select unnest(${ids}::int[]) on conflict do nothing returning id
    `.execute(tx);
    const newIds = new Set(newRows.map(({ id }) => id));
    if (newIds.size === 0) return unchanged(undefined);
    const { rows: roles } = await sql<SystemRole>`select id, name from roles where is_system order by id for update`.execute(tx);
    const events: AuditEvent[] = [];
    for (const role of roles) {
      const grantedIds = permissions.filter(({ id, roleIds }) => newIds.has(id) && roleIds.includes(role.id)).map(({ id }) => id);
      if (grantedIds.length > 0) events.push(await grant(tx, role, grantedIds));
    }
    if (events.length === 0) return unaudited('a permission became known that no role gets', undefined);
    return recordAudits(tx, events, undefined);
  });
}

type SystemRole = { id: number; name: string };

async function grant(tx: OpenTransaction, role: SystemRole, permissionIds: readonly number[]): Promise<AuditEvent> {
  const { rows: heldPermissions } = await sql<{ id: number }>`
    select permission_id as id from role_permissions where role_id = ${role.id} order by permission_id
  `.execute(tx);
  const from = heldPermissions.map(({ id }) => id);
  const to = [...new Set([...from, ...permissionIds])].sort((one, other) => one - other);
  await sql`
    insert into role_permissions (role_id, permission_id) select ${role.id}, unnest(${permissionIds}::int[]) on conflict do nothing
  `.execute(tx);
  await sql`update roles set version = version + 1, updated_at = now() where id = ${role.id}`.execute(tx);
  const changes = [{ field: 'permission_ids', from, to }];
  return { actor: null, entity: 'role', action: 'update', id: role.id, label: role.name, request: null, changes };
}
