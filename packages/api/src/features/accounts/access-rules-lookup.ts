import { accountMessages, grantMessages } from '@switchyard/contract/account-rules';
import { permissionCatalogue, superAdminRoleId, type Panel } from '@switchyard/contract/permissions';
import { commonScope, coversApps, type AppScope } from '@switchyard/contract/app-scope';
import { conflict, FieldErrors, forbidden } from '../../errors.ts';
import type { AccountCaller } from '../../http/bind.ts';

/** The reason why a rule on accounts and roles forbids a command, as it is answered. */
export type Denial = { status: 403 | 409; message: string } | { status: 422; field: string; message: string };

/** Throws the denial as an error; null passes. */
export function rejectIfDenied(denial: Denial | null): void {
  if (denial === null) return;
  if (denial.status === 422) throw new FieldErrors({ [denial.field]: [denial.message] });
  throw denial.status === 409 ? conflict(denial.message) : forbidden(denial.message);
}

/** The permission ids of all roles of an account, and whether Super Admin is one of its roles. */
export type Holder = { permissionIds: ReadonlySet<number>; isSuperAdmin: boolean };

const buyerPermissions = new Set<number>(permissionCatalogue.filter(({ panel }) => panel === 'buyer').map(({ id }) => id));

/** Whether every staff permission among these is held. Permissions of buyers are exempt, because no staff account holds them. */
export function holdsAll({ permissionIds }: Pick<Holder, 'permissionIds'>, requiredIds: Iterable<number>): boolean {
  return [...requiredIds].every((id) => buyerPermissions.has(id) || permissionIds.has(id));
}

/** The grant rule: callers give and take only permissions that they hold, and only super admins the role Super Admin. */
export function grantDenial(caller: Holder, target: Holder): Denial | null {
  if (target.isSuperAdmin && !caller.isSuperAdmin) return { status: 403, message: grantMessages.superAdmin };
  if (!holdsAll(caller, target.permissionIds)) return { status: 403, message: grantMessages.permissions };
  return null;
}

/** The permissions that these roles give together. */
export function holderOf(roles: readonly { id: number; permissionIds: readonly number[] }[]): Holder {
  return {
    permissionIds: new Set(roles.flatMap((role) => role.permissionIds)),
    isSuperAdmin: roles.some((role) => role.id === superAdminRoleId),
  };
}

/**
 * The rights that a caller may grant. With an API token it is no more than the token has, whatever its owner holds, and nothing
 * that needs a super admin.
 */
export function limitedToCaller<H extends Holder & { scope: AppScope }>({ by, scope }: Pick<AccountCaller, 'by' | 'scope'>, holder: H): H {
  if (by.kind === 'session') return holder;
  const permissionIds = new Set([...holder.permissionIds].filter((id) => by.permissionIds.has(id)));
  return { ...holder, permissionIds, isSuperAdmin: false, scope: commonScope(holder.scope, scope) };
}

/** The caller of a command: a signed-in staff account with its permissions and the apps it sees. */
export type Writer = Holder & { id: number; scope: AppScope };

/** An account before or after a command, as the rules see it. */
export type Standing = Holder & { panel: Panel; hasAccess: boolean; isQa: boolean; roleIds: readonly number[]; apps: AppScope };

/** Numbers of super admins with access other than the account of the command: all, and those that see all apps. */
export type OtherSuperAdmins = { enabledCount: number; withAllApps: number };

/** Why the caller may not change the account at all: it has more permissions than the caller, or as staff sees more apps. */
export function targetDenial(caller: Writer, target: Standing): Denial | null {
  const above = grantDenial(caller, target);
  if (above) return above;
  const seesMore = target.panel === 'user' && !coversApps(caller.scope, target.apps);
  return seesMore ? { status: 403, message: grantMessages.apps } : null;
}

/** Why the caller may not end a session of the account: the caller may not change it, or it is a buyer with apps outside the caller's scope. */
export function sessionDenial(caller: Writer, target: Standing): Denial | null {
  return targetDenial(caller, target) ?? (coversApps(caller.scope, target.apps) ? null : { status: 403, message: grantMessages.apps });
}

/** A change of an account that `targetDenial` lets pass. */
export type AccountChange = {
  /** Null for a new account. */
  id: number | null;
  before: Standing | null;
  /** Null when it is deleted. */
  after: Standing | null;
  /** The apps that the call itself names. */
  apps: AppsCall;
  /** Whether the password or the e-mail address changes: anybody who sets either can sign in as the account. */
  newCredentials: boolean;
  others: OtherSuperAdmins;
};

