import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { openDatabases } from '../database/connect.ts';
import { isEmptyDatabase } from '../database/migrate.ts';
import { startEmbeddedPostgres } from '@switchyard/embedded-postgres/start-embedded-postgres';
import { prepareDataDir } from '@switchyard/embedded-postgres/data-folder';
import type { Settings } from '../env.ts';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { clientArguments, kindOfBackup, runTool } from './run-tool.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Restores a file of `backUp`: a dump into an empty database, an archive into a data folder without a database. Existing
 * data is never overwritten.
 * @throws StartupError if the target is not empty, the file does not fit it or is not a backup, or a program is missing.
 */
export async function restore(file: string, settings: Settings, env: Environment): Promise<void> {
  const kind = await kindOfBackup(file);
  if (kind === null) throw new StartupError(`${file}: not a backup of this console`);
  if (settings.databaseUrl === null) {
    if (kind === 'dump') throw new StartupError(`${file}: a database dump (set DATABASE_URL to an empty database)`);
    await unpackFolder(file, settings, env);
  } else {
    if (kind === 'folder') throw new StartupError(`${file}: the data folder of an embedded database (restore it without DATABASE_URL)`);
    await loadDump(file, settings.databaseUrl, env);
  }
}

async function unpackFolder(file: string, { dataDir, eventStore }: Settings, env: Environment): Promise<void> {
  if (existsSync(resolve(dataDir, 'postgres')))
    throw new StartupError(`DATA_DIR ${dataDir}: already contains a database (move it away first)`);
  if (eventStore.kind === 'chdb' && existsSync(eventStore.folder))
    throw new StartupError(`EVENT_STORE_URL: ${eventStore.folder} already exists (move it away first)`);
  await prepareDataDir(dataDir);
  await runTool(['tar', '-xzf', file, '-C', dataDir], { env, comesWith: 'every Unix system' });
  const server = await startEmbeddedPostgres({ dataDir, onProblem: () => undefined });
  await server.stop();
}

async function loadDump(file: string, databaseUrl: string, env: Environment): Promise<void> {
  const databases = openDatabases({ url: databaseUrl, onError: () => undefined });
  try {
    if (!(await isEmptyDatabase(databases.pools.ops))) throw new StartupError('DATABASE_URL: the database is not empty (create a new one)');
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
