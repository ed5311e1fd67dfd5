import { counterNames, emptyCounterSet, type CounterSet, type Statistics } from '@switchyard/contract/app-statistics';
import type { TrafficCounters } from '../../traffic-store/traffic-store.ts';

/** Counters of an app without traffic. */
export function noTraffic(): TrafficCounters {
  return { today: emptyCounterSet(), allTime: emptyCounterSet(), qa: emptyCounterSet() };
}

/** Sums counters, figure by figure. */
export function sumCounters(all: Iterable<TrafficCounters>): TrafficCounters {
  const sum = noTraffic();
  for (const counters of all) {
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
export function toStatistics(counters: TrafficCounters, showsAllTime: boolean): Statistics {
  return { all: { today: counters.today, all_time: showsAllTime ? counters.allTime : null }, qa: counters.qa };
}
