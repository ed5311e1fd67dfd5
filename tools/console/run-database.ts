import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { databaseName, roleName } from '@switchyard/embedded-postgres/cluster';

/** Address of the embedded database of a console with this data folder. */
export async function runDatabaseUrl(dataDir: string): Promise<string> {
  const password = (await readFile(join(dataDir, 'postgres-password'), 'utf8')).trim();
  // The fourth line of the file is the port.
  const port = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[3];
  return `postgres://${roleName}:${password}@127.0.0.1:${port}/${databaseName}`;
}

/** Runs `work` on a connection to the embedded database of a console with this data folder. */
export async function withRunDatabase<T>(dataDir: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: await runDatabaseUrl(dataDir) });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
