import { randomBytes } from 'node:crypto';
import { createClient } from '@clickhouse/client';
import { inject } from 'vitest';
import { type EngineClient, openEngine } from '@switchyard/traffic-store/clickhouse/engine-client';
import { migrateEngine } from '@switchyard/traffic-store/clickhouse/migrate-engine';
import { afterFile } from './after-file.ts';
import { databaseUrl, timeoutFactor } from './test-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the run's ClickHouse; null if there is none. */
    clickhouseUrl: string | null;
  }
}

/** Whether this run has a ClickHouse. Suites leave their ClickHouse half out without one. */
export const isClickHouseAvailable = (): boolean => inject('clickhouseUrl') !== null;

/** A ClickHouse database of its own for a test file, dropped when the file is done. */
export async function createClickHouseDatabase(): Promise<{ url: string }> {
  const serverUrl = inject('clickhouseUrl');
  if (serverUrl === null)
    throw new Error('this run has no ClickHouse: run npm ci --prefix embedded-clickhouse, or set CLICKHOUSE_TEST_URL');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `create database ${name}`);
  afterFile(() => onServer(serverUrl, `drop database ${name} sync`));
  return { url: databaseUrl(serverUrl, name) };
}

/** A database with the tables of events, and a client that is closed when the file is done. */
export async function createTestEngine(): Promise<{ url: string; engine: EngineClient }> {
  const { url } = await createClickHouseDatabase();
  const engine = openEngine({ url, cluster: null, timeoutFactor });
  afterFile(async () => engine.close());
  await migrateEngine({ engine, cluster: null });
  // Nothing in here outlives the run, so durability would only cost time.
  await engine.command('alter table events modify setting fsync_after_insert = 0, fsync_part_directory = 0');
  return { url, engine };
}

async function onServer(url: string, query: string): Promise<void> {
  const client = createClient({ url });
  await client.command({ query });
  await client.close();
}
