import * as contract from '@switchyard/contract/roles';
import * as rules from '@switchyard/contract/sign-in-rules';
import { listHolders, whoCan } from '@switchyard/contract/who-can';
import type { Panel } from '@switchyard/contract/permissions';
import { notFound } from '../../errors.ts';
import type { AccountCaller, Feature } from '../../http/bind.ts';
import { permissionRows, toRole, toRoleCaller, toRoleChoice } from './role-mapper.ts';
import { findStoredRole, listStoredRoles } from './roles-store.ts';
import { arrangeHolders, holderRows } from './arrange-holders.ts';
import { bindRoleHistory } from './role-history.ts';
import { createRole, updateRole, type RoleDependencies } from './role-commands.ts';
import { listWhoCan, sortByName, type WhoCanDependencies } from './who-can.ts';
import { listPreview } from './role-preview.ts';
import { readSignInRules, saveSignInRules } from './sign-in-rule-commands.ts';

/** Calls on roles and permissions of both panels, and on the roles that need a second factor. */
export function createRoles(deps: RoleDependencies & WhoCanDependencies & { serverOffset: string }): Feature {
  const { db } = deps;

  async function choices(panel: Panel, { account, scope }: AccountCaller): Promise<contract.RoleChoice[]> {
    const roles = await listStoredRoles(db, { panel, scope });
    return roles.map((role) => toRoleChoice(role, toRoleCaller(account)));
  }

  return {
    bindRoutes(bind) {
      bind(contract.listRoles, async ({ caller }) => {
        const reader = toRoleCaller(caller.account);
        return (await listStoredRoles(db, { scope: caller.scope })).map((role) => toRole(role, reader));
      });
      bind(contract.createRole, async (call) => createRole(deps, call));
      bind(contract.getRole, async ({ params, caller }) => {
        const role = await findStoredRole(db, { id: params.id, scope: caller.scope });
        if (!role) throw notFound();
        return toRole(role, toRoleCaller(caller.account));
      });
      bind(contract.updateRole, async (call) => updateRole(deps, call));
      bindRoleHistory(bind, deps);
      bind(contract.listPermissions, async () => permissionRows());
      bind(contract.listUserRoles, async ({ caller }) => choices('user', caller));
      bind(contract.listBuyerRoles, async ({ caller }) => choices('buyer', caller));
      bind(contract.listUserPermissions, async () => permissionRows('user'));
      bind(contract.listBuyerPermissions, async () => permissionRows('buyer'));
      bind(whoCan, async ({ query, caller }) => {
        const { accounts, tokens, ...answer } = await listWhoCan(deps, query, caller);
        return { accounts: sortByName(accounts), tokens: sortByName(tokens), ...answer };
      });
      bind(listHolders, async ({ query, caller }) => {
        const answer = await listWhoCan(deps, query, caller);
        const { data, pagination } = arrangeHolders(holderRows(answer), query);
        return { data: { rows: data, is_partial: answer.is_partial }, pagination };
      });
      bind(contract.previewRole, async (call) => listPreview(deps, call));
      bind(rules.getSignInRules, async ({ caller }) => readSignInRules(deps, caller));
      bind(rules.saveSignInRules, async (call) => saveSignInRules(deps, call));
    },
  };
}
