import * as form from '@switchyard/contract/app-form';
import type { Statistics } from '@switchyard/contract/app-statistics';
import * as contract from '@switchyard/contract/apps';
import { pageForm, type Pagination } from '@switchyard/contract/envelope';
import { holdsAny } from '@switchyard/contract/permissions';
import { listPickApps } from '@switchyard/contract/pick-lists';
import type { ReadSecret } from '../../adapters/read-secret.ts';
import type { SecretBox } from '../../adapters/secret-box.ts';
import type { Databases } from '../../database/connect.ts';
import type { AccountCaller, Feature } from '../../http/bind.ts';
import type { TrafficStore } from '../../traffic-store/traffic-store.ts';
import { listCheckDomains } from '../app-domains/links-lookup.ts';
import { archiveApp, createApp, getApp, restoreApp, saveApp } from './app-commands.ts';
import { toAppRow } from './app-mapper.ts';
import { countBuyersByApp, listAppsPage, listMatchingAppIds } from './apps-read-model.ts';
import { isTaken, listAppsToPick } from './apps-store.ts';
import { noTraffic, sumCounters, toStatistics } from './counters.ts';
import { createStatisticsCache, type StatisticsCache } from './statistics-cache.ts';

/** Calls on apps: the list with its totals, single apps, and pick lists. */
export function createApps(given: {
  db: Databases['db'];
  secretBox: Pick<SecretBox, 'seal'>;
  readSecret: ReadSecret;
  trafficStore: Pick<TrafficStore, 'countersByApp' | 'appsWithClients'>;
  now: () => Date;
  /** Offset `+HH:MM` of the days of the server. */
  serverOffset: string;
}): Feature {
  const deps = { ...given, statistics: createStatisticsCache(given) };
  return {
    bindRoutes(bind) {
      bind(contract.listApps, async (call) => listApps(deps, call));
      bind(contract.getAppsTotal, async (call) => totalOfApps(deps, call));
      bind(contract.archiveApp, async ({ params, caller, request }) => archiveApp(deps, { id: params.id, caller, request }));
      bind(contract.restoreApp, async ({ params, caller, request }) => restoreApp(deps, { id: params.id, caller, request }));
      bind(form.createApp, async (call) => createApp(deps, call));
      bind(form.getApp, async ({ params, caller }) => getApp(deps, { id: params.id, caller }));
      bind(form.saveApp, async ({ params, ...call }) => saveApp(deps, { id: params.id, ...call }));
      bind(form.checkNotTaken, async ({ params, query }) => {
        return !(await isTaken(deps.db, { field: params.field, value: query.search, exceptId: query.exceptId }));
      });
      bind(listPickApps, async ({ caller }) => listAppsToPick(deps.db, caller.scope));
      bind(contract.listVerticals, async () => [...contract.verticals]);
    },
  };
}

type ListDependencies = {
  db: Databases['db'];
  trafficStore: Pick<TrafficStore, 'appsWithClients'>;
  statistics: StatisticsCache;
};

/** A page of the apps list with links, buyers and counters. */
async function listApps(
  deps: ListDependencies,
  { query, caller }: { query: contract.AppsQuery; caller: AccountCaller },
): Promise<{ rows: contract.AppRow[]; pagination: Pagination }> {
  const { apps, total } = await listAppsPage(deps.db, { ...query, scope: caller.scope });
  const ids = apps.map((app) => app.id);
  const [checkDomains, buyers, withClients, counters] = await Promise.all([
    listCheckDomains(deps.db, ids),
    countBuyersByApp(deps.db, ids),
    deps.trafficStore.appsWithClients(ids),
    deps.statistics.countersByApp(ids, { fresh: !query.isCache }),
  ]);
  const linksByApp = Map.groupBy(checkDomains, (link) => link.app_id);
  const seesStatistics = holdsAny(caller.account.permissions, ['manager_app_statistics']);
  const rows = apps.map((app) =>
    toAppRow(app, {
      checkDomains: linksByApp.get(app.id) ?? [],
      buyers: buyers.get(app.id) ?? 0,
      hasClients: withClients.has(app.id),
      counters: counters.get(app.id) ?? noTraffic(),
      seesStatistics,
    }),
  );
  return { rows, pagination: pageForm({ total, count: rows.length, limit: query.limit, page: query.page }) };
}

/** Buyers and counters summed over all apps that match, not only a page. */
async function totalOfApps(
  deps: Pick<ListDependencies, 'db' | 'statistics'>,
  { query, caller }: { query: contract.AppsTotalQuery; caller: AccountCaller },
): Promise<{ users_count: number; statistics: Statistics }> {
  const ids = await listMatchingAppIds(deps.db, { ...query, scope: caller.scope });
  const [buyers, counters] = await Promise.all([
    countBuyersByApp(deps.db, ids),
    deps.statistics.countersByApp(ids, { fresh: !query.isCache }),
  ]);
  return {
    users_count: [...buyers.values()].reduce((sum, count) => sum + count, 0),
    statistics: toStatistics(sumCounters(counters.values()), true),
  };
}
