import { appFigures, type Statistics } from '@switchyard/contract/app-statistics';
import {
  appColumnKeys,
  sparklineDays,
  defaultAppsSort,
  type AppDays,
  type AppRow,
  type AppsDownloadQuery,
  type AppSortKey,
  type AppsQuery,
  type AppsTotalQuery,
} from '@switchyard/contract/apps';
import { dayOf, dayRange, fromDate } from '@switchyard/contract/dates';
import { pageForm, type Pagination } from '@switchyard/contract/envelope';
import { holdsAny } from '@switchyard/contract/permissions';
import { withinScope } from '@switchyard/contract/app-scope';
import type { Databases } from '../../database/connect.ts';
import type { Reader } from '../../http/bind.ts';
import { day } from '@switchyard/traffic-store/time-buckets';
import { eventsOr, type TrafficStore } from '@switchyard/traffic-store/traffic-store';
import { listCheckDomains } from '../app-domains/links-lookup.ts';
import { toAppRow } from './app-mapper.ts';
import { findAppsFilter, type AppsFilterDependencies } from './find-apps-filter.ts';
import { countBuyersByApp, listAppsById, listAppsPage, listMatchingAppIds, type ColumnSort, type ListedApp } from './apps-read-model.ts';
import { type AppCounters, noTraffic, sumCounters, toStatistics } from './counters.ts';
import type { StatisticsCache } from './statistics-cache.ts';

export type ListDependencies = {
  db: Databases['db'];
  trafficStore: Pick<TrafficStore, 'findAppsWithClients'> & AppsFilterDependencies['trafficStore'];
  statistics: StatisticsCache;
  now: () => Date;
};

type Sort = Pick<AppsQuery, 'orderBy' | 'orderDirection'>;
type Counters = ReadonlyMap<number, AppCounters>;

/** A page of the apps list with links, buyers and counters. */
export async function listApps(
  deps: ListDependencies,
  { query, caller }: { query: AppsQuery; caller: Reader },
): Promise<{ rows: AppRow[]; pagination: Pagination }> {
  const { apps, total, counters } = await readPage(deps, { query, caller });
  const ids = apps.map((app) => app.id);
  const rows = await toRows(deps, { apps, caller, counters: counters ?? deps.statistics.countByApp(ids, { fresh: !query.isCache }) });
  return { rows, pagination: pageForm({ total, count: rows.length, limit: query.limit, page: query.page }) };
}

async function readPage(
  deps: ListDependencies,
  { query, caller }: { query: AppsQuery; caller: Reader },
): Promise<{ apps: ListedApp[]; total: number; counters: Counters | null }> {
  const sort = sortByColumn(query, caller);
  if (sort !== null) {
    const filter = await findAppsFilter(deps.db, deps, { query, caller });
    return { ...(await listAppsPage(deps.db, { ...filter, ...sort, page: query.page, limit: query.limit })), counters: null };
  }
  const { ids, counters } = await orderApps(deps, { query, caller });
  const start = (query.page - 1) * query.limit;
  return { apps: await listAppsById(deps.db, ids.slice(start, start + query.limit)), total: ids.length, counters };
}

/** Rows of the list, in the order of the apps. */
export async function toRows(
  { db, trafficStore }: Pick<ListDependencies, 'db'> & { trafficStore: Pick<TrafficStore, 'findAppsWithClients'> },
  rows: { apps: readonly ListedApp[]; caller: Reader; counters: Counters | Promise<Counters> },
): Promise<AppRow[]> {
  const ids = rows.apps.map((app) => app.id);
  const [checkDomains, buyers, withClients, counters] = await Promise.all([
    listCheckDomains(db, ids),
    countBuyersByApp(db, ids),
    trafficStore.findAppsWithClients(ids),
    rows.counters,
  ]);
  const linksByApp = Map.groupBy(checkDomains, (link) => link.app_id);
  const seesStatistics = maySeeStatistics(rows.caller);
  return rows.apps.map((app) =>
    toAppRow(app, {
      checkDomains: linksByApp.get(app.id) ?? [],
      buyers: buyers.get(app.id) ?? 0,
      hasClients: withClients.has(app.id),
      counters: counters.get(app.id) ?? noTraffic(),
      seesStatistics,
    }),
  );
}

function maySeeStatistics({ account }: Reader): boolean {
  return holdsAny(account.permissions, ['manager_app_statistics']);
}

/**
 * The order by a column; null if the list is sorted by a statistic. One that the caller may not see gives the default order, as an
 * unknown key does: another order would reveal it.
 */
