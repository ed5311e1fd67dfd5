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
import { withinScope } from '../../app-scope.ts';
import type { Databases } from '../../database/connect.ts';
import type { AccountCaller } from '../../http/bind.ts';
import type { EventStore } from '../../traffic-store/event-store.ts';
import { day } from '../../traffic-store/time-buckets.ts';
import type { TrafficCounters, TrafficStore } from '../../traffic-store/traffic-store.ts';
import { listCheckDomains } from '../app-domains/links-lookup.ts';
import { toAppRow } from './app-mapper.ts';
import {
  countBuyersByApp,
  listAppsById,
  listAppsPage,
  listMatchingAppIds,
  type AppsFilter,
  type ColumnSort,
  type ListedApp,
} from './apps-read-model.ts';
import { noTraffic, sumCounters, toStatistics } from './counters.ts';
import type { StatisticsCache } from './statistics-cache.ts';

export type ListDependencies = {
  db: Databases['db'];
  trafficStore: Pick<TrafficStore, 'findAppsWithClients'>;
  statistics: StatisticsCache;
};

type Sort = Pick<AppsQuery, 'orderBy' | 'orderDirection'>;
type Counters = ReadonlyMap<number, TrafficCounters>;

/** A page of the apps list with links, buyers and counters. */
export async function listApps(
  deps: ListDependencies,
  { query, caller }: { query: AppsQuery; caller: AccountCaller },
): Promise<{ rows: AppRow[]; pagination: Pagination }> {
  const { apps, total } = await readPage(deps, { query, caller });
  const ids = apps.map((app) => app.id);
  const counters = countListed(deps, ids, { query, caller });
  const rows = await toRows(deps, { apps, caller, counters });
  return { rows, pagination: pageForm({ total, count: rows.length, limit: query.limit, page: query.page }) };
}

async function readPage(
  deps: ListDependencies,
  { query, caller }: { query: AppsQuery; caller: AccountCaller },
): Promise<{ apps: ListedApp[]; total: number }> {
  const sort = sortByColumn(query, caller);
  if (sort !== null) return listAppsPage(deps.db, { ...query, ...sort, scope: caller.scope });
  const ids = await listIdsInOrder(deps, { query, caller });
  const start = (query.page - 1) * query.limit;
  return { apps: await listAppsById(deps.db, ids.slice(start, start + query.limit)), total: ids.length };
}

/** Rows of the list, in the order of the apps. */
export async function toRows(
  { db, trafficStore }: Pick<ListDependencies, 'db' | 'trafficStore'>,
  rows: { apps: readonly ListedApp[]; caller: AccountCaller; counters: Counters | Promise<Counters> },
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

/** Counters of apps that are in order: sorting by a statistic has just counted them, and the rows must show what they are sorted by. */
export async function countListed(
  { statistics }: Pick<ListDependencies, 'statistics'>,
  ids: readonly number[],
  { query, caller }: { query: AppsDownloadQuery; caller: AccountCaller },
): Promise<Counters> {
  const isCounted = sortByColumn(query, caller) === null && figureOf(query.orderBy) !== undefined;
  return statistics.countByApp(ids, { fresh: !query.isCache && !isCounted });
}

function maySeeStatistics({ account }: AccountCaller): boolean {
  return holdsAny(account.permissions, ['manager_app_statistics']);
}

/**
 * The order by a column; null if the list is sorted by a statistic. One that the caller may not see gives the default order, as an
 * unknown key does: another order would reveal it.
 */
function sortByColumn({ orderBy, orderDirection }: Sort, caller: AccountCaller): ColumnSort | null {
  const column = appColumnKeys.find((key) => key === orderBy);
  if (column !== undefined) return { orderBy: column, orderDirection };
  const isHidden = orderBy === 'keyUsers' || figureOf(orderBy)?.of(toStatistics(noTraffic(), false)) === null;
  return isHidden && !maySeeStatistics(caller) ? defaultAppsSort : null;
}

function figureOf(orderBy: AppSortKey) {
  return Object.values(appFigures).find(({ sortKey }) => sortKey === orderBy);
}

/**
 * Ids of every app that matches, in the order of the list. Statistics live in two stores, so they are read for all of these apps and
 * compared here: the same figures as the rows show, from the same cache. Ties are newest first.
 */
export async function listIdsInOrder(
  deps: Pick<ListDependencies, 'db' | 'statistics'>,
  { query, caller }: { query: AppsDownloadQuery; caller: AccountCaller },
): Promise<number[]> {
  const filter: AppsFilter = { status: query.status, search: query.search, scope: caller.scope };
  const sort = sortByColumn(query, caller);
  if (sort !== null) return listMatchingAppIds(deps.db, { ...filter, ...sort });
  const ids = await listMatchingAppIds(deps.db, filter);
  const values = await readStatistic(deps, ids, query);
  const sign = query.orderDirection === 'asc' ? 1 : -1;
  return ids.toSorted((one, other) => sign * ((values.get(one) ?? 0) - (values.get(other) ?? 0)));
}

/** What the apps are sorted by; apps with 0 may be absent. */
async function readStatistic(
  { db, statistics }: Pick<ListDependencies, 'db' | 'statistics'>,
  ids: readonly number[],
  { orderBy, isCache }: Pick<AppsQuery, 'orderBy' | 'isCache'>,
): Promise<ReadonlyMap<number, number>> {
  const figure = figureOf(orderBy);
  if (figure === undefined) return countBuyersByApp(db, ids);
  const counters = await statistics.countByApp(ids, { fresh: !isCache });
  return new Map(Array.from(counters, ([id, of]) => [id, figure.of(toStatistics(of, true))?.all ?? 0]));
}

/** Buyers and counters summed over all apps that match, not only a page. */
export async function totalOfApps(
  deps: Pick<ListDependencies, 'db' | 'statistics'>,
  { query, caller }: { query: AppsTotalQuery; caller: AccountCaller },
): Promise<{ users_count: number; statistics: Statistics }> {
  const ids = await listMatchingAppIds(deps.db, { ...query, scope: caller.scope });
  const [buyers, counters] = await Promise.all([
    countBuyersByApp(deps.db, ids),
    deps.statistics.countByApp(ids, { fresh: !query.isCache }),
  ]);
  return {
    users_count: [...buyers.values()].reduce((sum, count) => sum + count, 0),
    statistics: toStatistics(sumCounters(counters.values()), true),
  };
}

type DaysDependencies = { trafficStore: { events: Pick<EventStore, 'countGroups'> }; now: () => Date; serverOffset: string };

/** Requests of the apps that lie in the caller's scope on each of the last days, from the roll-ups. */
export async function readAppDays(
  { trafficStore, now, serverOffset }: DaysDependencies,
  { query, caller }: { query: { ids?: string[] | undefined }; caller: AccountCaller },
): Promise<AppDays> {
  const today = dayRange(dayOf(fromDate(now()), serverOffset), serverOffset);
  const days = Array.from({ length: sparklineDays }, (_, index) => dayOf(today.from - (sparklineDays - 1 - index) * day, serverOffset));
  const scope = withinScope((query.ids ?? []).map(Number), caller.scope);
  const groups = await trafficStore.events.countGroups({
    filter: { scope, from: today.from - (sparklineDays - 1) * day, until: today.until },
    by: ['app', 'day'],
    limit: scope.length * sparklineDays,
  });
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
