import type { AppRow, AppsQuery, AppsTotalQuery } from '@switchyard/contract/apps';
import type { Statistics } from '@switchyard/contract/app-statistics';
import { pageForm, type Pagination } from '@switchyard/contract/envelope';
import { holdsAny } from '@switchyard/contract/permissions';
import type { AccountCaller } from '../../http/bind.ts';
import type { Databases } from '../../database/connect.ts';
import type { TrafficStore } from '../../traffic-store/traffic-store.ts';
import { listCheckDomains } from '../app-domains/links-lookup.ts';
import { toAppRow } from './app-row-mapper.ts';
import { countBuyersByApp, listAppsPage, listMatchingAppIds } from './apps-read-model.ts';
import { noTraffic, sumCounters, toStatistics } from './counters.ts';
import type { StatisticsCache } from './statistics-cache.ts';

type Deps = {
  db: Databases['db'];
  trafficStore: Pick<TrafficStore, 'appsWithClients'>;
  statistics: StatisticsCache;
};

/** A page of the apps list with links, buyers and counters (api [11]). */
export async function listApps(
  deps: Deps,
  { query, caller }: { query: AppsQuery; caller: AccountCaller },
): Promise<{ rows: AppRow[]; pagination: Pagination }> {
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

/** Buyers and counters summed over every app that matches, not only a page (api [17], AMB-083). */
export async function totalOfApps(
  deps: Pick<Deps, 'db' | 'statistics'>,
  { query, caller }: { query: AppsTotalQuery; caller: AccountCaller },
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
