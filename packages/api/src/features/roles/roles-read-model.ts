import { superAdminRoleId, type Panel } from '@switchyard/contract/permissions';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { AppScope } from '../../traffic-store/traffic-store.ts';
import type { Holder } from '../access-rules/permission-rules-lookup.ts';

/** A role as it is stored, with its permissions by id and the number of accounts that hold it, deleted ones left out. */
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
  /** Whether an account holds it, deleted ones left out, that sees apps outside the reader's scope. */
  is_held_outside: boolean;
};

/** Roles by id, as a reader with this scope meets them: all, those of a panel, or one. */
export async function listStoredRoles(db: Kysely<Tables>, asked: { scope: AppScope; panel?: Panel; id?: number }): Promise<StoredRole[]> {
  const isOutside =
    asked.scope === 'all'
      ? sql`false`
      : sql`(
    a.all_apps
    or exists (select from app_accounts l where l.account_id = a.id and l.app_id <> all(${asked.scope}::int[]))
    or exists (select from app_buyers l where l.account_id = a.id and l.app_id <> all(${asked.scope}::int[]))
  )`;
  const { rows } = await sql<StoredRole>`
    select r.id, r.panel, r.name, r.label, r.badge, r.is_system, r.version, r.created_at, r.updated_at,
      array(select p.permission_id::int from role_permissions p where p.role_id = r.id order by p.permission_id) as "permissionIds",
      (select count(*)::int from account_roles h join accounts a on a.id = h.account_id where h.role_id = r.id and a.deleted_at is null)
        as users_count,
      exists (
        select from account_roles h join accounts a on a.id = h.account_id where h.role_id = r.id and a.deleted_at is null and ${isOutside}
      ) as is_held_outside
    from roles r
    where (${asked.panel ?? null}::text is null or r.panel = ${asked.panel ?? null}) and (${asked.id ?? null}::int is null or r.id = ${asked.id ?? null})
    order by r.id
  `.execute(db);
  return rows;
}

/** One role; undefined when there is none. */
export async function findStoredRole(db: Kysely<Tables>, asked: { id: number; scope: AppScope }): Promise<StoredRole | undefined> {
  return (await listStoredRoles(db, asked))[0];
}

/** What an account holds at this moment, by which of its roles, and which apps it sees. */
export type Held = Holder & {
  scope: AppScope;
  /** The permissions held without this role; null when the account does not hold the role. */
  without: (roleId: number) => ReadonlySet<number> | null;
};

/** What an account holds as the transaction sees it, which may be less than when its request was let in. */
export async function findHeld(db: Kysely<Tables>, accountId: number): Promise<Held> {
  const rows = await db
    .selectFrom('account_roles as h')
    .leftJoin('role_permissions as p', 'p.role_id', 'h.role_id')
    .select(['h.role_id', 'p.permission_id'])
    .where('h.account_id', '=', accountId)
    .execute();
  const { rows: seen } = await sql<{ all_apps: boolean; app_ids: number[] }>`
    select all_apps, array(select app_id from app_accounts where account_id = ${accountId}) as app_ids from accounts where id = ${accountId}
  `.execute(db);
  const permissionsOf = (kept: typeof rows) => new Set(kept.flatMap((row) => row.permission_id ?? []));
  return {
    scope: seen[0]?.all_apps === true ? 'all' : (seen[0]?.app_ids ?? []),
    permissionIds: permissionsOf(rows),
    isSuperAdmin: rows.some((row) => row.role_id === superAdminRoleId),
    without: (roleId) => (rows.some((row) => row.role_id === roleId) ? permissionsOf(rows.filter((row) => row.role_id !== roleId)) : null),
  };
}
