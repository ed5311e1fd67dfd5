import { ClickHouseError } from '@clickhouse/client';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { EventStoreUnavailable } from '../event-store-unavailable.ts';
import { createGuard } from './engine-availability.ts';

beforeEach(() => {
  vi.useFakeTimers();
  // Node's own timer of such a signal does not follow the fake clock.
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const over = new AbortController();
    setTimeout(() => over.abort(), milliseconds);
    return over.signal;
  });
  return () => {
    timeout.mockRestore();
    vi.useRealTimers();
  };
});

/** A guarded engine that is asked whether it is alive; while it hangs nothing of it answers. */
function setUp() {
  const state = { hangs: false, questions: 0 };
  const guard = createGuard(async (signal) => {
    state.questions += 1;
    if (!state.hangs) return true;
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  return { state, guard };
}

const never = async (): Promise<never> => new Promise(() => undefined);
/** Outcome of a call and its duration in milliseconds; null while the call is running. */
function follow(call: Promise<unknown>) {
  const began = performance.now();
  const seen: { result: unknown; after: number | null } = { result: null, after: null };
  const settle = (result: unknown): void => void Object.assign(seen, { result, after: performance.now() - began });
  call.then(settle, settle);
  return seen;
}
const unavailable = { result: expect.any(EventStoreUnavailable) };

describe('the guard of an engine', () => {
  it('[OUT-004] fails every call 2.5 s after the first one went unanswered', async () => {
    const { state, guard } = setUp();
    state.hangs = true;
    const first = follow(guard(never));
    await vi.advanceTimersByTimeAsync(2000);
    const second = follow(guard(never));
    await vi.advanceTimersByTimeAsync(499);
    expect([first.result, second.result]).toEqual([null, null]);
    await vi.advanceTimersByTimeAsync(1);
    expect([first, second]).toMatchObject([
      { ...unavailable, after: 2500 },
      { ...unavailable, after: 500 },
    ]);
    expect(state.questions).toBe(1);
  });

  it('[OUT-004] does not call an engine that hangs, and asks it once a second whether it is alive', async () => {
    const { state, guard } = setUp();
    state.hangs = true;
    follow(guard(never));
    await vi.advanceTimersByTimeAsync(2500);
    const call = vi.fn(async () => 7);
    const atOnce = follow(guard(call));
    await vi.advanceTimersByTimeAsync(0);
    expect(atOnce).toMatchObject({ ...unavailable, after: 0 });
    expect(state.questions).toBe(1);
    await vi.advanceTimersByTimeAsync(1000);
    const calls = [follow(guard(call)), follow(guard(call))];
    await vi.advanceTimersByTimeAsync(100);
    expect(calls).toMatchObject(calls.map(() => ({ ...unavailable, after: 100 })));
    expect([state.questions, call.mock.calls.length]).toEqual([2, 0]);
  });

  it('[OUT-004] goes on with the first call after the engine has recovered', async () => {
    const { state, guard } = setUp();
    state.hangs = true;
    follow(guard(never));
    await vi.advanceTimersByTimeAsync(3500);
    state.hangs = false;
    expect(await guard(async () => 7)).toBe(7);
    expect(await guard(async () => 8)).toBe(8);
    expect(state.questions).toBe(2);
  });

  it('[OUT-004] lets slow calls of a living engine run, and takes any answer for a sign of life', async () => {
    const { state, guard } = setUp();
    const slow = Promise.withResolvers<number>();
    const call = follow(guard(async () => slow.promise));
    await vi.advanceTimersByTimeAsync(5500);
    expect([call.result, state.questions]).toEqual([null, 5]);
    state.hangs = true;
    await vi.advanceTimersByTimeAsync(1000);
    expect(await guard(async () => 7)).toBe(7);
    await vi.advanceTimersByTimeAsync(1000);
    expect(call.result).toBeNull();
    slow.resolve(9);
    await vi.advanceTimersByTimeAsync(0);
    expect(call.result).toBe(9);
  });

  it('[OUT-001] passes on what the engine reports, and fails only the call whose connection broke', async () => {
    const { state, guard } = setUp();
    const reported = new ClickHouseError({ message: 'no', code: '60', type: 'UNKNOWN_TABLE' });
    await expect(guard(async () => Promise.reject(reported))).rejects.toBe(reported);
    const broken = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    const failure = await guard(async () => Promise.reject(broken)).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'EventStoreUnavailable', cause: broken });
    expect(await guard(async () => 7)).toBe(7);
    expect(state.questions).toBe(0);
  });
});
