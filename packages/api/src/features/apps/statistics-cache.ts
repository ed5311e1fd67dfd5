import { dayOf, fromDate } from '@switchyard/contract/dates';
import { statisticsCacheSeconds } from '@switchyard/contract/limits';
import { LRUCache } from 'lru-cache';
import type { TrafficCounters, TrafficStore } from '../../traffic-store/traffic-store.ts';
import { noTraffic } from './counters.ts';

/** Apps whose counters are kept at most; about 2 kB each. */
const cachedApps = 10_000;

/** Counters of apps, kept for at most five minutes or counted now (AMB-075, docs/decisions/0010). */
export type StatisticsCache = {
  /** Counters by app id, every id present; `fresh` counts now and renews what is kept. */
  countersByApp(appIds: readonly number[], options: { fresh: boolean }): Promise<ReadonlyMap<number, TrafficCounters>>;
};

/**
 * Keeps counters app by app, so that the list and the TOTAL row agree whatever filter each has. The key
 * holds the server's day: after its midnight nothing counted before it is shown as today's.
 */
export function createStatisticsCache(deps: {
  trafficStore: Pick<TrafficStore, 'countersByApp'>;
  now: () => Date;
  serverOffset: string;
}): StatisticsCache {
  const kept = new LRUCache<string, { counters: TrafficCounters; turn: number }>({
    max: cachedApps,
    ttl: statisticsCacheSeconds * 1000,
    ttlResolution: 0,
    perf: { now: () => deps.now().getTime() },
  });
  let turns = 0;

  return {
    async countersByApp(appIds, { fresh }) {
      const started = deps.now();
      const day = dayOf(fromDate(started), deps.serverOffset);
      const keyOf = (appId: number) => `${day}/${appId}`;
      const found = new Map<number, TrafficCounters>();
      const missing: number[] = [];
      for (const appId of appIds) {
        const held = fresh ? undefined : kept.get(keyOf(appId));
        if (held) found.set(appId, held.counters);
        else missing.push(appId);
      }
      if (missing.length === 0) return found;

      const turn = ++turns;
      const counted = await deps.trafficStore.countersByApp(missing, fromDate(started));
      for (const appId of missing) {
        const counters = counted.get(appId) ?? noTraffic();
        found.set(appId, counters);
        // A count that began earlier and ended later must not replace a newer one.
        if ((kept.peek(keyOf(appId))?.turn ?? 0) < turn) kept.set(keyOf(appId), { counters, turn }, { start: started.getTime() });
      }
      return found;
    },
  };
}
