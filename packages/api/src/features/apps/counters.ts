import { type CounterName, counterNames, emptyCounterSet, type CounterSet, type Statistics } from '@switchyard/contract/app-statistics';
import type { TrafficCounters } from '@switchyard/traffic-store/traffic-store';

/** Counters of an app, and the names of those that could not be read. */
export type AppCounters = TrafficCounters & { missing: readonly CounterName[] };

/** Counters of an app without traffic. */
export function noTraffic(): AppCounters {
  return { today: emptyCounterSet(), allTime: emptyCounterSet(), qa: emptyCounterSet(), missing: [] };
}

/** The counters without those that are counted from events. */
export function withoutEvents({ today, allTime, qa }: TrafficCounters): AppCounters {
  const { create, receive, bots } = emptyCounterSet();
  const without = (set: CounterSet): CounterSet => ({ ...set, create, receive, bots });
  return { today: without(today), allTime: without(allTime), qa: without(qa), missing: ['create', 'receive', 'bots'] };
}

/** Sums counters, figure by figure. What is missing of one is missing of the sum. */
export function sumCounters(all: Iterable<AppCounters>): AppCounters {
  const sum = noTraffic();
  for (const counters of all) {
    sum.missing = counterNames.filter((name) => sum.missing.includes(name) || counters.missing.includes(name));
    add(sum.today, counters.today);
    add(sum.allTime, counters.allTime);
    add(sum.qa, counters.qa);
  }
  return sum;
}

function add(sum: CounterSet, more: CounterSet): void {
  for (const name of counterNames) {
    sum[name].all += more[name].all;
    sum[name].success += more[name].success;
  }
}

/** The Statistics of the wire; the all-time part is null for readers without manager_app_statistics. */
export function toStatistics({ today, allTime, qa, missing }: AppCounters, showsAllTime: boolean): Statistics {
  return { all: { today, all_time: showsAllTime ? allTime : null }, qa, ...(missing.length > 0 ? { missing: [...missing] } : {}) };
}
