/** Durations of one kind of call in milliseconds. */
export type Durations = { p50: number; p95: number };

/** The value below which the given share of the samples lies. */
export function percentile(samples: readonly number[], share: number): number {
  const ascending = samples.toSorted((a, b) => a - b);
  return ascending[Math.min(ascending.length - 1, Math.ceil(share * ascending.length) - 1)] ?? Number.NaN;
}

/** The value in the middle. */
export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/**
 * Runs several kinds of calls in turn, so that all of them meet the same disturbances, and gives their durations.
 * The first tenth of the rounds warms up and is not counted.
 */
export async function sampleInTurn<Name extends string>(
  rounds: number,
  calls: Readonly<Record<Name, (round: number) => Promise<unknown>>>,
): Promise<Record<Name, Durations>> {
  const samples = new Map<string, number[]>(Object.keys(calls).map((name) => [name, []]));
  const warmUp = Math.ceil(rounds / 10);
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const [name, call] of Object.entries<(round: number) => Promise<unknown>>(calls)) {
      const duration = await timeOf(() => call(round + warmUp));
      if (round >= 0) samples.get(name)?.push(duration);
    }
  }
  const durations: Partial<Record<string, Durations>> = {};
  for (const [name, all] of samples) durations[name] = { p50: percentile(all, 0.5), p95: percentile(all, 0.95) };
  const isComplete = (partial: Partial<Record<string, Durations>>): partial is Record<Name, Durations> =>
    Object.keys(calls).every((name) => name in partial);
  if (!isComplete(durations)) throw new Error('a call was not measured');
  return durations;
}

/** Calls per second that `connections` loops reach together within a number of seconds. */
export async function throughput(connections: number, seconds: number, call: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  let doneRounds = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < until) {
        await call();
        doneRounds += 1;
      }
    }),
  );
  return doneRounds / ((performance.now() - startedAt) / 1000);
}
