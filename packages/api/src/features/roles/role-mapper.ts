import { wireDate } from '@switchyard/contract/dates';
import { permissionCatalogue, type Panel } from '@switchyard/contract/permissions';
import { permissionGroup, type PermissionRow, type Role, type RoleChoice } from '@switchyard/contract/roles';
import type { Holder } from '../accounts/access-rules-lookup.ts';
import { mayGrantRole, roleDenial } from './role-rules.ts';
import type { StoredRole } from './roles-store.ts';

/** Every permission of the catalogue with its group, in order of id. */
const allPermissions: readonly PermissionRow[] = permissionCatalogue.map(({ id, label, panel, description }) => ({
  id,
  label,
  panel,
  description,
  group: permissionGroup(label),
}));

/** Permissions in order of id, of one panel or of both. */
export function permissionRows(panel?: Panel): PermissionRow[] {
  return allPermissions.filter((permission) => panel === undefined || permission.panel === panel);
}

/** The Role of the wire; `read_only` depends on the reader. */
export function toRole(role: StoredRole, reader: Holder): Role {
  const { permissionIds, is_held_outside: _, created_at, updated_at, ...columns } = role;
  return {
    ...columns,
    read_only: roleDenial(reader, role) !== null,
    permissions: allPermissions.filter(({ id }) => permissionIds.includes(id)),
    permission_ids: permissionIds,
    created_at: wireDate(created_at),
    updated_at: wireDate(updated_at),
  };
}

/** A role as account forms offer it; `assignable` depends on the reader. */
export function toRoleChoice(role: StoredRole, reader: Holder): RoleChoice {
  const { id, name, label, badge, panel } = role;
  return { id, name, label, badge, panel, assignable: mayGrantRole(reader, role) };
}

const idByLabel = new Map<string, number>(permissionCatalogue.map(({ id, label }) => [label, id]));

/** The permission ids of a signed-in account, as the rules on roles need them. */
export function toRoleCaller(account: { permissions: readonly string[]; isSuperAdmin: boolean }): Holder {
  return { permissionIds: new Set(account.permissions.flatMap((label) => idByLabel.get(label) ?? [])), isSuperAdmin: account.isSuperAdmin };
}
