/**
 * Coalesces concurrent lookups into batches. At most one batch runs at a time; callers that arrive meanwhile share the
 * next one, so a result is never older than its call. If a batch fails, all of its callers get the error.
 */
export function coalesce<Key, Result>(query: (keys: readonly Key[]) => Promise<Result>): (key: Key) => Promise<Result> {
  let waiting: Key[] = [];
  let next: Promise<Result> | null = null;
  let last: Promise<unknown> = Promise.resolve();

  async function queryAfter(earlier: Promise<unknown>): Promise<Result> {
    await earlier.catch(() => undefined);
    const keys = waiting;
    waiting = [];
    next = null;
    return query(keys);
  }
  return (key) => {
    waiting.push(key);
    if (next === null) {
      next = queryAfter(last);
      last = next;
    }
    return next;
  };
}
