import { comparableText } from '@switchyard/contract/text-fields';
import { appsListPermissions, holdsAny, panels } from '@switchyard/contract/permissions';
import { viewListNames, viewLists } from '@switchyard/contract/saved-views';
import { foundPerKind, searchConsole, type FoundItem } from '@switchyard/contract/search';
import { accountListPermissions } from '@switchyard/contract/users';
import type { Databases } from '../../database/connect.ts';
import type { AccountCaller, Feature } from '../../http/bind.ts';
import { listVisibleViews } from '../saved-views/saved-views-lookup.ts';
import { findAccounts, findApps, findRoles, findServers, findStreams, type Search } from './search-read-model.ts';

/** The search of the console: what the caller may open, within the scope of the caller. */
export function createSearch({ db }: { db: Databases['db'] }): Feature {
  return {
    bindRoutes(bind) {
      bind(searchConsole, async ({ query, caller }) => {
        const text = query.q.trim();
        if (text === '') return { items: [], is_approximate: false };
        const items = await findAll(db, { text, withTypo: false }, caller);
        if (items.length > 0) return { items, is_approximate: false };
        const similar = await findAll(db, { text, withTypo: true }, caller);
        return { items: similar, is_approximate: similar.length > 0 };
      });
    },
  };
}

/** Runs one query at a time, so that a search holds a single connection. */
async function findAll(db: Databases['db'], search: Search, caller: AccountCaller): Promise<FoundItem[]> {
  const { account, scope } = caller;
  const may = (permissions: Parameters<typeof holdsAny>[1]): boolean => holdsAny(account.permissions, permissions);
  const items: FoundItem[] = [];
  if (may(appsListPermissions)) for (const row of await findApps(db, search, scope)) items.push({ kind: 'app', ...row });
  if (may(accountListPermissions)) {
    const accounts = await findAccounts(db, search);
    for (const kind of panels) for (const { panel, ...row } of accounts) if (panel === kind) items.push({ kind, ...row });
  }
  if (may(['manager_settings_server'])) for (const row of await findServers(db, search)) items.push({ kind: 'server', ...row });
  if (may(['manager_settings_roles'])) for (const row of await findRoles(db, search)) items.push({ kind: 'role', ...row });
  if (may(['manager_app_requests'])) {
    for (const { uid, name, app_id: id, app_name: app } of await findStreams(db, search, scope))
      items.push({ kind: 'stream', uid, name, app: { id, name: app } });
  }
  const lists = viewListNames.filter((name) => may(viewLists[name]));
  const views = lists.length === 0 || search.withTypo ? [] : await listVisibleViews(db, { caller, lists });
  const text = comparableText(search.text);
  for (const view of views.filter(({ name }) => comparableText(name).includes(text)).slice(0, foundPerKind))
    items.push({ kind: 'view', id: view.id, name: view.name, list: view.list, query: view.query, owner: view.owner_name });
  return items;
}
