import type pg from 'pg';

/**
 * Namespace of the advisory locks of writers, which belong to a session: 0 is held by every writer and, exclusively, to drop a
 * week. The others are ids of apps, so that an identity is looked up and inserted by one writer at a time.
 */
const namespace = 7_300_215;
/** Number of locks that apps share, because the locks of a server are limited. */
const appLocks = 512;

function locksOf(appIds: readonly number[]): number[] {
  return [...new Set(appIds.map((id) => 1 + (id % appLocks)))].toSorted((a, b) => a - b);
}

/** Runs `work` on a connection that holds the locks of these apps. Waits for writers of other processes. */
export async function withAppLocks<T>(pool: pg.Pool, appIds: readonly number[], work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return onSession(pool, async (client) => {
    // In the same order everywhere, so that writers do not wait in a circle.
    await client.query({
      name: 'lock-apps',
      text: `select case number when 0 then pg_advisory_lock_shared($1, 0) else pg_advisory_lock($1, number) end
        from unnest($2::integer[]) as number`,
      values: [namespace, [0, ...locksOf(appIds)]],
    });
    return work(client);
  });
}

/** Takes the locks without waiting; null: a writer holds one of the locks. */
export async function tryWithAppLocks<T>(
  pool: pg.Pool,
  appIds: readonly number[],
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T | null> {
  return onSession(pool, async (client) => {
    const { rows } = await client.query<{ free: boolean }>(
      'select bool_and(pg_try_advisory_lock($1, number)) as free from unnest($2::integer[]) as number',
      [namespace, locksOf(appIds)],
    );
    return rows[0]?.free === true ? work(client) : null;
  });
}

/** Takes the lock that keeps writers out until the transaction ends. */
export async function lockWritersOut(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1, 0)', [namespace]);
}

/** Runs `work` on one connection and releases every lock that it took. */
export async function onSession<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    // A connection that still holds locks must not be used again.
    await client.query('select pg_advisory_unlock_all()').then(
      () => client.release(),
      () => client.release(true),
    );
  }
}
