import { startEmbeddedPostgres } from '@switchyard/embedded-postgres/start-embedded-postgres';
import { openDatabases, type Databases } from '../src/database/connect.ts';
import { prepareDatabase } from '../src/database/prepare-database.ts';
import { packagedRegistry } from '../src/features/asns/load-registry.ts';
import { databaseUrl, timeoutFactor } from './test-database.ts';

/** Counts the registry of autonomous systems as loaded: its load takes consoles longer than most tests. */
export async function countRegistryAsLoaded({ pools }: Pick<Databases, 'pools'>): Promise<void> {
  await pools.ops.query(
    `insert into registry_loads (registry, packaged_version, source, loaded_at, systems, prefixes) values ('asn', $1, 'test', now(), 0, 0)
     on conflict do nothing`,
    [packagedRegistry().version],
  );
}

async function withDatabases(url: string, work: (databases: Databases) => Promise<unknown>): Promise<void> {
  const databases = openDatabases({ url, onError: () => undefined, timeoutFactor });
  try {
    await work(databases);
  } finally {
    await databases.close();
  }
}

/** Fills a data folder as a first start does, up to the database, with copies of it under other names. No console has been there. */
export async function prepareFolder(dataDir: string, copies: readonly string[] = []): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir, durability: 'none', onProblem: (message) => process.stderr.write(`${message}\n`) });
  try {
    await withDatabases(server.url, async (databases) => {
      await prepareDatabase(databases.opsDb);
      await countRegistryAsLoaded(databases);
    });
    const name = new URL(server.url).pathname.slice(1);
    await withDatabases(databaseUrl(server.url, 'postgres'), async ({ pools }) => {
      for (const copy of copies) await pools.ops.query(`create database ${copy} template ${name}`);
    });
  } finally {
    await server.stop();
  }
}
