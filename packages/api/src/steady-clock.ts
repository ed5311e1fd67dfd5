/**
 * Milliseconds that pass by a clock, for ages of what is kept in memory: none pass while the clock is set back, after which they go on at
 * once. Otherwise what was kept before would stay until the clock is as late as it was.
 */
export function createSteadyClock(now: () => Date): () => number {
  let last = now().getTime();
  // Caches take zero for no beginning.
  let passed = 1;
  return () => {
    const at = now().getTime();
    passed += Math.max(0, at - last);
    last = at;
    return passed;
  };
}
