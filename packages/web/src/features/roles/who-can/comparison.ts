import { permissionCatalogue, type Panel } from '@switchyard/contract/permissions';
import { permissionGroup, type PermissionRow, type Role } from '@switchyard/contract/roles';
import type { HolderRow } from '@switchyard/contract/who-can';

/** A role or an account with its permissions, each with the roles that give it; a role names none. */
export type ComparedSide = {
  /** As the address names it: `role-3`, `account-7`. */
  readonly key: string;
  readonly kind: 'role' | 'account';
  readonly id: number;
  readonly panel: Panel;
  readonly name: string;
  readonly permissions: ReadonlyMap<number, readonly string[]>;
};

/** Everything that can be compared: roles, then accounts. An account has the permissions of all its roles. */
export function comparedSides(roles: readonly Role[], accounts: readonly HolderRow[]): ComparedSide[] {
  const byId = new Map(roles.map((role) => [role.id, role]));
  return [
    ...roles.map(({ id, panel, name, permission_ids: ids }) => ({
      key: `role-${id}`,
      kind: 'role' as const,
      id,
      panel,
      name,
      permissions: new Map(ids.map((permission) => [permission, []])),
    })),
    ...accounts.map(({ key, name, account: { id, panel }, roles: ownRoles }) => ({
      key,
      kind: 'account' as const,
      id,
      panel,
      name,
      permissions: givenBy(ownRoles.flatMap((role) => byId.get(role.id) ?? [])),
    })),
  ];
}

function givenBy(roles: readonly Role[]): Map<number, string[]> {
  const roleNames = new Map<number, string[]>();
  for (const { name, permission_ids: ids } of roles) for (const id of ids) roleNames.set(id, [...(roleNames.get(id) ?? []), name]);
  return roleNames;
}

const allPermissions: readonly PermissionRow[] = permissionCatalogue.map(({ id, label, panel, description }) => ({
  id,
  label,
  panel,
  description,
  group: permissionGroup(label),
}));

/** The permissions that only one side has, that both have, and that only the other one has. */
export function comparePermissions(one: ComparedSide, other: ComparedSide) {
  const where = (isInOne: boolean, isInOther: boolean): PermissionRow[] =>
    allPermissions.filter(({ id }) => one.permissions.has(id) === isInOne && other.permissions.has(id) === isInOther);
  return { onlyOne: where(true, false), both: where(true, true), onlyOther: where(false, true) };
}
