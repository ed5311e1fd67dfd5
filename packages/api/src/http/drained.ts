import type { ServerResponse } from 'node:http';

/**
 * Waits until the reader of an answer has taken what was written. Rejects when the signal is aborted, or after so many
 * milliseconds: the reader stands still.
 */
export async function drained(response: ServerResponse, { signal, patience }: { signal: AbortSignal; patience: number }): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => settle(new Error('The reader took too little for too long')), patience);
    const onDrain = (): void => settle(null);
    const onAbort = (): void => settle(signal.reason);
    function settle(problem: unknown): void {
      clearTimeout(timer);
      response.off('drain', onDrain);
      signal.removeEventListener('abort', onAbort);
      if (problem === null) resolve();
      else reject(problem);
    }
    response.once('drain', onDrain);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
