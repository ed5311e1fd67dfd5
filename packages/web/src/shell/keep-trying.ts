/** Milliseconds before each further attempt; the last one repeats, so that a page recovers within 5 s. */
const pauses = [1_000, 2_000, 4_000] as const;

/** Runs an attempt again and again, with growing pauses, until the function it gives is called. A failed attempt is no error. */
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
