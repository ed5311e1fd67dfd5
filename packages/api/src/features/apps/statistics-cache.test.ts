import { emptyCounterSet } from '@switchyard/contract/app-statistics';
import { describe, expect, it } from 'vitest';
import type { TrafficCounters } from '@switchyard/traffic-store/traffic-store';
import { createStatisticsCache } from './statistics-cache.ts';

const countersOf = (creates: number): TrafficCounters => ({
  today: { ...emptyCounterSet(), create: { all: creates, success: creates } },
  allTime: emptyCounterSet(),
  qa: emptyCounterSet(),
});

/** A store in which every app has this many creates today, and a stopped clock. */
function setUp(offset = '+00:00') {
  const state = { creates: 1, hasEvents: true, now: new Date('2026-11-20T21:58:00Z'), asked: [] as number[][] };
  const cache = createStatisticsCache({
    trafficStore: {
      countByApp: async (appIds) => {
        state.asked.push([...appIds]);
        return { counters: new Map(appIds.map((id) => [id, countersOf(state.creates)])), hasEvents: state.hasEvents };
      },
    },
    now: () => state.now,
    serverOffset: offset,
  });
  const creates = async (id: number, fresh = false) => (await cache.countByApp([id], { fresh })).get(id)?.today.create.all;
  const wait = (seconds: number) => {
    state.now = new Date(state.now.getTime() + seconds * 1000);
  };
  return { state, cache, creates, wait };
}

describe('the statistics cache', () => {
  it('[APPS-008] with isCache 1 answers from what is at most 300 seconds old', async () => {
    const { state, creates, wait } = setUp();
    expect(await creates(7)).toBe(1);
    state.creates = 5;
    wait(299);
    expect(await creates(7)).toBe(1);
    wait(2);
    expect(await creates(7)).toBe(5);
  });

  it('[APPS-008] with isCache 1 answers from nothing older because the clock was set back', async () => {
    const { state, creates, wait } = setUp();
    expect(await creates(7)).toBe(1);
    state.creates = 5;
    wait(-6 * 3600);
    expect(await creates(7)).toBe(1);
    wait(301);
    expect(await creates(7)).toBe(5);
  });

  it('[APPS-008] with isCache 0 counts now and renews what isCache 1 shows', async () => {
    const { state, creates } = setUp();
    await creates(7);
    state.creates = 9;
    expect(await creates(7, true)).toBe(9);
    expect(await creates(7)).toBe(9);
  });

  it('[APPS-022] starts a new day at midnight of the server offset', async () => {
    const { state, creates, wait } = setUp('+02:00');
    expect(await creates(7)).toBe(1);
    state.creates = 0;
    wait(119);
    expect(await creates(7)).toBe(1);
    wait(1);
    expect(await creates(7)).toBe(0);
  });

  it('[APPS-034] asks the store only for apps it does not hold', async () => {
    const { state, cache } = setUp();
    await cache.countByApp([1, 2], { fresh: false });
    const counts = await cache.countByApp([1, 2, 3], { fresh: false });
    expect(new Set(counts.keys())).toEqual(new Set([1, 2, 3]));
    expect(state.asked).toEqual([[1, 2], [3]]);
  });

  it('gives zeros for an app without traffic', async () => {
    const cache = createStatisticsCache({
      trafficStore: { countByApp: async () => ({ counters: new Map(), hasEvents: true }) },
      now: () => new Date(0),
      serverOffset: '+00:00',
    });
    expect((await cache.countByApp([4], { fresh: true })).get(4)).toEqual({
      today: emptyCounterSet(),
      allTime: emptyCounterSet(),
      qa: emptyCounterSet(),
      missing: [],
    });
  });

  it('[OUT-002] misses events of all apps if those of one are missing, and counts them again as soon as it can', async () => {
    const { state, cache, creates } = setUp();
    await creates(1);
    state.hasEvents = false;
    const shown = await cache.countByApp([1, 2, 3], { fresh: false });
    expect([...shown.values()].map(({ missing, today }) => [missing, today.create.all])).toEqual(
      [1, 2, 3].map(() => [['create', 'receive', 'bots'], 0]),
    );
    expect(await creates(1)).toBe(1);
    state.hasEvents = true;
    expect((await cache.countByApp([1, 2], { fresh: false })).get(2)).toMatchObject({ missing: [], today: { create: { all: 1 } } });
  });

  it('[APPS-008] never lets a slow older count replace a newer one', async () => {
    const answers: ((creates: number) => void)[] = [];
    const cache = createStatisticsCache({
      trafficStore: {
        countByApp: async ([id = 0]) => {
          const { promise, resolve } = Promise.withResolvers<number>();
          answers.push(resolve);
          return { counters: new Map([[id, countersOf(await promise)]]), hasEvents: true };
        },
      },
      now: () => new Date(0),
      serverOffset: '+00:00',
    });
    const slow = cache.countByApp([7], { fresh: false });
    const quick = cache.countByApp([7], { fresh: true });
    answers[1]?.(2);
    await quick;
    answers[0]?.(1);
    await slow;
    expect((await cache.countByApp([7], { fresh: false })).get(7)?.today.create.all).toBe(2);
  });
});
