import { compareMigrations, type MigrationState } from '@switchyard/traffic-store/migration-state';
import { type Kysely, sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { setTimeout as wait } from 'node:timers/promises';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { migrations as allMigrations } from './all-migrations.ts';
import type pg from 'pg';

/**
 * Runs the missing migrations and returns their names. Each runs in a transaction of its own, or without one if its name ends with
 * `-concurrently`. Of processes that start together one runs all of them and the others wait for it. If a process is killed, the next
 * start continues where it stopped.
 * A database that a newer version migrated stays as it is, as long as this version may run beside that one.
 * @throws StartupError if it may not; the reason of an abort while it waits; the error of a migration otherwise.
 */
export async function migrate<Schema>(
  db: Kysely<Schema>,
  migrations: Migrations = allMigrations,
  waiting: Waiting = {},
): Promise<string[]> {
  const executedNames = await executedMigrations(() => sql.raw<{ name: string }>(executedStatement).execute(db));
  const state = compareMigrations(executedNames, Object.keys(migrations), 'Database');
  if (state.problem !== null) throw new StartupError(state.problem);
  if (state.isNewer) return [];
  return db.connection().execute(async (connection) => {
    await lockRestoreOut(connection);
    try {
      // The migrator checks for its own tables before it takes its lock, and that fails while another process drops a column.
      await takeLock(connection, waiting);
      return await runMissing(connection, migrations);
    } finally {
      await sql`select pg_advisory_unlock_all()`.execute(connection);
    }
  });
}

/** Key of the advisory lock that a restore holds alone, and that processes share while they migrate. */
export const restoreLock = 6_120_033;

async function lockRestoreOut<Schema>(connection: Kysely<Schema>): Promise<void> {
  const statement = sql<{ isFree: boolean }>`select pg_try_advisory_lock_shared(${sql.lit(restoreLock)}) as "isFree"`;
  if ((await statement.execute(connection)).rows[0]?.isFree === true) return;
  throw new StartupError('Database: a restore is running (start again when it has ended)');
}

/** Another process may migrate for hours: an abort ends the wait for it, and the call after two seconds says that it goes on. */
export type Waiting = { signal?: AbortSignal; onLongWait?: () => void };

/** Attempts after which a wait is long. */
const longWait = 20;

/** Any number that is neither the migrator's nor that of another lock of ours. */
const lock = 6_120_032;

/** Asks until the lock is free: a statement that waited for it would hold a snapshot, and an index built concurrently waits for those. */
async function takeLock<Schema>(connection: Kysely<Schema>, { signal, onLongWait }: Waiting): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { rows } = await sql<{ isHeld: boolean }>`select pg_try_advisory_lock(${sql.lit(lock)}) as "isHeld"`.execute(connection);
    if (rows[0]?.isHeld === true) return;
    if (attempt === longWait) onLongWait?.();
    await wait(100, undefined, { signal });
  }
}

async function runMissing<Schema>(db: Kysely<Schema>, migrations: Migrations): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve({ ...migrations }) } });
  const completedNames: string[] = [];
  for (;;) {
    const next = (await migrator.getMigrations()).find(({ executedAt }) => executedAt === undefined);
    if (next === undefined) return completedNames;
    // migrateToLatest would run all missing migrations in one transaction.
    const { error } = await migrator.migrateUp({ disableTransactions: next.name.endsWith('-concurrently') });
    if (error !== undefined) throw error;
    completedNames.push(next.name);
  }
}

type Migrations = Readonly<Record<string, Migration>>;

const undefinedTable = '42P01';

const executedStatement = 'select name from kysely_migration';

async function executedMigrations(read: () => Promise<{ rows: { name: string }[] }>): Promise<string[]> {
  try {
    return (await read()).rows.map(({ name }) => name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === undefinedTable) return [];
    throw error;
  }
}

/** Compares the migrations that a database has with those of this version. */
export async function readMigrationState(pool: pg.Pool, migrations: Migrations = allMigrations): Promise<MigrationState> {
  const executedNames = await executedMigrations(() => pool.query<{ name: string }>(executedStatement));
  return compareMigrations(executedNames, Object.keys(migrations), 'Database');
}

/** Whether the database has every migration of this version, and none that this version must not run after. */
export async function isMigrated(pool: pg.Pool, migrations?: Migrations): Promise<boolean> {
  return (await readMigrationState(pool, migrations)).isComplete;
}
