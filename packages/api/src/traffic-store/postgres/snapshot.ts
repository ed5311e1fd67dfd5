import type pg from 'pg';

/** What answers statements: a pool, or one connection of it. */
export type Reader = Pick<pg.Pool, 'query'>;

/**
 * Runs statements that all see the events as they were at the first of them, so that a total and the rows beside it
 * agree while others write.
 */
export async function inSnapshot<T>(pool: pg.Pool, work: (reader: Reader) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  // A connection that fails to end its transaction is of no use to the next caller.
  const end = async (how: 'commit' | 'rollback'): Promise<void> =>
    client.query(how).then(
      () => client.release(),
      () => client.release(true),
    );
  try {
    await client.query('begin isolation level repeatable read read only');
    const result = await work(client);
    // Nothing was written, so nobody has to wait for the end.
    void end('commit');
    return result;
  } catch (error) {
    await end('rollback');
    throw error;
  }
}
