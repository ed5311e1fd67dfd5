import { EventStoreUnavailable } from '../event-store-unavailable.ts';
import { isEngineAnswer, isEngineUnavailable } from './engine-errors.ts';

/** Interval of liveness checks while a call waits for its answer. */
const checkIntervalMs = 1000;
/** Timeout of a liveness check, which a busy engine answers, too. With the interval before it, a call fails within 2.5 s. */
const checkTimeoutMs = 1500;
/** How long the circuit stays open without another check. */
const openMs = 1000;
/** How long a call waits for the result of a check while the circuit is open. */
const recheckMs = 100;

/** Runs a call of the engine. Throws EventStoreUnavailable if the engine is unavailable. */
export type Guard = <Result>(call: () => Promise<Result>) => Promise<Result>;

function outage(): EventStoreUnavailable {
  return new EventStoreUnavailable(new Error('ClickHouse does not answer'));
}

/**
 * Creates the circuit breaker of an engine. Calls of an engine that refuses connections fail by themselves. An engine that hangs
 * would hold each call, and its slot, until a timeout: after a failed liveness check all calls under way fail, and later ones fail
 * at once until the engine answers again.
 * @param isAlive checks whether the engine answers before the signal is aborted.
 */
export function createGuard(isAlive: (signal: AbortSignal) => Promise<boolean>, timeoutFactor = 1): Guard {
  /** Fails each call that waits for its answer. */
  const callsUnderWay = new Set<(error: EventStoreUnavailable) => void>();
  let isHanging = false;
  let check: Promise<void> | null = null;
  let checkedAt = -Infinity;
  let answeredAt = -Infinity;

  async function runCheck(): Promise<void> {
    const began = performance.now();
    const answers = await isAlive(AbortSignal.timeout(checkTimeoutMs * timeoutFactor)).catch(() => false);
    checkedAt = performance.now();
    // The answer to any call shows that the engine is alive.
    isHanging = !answers && answeredAt < began;
    if (isHanging) for (const fail of callsUnderWay) fail(outage());
  }

  async function checkOnce(): Promise<void> {
    check ??= runCheck().finally(() => {
      check = null;
    });
    return check;
  }

  async function rejectWhileHanging(): Promise<void> {
    if (!isHanging) return;
    if (performance.now() - checkedAt >= openMs * timeoutFactor) void checkOnce();
    if (check !== null) {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, recheckMs * timeoutFactor);
      await Promise.race([check, late.promise]);
      clearTimeout(timer);
    }
    throwIfHanging();
  }

  function throwIfHanging(): void {
    if (isHanging) throw outage();
  }

  return async <Result>(call: () => Promise<Result>): Promise<Result> => {
    await rejectWhileHanging();
    const failure = Promise.withResolvers<never>();
    callsUnderWay.add(failure.reject);
    const timer = setInterval(() => void checkOnce(), checkIntervalMs * timeoutFactor);
    try {
      const result = await Promise.race([call(), failure.promise]);
      answeredAt = performance.now();
      return result;
    } catch (error) {
      if (isEngineAnswer(error)) answeredAt = performance.now();
      throw isEngineUnavailable(error) ? new EventStoreUnavailable(error) : error;
    } finally {
      clearInterval(timer);
      callsUnderWay.delete(failure.reject);
    }
  };
}
