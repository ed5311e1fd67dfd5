const attempts = 5;

/** Deadlock and serialization failure: nothing was stored, so the same batch may run again. */
const retryable = new Set(['40P01', '40001']);

/** Runs a write again when PostgreSQL aborted it in favour of a concurrent one, five times at most. */
export async function retryOnDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (attempt >= attempts || typeof code !== 'string' || !retryable.has(code)) throw error;
    }
  }
}
