import type { AccountApp } from '@switchyard/contract/accounts';
import { wireDate } from '@switchyard/contract/dates';
import type { Panel } from '@switchyard/contract/permissions';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';

/** A role that accounts of a panel may be given, with what it permits by permission id. */
export type StoredRole = { id: number; name: string; label: string; badge: string; permissionIds: number[] };

/** An account that was not deleted, its roles by id and the apps it is tied to, ascending. */
export type StoredAccount = {
  id: number;
  panel: Panel;
  name: string;
  email: string;
  has_access: boolean;
  all_apps: boolean;
  is_qa: boolean;
  version: number;
  created_at: Date;
  updated_at: Date;
  roles: StoredRole[];
  appIds: number[];
};

type Asked = { id?: number | undefined; panel?: Panel | undefined };

/** Accounts by id: all, those of a panel, or one. */
export async function listAccounts(db: Kysely<Tables>, { id, panel }: Asked = {}): Promise<StoredAccount[]> {
  const { rows } = await sql<Omit<StoredAccount, 'roles'> & { roleIds: number[] }>`
    select a.id, a.panel, a.name, a.email, a.has_access, a.all_apps, a.is_qa, a.version, a.created_at, a.updated_at,
      array(select h.role_id from account_roles h where h.account_id = a.id order by h.role_id) as "roleIds",
      case a.panel
        when 'user' then array(select l.app_id from app_accounts l where l.account_id = a.id order by l.app_id)
        else array(select l.app_id from app_buyers l where l.account_id = a.id order by l.app_id)
      end as "appIds"
    from accounts a
    where a.deleted_at is null
      and (${id ?? null}::int is null or a.id = ${id ?? null}) and (${panel ?? null}::text is null or a.panel = ${panel ?? null})
    order by a.id
  `.execute(db);
  const roles = new Map((await listRoles(db)).map((role) => [role.id, role]));
  return rows.map(({ roleIds, ...row }) => ({ ...row, roles: roleIds.flatMap((roleId) => roles.get(roleId) ?? []) }));
}

/** Staff by id, with no more of them than it takes to pick one (api [52]). */
export async function listStaffToPick(db: Kysely<Tables>): Promise<{ id: number; name: string; email: string }[]> {
  return db
    .selectFrom('accounts')
    .select(['id', 'name', 'email'])
    .where('panel', '=', 'user')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
}

/** The account; undefined when it does not exist, was deleted or belongs to the other panel. */
export async function findAccount(
  db: Kysely<Tables>,
  asked: { id: number; panel?: Panel | undefined },
): Promise<StoredAccount | undefined> {
  return (await listAccounts(db, asked))[0];
}

/** Roles by id: all, or those of a panel. */
export async function listRoles(db: Kysely<Tables>, panel?: Panel): Promise<StoredRole[]> {
  const { rows } = await sql<StoredRole>`
    select r.id, r.name, r.label, r.badge,
      array(select p.permission_id::int from role_permissions p where p.role_id = r.id order by p.permission_id) as "permissionIds"
    from roles r
    where ${panel ?? null}::text is null or r.panel = ${panel ?? null}
    order by r.id
  `.execute(db);
  return rows;
}

/** Apps by name whatever its case, archived ones included. */
export async function listAppsOfAccount(db: Kysely<Tables>, ids: readonly number[]): Promise<AccountApp[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Omit<AccountApp, 'deleted_at'> & { deleted_at: Date | null }>`
    select id, name, bundle, deleted_at from apps where id = any(${ids}::int[]) order by lower(name) collate "C", id
  `.execute(db);
  return rows.map(({ deleted_at, ...app }) => ({ ...app, deleted_at: wireDate(deleted_at) }));
}

/** Whether another account has this name, of the same panel and in this case, or this e-mail address in any (AMB-177, AMB-178). */
export async function findTaken(
  db: Kysely<Tables>,
  asked: { panel: Panel; name: string | undefined; email: string | undefined; exceptId: number | undefined },
): Promise<{ name: boolean; email: boolean }> {
  const { rows } = await sql<{ name: boolean; email: boolean }>`
    select
      exists (
        select from accounts where panel = ${asked.panel} and name = ${asked.name ?? null} and deleted_at is null and id <> ${asked.exceptId ?? 0}
      ) as name,
      exists (
        select from accounts where lower(email) = lower(${asked.email ?? null}) and deleted_at is null and id <> ${asked.exceptId ?? 0}
      ) as email
  `.execute(db);
  return rows[0] ?? { name: false, email: false };
}
