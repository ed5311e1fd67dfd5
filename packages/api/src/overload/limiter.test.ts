import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createLimiter, type Limiter, type LimiterOptions, type Release } from './limiter.ts';

const bounds = { slots: 3, slotsPerCaller: 2, queue: 6, queuePerCaller: 4 } satisfies LimiterOptions;

/** The outcome of a call, in the order of events. */
type Call = { caller: number; number: number; state: 'waiting' | 'running' | 'rejected' | 'done'; release?: Release };

/** Calls made of a limiter, whose states follow it after each `settle`. */
function callsOf(limiter: Limiter) {
  const calls: Call[] = [];
  const grantedCalls: Call[] = [];
  return {
    calls,
    granted: grantedCalls,
    arrive(caller: number): void {
      const call: Call = { caller, number: calls.length, state: 'waiting' };
      calls.push(call);
      limiter.acquire(caller).then(
        (release) => {
          Object.assign(call, { state: 'running', release });
          return grantedCalls.push(call);
        },
        () => (call.state = 'rejected'),
      );
    },
    /** Ends one of the running calls. */
    finish(choice: number): void {
      const running = calls.filter(({ state }) => state === 'running');
      const call = running[choice % Math.max(1, running.length)];
      if (!call) return;
      call.state = 'done';
      call.release?.();
      call.release?.();
    },
    of: (state: Call['state'], caller?: number) => calls.filter((call) => call.state === state && (caller ?? call.caller) === call.caller),
  };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const callers = [0, 1, 2, 3];
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ arrive: fc.constantFrom(...callers) }) },
  { weight: 2, arbitrary: fc.record({ finish: fc.nat(10) }) },
);

describe('a limiter', () => {
  it('[S46] [R4] never grants more slots than it has, keeps to its bounds and leaves no slot unused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
        const limiter = createLimiter(bounds);
        const calls = callsOf(limiter);
        for (const action of steps) {
          if ('arrive' in action) calls.arrive(action.arrive);
          else calls.finish(action.finish);
          await settle();
          const [running, waiting] = [calls.of('running'), calls.of('waiting')];
          expect([limiter.running(), limiter.waiting()]).toEqual([running.length, waiting.length]);
          expect(running.length).toBeLessThanOrEqual(bounds.slots);
          expect(waiting.length).toBeLessThanOrEqual(bounds.queue);
          for (const caller of callers) {
            const own = calls.of('running', caller).length;
            expect(own).toBeLessThanOrEqual(bounds.slotsPerCaller);
            expect(calls.of('waiting', caller).length).toBeLessThanOrEqual(bounds.queuePerCaller);
            if (calls.of('waiting', caller).length > 0) expect(running.length === bounds.slots || own === bounds.slotsPerCaller).toBe(true);
          }
        }
        // Whatever happened, all slots are released.
        while (calls.of('running').length > 0) {
          calls.finish(0);
          await settle();
        }
        expect([limiter.running(), limiter.waiting(), calls.of('waiting')]).toEqual([0, 0, []]);
      }),
    );
  });

  it('[S46] [R4] keeps the order of a caller, and serves every waiting caller before one of them twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...callers), { maxLength: 60 }), async (arrivals) => {
        const limiter = createLimiter({ slots: 1 });
        const calls = callsOf(limiter);
        for (const caller of arrivals) calls.arrive(caller);
        await settle();
        while (calls.of('running').length > 0) {
          const waiting = new Set(calls.of('waiting').map(({ caller }) => caller));
          const before = calls.granted.length;
          for (let turn = 0; turn < waiting.size; turn += 1) {
            calls.finish(0);
            await settle();
          }
          expect(new Set(calls.granted.slice(before).map(({ caller }) => caller))).toEqual(waiting);
          if (waiting.size > 0) continue;
          calls.finish(0);
          await settle();
        }
        for (const caller of callers) {
          const numbers = calls.granted.filter((call) => call.caller === caller).map(({ number }) => number);
          expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
        }
        expect(calls.granted).toHaveLength(arrivals.length);
      }),
    );
  });

  it('[S46] rejects the newest call of the longest queue when another caller needs the room', async () => {
    const limiter = createLimiter({ slots: 1, queue: 3 });
    const calls = callsOf(limiter);
    for (const caller of [1, 1, 1, 1]) calls.arrive(caller);
    calls.arrive(2);
    await settle();
    expect(calls.calls.map(({ state }) => state)).toEqual(['running', 'waiting', 'waiting', 'rejected', 'waiting']);
    calls.arrive(1);
    await settle();
    expect(calls.calls.at(-1)?.state).toBe('rejected');
  });

  it.each([
    ['that stays as long as the other', 4, [1, 1, 1, 1, 2, 2], ['running', 'waiting', 'waiting', 'rejected', 'waiting', 'waiting']],
    ['that would become the shorter one', 3, [1, 1, 1, 2, 2], ['running', 'waiting', 'waiting', 'waiting', 'rejected']],
    ['up to the bound of a caller', 9, [1, 1, 1, 1, 1, 1], ['running', 'waiting', 'waiting', 'waiting', 'waiting', 'rejected']],
  ])('[S46] makes room in a queue %s, or rejects the caller', async (_, queue, arrivals, states) => {
    const calls = callsOf(createLimiter({ slots: 1, queue, queuePerCaller: 4 }));
    for (const caller of arrivals) calls.arrive(caller);
    await settle();
    expect(calls.calls.map(({ state }) => state)).toEqual(states);
  });

  it('[O41] rejects a call that waited too long or whose sender disconnected, and keeps its slot for others', async () => {
    vi.useFakeTimers();
    try {
      const limiter = createLimiter({ slots: 1, waitMilliseconds: 500 });
      const release = await limiter.acquire();
      const late = expect(limiter.acquire()).rejects.toMatchObject({ status: 503, reason: 'wait', retryAfter: 2 });
      const sender = new AbortController();
      const goneCall = expect(limiter.acquire('other', sender.signal)).rejects.toMatchObject({ status: 503, reason: 'queue' });
      await vi.advanceTimersByTimeAsync(499);
      expect(limiter.waiting()).toBe(2);
      sender.abort();
      await goneCall;
      await vi.advanceTimersByTimeAsync(1);
      await late;
      expect(limiter.waiting()).toBe(0);
      release();
      expect(limiter.tryAcquire()).toBeTypeOf('function');
      expect(limiter.tryAcquire()).toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });

  it('[R4] frees the slot of a task that failed', async () => {
    const limiter = createLimiter({ slots: 1 });
    await expect(limiter.run(async () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await limiter.run(async () => 'next')).toBe('next');
  });

  it('[R4] gives slots that were added meanwhile to those who wait', async () => {
    let slots = 1;
    const limiter = createLimiter({ slots: () => slots });
    const calls = callsOf(limiter);
    for (const caller of [1, 2, 3]) calls.arrive(caller);
    await settle();
    slots = 2;
    calls.finish(0);
    await settle();
    expect(calls.of('running')).toHaveLength(2);
  });
});
