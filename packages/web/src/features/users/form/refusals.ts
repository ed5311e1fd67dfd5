import type { Account } from '@switchyard/contract/accounts';
import { accountMessages, buyerRoleLabel, grantMessages } from '@switchyard/contract/account-rules';
import { superAdminRoleId } from '@switchyard/contract/permissions';
import type { RoleChoice } from '@switchyard/contract/roles';
import type { SessionUser } from '@switchyard/contract/session';

type Reader = Pick<SessionUser, 'id' | 'isSuperAdmin' | 'hasAllApps'>;
type Target = Pick<Account, 'id' | 'panel' | 'isSuperAdmin' | 'hasAllApps' | 'roles'>;

/** Why a buyer of another team is shown and not changed (O37). */
const otherTeamsBuyer = 'This buyer also works on apps that you do not see. You can change only the apps on the Apps tab.';

/**
 * Why the server will refuse whatever the reader changes of an account, told before anything is typed; null when it
 * may be changed. The server judges again by itself (api 0.12).
 */
export function refusalOf(
  target: Target,
  { reader, roles, readOnlyIds }: { reader: Reader; roles: readonly RoleChoice[]; readOnlyIds?: ReadonlySet<number> },
): string | null {
  if (target.isSuperAdmin && !reader.isSuperAdmin) return grantMessages.superAdmin;
  const isOutranked = roles.some(({ label, assignable }) => !assignable && target.roles.includes(label));
  if (isOutranked && target.panel === 'user') return grantMessages.permissions;
  if (readOnlyIds?.has(target.id) === true) return otherTeamsBuyer;
  return target.panel === 'user' && target.hasAllApps && !reader.hasAllApps ? grantMessages.apps : null;
}

/** Why a role cannot be given or taken; null when it can (api 0.12). */
export function roleRefusal(role: RoleChoice, target: Target | undefined, reader: Reader): string | null {
  if (target?.id === reader.id) return grantMessages.ownRoles;
  if (role.assignable) return null;
  return role.id === superAdminRoleId ? grantMessages.superAdmin : grantMessages.permissions;
}

/** Why the reader cannot switch an account's access; null when he can. */
export function accessRefusal(target: Target | undefined, reader: Reader): string | null {
  return target?.id === reader.id ? accountMessages.denySelf : null;
}

/** The roles on offer: for new accounts, without the statistics permission, the one labelled Buyer (USER-020, BUY-008, AMB-169). */
export function offeredRoles(roles: readonly RoleChoice[], { isNew, hasStatistics }: { isNew: boolean; hasStatistics: boolean }) {
  return isNew && !hasStatistics ? roles.filter(({ label }) => label === buyerRoleLabel) : roles;
}
