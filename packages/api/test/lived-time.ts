/** A pause longer than this is one of the machine, not of what is measured. */
const longestPause = 100;

/**
 * Milliseconds that work took of the time in which this process could run: while the machine paused, nothing that the work waited
 * for could happen either. Counts in steps of 10 ms.
 */
export async function livedMilliseconds(work: () => Promise<unknown>): Promise<number> {
  let livedTime = 0;
  let last = performance.now();
  const observe = (): void => {
    const now = performance.now();
    livedTime += Math.min(longestPause, now - last);
    last = now;
  };
  const watch = setInterval(observe, 10);
  try {
    await work();
  } finally {
    clearInterval(watch);
  }
  observe();
  return livedTime;
}