/** The first rule that forbids the change, in this order: last super admin, own roles, grants, apps, oneself. */
export function changeDenial(caller: Writer, change: AccountChange): Denial | null {
  return (
    lastSuperAdminDenial(change) ??
    ownRolesDenial(caller, change) ??
    grantedDenial(caller, change) ??
    otherTeamsBuyerDenial(caller, change) ??
    selfDenial(caller, change)
  );
}

/** Staff with all apps have no single ones that could be removed. */
export function detachDenial(before: AppScope): Denial | null {
  return before === 'all' ? { status: 409, message: accountMessages.chooseAppsFirst } : null;
}

function lastSuperAdminDenial({ before, after, others }: AccountChange): Denial | null {
  if (before === null || !before.isSuperAdmin || !before.hasAccess) return null;
  const stays = after !== null && after.isSuperAdmin && after.hasAccess;
  if (!stays) return others.enabledCount === 0 ? { status: 409, message: grantMessages.lastSuperAdmin } : null;
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
 * A caller who sees only some apps of a buyer may not set the buyer's credentials, access or roles, or delete the buyer: that would give
 * access to the apps of another team. Nor whether the buyer is QA, by which the requests of all of these apps are counted. The buyer's name and the apps within the caller's scope may be changed.
 */
function otherTeamsBuyerDenial(caller: Writer, { before, after, newCredentials }: AccountChange): Denial | null {
  if (before === null || before.panel !== 'buyer' || coversApps(caller.scope, before.apps)) return null;
  const isTouched =
    after === null ||
    newCredentials ||
    before.hasAccess !== after.hasAccess ||
    before.isQa !== after.isQa ||
    !isSameSet(before.roleIds, after.roleIds);
  return isTouched ? { status: 403, message: grantMessages.apps } : null;
}

/** Whether two lists hold the same ids in any order. */
export function isSameSet(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((id) => other.includes(id));
}

function selfDenial(caller: Writer, { id, after }: AccountChange): Denial | null {
  if (id !== caller.id) return null;
  if (after === null) return { status: 422, field: 'id', message: accountMessages.deleteSelf };
  return after.hasAccess ? null : { status: 422, field: 'hasAccess', message: accountMessages.denySelf };
}

/** The apps in a call: the full set, apps to add or apps to remove; null: none. */
export type AppsCall = { kind: 'set' | 'add' | 'remove'; ids: readonly number[] } | null;

/** Why the caller may not name these apps: they are outside the caller's scope. For staff, an empty full set means all apps. */
function namedAppsDenial({ scope, panel, call }: { scope: AppScope; panel: Panel; call: AppsCall }): Denial | null {
  if (call === null || scope === 'all') return null;
  if (namesAllApps(panel, call)) return { status: 403, message: grantMessages.allApps };
  return coversApps(scope, call.ids) ? null : { status: 403, message: grantMessages.apps };
}

/**
 * The apps of an account after a call, ascending. For staff, an empty full set means all apps, and a new account without a
 * set gets those of its creator. A buyer keeps the apps that the caller does not see.
 * @param before null for a new account
 */
export function appsAfter({
  scope,
  panel,
  before,
  call,
}: {
  scope: AppScope;
  panel: Panel;
  before: AppScope | null;
  call: AppsCall;
}): AppScope {
  if (call === null) return before ?? (panel === 'user' ? scope : []);
  if (namesAllApps(panel, call)) return 'all';
  // An account with all apps is restricted to those that are added; removing single ones is rejected before.
  const heldIds = before === 'all' || before === null ? [] : before;
  if (call.kind === 'add') return ascending([...heldIds, ...call.ids]);
  if (call.kind === 'remove') return without(heldIds, call.ids);
  const hiddenIds = panel === 'buyer' && scope !== 'all' ? without(heldIds, scope) : [];
  return ascending([...call.ids, ...hiddenIds]);
}

/** Ids of one list that are not in the other; a set, because a call may name ten thousand. */
export function without(ids: readonly number[], others: readonly number[]): number[] {
  const excludedIds = new Set(others);
  return ids.filter((id) => !excludedIds.has(id));
}

/** Ids of one list that are in the other, too. */
export function common(ids: readonly number[], others: readonly number[]): number[] {
  const includedIds = new Set(others);
  return ids.filter((id) => includedIds.has(id));
}

function namesAllApps(panel: Panel, call: { kind: string; ids: readonly number[] }): boolean {
  return panel === 'user' && call.kind === 'set' && call.ids.length === 0;
}

function ascending(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}
