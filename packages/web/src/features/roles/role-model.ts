import { grantMessages } from '@switchyard/contract/account-rules';
import { superAdminRoleId, type Panel } from '@switchyard/contract/permissions';
import {
  createRole,
  getRole,
  listBuyerPermissions,
  listRoles,
  listUserPermissions,
  role as roleSchema,
  updateRole,
  type PermissionRow,
  type Role,
} from '@switchyard/contract/roles';
import type { SessionUser } from '@switchyard/contract/session';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../shared/api/call.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { mergeFields, mergeIds } from '../../shared/form/conflict.ts';
import type { EntityQuery } from '../../shared/form/entity-page.tsx';
import type { SimpleModel } from '../../shared/form/use-draft.ts';
import { listKey } from '../../shared/listing/list-key.ts';

/** The form of a role; ids in ascending order. */
export type RoleValues = { readonly name: string; readonly permissionIds: readonly number[] };

/** How a role is edited; `permissions` are those that roles of its panel can hold. */
export function roleModel(permissions: readonly PermissionRow[]): SimpleModel<Role, RoleValues> {
  const labels = new Map<number, string>(permissions.map(({ id, label }) => [id, label]));
  return {
    noun: 'role',
    schema: roleSchema,
    valuesOf: (role) =>
      role === undefined
        ? { name: '', permissionIds: [] }
        : { name: role.name, permissionIds: role.permission_ids.toSorted((a, b) => a - b) },
    fieldsOf: () => [
      // Spaces around a title are not stored, so they are no change.
      { label: 'Title', value: ({ name }) => name.trim(), text: ({ name }) => name },
      {
        label: 'Permissions',
        value: ({ permissionIds }) => permissionIds,
        text: ({ permissionIds }) => permissionIds.map((id) => labels.get(id) ?? `#${id}`).join(', '),
      },
    ],
    merge: (states) => {
      const { loaded, theirs, mine } = states;
      const permissionIds = mergeIds({ loaded: loaded.permissionIds, theirs: theirs.permissionIds, mine: mine.permissionIds });
      return { ...mergeFields(states), permissionIds };
    },
    missingOf: ({ name, permissionIds }) => [
      ...(name.trim() === '' ? ['Title'] : []),
      ...(permissionIds.length === 0 ? ['at least one permission'] : []),
    ],
    fieldOf: (key) => (key === 'permission_ids' ? 'permissionIds' : key === 'name' ? key : undefined),
  };
}

/** Saves a role over the version that was loaded, or creates one of the panel. */
export async function storeRole(panel: Panel, { name, permissionIds }: RoleValues, base: Role | undefined): Promise<Role> {
  const body = { name: name.trim(), permission_ids: [...permissionIds] };
  // This one call names the panel of staff 'manager'.
  if (base === undefined) return (await call(createRole, { body: { ...body, panel: panel === 'user' ? 'manager' : panel } })).data;
  const { data } = await call(updateRole, {
    params: { id: base.id },
    body,
    ifMatch: base.version,
    showsFailureItself: (status) => status === 412,
  });
  return data;
}

/** The roles of both panels. */
export function useRoles() {
  return useQuery({ queryKey: listKey('roles'), queryFn: ({ signal }) => call(listRoles, { signal }) });
}

/** Loads a role; never from the cache, because a form starts with it. */
export function roleQuery(id: number): EntityQuery<Role> {
  return {
    queryKey: ['role', id],
    queryFn: async ({ signal }) => (await call(getRole, { params: { id }, signal })).data,
    gcTime: 0,
    staleTime: Infinity,
  };
}

/** Replaces the cached role. */
export function cacheRole(role: Role): void {
  queryClient.setQueryData<Role>(roleQuery(role.id).queryKey, role);
}

/** The permissions that roles of a panel can hold, by id. */
export function usePermissions(panel: Panel) {
  const endpoint = panel === 'user' ? listUserPermissions : listBuyerPermissions;
  return useQuery({ queryKey: ['permissions', panel], queryFn: ({ signal }) => call(endpoint, { signal }), staleTime: Infinity });
}

/** Reloads the lists of roles when they are next shown. */
export async function refreshRoles(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: listKey('roles') });
}

type Caller = Pick<SessionUser, 'permissions' | 'isSuperAdmin'>;

/** Whether the account may grant a permission: it holds it, or it is a buyer permission, which no staff account holds. */
export function mayGrant({ permissions }: Pick<Caller, 'permissions'>, { label, panel }: Pick<PermissionRow, 'label' | 'panel'>): boolean {
  return panel === 'buyer' || permissions.includes(label);
}

/** Why the account may not change a role; null if it may. */
export function readOnlyReason(role: Pick<Role, 'id' | 'read_only' | 'permissions'>, caller: Caller): string | null {
  if (!role.read_only) return null;
  if (role.id === superAdminRoleId && !caller.isSuperAdmin) return 'Only a super admin can change this role.';
  const missingLabels = role.permissions.filter((permission) => !mayGrant(caller, permission)).map(({ label }) => label);
  if (missingLabels.length === 0) return 'You cannot change this role, because accounts that hold it see apps that you cannot see.';
  return `This role holds more than your account: ${missingLabels.join(', ')}.`;
}

/** Why the permissions of a role cannot change although its name can; null for all other roles. */
export function fixedSetReason(role: Pick<Role, 'id'> | undefined): string | null {
  return role?.id === superAdminRoleId ? `${grantMessages.superAdminRole}.` : null;
}
