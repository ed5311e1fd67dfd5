import { downloadLimits, streamLimits } from '@switchyard/contract/limits';
import type { RawQuery } from '@switchyard/contract/listing';
import { setTimeout as wait } from 'node:timers/promises';
import { createSharedSlots, type SharedSlots, type TakeSharedSlot } from '../database/shared-slots.ts';
import { Overload } from '../errors.ts';
import { createLimiter, type Limiter, type Release } from '../overload/limiter.ts';

/** The resource that a call of an account occupies: connections for short calls or for scans, files, or none. */
export type SlotKind = 'database' | 'scans' | 'files' | 'none';

/** Slots of a list: those of scans if it has one of these filters, which no index answers. */
export function scansWith(...filters: readonly string[]): (query: RawQuery) => SlotKind {
  return (query) => (filters.some((name) => query[name]?.some((text) => text !== '')) ? 'scans' : 'database');
}

/** A limit of one server over all processes. */
type SharedLimit = (owner: number) => Promise<Release | null>;

/** The limiters of a process (decision 19), and those that it shares with others (decision 25). */
export type Admission = {
  /** Calls of accounts by resource. */
  interactive: Readonly<Record<Exclude<SlotKind, 'none'>, Limiter>>;
  /** Calls that anybody may make, by address, after their body has arrived. */
  publicCalls: Limiter;
  /** Batches, after their body has arrived. */
  ingestion: Limiter;
  /** Takes a slot for a batch of a server, from its header to its answer (api 0.15); null if it has too many. */
  takeBatch: SharedLimit;
  /** Downloads while their rights are checked, before they wait for a slot of `downloads`, so that they never delay lists. */
  downloadChecks: Limiter;
  downloads: Pick<Limiter, 'acquire' | 'running' | 'waiting'>;
  /** Opens a live stream of an account (api 0.14); `end` is called when a newer one replaces it. */
  openStream: (account: number, end: () => void) => Promise<Release>;
  /** Waits a moment if interactive calls wait; exports call it between two pieces. */
  yieldToInteractive: () => Promise<void>;
};

/** Calls in flight that one traffic server may have (api 0.15). */
const ingestionCallsPerServer = 16;
/** How many batches are stored at once: as many as there are connections for them, one while people wait. */
const singleBatches = { usual: 4, underLoad: 1 } as const;
/** A store that takes the batches that wait as one group is the faster the more there are. */
const groupedBatches = { usual: 32, underLoad: 8 } as const;
/** Connections for calls of accounts. Scans take at most two of them, fewer while exports run. */
const interactiveSlots = 6;
/** Scans and exports that run at once; a scan may always run. */
const longSlots = { scans: 2, together: 3 } as const;
const yieldMilliseconds = 20;
/** Interval at which a download with a slot of its process polls for one of all processes. */
const pollMilliseconds = 100;
/** How long a download that waited in its process leaves a slot to those that poll in others. */
const yieldToOthersMilliseconds = 2 * pollMilliseconds;

/**
 * Creates the limiters of a process.
 * @param slots counts slots over all processes; by default over this one.
 * @param groupsBatches whether the event store takes the batches that wait as one group.
 * @param timeoutFactor how many times longer than usual a call may wait; for tests, which must not fail on a busy machine.
 */
export function createAdmission({
  slots: { take: takeShared, openStream } = createSharedSlots(null),
  timeoutFactor = 1,
  downloadWait = downloadLimits.waitMilliseconds,
  groupsBatches = false,
}: { slots?: SharedSlots; timeoutFactor?: number | undefined; downloadWait?: number; groupsBatches?: boolean } = {}): Admission {
  const batches = groupsBatches ? groupedBatches : singleBatches;
  const downloads = sharedDownloads(takeShared, downloadWait);
  // Calls that read many rows. A caller with a scan under way lets the others go first, so a flood of one delays theirs by
  // one scan for each caller that waits.
  const scans = createLimiter({
    slots: () => Math.max(1, Math.min(longSlots.scans, longSlots.together - downloads.running())),
    slotsPerCaller: 1,
    queue: 512,
    queuePerCaller: 64,
    waitMilliseconds: 10_000 * timeoutFactor,
  });
  // As many as there are connections left for them; one account leaves half of them to the others.
  const database = createLimiter({
    slots: () => interactiveSlots - scans.running(),
    slotsPerCaller: 3,
    queue: 512,
    queuePerCaller: 128,
    // With the longest statement after it, a call takes less than ten seconds though the database hangs.
    waitMilliseconds: 3000 * timeoutFactor,
  });
  const isBusy = (): boolean => database.waiting() + scans.waiting() > 0;
  return {
    interactive: {
      database,
      scans,
      files: createLimiter({ slots: 4, slotsPerCaller: 2, queue: 128, queuePerCaller: 32, waitMilliseconds: 10_000 * timeoutFactor }),
    },
    // One address leaves connections to the others. All that its rate limit admits in a minute may wait.
    publicCalls: createLimiter({ slots: 4, slotsPerCaller: 2, queue: 256, queuePerCaller: 32, waitMilliseconds: 3000 * timeoutFactor }),
    ingestion: createLimiter({
      slots: () => (isBusy() ? batches.underLoad : batches.usual),
      queue: 64,
      queuePerCaller: ingestionCallsPerServer,
      // A sender that learns within a second that nothing was stored can resend without a pile of calls.
      waitMilliseconds: 500 * timeoutFactor,
    }),
    takeBatch: async (owner) => takeShared('batches', { slots: ingestionCallsPerServer, owner }),
    downloadChecks: createLimiter({ slots: 2, slotsPerCaller: 1, queue: 256, queuePerCaller: 32, waitMilliseconds: downloadWait }),
    downloads,
    openStream: async (account, end) => openStream(account, { most: streamLimits.openPerAccount, end }),
    async yieldToInteractive() {
      if (isBusy()) await wait(yieldMilliseconds);
    },
  };
}

/** The limiters of a process by the kind of work, as metrics name it. */
export function limitersOf({ interactive, publicCalls, ingestion, downloadChecks, downloads }: Admission) {
  return { ...interactive, public: publicCalls, ingestion, download_checks: downloadChecks, downloads };
}

/** Downloads wait in the queue of their process for one of its slots, and then for one of all processes. */
function sharedDownloads(takeShared: TakeSharedSlot, waitMilliseconds: number): Admission['downloads'] {
  const { slots } = downloadLimits;
  const own = createLimiter({ slots, queue: 256, queuePerCaller: 32, waitMilliseconds });
  return {
    running: own.running,
    waiting: own.waiting,
    async acquire(caller, signal) {
      const until = performance.now() + waitMilliseconds;
      const free = own.tryAcquire(caller);
      const release = free ?? (await own.acquire(caller, signal));
      if (free === null) await wait(yieldToOthersMilliseconds, undefined, { signal }).catch(() => undefined);
      let slot: Release | null = null;
      while ((slot = await takeShared('downloads', { slots })) === null) {
        if (signal?.aborted === true || performance.now() > until) break;
        await wait(pollMilliseconds, undefined, { signal }).catch(() => undefined);
      }
      if (slot === null) {
        release();
        throw new Overload('wait');
      }
      return () => {
        slot();
        release();
      };
    },
  };
}
