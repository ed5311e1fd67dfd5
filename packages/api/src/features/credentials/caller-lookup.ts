import { permissionCatalogue, superAdminRoleId, type Panel } from '@switchyard/contract/permissions';
import type { SessionUser } from '@switchyard/contract/session';
import { sql } from 'kysely';
import type { Databases } from '../../database/connect.ts';
import { lockAccount } from '../../database/lock-account.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import type { SessionCaller } from '../../http/bind.ts';
import { factorStart, firstRuleOfRoles } from '../second-factors/second-factors-lookup.ts';

/** The account of a session or a token, with its current rights. */
export type CallerRow = {
  must_set_up_factor: boolean;
  account_id: number;
  name: string;
  email: string;
  panel: Panel;
  all_apps: boolean;
  roles: string[];
  badges: string[];
  is_super_admin: boolean;
  permission_ids: number[];
  app_ids: number[] | null;
};

/**
 * SQL: the columns of CallerRow, for a query that joins the account `a` and `heldRoles` and has the current instant as $2.
 * A permission comes once for each role that has it.
 */
export const callerColumns = `a.id as account_id, a.name, a.email, a.panel, a.all_apps,
  held.roles, held.badges, held.is_super_admin,
  coalesce(${factorStart('held.factor_start')} <= $2, false) and not exists (select from second_factors where account_id = a.id) as must_set_up_factor,
  array(select permission_id from role_permissions where role_id = any(held.ids)) as permission_ids,
  case
    when a.all_apps then null
    when a.panel = 'user' then array(select app_id from app_accounts where account_id = a.id)
    else array(select app_id from app_buyers where account_id = a.id)
  end as app_ids`;

/** SQL: whether the account `a` may sign in and use its tokens; `demoIsOn` is a parameter of the query. */
export const mayAct = (demoIsOn: string): string => `(a.has_access and a.deleted_at is null and (${demoIsOn} or not a.is_demo))`;

/** SQL: joins the roles of the account `a`. */
export const heldRoles = `cross join lateral (
  select array_agg(r.id) as ids, coalesce(array_agg(r.label order by r.id), '{}') as roles,
    coalesce(array_agg(r.badge order by r.id), '{}') as badges, coalesce(bool_or(r.id = ${superAdminRoleId}), false) as is_super_admin,
    ${firstRuleOfRoles} as factor_start
  from account_roles h join roles r on r.id = h.role_id where h.account_id = a.id
) as held`;

const labelById = new Map<number, string>(permissionCatalogue.map((permission) => [permission.id, permission.label]));

/** Labels of permissions in order of id, each once. */
export function permissionLabels(ids: Iterable<number>): string[] {
  return [...new Set(ids)].toSorted((a, b) => a - b).flatMap((id) => labelById.get(id) ?? []);
}

/** The wire form of the account. */
export function toSessionUser(row: CallerRow): SessionUser {
  return {
    id: row.account_id,
    name: row.name,
    email: row.email,
    panel: row.panel,
    roles: row.roles,
    badges: row.badges,
    permissions: permissionLabels(row.permission_ids),
    hasAllApps: row.all_apps,
    isSuperAdmin: row.is_super_admin,
  };
}

/** The rights of an account that is signed in. */
export function rightsOf(row: CallerRow) {
  return { mustSetUpFactor: row.must_set_up_factor, account: toSessionUser(row), scope: row.app_ids ?? ('all' as const) };
}

/** The parts of a query of callers that it does not decide for one token: whether the account may act, and its role ids. */
export type Holder = CallerRow & { may_act: boolean; role_ids: number[] };

/** SQL: the columns of Holder, with the current instant as $2. */
export const holderColumns = (demoIsOn: string): string =>
  `${mayAct(demoIsOn)} as may_act, coalesce(held.ids, '{}') as role_ids, ${callerColumns}`;

/** All accounts with their rights, as their next call would have them. */
export async function listAccountHolders(
  pool: Pick<Databases['pools']['ui'], 'query'>,
  { now, demoIsOn }: { now: Date; demoIsOn: boolean },
): Promise<Holder[]> {
  const text = `select ${holderColumns('$1')} from accounts a ${heldRoles} where a.deleted_at is null order by lower(a.name) collate natural_order, a.id`;
  return (await pool.query<Holder>(text, [demoIsOn, now])).rows;
}

/** An account with its rights, as its next call would have them; undefined if it may not act. */
export async function findAccountRights(
  pool: Pick<Databases['pools']['ui'], 'query'>,
  { accountId, now, demoIsOn }: { accountId: number; now: Date; demoIsOn: boolean },
) {
  const text = `select ${holderColumns('$1')} from accounts a ${heldRoles} where a.id = $3`;
  const [holder] = (await pool.query<Holder>(text, [demoIsOn, now, accountId])).rows;
  return holder?.may_act === true ? rightsOf(holder) : undefined;
}

/**
 * Locks the account of a caller, so that its sign-ins, resets and other commands on its sessions and tokens wait: otherwise two at
 * once could exceed a limit. False if the session has ended meanwhile.
 */
export async function lockCaller(tx: OpenTransaction, { account, by }: SessionCaller): Promise<boolean> {
  await lockAccount(tx, account.id);
  return (await sql`select from sessions where id = ${by.sessionId}`.execute(tx)).rows.length > 0;
}
