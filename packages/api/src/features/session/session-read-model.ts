import { permissionCatalogue, superAdminRoleId, type Panel } from '@switchyard/contract/permissions';
import type { SessionUser } from '@switchyard/contract/session';
import { coalesce } from '../../coalesce.ts';
import type { Databases } from '../../database/connect.ts';
import { isStorageFull } from '../../database/database-errors.ts';
import { unauditedStatement } from '../../database/transaction.ts';
import type { AccountCaller } from '../../http/bind.ts';

type CallerRow = {
  token_hash: Buffer;
  session_id: number;
  is_long_unwritten: boolean;
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
 * One statement for many requests: the live sessions with the current roles, permissions and apps of their accounts. A
 * permission comes once for each role that has it.
 */
const callerQuery = `
select s.token_hash, s.id as session_id, s.last_used_at <= $4 as is_long_unwritten, a.id as account_id, a.name, a.email, a.panel, a.all_apps,
  held.roles, held.badges, held.is_super_admin,
  array(select permission_id from role_permissions where role_id = any(held.ids)) as permission_ids,
  case
    when a.all_apps then null
    when a.panel = 'user' then array(select app_id from app_accounts where account_id = a.id)
    else array(select app_id from app_buyers where account_id = a.id)
  end as app_ids
from sessions s join accounts a on a.id = s.account_id
cross join lateral (
  select array_agg(r.id) as ids, coalesce(array_agg(r.label order by r.id), '{}') as roles,
    coalesce(array_agg(r.badge order by r.id), '{}') as badges, coalesce(bool_or(r.id = ${superAdminRoleId}), false) as is_super_admin
  from account_roles h join roles r on r.id = h.role_id where h.account_id = a.id
) as held
where s.token_hash = any($1::bytea[]) and s.expires_at > $2 and s.last_used_at > $3 and a.has_access and a.deleted_at is null
  and ($5 or not a.is_demo)`;

/** Skips rows that another process has locked, so that batches neither wait for each other nor deadlock. */
const useStatement = `
update sessions set last_used_at = $2 where id in (
  select id from sessions where id = any($1::bigint[]) and last_used_at <= $3 for update skip locked)`;

/** Instants that decide whether a session is live and whether its use is written. */
export type SessionClock = { now: Date; idleSince: Date; writtenBefore: Date };

/** The account behind a session token's hash; null when the session is unknown, ended, expired or idle, or the account may not sign in. */
export type FindCaller = (hash: Buffer) => Promise<AccountCaller | null>;

/**
 * Looks up callers. Concurrent lookups share a query, which begins after they were asked for, so an ended session is unknown
 * from the next call on. The time of use is written when the stored one is older than `writtenBefore`, so most requests
 * write nothing, and not at all while the storage is full. Demo accounts are unknown while the demo is off.
 */
export function createCallerLookup(pool: Databases['pools']['sessions'], clock: () => SessionClock, demoIsOn: boolean): FindCaller {
  const instants = () => {
    const { now, idleSince, writtenBefore } = clock();
    return { now: now.toISOString(), idleSince: idleSince.toISOString(), writtenBefore: writtenBefore.toISOString() };
  };
  const lookUp = coalesce(async (hashes: readonly string[]) => {
    const { now, idleSince, writtenBefore } = instants();
    const values = [[...new Set(hashes)].map((hash) => Buffer.from(hash, 'hex')), now, idleSince, writtenBefore, demoIsOn];
    const { rows } = await pool.query<CallerRow>({ name: 'session-callers', text: callerQuery, values });
    return new Map(rows.map((row) => [row.token_hash.toString('hex'), row]));
  });
  const writeUse = coalesce(async (ids: readonly number[]) => {
    const { now, writtenBefore } = instants();
    const write = { name: 'sessions-used', text: useStatement, values: [[...new Set(ids)], now, writtenBefore] };
    await unauditedStatement('the last use of a session is no change by anybody', pool)
      .query(write)
      .catch((error: unknown) => {
        if (!isStorageFull(error)) throw error;
      });
  });

  return async (hash) => {
    const key = hash.toString('hex');
    const row = (await lookUp(key)).get(key);
    if (!row) return null;
    if (row.is_long_unwritten) await writeUse(row.session_id);
    return { kind: 'account', sessionId: row.session_id, account: toSessionUser(row), scope: row.app_ids ?? 'all' };
  };
}

const labelById = new Map<number, string>(permissionCatalogue.map((permission) => [permission.id, permission.label]));

function toSessionUser(row: CallerRow): SessionUser {
  return {
    id: row.account_id,
    name: row.name,
    email: row.email,
    panel: row.panel,
    roles: row.roles,
    badges: row.badges,
    permissions: [...new Set(row.permission_ids)].toSorted((a, b) => a - b).flatMap((id) => labelById.get(id) ?? []),
    hasAllApps: row.all_apps,
    isSuperAdmin: row.is_super_admin,
  };
}
