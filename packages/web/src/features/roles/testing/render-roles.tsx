import { permissionCatalogue, seededRoles, superAdminRoleId, type Permission } from '@switchyard/contract/permissions';
import type { BodyOf } from '@switchyard/contract/endpoint';
import { permissionGroup, updateRole, type PermissionRow, type Role } from '@switchyard/contract/roles';
import { saveSignInRules, type SignInRules } from '@switchyard/contract/sign-in-rules';
import type { SessionUser } from '@switchyard/contract/session';
import { sessionStore } from '../../../shared/session/session-store.ts';
import { renderPages } from '../../../testing/render-pages.tsx';
import { stubApi } from '../../../testing/stub-api.ts';
import { CreateBuyerRolePage, CreateUserRolePage, EditBuyerRolePage, EditUserRolePage } from '../role-form-pages.tsx';
import { RolesPage } from '../roles-page.tsx';

/** A call that a page made of the test's server. */
type AskedCall = { readonly method: string; readonly path: string; readonly body: unknown; readonly ifMatch: string | null };
export type Answer = { readonly status: number; readonly body?: unknown };

type RolesOptions = {
  /** The history's entries; the last one is open. */
  addresses: readonly string[];
  /** Permissions of the account; all unless given. */
  permissions?: readonly Permission[];
  isSuperAdmin?: boolean;
  /** Answers a call; null leaves it to the server, which knows the seeded roles and two made here. */
  answer?: (call: AskedCall) => Answer | Promise<Answer> | null;
};

const every = permissionCatalogue.map(({ label }) => label);

export const permissionRows: readonly PermissionRow[] = permissionCatalogue.map(({ id, label, panel, description }) => ({
  id,
  label,
  panel,
  description,
  group: permissionGroup(label),
}));

/** A role as the API gives it. */
export function roleOf(fields: Pick<Role, 'id' | 'name' | 'badge' | 'panel'> & Partial<Role>, labels: readonly Permission[]): Role {
  const permissions = permissionRows.filter(({ label }) => labels.includes(label));
  return {
    label: fields.name,
    is_system: fields.id <= seededRoles.length,
    read_only: false,
    users_count: fields.id,
    created_at: '2026-01-01 00:00:00',
    updated_at: '2026-11-02 10:11:12',
    version: 1,
    ...fields,
    permissions,
    permission_ids: permissions.map(({ id }) => id),
  };
}

/** A role made here that holds two permissions. */
export const trafficReviewer = roleOf({ id: 11, name: 'Traffic reviewer', badge: 'TR', panel: 'user', users_count: 2, version: 4 }, [
  'manager_app_edit',
  'manager_app_requests',
]);

export const ok = (data: unknown, status = 200): Answer => ({ status, body: { success: true, data } });
export const refusal = (status: number, message: string, more: object = {}): Answer => ({
  status,
  body: { success: false, message, ...more },
});
/** A 422 about one field. */
export function invalid(field: string, text: string): Answer {
  const errors = { [field]: [text] };
  return refusal(422, 'The given data was invalid.', { errors, data: { errors } });
}

/** A role as the API answers its saving: the label of a custom role follows its name. */
export function savedRole(role: Role, { name = role.name, permission_ids: ids = role.permission_ids }: BodyOf<typeof updateRole>): Role {
  const labels = permissionRows.filter(({ id }) => ids.includes(id)).map(({ label }) => label);
  return roleOf({ ...role, name, label: role.is_system ? role.label : name, version: role.version + 1 }, labels);
}

/** Opens a page of the roles over a server of the test's own; gives its calls and the history. */
export async function renderRoles({ addresses, permissions = every, isSuperAdmin = true, answer }: RolesOptions) {
  const seededRows = seededRoles.map(({ permissions: labels, ...role }) =>
    roleOf({ ...role, read_only: role.id === superAdminRoleId && !isSuperAdmin }, labels),
  );
  const roles = [...seededRows, trafficReviewer];
  const user: SessionUser = {
    id: 1,
    name: 'Olga',
    email: 'o@x.y',
    panel: 'user',
    hasAllApps: true,
    isSuperAdmin,
    roles: ['Traffic reviewer'],
    badges: [],
    permissions: [...permissions],
  };
  const calls: AskedCall[] = [];
  stubApi(async (url, init) => {
    const path = url.replace('/api/', '');
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : null;
    const call = { method: init.method, path, body, ifMatch: new Headers(init.headers).get('if-match') };
    calls.push(call);
    const { status, body: text } = (await answer?.(call)) ?? respond(call, roles, user);
    return Response.json(text, { status });
  });
  sessionStore.open({
    user,
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  const history = await renderPages(
    [
      ['/roles', 'Roles', RolesPage],
      ['/roles/create-user', 'Create user role', CreateUserRolePage],
      ['/roles/create-buyer', 'Create buyer role', CreateBuyerRolePage],
      ['/roles/user/$id/edit', 'Edit role', EditUserRolePage],
      ['/roles/buyer/$id/edit', 'Edit role', EditBuyerRolePage],
    ],
    addresses,
  );
  return { calls, history };
}

/** The sign-in rules as the API gives them: nobody needs a second factor. */
function signInRules(roles: readonly Role[], { isSuperAdmin }: SessionUser): SignInRules {
  return {
    all_staff: false,
    all_staff_from: null,
    role_ids: [],
    roles_from: [],
    roles: roles.map(({ id, label, panel, read_only }) => ({ id, label, panel, read_only, without_factor: read_only ? null : id })),
    staff: { read_only: !isSuperAdmin, without_factor: isSuperAdmin ? 14 : null },
    own_factor: false,
    version: 1,
  };
}

function respond({ method, path, body }: AskedCall, roles: readonly Role[], user: SessionUser): Answer {
  if (path === 'sanctum/user') return ok(user);
  if (path === 'roles') return ok(roles);
  if (path === 'sign-in-rules')
    return ok({ ...signInRules(roles, user), ...(method === 'PUT' ? { ...saveSignInRules.body.parse(body), version: 2 } : {}) });
  if (path === 'permissions/users/list') return ok(permissionRows.filter(({ panel }) => panel === 'user'));
  if (path === 'permissions/buyers/list') return ok(permissionRows.filter(({ panel }) => panel === 'buyer'));
  if (/^roles\/\d+\/preview/.test(path)) return ok({ accounts: [], tokens: [], is_partial: false });
  const role = roles.find(({ id }) => path === `roles/${id}`);
  if (role === undefined) return refusal(404, 'Not found');
  return ok(method === 'PUT' ? savedRole(role, updateRole.body.parse(body)) : role);
}
