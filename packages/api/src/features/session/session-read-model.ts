import { permissionCatalogue, superAdminRoleId, type Panel } from '@switchyard/contract/permissions';
import type { SessionUser } from '@switchyard/contract/session';
import type { Databases } from '../../database/connect.ts';
import { isStorageFull } from '../../database/database-errors.ts';
import type { AccountCaller } from '../../http/bind.ts';

type CallerRow = {
  session_id: number;
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
 * One statement a request: the live session with its account, roles, permissions and apps as they are now
 * (S6). The time of use is written when the last one is older than $4, so most requests write nothing.
 */
const callerQuery = `
with found as (
  select s.id as session_id, s.last_used_at, a.id as account_id, a.name, a.email, a.panel, a.all_apps
  from sessions s join accounts a on a.id = s.account_id
  where s.token_hash = $1 and s.expires_at > $2 and s.last_used_at > $3 and a.has_access and a.deleted_at is null
), used as (
  update sessions set last_used_at = $2 from found where sessions.id = found.session_id and found.last_used_at <= $4
)
select found.session_id, found.account_id, found.name, found.email, found.panel, found.all_apps,
  array(select r.label from account_roles h join roles r on r.id = h.role_id where h.account_id = found.account_id order by r.id) as roles,
  array(select r.badge from account_roles h join roles r on r.id = h.role_id where h.account_id = found.account_id order by r.id) as badges,
  exists (select from account_roles h where h.account_id = found.account_id and h.role_id = ${superAdminRoleId}) as is_super_admin,
  array(
    select distinct p.permission_id from account_roles h join role_permissions p on p.role_id = h.role_id
    where h.account_id = found.account_id order by 1
  ) as permission_ids,
  case
    when found.all_apps then null
    when found.panel = 'user' then array(select app_id from app_accounts where account_id = found.account_id)
    else array(select app_id from app_buyers where account_id = found.account_id)
  end as app_ids
from found`;

/** Instants that decide whether a session lives and whether its use is written down. */
export type SessionClock = { now: Date; idleSince: Date; writtenBefore: Date };

/** Before every session's use: with it nothing is written. */
const never = new Date(0);

/**
 * The account behind a session token's hash; null when the session is unknown, ended, expired or idle, or access was denied. Where the
 * storage is full the time of use goes unwritten, so that reads go on (R15).
 */
export async function findCaller(pool: Databases['pools']['sessions'], hash: Buffer, clock: SessionClock): Promise<AccountCaller | null> {
  const query = async (writtenBefore: Date): Promise<CallerRow | undefined> => {
    const values = [hash, clock.now, clock.idleSince, writtenBefore];
    const { rows } = await pool.query<CallerRow>({ name: 'session-caller', text: callerQuery, values });
    return rows[0];
  };
  const row = await query(clock.writtenBefore).catch(async (error: unknown) => {
    if (isStorageFull(error)) return query(never);
    throw error;
  });
  if (!row) return null;
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
    permissions: row.permission_ids.flatMap((id) => labelById.get(id) ?? []),
    hasAllApps: row.all_apps,
    isSuperAdmin: row.is_super_admin,
  };
}
