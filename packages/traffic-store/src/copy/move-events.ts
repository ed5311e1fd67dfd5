import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import type { Microseconds } from '@switchyard/contract/dates';
import type pg from 'pg';
import type { ConsoleDatabase } from '../console-database.ts';
import { lockWritersOut } from '../clickhouse/write/app-locks.ts';
import { type Engine, settleAbandonedBatches } from '../clickhouse/write/settle-batches.ts';
import { changeEventHome, type EventHome, lockPostgresEvents, readEventHome } from '../event-home.ts';
import { deleteAll } from '../postgres/rollups.ts';
import { inTransaction } from '../postgres/statements.ts';
import { day } from '../time-buckets.ts';
import { engineDaysAfter, openCopy, openEngineCopy, weeksBefore } from './clickhouse-copy.ts';
import { copyDay, copyDays, type CopiedDay, type CopyDirection, findDifference } from './copy-days.ts';
import { moveTotalsBack, moveTotalsToEngine } from './move-totals.ts';
import { daysAfter, newestId, openPostgresCopy, preparePostgres } from './postgres-copy.ts';

/** Advisory lock: one copy at a time. */
const lockKey = 7_300_217;

export type MoveOptions = {
  databases: ConsoleDatabase;
  engine: Engine;
  /** Offset in which PostgreSQL cuts days. */
  serverOffset: string;
  retentionDays: number;
  /** The present time. */
  now: Microseconds;
  /** Called for each day that was compared, with the number of its events that were missing. */
  onDay: (day: CopiedDay) => void;
};

/**
 * Copies the events of PostgreSQL to ClickHouse, day by day, while consoles store further ones. May be killed at any time and run again.
 * @throws StartupError if the events are not in PostgreSQL, another copy runs, or a day cannot be made to agree.
 */
export async function copyEvents(options: MoveOptions): Promise<void> {
  await withStores(options, 'postgres', async (stores) => copyDays(stores, await visibleId(options), options.onDay));
}

/**
 * Copies what is missing, then moves the events to ClickHouse: batches wait until the events that came during the copy are copied too, and
 * PostgreSQL rejects them afterwards. If it fails or is killed before that, nothing has changed.
 * @throws as `copyEvents`
 */
export async function switchToEngine(options: MoveOptions): Promise<void> {
  await withStores(options, 'postgres', async (stores) => {
    const newestVisible = await visibleId(options);
    await copyDays(stores, newestVisible, options.onDay);
    await inLastStep(options, async (client) => {
      await lockPostgresEvents(client);
      await copyLaterDays(stores, await daysAfter(client, newestVisible), await newestId(client));
      const oldest = await stores.source.oldestDay();
      await moveTotalsToEngine(client, oldest, oldest === null ? [] : await weeksBefore(options.engine, oldest));
      await changeEventHome(client, 'clickhouse');
    });
  });
}

/** Moves events from ClickHouse to PostgreSQL. */
export async function moveBack(options: MoveOptions): Promise<void> {
  const { databases, engine } = options;
  await withStores(options, 'clickhouse', async ({ source: postgres, target: clickhouse }) => {
    const stores = { source: clickhouse, target: postgres };
    await preparePostgres(databases, { ...options, oldest: await clickhouse.oldestDay() });
    const newestVisible = await visibleEngineId(options);
    await copyDays(stores, newestVisible, options.onDay);
    await inLastStep(options, async (client) => {
      await lockWritersOut(client);
      await settleAbandonedBatches(engine, databases.pools.jobs);
      await copyLaterDays(stores, await engineDaysAfter(engine, newestVisible), await newestId(client));
      await moveTotalsBack(client);
      await changeEventHome(client, 'postgres');
    });
  });
}

/**
 * Deletes the events of PostgreSQL and their roll-ups, after the events moved to ClickHouse.
 * @throws StartupError if a day of them does not agree with ClickHouse
 */
export async function emptyPostgres(options: MoveOptions): Promise<void> {
  await withStores(options, 'clickhouse', async (stores) => {
    const pool = options.databases.pools.exports;
    const { rows } = await pool.query<{ id: number | null }>('select max(id) as id from events');
    const firstDay = await openEngineCopy(options.engine, pool, 0).oldestDay();
    const difference = await findDifference(stores, { lastId: rows[0]?.id ?? 0, from: firstDay ?? 0 });
    if (difference !== null)
      throw new StartupError(`Events of ${difference}: PostgreSQL and ClickHouse do not agree (nothing was deleted)`);
    await inTransaction(pool, async (client) => {
      await client.query(`set local lock_timeout = '5s'`);
      await deleteAll(client);
    });
  });
}

/** Runs `work` as the only copy, with PostgreSQL as the source and ClickHouse as the target. */
async function withStores(
  { databases, engine, serverOffset }: MoveOptions,
  home: EventHome,
  work: (stores: CopyDirection) => Promise<void>,
): Promise<void> {
  const client = await databases.pools.jobs.connect();
  try {
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [lockKey]);
    if (rows[0]?.free !== true) throw new StartupError('Events: another copy is running');
    if (((await readEventHome(client)) ?? 'postgres') !== home)
      throw new StartupError(`Events: they are in ${home === 'postgres' ? 'ClickHouse' : 'PostgreSQL'} already`);
    const batch = await openCopy(engine, client);
    const pool = databases.pools.exports;
    await work({ source: openPostgresCopy(databases, serverOffset), target: openEngineCopy(engine, pool, batch) });
  } finally {
    // The server notices the end of a connection later, and the next copy may begin at once. A broken connection holds no lock.
    await client.query('select pg_advisory_unlock_all()').catch(() => undefined);
    client.release(true);
  }
}

/** An id up to which all events of PostgreSQL can be seen: batches that run may have taken smaller ones than those that are done. */
async function visibleId({ databases }: MoveOptions): Promise<number> {
  return inTransaction(databases.pools.exports, async (client) => {
    await lockPostgresEvents(client);
    return newestId(client);
  });
}

/** An id up to which all events of ClickHouse can be seen: a batch of which nobody knows the end may be stored yet. */
async function visibleEngineId({ databases }: MoveOptions): Promise<number> {
  return inTransaction(databases.pools.exports, async (client) => {
    await lockWritersOut(client);
    const { rows } = await client.query<{ id: number | null }>(`select min(first_id) - 1 as id from event_batches where state = 'open'`);
    return rows[0]?.id ?? newestId(client);
  });
}

/** Runs the last step of a move: nothing of it has happened unless all of it has. */
async function inLastStep({ databases }: MoveOptions, work: (client: pg.ClientBase) => Promise<void>): Promise<void> {
  await inTransaction(databases.pools.exports, async (client) => {
    await client.query('set local idle_in_transaction_session_timeout = 0');
    await work(client);
  });
}

async function copyLaterDays(stores: CopyDirection, days: readonly Microseconds[], lastId: number): Promise<void> {
  for (const from of days) await copyDay(stores, { from, until: from + day, lastId });
}
