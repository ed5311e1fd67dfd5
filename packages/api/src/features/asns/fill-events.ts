import { setTimeout as wait } from 'node:timers/promises';
import type { TakeSharedSlot } from '../../database/shared-slots.ts';
import type { EventStore } from '@switchyard/traffic-store/event-store';
import type { AsnRegistry } from './asn-registry-lookup.ts';

/** How long to wait when there is nothing to do, and after a first failure; each further failure doubles it. */
const usualIdleMilliseconds = 60_000;
/** At most this many times longer. */
const mostDoubled = 32;
/** A step of ClickHouse goes on without this process, so a stop does not wait for it longer. */
const usualStopMilliseconds = 5000;

export type FillEventsDeps = {
  eventStore: Pick<EventStore, 'updateSystems' | 'countUndecidedSystems'>;
  asnRegistry: Pick<AsnRegistry, 'current'>;
  takeSharedSlot: TakeSharedSlot;
  /** Share of the time in which the event store works for it, in percent; 0: never. */
  percent: number;
  /** Called once for failures that follow each other. */
  onFault: (fault: unknown) => void;
  /** For tests. */
  idleMilliseconds?: number;
  stopMilliseconds?: number;
};

/** Decides the systems of events that were stored before their systems were decided. */
export type FillEvents = { start: () => void; stop: () => Promise<void> };

/** Works in one of all processes at a time, in steps with pauses between them that leave the event store to others. */
export function createFillEvents({
  eventStore,
  asnRegistry,
  takeSharedSlot,
  percent,
  onFault,
  idleMilliseconds = usualIdleMilliseconds,
  stopMilliseconds = usualStopMilliseconds,
}: FillEventsDeps): FillEvents {
  let ending = new AbortController();
  let running: Promise<unknown> = Promise.resolve();

  /** Fills until nothing is left, another process does it, or there is no registry. */
  async function fill(signal: AbortSignal, onStep: () => void): Promise<void> {
    // The registry takes memory, which most consoles need not spend here.
    if ((await eventStore.countUndecidedSystems()).events === 0) return;
    const release = await takeSharedSlot('systems', { slots: 1 });
    if (release === null) return;
    try {
      for (;;) {
        const systemOf = await asnRegistry.current();
        if (systemOf('::') === '') return;
        const startedAt = performance.now();
        if (!(await eventStore.updateSystems(systemOf, signal))) return;
        onStep();
        await wait((performance.now() - startedAt) * (100 / percent - 1), undefined, { signal, ref: false });
      }
    } finally {
      release();
    }
  }

  async function run(signal: AbortSignal): Promise<void> {
    let failures = 0;
    const isEnding = (): boolean => signal.aborted;
    while (!isEnding()) {
      try {
        await fill(signal, () => (failures = 0));
        failures = 0;
      } catch (error) {
        if (isEnding()) return;
        failures += 1;
        if (failures === 1) onFault(error);
      }
      const pause = idleMilliseconds * Math.min(2 ** Math.max(0, failures - 1), mostDoubled);
      await wait(pause, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  return {
    start() {
      if (percent === 0) return;
      ending = new AbortController();
      running = run(ending.signal);
    },
    async stop() {
      ending.abort();
      await Promise.race([running, wait(stopMilliseconds, undefined, { ref: false })]);
    },
  };
}
