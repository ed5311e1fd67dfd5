import { expect, it, vi } from 'vitest';
import { soon } from '../../../test/soon.ts';
import type { TakeSharedSlot } from '../../database/shared-slots.ts';
import { createFillEvents, type FillEventsDeps } from './fill-events.ts';

const failure = new Error('unreachable');

/** A store with this many steps to do, which takes so long for each and fails in some. */
function storeOf({ steps, failsIn = [] }: { steps: number; failsIn?: readonly number[] }) {
  const begunAt: number[] = [];
  let done = 0;
  const eventStore: FillEventsDeps['eventStore'] = {
    countUndecidedSystems: async () => ({ events: steps - done, total: steps, newestDay: null }),
    async updateSystems(systemOf) {
      begunAt.push(performance.now());
      if (failsIn.includes(begunAt.length)) throw failure;
      expect(systemOf('203.0.113.9')).toBe('64500');
      if (done === steps) return false;
      done += 1;
      return true;
    },
  };
  return { eventStore, begunAt, left: () => steps - done };
}

function slotOfAll(): TakeSharedSlot {
  let isTaken = false;
  return async () => {
    if (isTaken) return null;
    isTaken = true;
    return () => (isTaken = false);
  };
}

function startFill(deps: Partial<FillEventsDeps> & Pick<FillEventsDeps, 'eventStore'>) {
  const onFault = vi.fn();
  const asnRegistry = { current: async () => () => '64500' };
  const fill = createFillEvents({ asnRegistry, takeSharedSlot: slotOfAll(), percent: 100, onFault, idleMilliseconds: 1, ...deps });
  fill.start();
  return { ...fill, onFault };
}

it('[ASNX-113] works in steps until nothing is left, again after failures, of which the first is reported', async () => {
  const store = storeOf({ steps: 5, failsIn: [2, 3, 5] });
  const idleMilliseconds = 20;
  const fill = startFill({ eventStore: store.eventStore, idleMilliseconds });
  await vi.waitFor(() => expect(store.left()).toBe(0), soon);
  await fill.stop();
  expect(fill.onFault.mock.calls).toEqual([[failure], [failure]]);
  // After the second failure in a row it waits twice as long. A timer may be a millisecond early.
  const [, , second = 0, next = 0] = store.begunAt;
  expect(next - second).toBeGreaterThan(2 * idleMilliseconds - 2);
});

it('[ASNX-113] works in one process at a time', async () => {
  const store = storeOf({ steps: 4 });
  const takeSharedSlot = slotOfAll();
  const release = await takeSharedSlot('systems', { slots: 1 });
  const both = [0, 1].map(() => startFill({ eventStore: store.eventStore, takeSharedSlot }));
  await vi.waitFor(async () => expect(await takeSharedSlot('systems', { slots: 1 })).toBeNull(), soon);
  expect(store.begunAt).toEqual([]);
  release?.();
  await vi.waitFor(() => expect(store.left()).toBe(0), soon);
  await Promise.all(both.map(async ({ stop }) => stop()));
});

it('[ASNX-113] leaves the store to others for nine times as long as a step took, and begins no further one when it stops', async () => {
  const store = storeOf({ steps: 1000 });
  const tookMs = 20;
  const updateSystems: FillEventsDeps['eventStore']['updateSystems'] = async (...args) => {
    const until = performance.now() + tookMs;
    while (performance.now() < until);
    return store.eventStore.updateSystems(...args);
  };
  const fill = startFill({ eventStore: { ...store.eventStore, updateSystems }, percent: 10 });
  const { begunAt } = store;
  await vi.waitFor(() => expect(begunAt.length).toBeGreaterThan(2), soon);
  const stoppedAt = begunAt.length;
  await fill.stop();
  expect([begunAt.length, fill.onFault.mock.calls]).toEqual([stoppedAt, []]);
  // Each begins once the pause is over and the step has taken its time.
  expect((begunAt[1] ?? 0) - (begunAt[0] ?? 0)).toBeGreaterThan(9.9 * tookMs);
});

it('[ASNX-113] stops while a step goes on', async () => {
  const updateSystems = vi.fn(async () => new Promise<boolean>(() => undefined));
  const fill = startFill({ eventStore: { ...storeOf({ steps: 1 }).eventStore, updateSystems }, stopMilliseconds: 1 });
  await vi.waitFor(() => expect(updateSystems).toHaveBeenCalled(), soon);
  await fill.stop();
});

it('[ASNX-113] does nothing without a registry, or when it is off, and reads no registry when nothing is left', async () => {
  const store = storeOf({ steps: 3 });
  const current = vi.fn(async () => () => '');
  const fill = startFill({ eventStore: store.eventStore, asnRegistry: { current } });
  const off = startFill({ eventStore: store.eventStore, percent: 0 });
  await vi.waitFor(() => expect(current.mock.calls.length).toBeGreaterThan(2), soon);
  await Promise.all([fill.stop(), off.stop()]);
  expect(store.begunAt).toEqual([]);
  const { eventStore } = storeOf({ steps: 0 });
  const countUndecidedSystems = vi.fn(eventStore.countUndecidedSystems);
  const unread = vi.fn(async () => () => '64500');
  const done = startFill({ eventStore: { ...eventStore, countUndecidedSystems }, asnRegistry: { current: unread } });
  await vi.waitFor(() => expect(countUndecidedSystems.mock.calls.length).toBeGreaterThan(2), soon);
  await done.stop();
  expect(unread).not.toHaveBeenCalled();
});
