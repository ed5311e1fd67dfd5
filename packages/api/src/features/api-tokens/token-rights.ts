import { commonScope } from '@switchyard/contract/app-scope';
import type { TokenCaller } from '../../http/bind.ts';
import { permissionLabels, toSessionUser, type CallerRow } from '../credentials/caller-lookup.ts';

/** The rights that a token was given. */
export type TokenGrant = {
  token_id: number;
  token_name: string;
  token_permission_ids: readonly number[];
  token_has_all_apps: boolean;
  token_app_ids: readonly number[];
};

/** Permissions and apps that a token was given, as far as its owner, who has `ownedIds`, has them now. */
export function grantedRights(ownedIds: readonly number[], row: Pick<CallerRow, 'app_ids'> & TokenGrant) {
  const grantedIds = new Set(row.token_permission_ids);
  const permissionIds = new Set(ownedIds.filter((id) => grantedIds.has(id)));
  return { permissionIds, scope: commonScope(row.app_ids ?? 'all', row.token_has_all_apps ? 'all' : row.token_app_ids) };
}

/** The caller behind a token: what it was given, as far as its owner has it now. It is never a super admin. */
export function toTokenCaller(row: CallerRow & TokenGrant): TokenCaller {
  const { permissionIds, scope } = grantedRights(row.permission_ids, row);
  const account = {
    ...toSessionUser(row),
    permissions: permissionLabels(permissionIds),
    hasAllApps: scope === 'all',
    isSuperAdmin: false,
  };
  return {
    kind: 'account',
    by: { kind: 'token', tokenId: row.token_id, name: row.token_name, permissionIds },
    mustSetUpFactor: row.must_set_up_factor,
    account,
    scope,
  };
}
