import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { openDatabases } from '../database/connect.ts';
import { isEmptyDatabase } from '../database/migration-state.ts';
import { startEmbeddedPostgres } from '../database/embedded-postgres.ts';
import { prepareDataDir } from '../database/embedded/data-folder.ts';
import type { Settings } from '../env.ts';
import { StartRefused } from '../start-refused.ts';
import { clientArguments, kindOfBackup, runTool } from './run-tool.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Puts back what `backUp` wrote: a dump into an empty database, an archive into a data folder without one. What is there is never overwritten.
 * @throws StartRefused in one line: the place is not empty, the file is of the other kind or none of ours, a program is missing.
 */
export async function restore(file: string, settings: Settings, env: Environment): Promise<void> {
  const kind = await kindOfBackup(file);
  if (kind === null) throw new StartRefused(`${file} is no backup of this console.`);
  if (settings.databaseUrl === null) {
    if (kind === 'dump') throw new StartRefused(`${file} is a dump; set DATABASE_URL to the empty database that it is for.`);
    await unpackFolder(file, settings.dataDir, env);
  } else {
    if (kind === 'folder') throw new StartRefused(`${file} is a data folder of an embedded database; restore it without DATABASE_URL.`);
    await loadDump(file, settings.databaseUrl, env);
  }
}

async function unpackFolder(file: string, dataDir: string, env: Environment): Promise<void> {
  if (existsSync(resolve(dataDir, 'postgres'))) throw new StartRefused(`${dataDir} holds a database already; move it away first.`);
  await prepareDataDir(dataDir);
  await runTool(['tar', '-xzf', file, '-C', dataDir], { env, comesWith: 'every Unix system' });
  const server = await startEmbeddedPostgres({ dataDir, onProblem: () => undefined });
  await server.stop();
}

async function loadDump(file: string, databaseUrl: string, env: Environment): Promise<void> {
  const databases = openDatabases({ url: databaseUrl, onError: () => undefined });
  try {
    if (!(await isEmptyDatabase(databases.pools.ops))) throw new StartRefused('The database of DATABASE_URL is not empty; make a new one.');
  } finally {
    await databases.close();
  }
  const { address, password } = clientArguments(databaseUrl);
  const command = [
    'pg_restore',
    '--no-owner',
    '--no-privileges',
    '--exit-on-error',
    '--single-transaction',
    `--dbname=${address}`,
    file,
  ] as const;
  await runTool(command, { env: { ...env, PGPASSWORD: password }, comesWith: 'the client programs of PostgreSQL' });
}
