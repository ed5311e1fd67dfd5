import { permissionCatalogue, superAdminRoleId, type Panel } from '@switchyard/contract/permissions';
import type { SessionUser } from '@switchyard/contract/session';
import type { Databases } from '../../database/connect.ts';
import { isStorageFull } from '../../database/database-errors.ts';
import type { AccountCaller } from '../../http/bind.ts';

type CallerRow = {
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
 * One statement a request: the live session with its account, roles, permissions and apps as they are now (S6). A permission
 * comes once for each role that has it.
 */
const callerQuery = `
select s.id as session_id, s.last_used_at <= $4 as is_long_unwritten, a.id as account_id, a.name, a.email, a.panel, a.all_apps,
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
where s.token_hash = $1 and s.expires_at > $2 and s.last_used_at > $3 and a.has_access and a.deleted_at is null`;

const useStatement = 'update sessions set last_used_at = $2 where id = $1 and last_used_at <= $3';

/** Instants that decide whether a session lives and whether its use is written down. */
export type SessionClock = { now: Date; idleSince: Date; writtenBefore: Date };

/**
 * The account behind a session token's hash; null when the session is unknown, ended, expired or idle, or access was denied. The time of
 * use is written when the last one is older than `writtenBefore`, so most requests write nothing; where the storage is full it goes
 * unwritten, so that reads go on (R15).
 */
export async function findCaller(pool: Databases['pools']['sessions'], hash: Buffer, clock: SessionClock): Promise<AccountCaller | null> {
  const [now, idleSince, writtenBefore] = [clock.now, clock.idleSince, clock.writtenBefore].map((instant) => instant.toISOString());
  const values = [hash, now, idleSince, writtenBefore];
  const { rows } = await pool.query<CallerRow>({ name: 'session-caller', text: callerQuery, values });
  const [row] = rows;
  if (!row) return null;
  if (row.is_long_unwritten) {
    const write = { name: 'session-used', text: useStatement, values: [row.session_id, now, writtenBefore] };
    await pool.query(write).catch((error: unknown) => {
      if (!isStorageFull(error)) throw error;
    });
  }
  return { kind: 'account', sessionId: row.session_id, account: toSessionUser(row), scope: row.app_ids ?? 'all' };
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
