import { grantMessages } from '@switchyard/contract/account-rules';
import { permissionCatalogue, permissionId, superAdminRoleId, type Panel } from '@switchyard/contract/permissions';
import { roleMessages } from '@switchyard/contract/roles';
import { unknownIdMessage } from '@switchyard/contract/text-fields';
import { conflict, FieldErrors, forbidden } from '../../errors.ts';
import { refuse, type Denial } from '../access-rules/denial-lookup.ts';
import { grantDenial, holderOf, type Holder } from '../access-rules/permission-rules-lookup.ts';

/** What the rules know of a role. */
type RuledRole = { id: number; permissionIds: readonly number[] };

const panelOfPermission = new Map<number, Panel>(permissionCatalogue.map(({ id, panel }) => [id, panel]));
const rolesPermission = permissionId('manager_settings_roles');

/** Whether the caller may grant the role to accounts (api 0.12, AMB-167). */
export function mayGrantRole(caller: Holder, role: RuledRole): boolean {
  return grantDenial(caller, holderOf([role])) === null;
}

/**
 * Why the caller may not change the role (api 0.12, O37): it is the super admins', it holds more than the caller, or an
 * account that sees other apps than the caller holds it, which would then be changed along with it.
 */
export function roleDenial(caller: Holder, role: RuledRole & { is_held_outside: boolean }): Denial | null {
  return grantDenial(caller, holderOf([role])) ?? (role.is_held_outside ? { status: 403, message: grantMessages.apps } : null);
}

/** Refuses with 403 to change a role that `roleDenial` keeps from the caller. */
export function requireTouchable(caller: Holder, role: RuledRole & { is_held_outside: boolean }): void {
  refuse(roleDenial(caller, role));
}

/** Refuses with 403 whoever may not work on roles at all. */
export function requireRoles({ permissionIds }: Holder): void {
  if (!permissionIds.has(rolesPermission)) throw forbidden();
}

/** Refuses with 403 to put permissions into a role that the caller does not hold (S7). */
export function requireGrantable(caller: Holder, permissionIds: readonly number[]): void {
  refuse(grantDenial(caller, { permissionIds: new Set(permissionIds), isSuperAdmin: false }));
}

/** Refuses with 409 to change what the Super Admin role holds (api 0.12). */
export function requireFixedSet(role: RuledRole, after: readonly number[] | undefined): void {
  if (role.id === superAdminRoleId && after !== undefined && !isSameSet(role.permissionIds, after))
    throw conflict(grantMessages.superAdminRole);
}

/**
 * Refuses with 422 an edit that takes the caller's own last access to roles (AMB-188).
 * @param others permissions that the caller holds by his other roles, or null when the edited role is not his
 */
export function requireOwnAccess(others: ReadonlySet<number> | null, after: readonly number[]): void {
  if (others === null || others.has(rolesPermission) || after.includes(rolesPermission)) return;
  throw new FieldErrors({ permission_ids: [roleMessages.lastOwnAccess] });
}

/** Message for ids that are no permissions of the panel (api [38]); null when all are. */
export function unknownPermission(ids: readonly number[], panel: Panel | undefined): string | null {
  const unknown = ids.find((id) => (panel === undefined ? !panelOfPermission.has(id) : panelOfPermission.get(id) !== panel));
  return unknown === undefined ? null : unknownIdMessage('permission_ids', unknown);
}

/** Message for a name that another role of the panel has as name or label, but for case (api [38]); null when it is free. */
export function takenName(name: string, others: readonly { name: string; label: string }[]): string | null {
  const wanted = name.toLowerCase();
  const isTaken = others.some((role) => role.name.toLowerCase() === wanted || role.label.toLowerCase() === wanted);
  return isTaken ? roleMessages.taken : null;
}

/** Badge of a custom role: the first letters of its words, upper case, at most three (api 0.10). */
export function badgeOf(name: string): string {
  const initials = name.split(/\s+/).flatMap((word) => lettersOf(word).slice(0, 1));
  return lettersOf(initials.join('').toUpperCase()).slice(0, 3).join('');
}

const letters = new Intl.Segmenter('en');

/** What a reader takes for one letter, accents and all. */
function lettersOf(text: string): string[] {
  return Array.from(letters.segment(text), ({ segment }) => segment);
}

/** Whether two lists hold the same ids, in whatever order. */
export function isSameSet(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((id) => other.includes(id));
}
