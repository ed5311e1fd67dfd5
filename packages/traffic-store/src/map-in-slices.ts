import { setImmediate } from 'node:timers/promises';

/** Thousands of values block other calls no longer than this. */
const sliceMilliseconds = 5;

/** Maps many values without blocking the event loop. */
export async function mapInSlices<From, To>(values: readonly From[], map: (value: From) => To): Promise<To[]> {
  const results: To[] = [];
  let began = performance.now();
  for (const value of values) {
    results.push(map(value));
    if (performance.now() - began < sliceMilliseconds) continue;
    await setImmediate();
    began = performance.now();
  }
  return results;
}
