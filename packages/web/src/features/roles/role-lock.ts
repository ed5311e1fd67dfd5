import { grantMessages } from '@switchyard/contract/account-rules';
import { superAdminRoleId } from '@switchyard/contract/permissions';
import type { PermissionRow, Role } from '@switchyard/contract/roles';
import type { SessionUser } from '@switchyard/contract/session';

type Caller = Pick<SessionUser, 'permissions' | 'isSuperAdmin'>;

/** Whether the account may give a permission: it holds it itself, or it is one of buyers, which no staff account holds (api 0.12). */
export function mayGive({ permissions }: Pick<Caller, 'permissions'>, { label, panel }: Pick<PermissionRow, 'label' | 'panel'>): boolean {
  return panel === 'buyer' || permissions.includes(label);
}

/** Why the account may not change a role, in words; null when it may (AMB-167, api 0.12). */
export function readOnlyReason(role: Pick<Role, 'id' | 'read_only' | 'permissions'>, caller: Caller): string | null {
  if (!role.read_only) return null;
  if (role.id === superAdminRoleId && !caller.isSuperAdmin) return 'Only a super admin can change this role.';
  const missing = role.permissions.filter((permission) => !mayGive(caller, permission)).map(({ label }) => label);
  if (missing.length === 0) return 'Accounts that see apps you do not see hold this role, so you cannot change it.';
  return `This role holds more than your account: ${missing.join(', ')}.`;
}

/** Why the permissions of a role stay as they are although its name may change; null for every other role. */
export function fixedSetReason(role: Pick<Role, 'id'> | undefined): string | null {
  return role?.id === superAdminRoleId ? `${grantMessages.superAdminRole}.` : null;
}
