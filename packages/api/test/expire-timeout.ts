import { onTestFinished, vi } from 'vitest';

/**
 * Ends every `AbortSignal.timeout` of the test once something has happened, and never by the clock: a busy
 * machine cannot use it up before that. Gives the times in milliseconds that were set.
 */
export function expireTimeoutOnce(hasHappened: () => boolean): readonly number[] {
  const times: number[] = [];
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    times.push(milliseconds);
    const over = new AbortController();
    const timer = setInterval(() => hasHappened() && over.abort(new DOMException('The operation timed out', 'TimeoutError')), 10);
    onTestFinished(() => clearInterval(timer));
    return over.signal;
  });
  onTestFinished(() => timeout.mockRestore());
  return times;
}
