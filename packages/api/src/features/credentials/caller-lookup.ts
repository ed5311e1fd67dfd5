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

/** SQL: whether the account `a` with the roles `held` first has to set up a second factor, at the instant $2. */
const mustSetUpFactor = `coalesce(${factorStart('held.factor_start')} <= $2, false)
  and not exists (select from second_factors where account_id = a.id) as must_set_up_factor`;

/** SQL: the apps of the account `a` that meet a condition on `app_id`; null for all apps. */
const appIds = (condition: string): string => `case
    when a.all_apps then null
    when a.panel = 'user' then array(select app_id from app_accounts where account_id = a.id and ${condition})
    else array(select app_id from app_buyers where account_id = a.id and ${condition})
  end as app_ids`;

/**
 * SQL: the columns of CallerRow, for a query that joins the account `a` and `heldRoles` and has the current instant as $2.
 * A permission comes once for each role that has it.
 */
export const callerColumns = `a.id as account_id, a.name, a.email, a.panel, a.all_apps,
  held.roles, held.badges, held.is_super_admin, ${mustSetUpFactor},
  array(select permission_id from role_permissions where role_id = any(held.ids)) as permission_ids, ${appIds('true')}`;

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

/** What an account holds. Whether it may act, and which permissions its roles give, is for the reader to apply. */
export type Holder = Pick<CallerRow, 'account_id' | 'name' | 'panel' | 'must_set_up_factor' | 'app_ids'> & {
  may_act: boolean;
  is_deleted: boolean;
  /** Ids of its roles, ascending, with commas between them: thousands of accounts share few sets of roles. */
  role_set: string;
};

/** What a list of holders is limited to: accounts with one of these roles, and of their apps only these; null: all. */
export type HolderFilter = { now: Date; demoIsOn: boolean; roleIds: readonly number[] | null; appIds: readonly number[] | null };

/**
 * Accounts in order of id with what they hold, as their next call would have it, and deleted ones that own service accounts. Roles are
 * joined in one pass: `heldRoles` runs once for each account.
 */
export async function listAccountHolders(
  pool: Pick<Databases['pools']['ui'], 'query'>,
  { now, demoIsOn, roleIds, appIds: ids }: HolderFilter,
): Promise<Holder[]> {
  const text = `
    select a.id as account_id, a.name, a.panel, ${mayAct('$1')} as may_act, a.deleted_at is not null as is_deleted,
      coalesce(held.role_set, '') as role_set, ${mustSetUpFactor}, ${appIds('($3::int[] is null or app_id = any($3))')}
    from accounts a left join (
      select h.account_id, string_agg(r.id::text, ',' order by r.id) as role_set, ${firstRuleOfRoles} as factor_start
      from account_roles h join roles r on r.id = h.role_id group by h.account_id
    ) as held on held.account_id = a.id
    where (a.deleted_at is null or a.id in (select owner_id from api_tokens where kind = 'service'))
      and ($4::int[] is null or a.id in (select account_id from account_roles where role_id = any($4)))
    order by a.id`;
  return (await pool.query<Holder>(text, [demoIsOn, now, ids, roleIds])).rows;
}

/** An account with its rights, as its next call would have them; undefined if it may not act. */
export async function findAccountRights(
  pool: Pick<Databases['pools']['ui'], 'query'>,
  { accountId, now, demoIsOn }: { accountId: number; now: Date; demoIsOn: boolean },
) {
  const text = `select ${mayAct('$1')} as may_act, ${callerColumns} from accounts a ${heldRoles} where a.id = $3`;
  const [holder] = (await pool.query<CallerRow & { may_act: boolean }>(text, [demoIsOn, now, accountId])).rows;
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
