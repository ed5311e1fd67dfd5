import { counterNames, type CounterSet } from '@switchyard/contract/app-statistics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noTraffic, sumCounters, toStatistics } from './counters.ts';

const counter = fc.nat().chain((all) => fc.record({ all: fc.constant(all), success: fc.nat({ max: all }) }));
const counterSet: fc.Arbitrary<CounterSet> = fc.record({
  create: counter,
  receive: counter,
  push: counter,
  conversion: counter,
  bots: counter,
});
const counters = fc.record({ today: counterSet, allTime: counterSet, qa: counterSet, missing: fc.subarray([...counterNames]) });

describe('counters', () => {
  it('[APPS-033][ENT-016][ENT-017] sums every figure of every set', () => {
    fc.assert(
      fc.property(fc.array(counters, { maxLength: 8 }), (all) => {
        const sum = sumCounters(all);
        for (const set of ['today', 'allTime', 'qa'] as const) {
          for (const name of counterNames) {
            for (const figure of ['all', 'success'] as const) {
              expect(sum[set][name][figure]).toBe(all.reduce((total, one) => total + one[set][name][figure], 0));
            }
          }
        }
        expect(new Set(sum.missing)).toEqual(new Set(all.flatMap(({ missing }) => missing)));
      }),
    );
  });

  it('[ENT-010][ENT-015] shows all.today, all.all_time and qa', () => {
    const before = noTraffic();
    expect(toStatistics(before, true)).toEqual({ all: { today: before.today, all_time: before.allTime }, qa: before.qa });
  });

  it('[APPS-028] shows no all-time figures without manager_app_statistics', () => {
    expect(toStatistics(noTraffic(), false).all.all_time).toBeNull();
  });
});
