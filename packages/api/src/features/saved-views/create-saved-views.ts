import * as contract from '@switchyard/contract/saved-views';
import type { Feature } from '../../http/bind.ts';
import { listShareRoles, listVisibleViews, openLists } from './saved-views-lookup.ts';
import { chooseDefaultView, createView, deleteView, toSavedView, updateView, type ViewDependencies } from './view-commands.ts';

/** Calls on saved views. A view is text: opening it runs the list with the rights of its reader. */
export function createSavedViews(deps: ViewDependencies): Feature {
  const { db } = deps;
  return {
    bindRoutes(bind) {
      bind(contract.listViews, async ({ caller, query }) => {
        const { account } = caller;
        const lists = openLists(account).filter((name) => query.list === undefined || query.list === name);
        const views = await listVisibleViews(db, { caller, lists });
        const roles = await listShareRoles(db, { accountId: account.id, all: account.isSuperAdmin });
        return { views: views.map((view) => toSavedView(view, account.id)), roles };
      });
      bind(contract.createView, async (call) => createView(deps, call));
      bind(contract.updateView, async (call) => updateView(deps, call));
      bind(contract.deleteView, async (call) => deleteView(deps, call));
      bind(contract.chooseDefaultView, async (call) => chooseDefaultView(deps, call));
    },
  };
}
