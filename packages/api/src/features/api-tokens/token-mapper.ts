import type { ApiToken, ServiceAccount } from '@switchyard/contract/api-tokens';
import { wireDate } from '@switchyard/contract/dates';
import { permissionIdsOf } from '@switchyard/contract/permissions';
import { coversApps, withinScope, type AppScope } from '@switchyard/contract/app-scope';
import type { SessionCaller } from '../../http/bind.ts';
import type { StoredToken } from './api-tokens-store.ts';

/** Who reads a token. */
export type TokenReader = { caller: SessionCaller; now: Date };

/** Whether an account holds all of these permissions. */
export function holdsEach({ account }: SessionCaller, ids: readonly number[]): boolean {
  const heldIds = permissionIdsOf(account.permissions);
  return ids.every((id) => heldIds.has(id));
}

/** The apps of a token. */
export function appsOf({ all_apps: all, app_ids: ids }: Pick<StoredToken, 'all_apps' | 'app_ids'>): AppScope {
  return all ? 'all' : ids;
}

/** The wire form of a token. Apps that its reader does not see are left out. */
export function toApiToken(token: StoredToken, { caller, now }: TokenReader): ApiToken {
  const { id, name, ends_with, permission_ids, all_apps, app_ids, networks, expires_at: expires, last_used_at: lastUsedAt } = token;
  return {
    id,
    name,
    ends_with,
    permission_ids,
    has_all_apps: all_apps,
    app_ids: [...withinScope(app_ids, caller.scope)],
    networks,
    created_at: wireDate(token.created_at),
    expires_at: wireDate(expires),
    is_expired: expires !== null && expires <= now,
    last_used_at: wireDate(lastUsedAt),
    last_used_ip: token.last_used_ip,
  };
}

/** The wire form of a service account. */
export function toServiceAccount(token: StoredToken, reader: TokenReader): ServiceAccount {
  return {
    ...toApiToken(token, reader),
    owner: { id: token.owner_id, name: token.owner_name },
    is_stopped: !token.owner_has_access,
    read_only: !holdsEach(reader.caller, token.permission_ids),
  };
}

/** Whether the caller sees a service account: all of its apps lie in the caller's scope. */
export function isVisible(token: StoredToken, { scope }: SessionCaller): boolean {
  return coversApps(scope, appsOf(token));
}
