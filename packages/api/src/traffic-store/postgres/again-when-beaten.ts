/** Batches that wait for each other's roll-up rows in a circle, or lose a race, are run again this often. */
const attempts = 5;

/** Deadlock and serialisation failure: nothing was kept, so the same batch may run again. */
const beaten = new Set(['40P01', '40001']);

/** Runs a write of a batch again when the database gave it up for the sake of another. */
export async function againWhenBeaten<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (attempt >= attempts || typeof code !== 'string' || !beaten.has(code)) throw error;
    }
  }
}
