import { accountMessages, grantMessages } from '@switchyard/contract/account-rules';
import type { Panel } from '@switchyard/contract/permissions';
import type { AppScope } from '../../traffic-store/traffic-store.ts';
import { coversApps, namedAppsDenial, type AppsCall } from './app-rules-lookup.ts';
import type { Denial } from './denial-lookup.ts';
import { grantDenial, type Holder } from './permission-rules-lookup.ts';

/** Who writes: a signed-in staff account with its permissions and the apps it sees. */
export type Writer = Holder & { id: number; scope: AppScope };

/** What the rules know of an account, as it is or as it would be. */
export type Standing = Holder & { panel: Panel; hasAccess: boolean; roleIds: readonly number[]; apps: AppScope };

/** Super admins besides the account that is written, with access and not deleted: all of them, and those with all apps. */
export type OtherSuperAdmins = { enabled: number; withAllApps: number };

/** Why the caller may not touch the account at all, as it is: it stands above him, or sees more apps than he (api 0.12). */
export function targetDenial(caller: Writer, target: Standing): Denial | null {
  const above = grantDenial(caller, target);
  if (above) return above;
  const seesMore = target.panel === 'user' && !coversApps(caller.scope, target.apps);
  return seesMore ? { status: 403, message: grantMessages.apps } : null;
}

/** Why the caller may not end a session of the account: it is out of reach, or a buyer of another team (O37). */
export function sessionDenial(caller: Writer, target: Standing): Denial | null {
  return targetDenial(caller, target) ?? (coversApps(caller.scope, target.apps) ? null : { status: 403, message: grantMessages.apps });
}

/** A write of an account that the caller may touch. */
export type AccountChange = {
  /** Null for a new account. */
  id: number | null;
  before: Standing | null;
  /** Null when it is deleted. */
  after: Standing | null;
  /** What the call itself named of apps. */
  apps: AppsCall;
  /** Whether there is a new password, or another e-mail address: whoever sets either can sign in as the account. */
  newCredentials: boolean;
  others: OtherSuperAdmins;
};

/** The first rule that refuses the change, in the order of api 0.3: last super admin, own roles, grants, apps, oneself. */
export function changeDenial(caller: Writer, change: AccountChange): Denial | null {
  return (
    lastSuperAdminDenial(change) ??
    ownRolesDenial(caller, change) ??
    grantedDenial(caller, change) ??
    otherTeamsBuyerDenial(caller, change) ??
    selfDenial(caller, change)
  );
}

/** Staff with all apps have no single ones to take away (api [54]). */
export function detachDenial(before: AppScope): Denial | null {
  return before === 'all' ? { status: 409, message: accountMessages.chooseAppsFirst } : null;
}

function lastSuperAdminDenial({ before, after, others }: AccountChange): Denial | null {
  if (before === null || !before.isSuperAdmin || !before.hasAccess) return null;
  const stays = after !== null && after.isSuperAdmin && after.hasAccess;
  if (!stays) return others.enabled === 0 ? { status: 409, message: grantMessages.lastSuperAdmin } : null;
  const isRestricted = before.apps === 'all' && after.apps !== 'all';
  return isRestricted && others.withAllApps === 0 ? { status: 409, message: grantMessages.lastSuperAdminApps } : null;
}

function ownRolesDenial(caller: Writer, { id, before, after }: AccountChange): Denial | null {
  if (id !== caller.id || before === null || after === null) return null;
  return isSameSet(before.roleIds, after.roleIds) ? null : { status: 403, message: grantMessages.ownRoles };
}

function grantedDenial(caller: Writer, { after, apps }: AccountChange): Denial | null {
  if (after === null) return null;
  return grantDenial(caller, after) ?? namedAppsDenial({ scope: caller.scope, panel: after.panel, call: apps });
}

/**
 * Whoever sees only some apps of a buyer may not sign in as him, lock him out or delete him (O37): that would open the
 * apps of another team. His name, and his ties to apps that the caller sees, are free.
 */
function otherTeamsBuyerDenial(caller: Writer, { before, after, newCredentials }: AccountChange): Denial | null {
  if (before === null || before.panel !== 'buyer' || coversApps(caller.scope, before.apps)) return null;
  const isTouched = after === null || newCredentials || before.hasAccess !== after.hasAccess || !isSameSet(before.roleIds, after.roleIds);
  return isTouched ? { status: 403, message: grantMessages.apps } : null;
}

function isSameSet(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((id) => other.includes(id));
}

function selfDenial(caller: Writer, { id, after }: AccountChange): Denial | null {
  if (id !== caller.id) return null;
  if (after === null) return { status: 422, field: 'id', message: accountMessages.deleteSelf };
  return after.hasAccess ? null : { status: 422, field: 'hasAccess', message: accountMessages.denySelf };
}
