import type { Account } from '@switchyard/contract/accounts';
import { accountMessages, buyerRoleLabel, grantMessages } from '@switchyard/contract/account-rules';
import { superAdminRoleId } from '@switchyard/contract/permissions';
import type { RoleChoice } from '@switchyard/contract/roles';
import type { SessionUser } from '@switchyard/contract/session';

type Reader = Pick<SessionUser, 'id' | 'isSuperAdmin' | 'hasAllApps'>;
type Target = Pick<Account, 'id' | 'panel' | 'isSuperAdmin' | 'hasAllApps' | 'roles'>;

/** Why a buyer of another team is read-only. */
const otherTeamsBuyer = 'This buyer also works on apps that you do not see. You can change only the apps on the Apps tab.';

/** Why the reader may not change an account, shown before anything is typed; null if it may. The server validates again. */
export function accountLock(
  target: Target,
  { reader, roles, isReadOnly = false }: { reader: Reader; roles: readonly RoleChoice[]; isReadOnly?: boolean },
): string | null {
  if (target.isSuperAdmin && !reader.isSuperAdmin) return grantMessages.superAdmin;
  const isOutranked = roles.some(({ label, assignable }) => !assignable && target.roles.includes(label));
  if (isOutranked && target.panel === 'user') return grantMessages.permissions;
  if (isReadOnly) return otherTeamsBuyer;
  return target.panel === 'user' && target.hasAllApps && !reader.hasAllApps ? grantMessages.apps : null;
}

/** Why the reader cannot grant or revoke a role; null if it can. */
export function roleLock(role: RoleChoice, target: Target | undefined, reader: Reader): string | null {
  if (target?.id === reader.id) return grantMessages.ownRoles;
  if (role.assignable) return null;
  return role.id === superAdminRoleId ? grantMessages.superAdmin : grantMessages.permissions;
}

/** Why the reader cannot change whether an account has access; null if it can. */
export function accessLock(target: Target | undefined, reader: Reader): string | null {
  return target?.id === reader.id ? accountMessages.denySelf : null;
}

/** The roles on offer. Without the statistics permission, new accounts can only get the role labelled Buyer. */
export function offeredRoles(roles: readonly RoleChoice[], { isNew, hasStatistics }: { isNew: boolean; hasStatistics: boolean }) {
  return isNew && !hasStatistics ? roles.filter(({ label }) => label === buyerRoleLabel) : roles;
}
