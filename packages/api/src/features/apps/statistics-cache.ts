import { dayOf, fromDate } from '@switchyard/contract/dates';
import { statisticsCacheSeconds } from '@switchyard/contract/limits';
import { LRUCache } from 'lru-cache';
import type { TrafficStore } from '@switchyard/traffic-store/traffic-store';
import { createSteadyClock } from '../../steady-clock.ts';
import { type AppCounters, noTraffic, withoutEvents } from './counters.ts';

/** The largest number of cached apps; about 2 kB each. */
const cachedApps = 10_000;

/** Counters of apps, cached for at most five minutes; see docs/decisions/0010. */
export type StatisticsCache = {
  /**
   * Counters by app id, for every id; `fresh` counts now and renews the cache. If events of one app cannot be counted, they are missing
   * of all of them, so that what is shown together is comparable.
   */
  countByApp(appIds: readonly number[], options: { fresh: boolean }): Promise<ReadonlyMap<number, AppCounters>>;
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
  const clock = createSteadyClock(deps.now);
  const cache = new LRUCache<string, { counters: AppCounters; query: number }>({
    max: cachedApps,
    ttl: statisticsCacheSeconds * 1000,
    ttlResolution: 0,
    perf: { now: clock },
  });
  let queries = 0;

  return {
    async countByApp(appIds, { fresh }) {
      const startedAt = deps.now();
      const start = clock();
      const day = dayOf(fromDate(startedAt), deps.serverOffset);
      const keyOf = (appId: number) => `${day}/${appId}`;
      const countersByApp = new Map<number, AppCounters>();
      const missing: number[] = [];
      for (const appId of appIds) {
        const entry = fresh ? undefined : cache.get(keyOf(appId));
        if (entry) countersByApp.set(appId, entry.counters);
        else missing.push(appId);
      }
      if (missing.length === 0) return countersByApp;

      const query = ++queries;
      const counts = await deps.trafficStore.countByApp(missing, fromDate(startedAt));
      const countersOf = (appId: number): AppCounters => ({ ...noTraffic(), ...counts.counters.get(appId) });
      if (!counts.hasEvents) return new Map(appIds.map((appId) => [appId, withoutEvents(countersByApp.get(appId) ?? countersOf(appId))]));
      for (const appId of missing) {
        const counters = countersOf(appId);
        countersByApp.set(appId, counters);
        // A count that began earlier and ended later must not replace a newer one.
        if ((cache.peek(keyOf(appId))?.query ?? 0) < query) cache.set(keyOf(appId), { counters, query }, { start });
      }
      return countersByApp;
    },
  };
}
