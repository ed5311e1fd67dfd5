import { superAdminRoleId, type Panel } from '@switchyard/contract/permissions';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import type { AppScope } from '@switchyard/contract/app-scope';
import type { Holder } from '../accounts/access-rules-lookup.ts';

/** A role with its permission ids, ascending, and the number of accounts that hold it; deleted accounts do not count. */
export type StoredRole = {
  id: number;
  panel: Panel;
  name: string;
  label: string;
  badge: string;
  is_system: boolean;
  version: number;
  created_at: Date;
  updated_at: Date;
  permissionIds: number[];
  users_count: number;
  /** Whether an account that is not deleted holds the role and sees apps outside the reader's scope. */
  is_held_outside: boolean;
};

const permissionIdsOfRole = sql`array(select p.permission_id::int from role_permissions p where p.role_id = r.id order by p.permission_id)`;

/** Roles in order of id: all, those of a panel, or one. `is_held_outside` applies to a reader with this scope. */
export async function listStoredRoles(db: Kysely<Tables>, filter: { scope: AppScope; panel?: Panel; id?: number }): Promise<StoredRole[]> {
  const isOutside =
    filter.scope === 'all'
      ? sql`false`
      : sql`(
    a.all_apps
    or exists (select from app_accounts l where l.account_id = a.id and l.app_id <> all(${filter.scope}::int[]))
    or exists (select from app_buyers l where l.account_id = a.id and l.app_id <> all(${filter.scope}::int[]))
  )`;
  const { rows } = await sql<StoredRole>`
    select r.id, r.panel, r.name, r.label, r.badge, r.is_system, r.version, r.created_at, r.updated_at,
      ${permissionIdsOfRole} as "permissionIds",
      (select count(*)::int from account_roles h join accounts a on a.id = h.account_id where h.role_id = r.id and a.deleted_at is null)
        as users_count,
      exists (
        select from account_roles h join accounts a on a.id = h.account_id where h.role_id = r.id and a.deleted_at is null and ${isOutside}
      ) as is_held_outside
    from roles r
    where (${filter.panel ?? null}::text is null or r.panel = ${filter.panel ?? null}) and (${filter.id ?? null}::int is null or r.id = ${filter.id ?? null})
    order by r.id
  `.execute(db);
  return rows;
}

/** A role with what it gives. */
export type RoleGrant = Pick<StoredRole, 'id' | 'panel' | 'label' | 'badge' | 'permissionIds'>;

/** All roles with what they give, in order of id. Does not count who holds them. */
export async function listRoleGrants(db: Kysely<Tables>): Promise<RoleGrant[]> {
  const { rows } = await sql<RoleGrant>`
    select r.id, r.panel, r.label, r.badge, ${permissionIdsOfRole} as "permissionIds" from roles r order by r.id
  `.execute(db);
  return rows;
}

/** One role; undefined when there is none. */
export async function findStoredRole(db: Kysely<Tables>, filter: { id: number; scope: AppScope }): Promise<StoredRole | undefined> {
  return (await listStoredRoles(db, filter))[0];
}

/** Whether there is an app with this id, archived or not. */
export async function isKnownApp(db: Kysely<Tables>, id: number): Promise<boolean> {
  return (await sql`select from apps where id = ${id}::bigint`.execute(db)).rows.length > 0;
}

/** The permissions and the app scope of an account, read inside the transaction. */
export type HeldRights = Holder & {
  scope: AppScope;
  /** The permissions held without this role; null when the account does not hold the role. */
  without: (roleId: number) => ReadonlySet<number> | null;
};

/** Reads the account again: since its request was authenticated it may have lost roles, permissions or apps. */
export async function findHeld(db: Kysely<Tables>, accountId: number): Promise<HeldRights> {
  const { rows } = await sql<{ role_id: number; permission_id: number | null }>`
    select h.role_id, p.permission_id from account_roles h left join role_permissions p on p.role_id = h.role_id
    where h.account_id = ${accountId}
  `.execute(db);
  const { rows: scopes } = await sql<{ all_apps: boolean; app_ids: number[] }>`
    select all_apps, array(select app_id from app_accounts where account_id = ${accountId}) as app_ids from accounts where id = ${accountId}
  `.execute(db);
  const permissionsOf = (keptRows: typeof rows) => new Set(keptRows.flatMap((row) => row.permission_id ?? []));
  return {
    scope: scopes[0]?.all_apps === true ? 'all' : (scopes[0]?.app_ids ?? []),
    permissionIds: permissionsOf(rows),
    isSuperAdmin: rows.some((row) => row.role_id === superAdminRoleId),
    without: (roleId) => (rows.some((row) => row.role_id === roleId) ? permissionsOf(rows.filter((row) => row.role_id !== roleId)) : null),
  };
}

/**
 * Makes writes of roles wait for each other: a name is compared with the names and labels of all other roles, which no
 * unique index covers. Reading roles and granting them does not wait.
 */
export async function lockRoles(tx: OpenTransaction): Promise<void> {
  await sql`lock table roles in share row exclusive mode`.execute(tx);
}

type WrittenRole = Pick<StoredRole, 'name' | 'label' | 'badge'> & { permissionIds: readonly number[]; now: Date };

/** Adds a custom role and gives its id. */
export async function insertRole(tx: OpenTransaction, role: WrittenRole & { panel: Panel }): Promise<number> {
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
export async function updateStoredRole(tx: OpenTransaction, role: WrittenRole & { id: number }): Promise<void> {
  const { id, permissionIds, now, ...columns } = role;
  await tx
    .updateTable('roles')
    .set((eb) => ({ ...columns, updated_at: now, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
  await sql`delete from role_permissions where role_id = ${id}`.execute(tx);
  await addPermissions(tx, id, permissionIds);
}

async function addPermissions(tx: OpenTransaction, roleId: number, permissionIds: readonly number[]): Promise<void> {
  await sql`insert into role_permissions (role_id, permission_id) select ${roleId}, unnest(${permissionIds}::int[])`.execute(tx);
}
