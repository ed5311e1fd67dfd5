import { existsSync } from 'node:fs';
import { chmod, rename, rm } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { startEmbeddedPostgres } from '@switchyard/embedded-postgres/start-embedded-postgres';
import { lockDataDir } from '@switchyard/embedded-postgres/data-folder';
import type { Settings } from '../env.ts';
import { startEngine } from '../traffic-store/clickhouse/start-engine.ts';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { clientArguments, runTool } from './run-tool.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Contents of a backup of the data folder: the embedded database, its password, the secret key, the tokens of the demo. */
const backedUp = ['postgres', 'postgres-password', 'secret-key', 'demo'];

/**
 * Backs up all stored data to `file`, readable by its owner only. With DATABASE_URL this is a dump by pg_dump, which may
 * run beside the console; otherwise an archive of the data folder, for which the console must be stopped. The file appears
 * only when it is complete. Events on a ClickHouse server are not included, see `eventsFolder`.
 * @throws StartupError if the console is running, a program is missing or the file exists.
 */
export async function backUp(file: string, settings: Settings, env: Environment): Promise<void> {
  if (existsSync(file)) throw new StartupError(`${file}: already exists (choose another name)`);
  const draft = `${file}.part`;
  await rm(draft, { force: true });
  try {
    if (settings.databaseUrl === null) await archiveFolder(draft, settings, env);
    else {
      const { address, password } = clientArguments(settings.databaseUrl);
      const command = ['pg_dump', '--format=custom', '--no-owner', '--no-privileges', `--file=${draft}`, `--dbname=${address}`] as const;
      await runTool(command, { env: { ...env, PGPASSWORD: password }, comesWith: 'the client programs of PostgreSQL' });
    }
    await chmod(draft, 0o600);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** The embedded ClickHouse inside the data folder, relative to it, which an archive includes; null: there is none. */
export function eventsFolder({ dataDir, databaseUrl, eventStore }: Settings): string | null {
  if (databaseUrl !== null || eventStore.kind !== 'chdb') return null;
  const path = relative(dataDir, eventStore.folder);
  return path === '' || path.startsWith('..') || isAbsolute(path) ? null : path;
}

async function archiveFolder(file: string, settings: Settings, env: Environment): Promise<void> {
  const { dataDir, eventStore } = settings;
  if (!existsSync(join(dataDir, 'postgres')))
    throw new StartupError(`DATA_DIR ${dataDir}: contains no database (set DATA_DIR or DATABASE_URL)`);
  // A killed console may have orphaned its server. Starting and stopping it cleanly leaves consistent files.
  const server = await startEmbeddedPostgres({ dataDir, onProblem: () => undefined });
  await server.stop();
  const release = await lockDataDir(dataDir);
  try {
    const events = eventsFolder(settings);
    // The same for ClickHouse, whose folder another process may hold.
    if (events !== null && eventStore.kind === 'chdb') await (await startEngine(eventStore.folder, { onProblem: () => undefined })).stop();
    const entries = [...backedUp, ...(events === null ? [] : [events])].filter((name) => existsSync(join(dataDir, name)));
    await runTool(['tar', '-czf', file, '-C', dataDir, ...entries], { env, comesWith: 'every Unix system' });
  } finally {
    await release();
  }
}
