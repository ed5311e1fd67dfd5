import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { databaseName, roleName } from '@switchyard/embedded-postgres/cluster';

/** Runs `work` on a connection to the embedded database of a console with this data folder. */
export async function withRunDatabase<T>(dataDir: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const password = (await readFile(join(dataDir, 'postgres-password'), 'utf8')).trim();
  // The fourth line of the file is the port.
  const port = Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[3]);
  const client = new pg.Client({ host: '127.0.0.1', port, user: roleName, password, database: databaseName });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
