import { wireDate } from '@switchyard/contract/dates';
import type { StoredToken } from './api-tokens-store.ts';
import type { Grant } from './token-grants.ts';

const day = 86_400_000;

/** The expiry of a token after this number of days; null: it has none. */
export function expiryAfter(days: number | null, now: Date): Date | null {
  return days === null ? null : new Date(now.getTime() + days * day);
}

/** The rights of a call as they are stored. */
export function storedGrant(grant: { permission_ids: number[]; has_all_apps: boolean; app_ids: number[] }): Grant {
  const { permission_ids: permissionIds, has_all_apps: all } = grant;
  return {
    permission_ids: permissionIds.toSorted((one, other) => one - other),
    all_apps: all,
    app_ids: all ? [] : grant.app_ids.toSorted((one, other) => one - other),
  };
}

/** The fields of a token in the audit trail, by their names on the wire. */
export function auditFields(token: StoredToken): Record<string, unknown> {
  const { name, permission_ids, all_apps, app_ids, networks, expires_at: expires } = token;
  return { name, permission_ids, has_all_apps: all_apps, app_ids, networks, expires_at: wireDate(expires) };
}
