import { grantMessages } from '@switchyard/contract/account-rules';
import { permissionCatalogue, permissionId, superAdminRoleId, type Panel } from '@switchyard/contract/permissions';
import { roleMessages } from '@switchyard/contract/roles';
import { comparableText, unknownIdMessage } from '@switchyard/contract/text-fields';
import { conflict, FieldErrors, forbidden } from '../../errors.ts';
import { grantDenial, holderOf, isSameSet, rejectIfDenied, type Denial, type Holder } from '../accounts/access-rules-lookup.ts';

/** The part of a role that the rules depend on. */
type RuledRole = { id: number; permissionIds: readonly number[] };

const panelOfPermission = new Map<number, Panel>(permissionCatalogue.map(({ id, panel }) => [id, panel]));
const rolesPermission = permissionId('manager_settings_roles');

/** Whether the caller may give the role to accounts. */
export function mayGrantRole(caller: Holder, role: RuledRole): boolean {
  return grantDenial(caller, holderOf([role])) === null;
}

/**
 * The reason why the caller may not change the role, or null: it is the Super Admin role, it has permissions that the
 * caller lacks, or an account with apps outside the caller's scope holds it and would be changed along with it.
 */
export function roleDenial(caller: Holder, role: RuledRole & { is_held_outside: boolean }): Denial | null {
  return grantDenial(caller, holderOf([role])) ?? (role.is_held_outside ? { status: 403, message: grantMessages.apps } : null);
}

/** Throws 403 if the caller may not change the role. */
export function requireTouchable(caller: Holder, role: RuledRole & { is_held_outside: boolean }): void {
  rejectIfDenied(roleDenial(caller, role));
}

/** Throws 403 if the caller lacks the permission for roles. */
export function requireRoles({ permissionIds }: Holder): void {
  if (!permissionIds.has(rolesPermission)) throw forbidden();
}

/** Throws 403 for permissions that the caller does not hold. */
export function requireGrantable(caller: Holder, permissionIds: readonly number[]): void {
  rejectIfDenied(grantDenial(caller, { permissionIds: new Set(permissionIds), isSuperAdmin: false }));
}

/** Throws 409 if the permissions of the Super Admin role would change. */
export function requireFixedSet(role: RuledRole, after: readonly number[] | undefined): void {
  if (role.id === superAdminRoleId && after !== undefined && !isSameSet(role.permissionIds, after))
    throw conflict(grantMessages.superAdminRole);
}

/**
 * Throws 422 if an edit would remove the caller's own last access to roles. @param others permissions that the caller holds by
 * other roles; null if the caller does not hold the edited role
 */
export function requireOwnAccess(others: ReadonlySet<number> | null, after: readonly number[]): void {
  if (others === null || others.has(rolesPermission) || after.includes(rolesPermission)) return;
  throw new FieldErrors({ permission_ids: [roleMessages.lastOwnAccess] });
}

/** Message for the first id that is no permission of the panel; null when all are. */
export function unknownPermission(ids: readonly number[], panel: Panel | undefined): string | null {
  const unknown = ids.find((id) => (panel === undefined ? !panelOfPermission.has(id) : panelOfPermission.get(id) !== panel));
  return unknown === undefined ? null : unknownIdMessage('permission_ids', unknown);
}

/** Message for a name that another role of the panel has as its name or label, ignoring case; null when it is free. */
export function takenName(name: string, others: readonly { name: string; label: string }[]): string | null {
  const comparableName = comparableText(name);
  const isTaken = others.some((role) => [role.name, role.label].some((other) => comparableText(other) === comparableName));
  return isTaken ? roleMessages.taken : null;
}

/** Badge of a custom role: the first letters of its words in upper case, at most three. */
export function badgeOf(name: string): string {
  const initials = name.split(/\s+/).flatMap((word) => lettersOf(word).slice(0, 1));
  return lettersOf(initials.join('').toUpperCase()).slice(0, 3).join('');
}

const letters = new Intl.Segmenter('en');

/** Letters as readers count them, with their accents. */
function lettersOf(text: string): string[] {
  return Array.from(letters.segment(text), ({ segment }) => segment);
}
