import { messages } from '@switchyard/contract/envelope';
import { downloadLimits } from '@switchyard/contract/limits';
import { unavailable } from '../errors.ts';

/** Gives a place for a download, and with it the function that frees it; first come, first served. */
export type DownloadPlaces = (signal: AbortSignal) => Promise<() => void>;

/** So often those who wait look whether the process is to end. */
const lookMilliseconds = 500;

/** At most three downloads at once; a further one waits for its turn and is refused with 503 after 30 s (api 0.8). */
export function createDownloadPlaces(deps: { isStopping: () => boolean; waitMilliseconds?: number }): DownloadPlaces {
  const { isStopping, waitMilliseconds = downloadLimits.waitMilliseconds } = deps;
  const queue: (() => void)[] = [];
  let taken = 0;

  function leaveOnce(): () => void {
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      const next = queue.shift();
      // The place goes straight to the next in line.
      if (next) next();
      else taken -= 1;
    };
  }

  return async (signal) => {
    if (taken < downloadLimits.places) {
      taken += 1;
      return leaveOnce();
    }
    await new Promise<void>((resolve, reject) => {
      const refuse = (message: string) => settle(unavailable(message));
      const late = setTimeout(() => refuse(messages.tooManyDownloads), waitMilliseconds);
      const look = setInterval(() => isStopping() && refuse(messages.shuttingDown), lookMilliseconds);
      const onGone = (): void => refuse(messages.tooManyDownloads);
      const onTurn = (): void => settle(null);
      function settle(problem: Error | null): void {
        clearTimeout(late);
        clearInterval(look);
        signal.removeEventListener('abort', onGone);
        const index = queue.indexOf(onTurn);
        if (index !== -1) queue.splice(index, 1);
        if (problem) reject(problem);
        else resolve();
      }
      queue.push(onTurn);
      signal.addEventListener('abort', onGone);
      if (signal.aborted) onGone();
    });
    return leaveOnce();
  };
}
