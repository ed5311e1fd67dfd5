import { appsFilterNeeds, type AppsTotalQuery } from '@switchyard/contract/apps';
import { fromDate } from '@switchyard/contract/dates';
import { holdsAny } from '@switchyard/contract/permissions';
import type { Databases } from '../../database/connect.ts';
import { forbidden } from '../../errors.ts';
import type { Reader } from '../../http/bind.ts';
import type { EventStore } from '@switchyard/traffic-store/event-store';
import { day } from '@switchyard/traffic-store/time-buckets';
import { listMatchingAppIds, type AppsFilter } from './apps-read-model.ts';

export type AppsFilterDependencies = { trafficStore: { events: Pick<EventStore, 'countGroups'> }; now: () => Date };

/** The days before the last 24 hours whose mean a falling app misses. */
const comparedDays = 7;

/**
 * The apps that the filters of the list choose for a reader. The two stores have no common query, so the ids of apps that match the
 * traffic take the place of the scope. Throws 403 for filters that the reader may not use.
 */
export async function findAppsFilter(
  db: Databases['db'],
  { trafficStore: { events }, now }: AppsFilterDependencies,
  { query: { isCache: _cache, traffic, ...query }, caller }: { query: AppsTotalQuery; caller: Reader },
): Promise<AppsFilter> {
  const { permissions } = caller.account;
  if (query.buyerId !== undefined && !holdsAny(permissions, appsFilterNeeds.buyerId)) throw forbidden();
  const filter: AppsFilter = { ...query, scope: caller.scope, now: now() };
  if (traffic === undefined) return filter;
  if (!holdsAny(permissions, appsFilterNeeds.traffic)) throw forbidden();

  const ids = await listMatchingAppIds(db, filter);
  const until = fromDate(filter.now);
  const count = async (from: number, to: number): Promise<ReadonlyMap<number, number>> => {
    const groups = await events.countGroups({ filter: { scope: ids, from, until: to }, by: ['app'], limit: ids.length });
    return new Map([...groups].map(({ keys: [app], events: requests }) => [Number(app), requests]));
  };
  const last = await count(until - day, until);
  if (traffic === 'none') return { ...filter, scope: ids.filter((id) => !last.has(id)) };
  const before = await count(until - (comparedDays + 1) * day, until - day);
  return { ...filter, scope: ids.filter((id) => 2 * comparedDays * (last.get(id) ?? 0) < (before.get(id) ?? 0)) };
}
