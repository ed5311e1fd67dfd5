import type { Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { migrations as allMigrations } from './migrations/all-migrations.ts';
import type pg from 'pg';

/**
 * Runs the missing migrations and returns their names. Each runs in a transaction of its own under a session lock, so
 * processes that start together wait for each other. If a process is killed, the next start continues where it stopped.
 * @throws StartupError if a newer Switchyard created the database; the error of a migration otherwise.
 */
export async function migrate<Schema>(
  db: Kysely<Schema>,
  migrations: Readonly<Record<string, Migration>> = allMigrations,
): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve({ ...migrations }) } });
  const done: string[] = [];
  for (;;) {
    // migrateToLatest would run all missing migrations in one transaction.
    const { error, results } = await migrator.migrateUp();
    if (error !== undefined) throw explained(error);
    const names = results?.filter((result) => result.status === 'Success').map((result) => result.migrationName) ?? [];
    if (names.length === 0) return done;
    done.push(...names);
  }
}

function explained(error: unknown): unknown {
  const unknownMigration = error instanceof Error ? /previously executed migration (\S+) is missing/.exec(error.message)?.[1] : undefined;
  return unknownMigration === undefined
    ? error
    : new StartupError(`Database: created by a newer Switchyard (unknown migration ${unknownMigration})`);
}

const undefinedTable = '42P01';

/** Whether the database has every migration of this version. */
export async function isMigrated(pool: pg.Pool): Promise<boolean> {
  try {
    const { rows } = await pool.query<{ name: string }>('select name from kysely_migration');
    const done = new Set(rows.map((row) => row.name));
    return Object.keys(allMigrations).every((name) => done.has(name));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === undefinedTable) return false;
    throw error;
  }
}

/** Whether the database has no tables. */
export async function isEmptyDatabase(pool: pg.Pool): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from pg_tables where schemaname <> 'information_schema' and schemaname not like 'pg\\_%' limit 1`,
  );
  return rowCount === 0;
}