function sortByColumn({ orderBy, orderDirection }: Sort, caller: Reader): ColumnSort | null {
  const column = appColumnKeys.find((key) => key === orderBy);
  if (column !== undefined) return { orderBy: column, orderDirection };
  const isHidden = orderBy === 'keyUsers' || figureOf(orderBy)?.of(toStatistics(noTraffic(), false)) === null;
  return isHidden && !maySeeStatistics(caller) ? defaultAppsSort : null;
}

function figureOf(orderBy: AppSortKey) {
  return Object.values(appFigures).find(({ sortKey }) => sortKey === orderBy);
}

/**
 * Ids of every app that matches, in the order of the list, and the counters that they are sorted by, which the rows must show. Statistics
 * live in two stores, so they are read for all of these apps and compared here. Ties are newest first, as are all apps while what they
 * are sorted by is missing.
 */
export async function orderApps(
  deps: AppsFilterDependencies & Pick<ListDependencies, 'db' | 'statistics'>,
  { query, caller }: { query: AppsDownloadQuery; caller: Reader },
): Promise<{ ids: number[]; counters: Counters | null }> {
  const { db, statistics } = deps;
  const filter = await findAppsFilter(deps.db, deps, { query, caller });
  const sort = sortByColumn(query, caller);
  if (sort !== null) return { ids: await listMatchingAppIds(db, { ...filter, ...sort }), counters: null };
  const newestFirst = await listMatchingAppIds(db, filter);
  const sortBy = (values: ReadonlyMap<number, number>): number[] => {
    const sign = query.orderDirection === 'asc' ? 1 : -1;
    return newestFirst.toSorted((one, other) => sign * ((values.get(one) ?? 0) - (values.get(other) ?? 0)));
  };
  const figure = figureOf(query.orderBy);
  if (figure === undefined) return { ids: sortBy(await countBuyersByApp(db, newestFirst)), counters: null };
  const counters = await statistics.countByApp(newestFirst, { fresh: !query.isCache });
  // Counters that are missing are 0, so all apps are ties.
  return { ids: sortBy(new Map(Array.from(counters, ([id, of]) => [id, figure.of(toStatistics(of, true))?.all ?? 0]))), counters };
}

/** Buyers and counters summed over all apps that match, not only a page. */
export async function totalOfApps(
  deps: AppsFilterDependencies & Pick<ListDependencies, 'db' | 'statistics'>,
  { query, caller }: { query: AppsTotalQuery; caller: Reader },
): Promise<{ users_count: number; statistics: Statistics }> {
  const ids = await listMatchingAppIds(deps.db, await findAppsFilter(deps.db, deps, { query, caller }));
  const [buyers, counters] = await Promise.all([
    countBuyersByApp(deps.db, ids),
    deps.statistics.countByApp(ids, { fresh: !query.isCache }),
  ]);
  return {
    users_count: [...buyers.values()].reduce((sum, count) => sum + count, 0),
    statistics: toStatistics(sumCounters(counters.values()), true),
  };
}

type DaysDependencies = AppsFilterDependencies & { serverOffset: string };

/** Requests of the apps that lie in the caller's scope on each of the last days, from the roll-ups. */
export async function readAppDays(
  { trafficStore, now, serverOffset }: DaysDependencies,
  { query, caller }: { query: { ids?: string[] | undefined }; caller: Reader },
): Promise<AppDays> {
  const today = dayRange(dayOf(fromDate(now()), serverOffset), serverOffset);
  const days = Array.from({ length: sparklineDays }, (_, index) => dayOf(today.from - (sparklineDays - 1 - index) * day, serverOffset));
  const scope = withinScope((query.ids ?? []).map(Number), caller.scope);
  const read = trafficStore.events.countGroups({
    filter: { scope, from: today.from - (sparklineDays - 1) * day, until: today.until },
    by: ['app', 'day'],
    limit: scope.length * sparklineDays,
  });
  const groups = await eventsOr(read, null);
  if (groups === null) return { days, apps: null };
  const requests = new Map<number, number[]>();
  for (const { keys, events: eventCount } of groups) {
    const [app, of = ''] = keys;
    const id = Number(app);
    const row = requests.get(id) ?? days.map(() => 0);
    row[days.indexOf(of)] = eventCount;
    requests.set(id, row);
  }
  return { days, apps: Array.from(requests, ([id, row]) => ({ id, requests: row })).toSorted((one, other) => one.id - other.id) };
}
