import { grantMessages } from '@switchyard/contract/account-rules';
import { permissionCatalogue, superAdminRoleId } from '@switchyard/contract/permissions';
import type { Denial } from './denial-lookup.ts';

/** What an account may do: ids of its permissions, of all its roles together, and whether role 1 is among its roles. */
export type Holder = { permissionIds: ReadonlySet<number>; isSuperAdmin: boolean };

const buyerPermissions = new Set<number>(permissionCatalogue.filter(({ panel }) => panel === 'buyer').map(({ id }) => id));

/** Whether every staff permission among these is held; those of buyers are exempt, because no staff account holds them (api 0.12). */
export function holdsAll({ permissionIds }: Pick<Holder, 'permissionIds'>, asked: Iterable<number>): boolean {
  return [...asked].every((id) => buyerPermissions.has(id) || permissionIds.has(id));
}

/** The grant rule (S7): nobody gives, keeps or takes what stands above himself. Super admins stand above everybody else. */
export function grantDenial(caller: Holder, asked: Holder): Denial | null {
  if (asked.isSuperAdmin && !caller.isSuperAdmin) return { status: 403, message: grantMessages.superAdmin };
  if (!holdsAll(caller, asked.permissionIds)) return { status: 403, message: grantMessages.permissions };
  return null;
}

/** What somebody holds by these roles. */
export function holderOf(roles: readonly { id: number; permissionIds: readonly number[] }[]): Holder {
  return {
    permissionIds: new Set(roles.flatMap((role) => role.permissionIds)),
    isSuperAdmin: roles.some((role) => role.id === superAdminRoleId),
  };
}
