import { setTimeout as wait } from 'node:timers/promises';
import type { TakeSharedSlot } from '../database/shared-slots.ts';

/** At most this many times longer waits a job that fails again and again. */
const mostDoubled = 32;
/** A step of ClickHouse goes on without this process, so a stop does not wait for it longer. */
const usualStopMilliseconds = 5000;

export type PacedJobOptions = {
  /** Of all processes, the one that holds this slot works. */
  slot: Parameters<TakeSharedSlot>[0];
  takeSharedSlot: TakeSharedSlot;
  /** Whether there is something to do. */
  hasWork: () => Promise<boolean>;
  /** Does a part of it; false: nothing was left. */
  step: (signal: AbortSignal) => Promise<boolean>;
  /** Share of the time in which the steps run, in percent; 0: never. */
  percent: number;
  /** How long to wait when there is nothing to do, and after a first failure; each further failure doubles it. */
  idleMilliseconds: number;
  /** Called once for failures that follow each other. */
  onFault: (fault: unknown) => void;
  stopMilliseconds?: number | undefined;
};

/** Background work in steps. */
export type PacedJob = { start: () => void; stop: () => Promise<void> };

/** Works in one of all processes at a time, in steps with pauses between them that leave the stores to others. */
export function createPacedJob({
  slot,
  takeSharedSlot,
  hasWork,
  step,
  percent,
  idleMilliseconds,
  onFault,
  stopMilliseconds = usualStopMilliseconds,
}: PacedJobOptions): PacedJob {
  let ending = new AbortController();
  let running: Promise<unknown> = Promise.resolve();

  /** Works until nothing is left, or another process does it. */
  async function work(signal: AbortSignal, onStep: () => void): Promise<void> {
    if (!(await hasWork())) return;
    const release = await takeSharedSlot(slot, { slots: 1 });
    if (release === null) return;
    try {
      for (;;) {
        const startedAt = performance.now();
        if (!(await step(signal))) return;
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
        await work(signal, () => (failures = 0));
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
