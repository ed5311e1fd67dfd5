import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import type pg from 'pg';
import { inTransaction } from './postgres/statements.ts';

/** A lock on the events waits for running batches, which end within this time. */
const lockTimeout = '20s';

/** Engines that store events. One of them does; the other may hold copies. */
export type EventHome = 'postgres' | 'clickhouse';

/** Where the events are stored; null: there were none yet. */
export async function readEventHome(pool: Pick<pg.ClientBase, 'query'>): Promise<EventHome | null> {
  const { rows } = await pool.query<{ store: EventHome | null }>('select store from event_home');
  return rows[0]?.store ?? null;
}

/** Makes an engine the one that stores events, once the transaction commits. */
export async function changeEventHome(client: pg.ClientBase, store: EventHome): Promise<void> {
  await client.query('update event_home set store = $1, changed_at = now()', [store]);
}

/** Whether there are events, or totals of events that were dropped. */
async function holdsEvents(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    'select exists (select from events) or exists (select from traffic_totals) as found',
  );
  return rows[0]?.found === true;
}

/** Keeps batches out until the transaction ends, and waits for those that run. Reads go on. */
export async function lockPostgresEvents(client: pg.ClientBase): Promise<void> {
  await client.query(`set local lock_timeout = '${lockTimeout}'`);
  await client.query('lock table events in share mode');
}

/** Describes in one line that the events are not where the settings say, and which command moves them; null: they are. */
export async function describeWrongHome(client: Pick<pg.ClientBase, 'query'>, wantedHome: EventHome): Promise<string | null> {
  const home = await readEventHome(client);
  if (home === wantedHome) return null;
  if (wantedHome === 'postgres')
    return home === null
      ? null
      : 'EVENT_STORE_URL: missing, but the events are in ClickHouse (set it, or run switchyard events copy --back)';
  if (!(await holdsEvents(client))) return null;
  return 'EVENT_STORE_URL: the events are in PostgreSQL (run switchyard events copy --switch, or remove EVENT_STORE_URL)';
}

/**
 * Checks that the events are where the settings say. An installation without events takes the store of its settings.
 * @throws StartupError naming the command to run
 */
export async function requireEventHome(pool: pg.Pool, wantedHome: EventHome): Promise<void> {
  if ((await readEventHome(pool)) === wantedHome) return;
  await inTransaction(pool, async (client) => {
    await lockPostgresEvents(client);
    const problem = await describeWrongHome(client, wantedHome);
    if (problem !== null) throw new StartupError(problem);
    await changeEventHome(client, wantedHome);
  });
}
