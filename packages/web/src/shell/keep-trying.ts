/**
 * Milliseconds before each retry; the last value repeats. A page is to load within 5 s after the server has recovered (R3), which
 * leaves 2 s for the attempt itself on a slow machine.
 */
const pauses = [1_000, 2_000, 3_000] as const;

/** Runs an attempt repeatedly with growing pauses until the returned function is called. Failed attempts are ignored. */
export function keepTrying(attempt: () => Promise<void>): () => void {
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout>;
  const wait = (failures: number): void => {
    timer = setTimeout(
      () => {
        attempt()
          .catch(() => undefined)
          .finally(() => isStopped || wait(failures + 1));
      },
      pauses[Math.min(failures, pauses.length - 1)],
    );
  };
  wait(0);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
