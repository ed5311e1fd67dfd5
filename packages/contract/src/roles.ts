import { z } from 'zod';
import { anyPermission, defineEndpoint, peopleWith } from './endpoint.ts';
import { idParams, multiple } from './listing.ts';
import { panels, permissionCatalogue } from './permissions.ts';
import { capitalised, choice, integer, nameText } from './text-fields.ts';

/** Messages about roles. */
export const roleMessages = {
  taken: 'The role name is already used.',
  noPermission: 'Choose at least one permission.',
  lastOwnAccess: 'You cannot remove your own access to roles',
} as const;

/** Maximum length of a role name. */
export const roleNameCharacters = 100;

/** Group of a permission: the capitalised second part of its label, 'App' for manager_app_create. */
export function permissionGroup(label: string): string {
  return capitalised(label.split('_')[1] ?? label);
}

export const permissionRow = z.object({
  id: z.int(),
  label: z.enum(permissionCatalogue.map((permission) => permission.label)),
  description: z.string().nullable(),
  panel: z.enum(panels),
  group: z.string(),
});
export type PermissionRow = z.output<typeof permissionRow>;

/** A role with its permissions, ordered by id. `read_only` if the caller may not change it. */
export const role = z.object({
  id: z.int(),
  name: z.string(),
  label: z.string(),
  badge: z.string(),
  panel: z.enum(panels),
  is_system: z.boolean(),
  read_only: z.boolean(),
  users_count: z.int(),
  permissions: z.array(permissionRow),
  permission_ids: z.array(z.int()),
  created_at: z.string(),
  updated_at: z.string(),
  version: z.int(),
});
export type Role = z.output<typeof role>;

/** A role in account forms. `assignable` if the caller may grant it. */
export const roleChoice = z.object({
  id: z.int(),
  name: z.string(),
  label: z.string(),
  badge: z.string(),
  panel: z.enum(panels),
  assignable: z.boolean(),
});
export type RoleChoice = z.output<typeof roleChoice>;

/** Trimmed before validation, so that spaces alone are an empty name. */
const roleName = nameText(roleNameCharacters);

/** An empty list is a shape error with its own message. Repeated ids collapse. */
const permissionIds = z
  .array(integer())
  .refine((ids) => ids.length > 0, { error: roleMessages.noPermission, params: { shape: true } })
  .transform((ids) => [...new Set(ids)])
  .meta({ type: 'array', items: { type: 'integer' }, minItems: 1 });

/** `manager` and `user` name the same panel. */
const panelName = z
  .string()
  .min(1)
  .pipe(choice(['manager', 'user', 'buyer']))
  .transform((name) => (name === 'manager' ? 'user' : name))
  .meta({ type: 'string', enum: ['manager', 'user', 'buyer'] });

const rolesAccess = anyPermission('manager_settings_roles');
const roleChoiceAccess = anyPermission(
  'manager_settings_roles',
  'manager_user_create',
  'manager_user_buyer_create',
  'manager_user_edit',
  'manager_user_deactivate',
);

export const listRoles = defineEndpoint({
  number: 37,
  method: 'GET',
  path: 'roles',
  summary: 'Roles of both panels',
  access: rolesAccess,
  answer: { kind: 'data', status: 200, schema: z.array(role) },
});

export const createRole = defineEndpoint({
  number: 38,
  method: 'POST',
  path: 'roles',
  summary: 'Create a role',
  access: rolesAccess,
  recentSignIn: { before: 'write' },
  body: z.strictObject({ name: roleName, permission_ids: permissionIds, panel: panelName }),
  validatesValues: true,
  answer: { kind: 'data', status: 201, schema: role },
});

export const getRole = defineEndpoint({
  number: 39,
  method: 'GET',
  path: 'roles/{id}',
  summary: 'A role with its permissions',
  access: rolesAccess,
  params: idParams,
  answer: { kind: 'data', status: 200, schema: role, etag: true },
});

export const updateRole = defineEndpoint({
  number: 40,
  method: 'PUT',
  path: 'roles/{id}',
  summary: 'Change the name and the permissions of a role',
  access: rolesAccess,
  recentSignIn: { before: 'write' },
  params: idParams,
  body: z.strictObject({ name: roleName.optional(), permission_ids: permissionIds.optional() }),
  validatesValues: true,
  answer: { kind: 'data', status: 200, schema: role, etag: true },
  rejections: [409, 412],
});

export const listPermissions = defineEndpoint({
  number: 41,
  method: 'GET',
  path: 'roles/get-permission',
  summary: 'Permissions of both panels',
  access: rolesAccess,
  answer: { kind: 'data', status: 200, schema: z.array(permissionRow) },
});

export const listUserRoles = defineEndpoint({
  number: 42,
  method: 'GET',
  path: 'roles/users/list',
  summary: 'Roles for staff accounts',
  access: roleChoiceAccess,
  answer: { kind: 'data', status: 200, schema: z.array(roleChoice) },
});

export const listBuyerRoles = defineEndpoint({
  number: 43,
  method: 'GET',
  path: 'roles/buyers/list',
  summary: 'Roles for buyers',
  access: roleChoiceAccess,
  answer: { kind: 'data', status: 200, schema: z.array(roleChoice) },
});

export const listUserPermissions = defineEndpoint({
  number: 44,
  method: 'GET',
  path: 'permissions/users/list',
  summary: 'Permissions of staff',
  access: rolesAccess,
  answer: { kind: 'data', status: 200, schema: z.array(permissionRow) },
});

export const listBuyerPermissions = defineEndpoint({
  number: 45,
  method: 'GET',
  path: 'permissions/buyers/list',
  summary: 'Permissions of buyers',
  access: rolesAccess,
  answer: { kind: 'data', status: 200, schema: z.array(permissionRow) },
});

/**
 * Why an account or a token that holds the permission cannot use it now: the account has no access (of a token, its owner), it first
 * has to set up a second factor, or the token has expired.
 */
export const accessObstacles = ['no_access', 'second_factor', 'expired'] as const;
export type AccessObstacle = (typeof accessObstacles)[number];

const permissionLabels = z.array(z.enum(permissionCatalogue.map(({ label }) => label)));
const accountName = { id: z.int(), name: z.string(), panel: z.enum(panels) };
/** Permissions that an account or a token would gain and lose, by label. */
const change = { obstacle: z.enum(accessObstacles).nullable(), gains: permissionLabels, loses: permissionLabels };

const changedAccount = z.object({ ...accountName, ...change });
const changedToken = z.object({
  id: z.int(),
  name: z.string(),
  kind: z.enum(['personal', 'service']),
  owner: z.object(accountName),
  ...change,
});

/** Accounts by name, then tokens by name, that would gain or lose anything. `is_partial` as in [260]. */
export const rolePreview = z.object({ accounts: z.array(changedAccount), tokens: z.array(changedToken), is_partial: z.boolean() });
export type RolePreview = z.output<typeof rolePreview>;

export const previewRole = defineEndpoint({
  number: 261,
  method: 'GET',
  path: 'roles/{id}/preview',
  summary: 'Accounts and tokens that would gain or lose permissions if those of a role changed',
  access: peopleWith('manager_settings_roles'),
  params: idParams,
  query: z.object({
    /** Ids of the permissions that the role would have; without any it would have none. */
    permission_ids: multiple(
      z
        .string()
        .regex(/^[1-9]\d{0,8}$/)
        .transform(Number),
    ),
  }),
  answer: { kind: 'data', status: 200, schema: rolePreview },
});
