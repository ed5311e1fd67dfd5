import { holdsAny } from '@switchyard/contract/permissions';
import { viewAsRole } from '@switchyard/contract/view-as';
import { commonScope } from '@switchyard/contract/app-scope';
import type { AccountCaller } from '../../http/bind.ts';
import { permissionLabels, rightsOf, type CallerRow } from '../credentials/caller-lookup.ts';

/** The viewed role or account with its current rights; a role has the apps of the viewer. */
export type ViewedRow = {
  viewed_name: string;
  viewed_panel: CallerRow['panel'];
  viewed_roles: string[];
  viewed_badges: string[];
  viewed_is_super_admin: boolean;
  viewed_permission_ids: number[];
  viewed_app_ids: number[] | null;
};

/**
 * The caller behind a view: what the viewer and the viewed role or account both hold. It is nobody's account, so calls on own data find
 * none. Null if the viewer may not view any more.
 */
export function toViewAsCaller(row: CallerRow & ViewedRow): AccountCaller | null {
  const viewer = rightsOf(row);
  if (viewer.mustSetUpFactor || !holdsAny(viewer.account.permissions, viewAsRole.access.anyOf)) return null;
  const viewedIds = new Set(row.viewed_permission_ids);
  const permissionIds = new Set(row.permission_ids.filter((id) => viewedIds.has(id)));
  const scope = commonScope(viewer.scope, row.viewed_app_ids ?? 'all');
  return {
    kind: 'account',
    by: { kind: 'view-as', viewerId: row.account_id, permissionIds },
    mustSetUpFactor: false,
    account: {
      id: 0,
      name: row.viewed_name,
      email: '',
      panel: row.viewed_panel,
      roles: row.viewed_roles,
      badges: row.viewed_badges,
      permissions: permissionLabels(permissionIds),
      hasAllApps: scope === 'all',
      isSuperAdmin: row.is_super_admin && row.viewed_is_super_admin,
    },
    scope,
  };
}
