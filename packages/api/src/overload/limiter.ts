import { Overload } from '../errors.ts';

/** Frees a slot; a second call does nothing. */
export type Release = () => void;

/** Who asks for a slot: an account, a server, or everybody. */
export type LimiterCaller = string | number;

export type LimiterOptions = {
  /** Slots that may be taken at once. A function is called whenever a slot is to be granted. */
  slots: number | (() => number);
  /** How many of them one caller may have; no bound by default. */
  slotsPerCaller?: number;
  /** Most calls that may wait, all together and of one caller; no bound by default. */
  queue?: number;
  queuePerCaller?: number;
  /** How long a call may wait; no bound by default. */
  waitMilliseconds?: number;
};

/**
 * Limits what runs at once. Callers with waiting calls take turns, so a flood of one delays the next call of another by at
 * most one call for each caller that waits; the calls of one caller keep their order.
 */
export type Limiter = {
  /** Takes a slot as soon as there is one. Rejects with Overload when a queue is full, the wait too long or the signal aborted. */
  acquire: (caller?: LimiterCaller, signal?: AbortSignal) => Promise<Release>;
  /** Takes a slot if one is free for this caller. */
  tryAcquire: (caller?: LimiterCaller) => Release | null;
  /** Runs a task in a slot. */
  run: <T>(task: () => Promise<T>, caller?: LimiterCaller) => Promise<T>;
  running: () => number;
  waiting: () => number;
};

type Waiter = { grant: (release: Release) => void; reject: (error: Error) => void };

const everybody = '';

export function createLimiter(options: LimiterOptions): Limiter {
  const { slots, slotsPerCaller = Infinity, queue: most = Infinity, queuePerCaller = Infinity, waitMilliseconds } = options;
  const takenSlots = new Map<LimiterCaller, number>();
  /** Waiting calls by caller, in the order of their turns. */
  const queues = new Map<LimiterCaller, Waiter[]>();
  let running = 0;
  let waiting = 0;

  const isFree = (): boolean => running < (typeof slots === 'number' ? slots : slots());
  const mayRun = (caller: LimiterCaller): boolean => (takenSlots.get(caller) ?? 0) < slotsPerCaller;

  function take(caller: LimiterCaller): Release {
    running += 1;
    takenSlots.set(caller, (takenSlots.get(caller) ?? 0) + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      running -= 1;
      const remaining = (takenSlots.get(caller) ?? 1) - 1;
      if (remaining === 0) takenSlots.delete(caller);
      else takenSlots.set(caller, remaining);
      giveAway();
    };
  }

  /** Gives free slots to those who wait; a caller that got one goes to the end of the line. */
  function giveAway(): void {
    while (waiting > 0 && isFree()) {
      const [caller, own] = firstInLine();
      const next = own[0];
      if (next === undefined) return;
      queues.delete(caller);
      queues.set(caller, own);
      leave(caller, next);
      next.grant(take(caller));
    }
  }

  /** The first waiting caller that may have another slot, and its calls; no calls when there is none. */
  function firstInLine(): [LimiterCaller, Waiter[]] {
    for (const entry of queues) if (mayRun(entry[0])) return entry;
    return [everybody, []];
  }

  function leave(caller: LimiterCaller, waiter: Waiter): void {
    const own = queues.get(caller) ?? [];
    const index = own.indexOf(waiter);
    if (index === -1) return;
    own.splice(index, 1);
    if (own.length === 0) queues.delete(caller);
    waiting -= 1;
  }

  /** Makes room in a full queue for a caller with fewer waiting calls than another, whose newest one is rejected. */
  function makeRoom(caller: LimiterCaller): boolean {
    const own = queues.get(caller)?.length ?? 0;
    if (own >= queuePerCaller) return false;
    if (waiting < most) return true;
    const [longest, calls] = [...queues].reduce((one, other) => (other[1].length > one[1].length ? other : one), [caller, []]);
    const newest = calls.at(-1);
    if (newest === undefined || calls.length <= own + 1) return false;
    leave(longest, newest);
    newest.reject(new Overload('queue'));
    return true;
  }

  function tryAcquire(caller: LimiterCaller = everybody): Release | null {
    giveAway();
    return isFree() && mayRun(caller) ? take(caller) : null;
  }

  async function acquire(caller: LimiterCaller = everybody, signal?: AbortSignal): Promise<Release> {
    const release = tryAcquire(caller);
    if (release !== null) return release;
    if (signal?.aborted === true || !makeRoom(caller)) throw new Overload('queue');
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter = {
        grant: (releaseSlot) => {
          settle();
          resolve(releaseSlot);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      };
      const giveUp = (reason: Overload['reason']): void => {
        leave(caller, waiter);
        waiter.reject(new Overload(reason));
      };
      const onAbort = (): void => giveUp('queue');
      const own = queues.get(caller) ?? [];
      own.push(waiter);
      queues.set(caller, own);
      waiting += 1;
      if (waitMilliseconds !== undefined) timer = setTimeout(() => giveUp('wait'), waitMilliseconds);
      signal?.addEventListener('abort', onAbort);
    });
  }

  return {
    acquire,
    tryAcquire,
    async run(task, caller) {
      const release = await acquire(caller);
      try {
        return await task();
      } finally {
        release();
      }
    },
    running: () => running,
    waiting: () => waiting,
  };
}
