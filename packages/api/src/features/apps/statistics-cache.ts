import { dayOf, fromDate } from '@switchyard/contract/dates';
import { statisticsCacheSeconds } from '@switchyard/contract/limits';
import { LRUCache } from 'lru-cache';
import type { TrafficCounters, TrafficStore } from '../../traffic-store/traffic-store.ts';
import { noTraffic } from './counters.ts';

/** The largest number of cached apps; about 2 kB each. */
const cachedApps = 10_000;

/** Counters of apps, cached for at most five minutes; see docs/decisions/0010. */
export type StatisticsCache = {
  /** Counters by app id, for every id; `fresh` counts now and renews the cache. */
  countByApp(appIds: readonly number[], options: { fresh: boolean }): Promise<ReadonlyMap<number, TrafficCounters>>;
};

/**
 * Caches counters app by app, so that the list and the TOTAL row agree whatever filter each has. The key contains the
 * server's day, so that after midnight no older count is shown as today's.
 */
export function createStatisticsCache(deps: {
  trafficStore: Pick<TrafficStore, 'countByApp'>;
  now: () => Date;
  serverOffset: string;
}): StatisticsCache {
  const cache = new LRUCache<string, { counters: TrafficCounters; query: number }>({
    max: cachedApps,
    ttl: statisticsCacheSeconds * 1000,
    ttlResolution: 0,
    perf: { now: () => deps.now().getTime() },
  });
  let queries = 0;

  return {
    async countByApp(appIds, { fresh }) {
      const startedAt = deps.now();
      const day = dayOf(fromDate(startedAt), deps.serverOffset);
      const keyOf = (appId: number) => `${day}/${appId}`;
      const countersByApp = new Map<number, TrafficCounters>();
      const missing: number[] = [];
      for (const appId of appIds) {
        const entry = fresh ? undefined : cache.get(keyOf(appId));
        if (entry) countersByApp.set(appId, entry.counters);
        else missing.push(appId);
      }
      if (missing.length === 0) return countersByApp;

      const query = ++queries;
      const counts = await deps.trafficStore.countByApp(missing, fromDate(startedAt));
      for (const appId of missing) {
        const counters = counts.get(appId) ?? noTraffic();
        countersByApp.set(appId, counters);
        // A count that began earlier and ended later must not replace a newer one.
        if ((cache.peek(keyOf(appId))?.query ?? 0) < query) cache.set(keyOf(appId), { counters, query }, { start: startedAt.getTime() });
      }
      return countersByApp;
    },
  };
}
