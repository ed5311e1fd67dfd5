import { downloadLimits, streamLimits } from '@switchyard/contract/limits';
import { setTimeout as wait } from 'node:timers/promises';
import { createLimiter, type Limiter } from '../limiter.ts';

/** The resource that a call of an account occupies: interactive connections, files, or none. */
export type SlotKind = 'database' | 'files' | 'none';

/** The limiters of a process (decision 19). */
export type Admission = {
  /** Calls of accounts by resource. */
  interactive: Readonly<Record<Exclude<SlotKind, 'none'>, Limiter>>;
  /** Batches, after their body has arrived. */
  ingestion: Limiter;
  /** Batches of one server from their header to their answer (api 0.15). */
  ingestionCalls: Limiter;
  /** Downloads while their rights are checked, before they wait for a slot of `downloads`, so that they never stand before lists. */
  downloadChecks: Limiter;
  downloads: Limiter;
  streams: Limiter;
  /** Waits a moment if interactive calls wait; exports call it between two pieces. */
  yieldToInteractive: () => Promise<void>;
};

/** Calls in flight that one traffic server may have (api 0.15). */
const ingestionCallsPerServer = 16;
/** As many batches at once as there are connections to store them, one while people wait. */
const batches = { usual: 4, underLoad: 1 } as const;
const yieldMilliseconds = 20;

/**
 * Creates the limiters of a process.
 * @param patience how many times longer than usual a call may wait; for tests, which must not fail on a busy machine.
 */
export function createAdmission({
  patience = 1,
  downloadWait = downloadLimits.waitMilliseconds,
}: { patience?: number; downloadWait?: number } = {}): Admission {
  // As many as there are connections for them; one account leaves half of them to the others.
  const database = createLimiter({
    slots: 6,
    slotsPerCaller: 3,
    queue: 512,
    queuePerCaller: 128,
    // With the longest statement after it, a call takes less than ten seconds though the database hangs.
    waitMilliseconds: 3000 * patience,
  });
  const isBusy = (): boolean => database.waiting() > 0;
  return {
    interactive: {
      database,
      files: createLimiter({ slots: 4, slotsPerCaller: 2, queue: 128, queuePerCaller: 32, waitMilliseconds: 10_000 * patience }),
    },
    ingestion: createLimiter({
      slots: () => (isBusy() ? batches.underLoad : batches.usual),
      queue: 64,
      queuePerCaller: ingestionCallsPerServer,
      // A sender that is told within a second that nothing was stored can resend without a pile of calls.
      waitMilliseconds: 500 * patience,
    }),
    ingestionCalls: createLimiter({ slots: Infinity, slotsPerCaller: ingestionCallsPerServer }),
    downloadChecks: createLimiter({ slots: 2, slotsPerCaller: 1, queue: 256, queuePerCaller: 32, waitMilliseconds: downloadWait }),
    downloads: createLimiter({ slots: downloadLimits.slots, queue: 256, queuePerCaller: 32, waitMilliseconds: downloadWait }),
    streams: createLimiter({ slots: Infinity, slotsPerCaller: streamLimits.openPerAccount }),
    async yieldToInteractive() {
      if (isBusy()) await wait(yieldMilliseconds);
    },
  };
}
