import type pg from 'pg';
import { compareMigrations, type MigrationState } from '../migration-state.ts';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import type { EngineClient } from './engine-client.ts';
import { engineMigrations } from './migrations/all-migrations.ts';
import { quoteName } from './schema.ts';
import { newParameters } from './statement.ts';
import { onSession } from './write/app-locks.ts';
import type { Engine } from './write/settle-batches.ts';

/**
 * Mutations, such as those that fill a projection, go on in the background. By default a statement waits for them, which takes longer than
 * its answer may take when there are a hundred million events.
 */
const unawaited = { mutations_sync: '0' } as const;

/** Advisory lock of PostgreSQL: one process at a time changes the tables of the engine. */
const lockKey = 7_300_218;

/** Runs `migrateEngine` in one process at a time: others wait and find nothing missing. */
export async function migrateEngineAlone(engine: Engine, pool: pg.Pool, migrations = engineMigrations): Promise<string[]> {
  return onSession(pool, async (client) => {
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    return migrateEngine(engine, migrations);
  });
}

/**
 * Runs the missing migrations of the engine, records each, and returns their names. If a process is killed, the next start repeats the
 * migration that was under way. Stored events get new indexes and projections in the background. Tables of a newer version stay as they are, as long as this version may run beside that one.
 * @throws StartupError if it may not; the error of a statement otherwise.
 */
export async function migrateEngine({ engine, cluster }: Engine, migrations = engineMigrations): Promise<string[]> {
  await engine.command(recordTable(cluster));
  const executedNames = await engine.lines({ text: executedStatement, parameters: newParameters() });
  const { problem } = compareMigrations(executedNames, Object.keys(migrations), 'ClickHouse');
  if (problem !== null) throw new StartupError(problem);
  const missingMigrations = Object.entries(migrations)
    .filter(([name]) => !executedNames.includes(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  for (const [name, statements] of missingMigrations) {
    for (const statement of statements(cluster)) await engine.command(statement, unawaited);
    await engine.insert({
      table: 'schema_migrations',
      columns: ['name'],
      values: [[name]],
      queryId: `${engine.database}-migration-${name}`,
    });
  }
  return missingMigrations.map(([name]) => name);
}

const executedStatement = 'select distinct name from schema_migrations';

/** Compares the migrations that an event store has with those of this version. Changes nothing. */
export async function readEngineState(engine: EngineClient, migrations = engineMigrations): Promise<MigrationState> {
  const tableQuery = { text: 'exists table schema_migrations', parameters: newParameters() };
  const [exists] = await engine.lines(tableQuery);
  const executedNames = exists === '1' ? await engine.lines({ text: executedStatement, parameters: newParameters() }) : [];
  return compareMigrations(executedNames, Object.keys(migrations), 'ClickHouse');
}

/** All servers of a cluster hold the same records. */
function recordTable(cluster: string | null): string {
  const columns = `(name String, applied_at DateTime('UTC') default now())`;
  return cluster === null
    ? `create table if not exists schema_migrations ${columns} engine = MergeTree order by name settings fsync_after_insert = 1`
    : `create table if not exists schema_migrations on cluster ${quoteName(cluster)} ${columns}
       engine = ReplicatedMergeTree('/clickhouse/tables/{database}/schema_migrations', '{shard}-{replica}') order by name`;
}
