import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { fileReason, lockDataDir } from '@switchyard/embedded-postgres/data-folder';
import type { Settings } from '../env.ts';
import { startEngine } from '@switchyard/traffic-store/clickhouse/start-engine';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import {
  clientArguments,
  countRows,
  exportSnapshot,
  listTables,
  lockFor,
  readServerVersion,
  withConnection,
  withEmbedded,
} from './backup-store.ts';
import { countsFile, type RowCounts, writeCounts } from './row-counts.ts';
import { listLinks } from './folder-links.ts';
import { checkDump, type Job, runTool } from './run-tool.ts';

/** Contents of a backup of the data folder: the embedded database, its password, the secret key, the tokens of the demo. */
const backedUp = ['postgres', 'postgres-password', 'secret-key', 'secret-key-next', 'demo'];

/** Where to write. No other backup of the same data runs between the two calls. */
type Target = {
  /** Chooses the file. */
  begin: () => Promise<string>;
  /** Called when the file is complete. */
  end: (file: string) => Promise<void>;
};

/**
 * Backs up all stored data to a file, readable by its owner only, and counts its rows into another one. With DATABASE_URL this is
 * a dump by pg_dump, which may run beside the console; otherwise an archive of the data folder, for which the console must be
 * stopped. The file appears only when it is complete. Events on a ClickHouse server are not included, see `eventsFolder`.
 * @throws StartupError if the console or another backup is running, or a program is missing.
 */
export async function backUp(target: Target, job: Job): Promise<void> {
  const { databaseUrl } = job.settings;
  await (databaseUrl === null ? archiveFolder(target, job) : dumpDatabase(target, databaseUrl, job));
}

/** The embedded ClickHouse inside the data folder, relative to it, which an archive includes; null: there is none. */
export function eventsFolder({ dataDir, databaseUrl, eventStore }: Settings): string | null {
  if (databaseUrl !== null || eventStore.kind !== 'chdb') return null;
  const path = relative(dataDir, eventStore.folder);
  return path === '' || path.startsWith('..') || isAbsolute(path) ? null : path;
}

async function dumpDatabase(target: Target, url: string, job: Job): Promise<void> {
  await withConnection(url, async (client) => {
    await lockFor('backup', client);
    const limitation = await checkDump(await readServerVersion(client), job.env);
    if (limitation !== null) job.tell(limitation);
    const snapshot = await exportSnapshot(client);
    const file = await target.begin();
    await writeWhole(file, async (draft) => {
      const counts = await countRows(client, snapshot.tables, job.signal);
      const { address, env } = clientArguments(url, job.env);
      const options = ['--format=custom', '--no-owner', '--no-privileges', `--snapshot=${snapshot.id}`];
      await runTool(['pg_dump', ...options, `--file=${draft}`, `--dbname=${address}`], { ...job, env });
      return counts;
    });
    await target.end(file);
  });
}

async function archiveFolder(target: Target, job: Job): Promise<void> {
  const { dataDir, eventStore } = job.settings;
  if (!existsSync(join(dataDir, 'postgres')))
    throw new StartupError(`DATA_DIR ${dataDir}: contains no database (set DATA_DIR or DATABASE_URL)`);
  // A killed console may have orphaned its server. Starting and stopping it cleanly leaves consistent files.
  const [file, counts] = await withEmbedded(
    dataDir,
    async (client) => [await target.begin(), await countRows(client, await listTables(client), job.signal)] as const,
  );
  const release = await lockDataDir(dataDir);
  try {
    const events = eventsFolder(job.settings);
    // The same for ClickHouse, whose folder another process may hold.
    if (events !== null && eventStore.kind === 'chdb') await (await startEngine(eventStore.folder, { onProblem: () => undefined })).stop();
    const entries = [...backedUp, ...(events === null ? [] : [events])].filter((name) => existsSync(join(dataDir, name)));
    // What links lead to is archived in their place. ClickHouse has links of its own, which must stay links.
    const links = events === null ? [] : listLinks(dataDir, entries);
    if (links.length > 0)
      throw new StartupError(`DATA_DIR ${dataDir}: ${links.join(', ')} cannot be backed up beside ClickHouse (replace the symbolic link)`);
    const dereference = events === null ? ['-h'] : [];
    await writeWhole(file, async (draft) => {
      await runTool(['tar', '-czf', draft, ...dereference, '-C', dataDir, ...entries], job);
      return counts;
    });
    await target.end(file);
  } finally {
    await release();
  }
}

/** Writes a file and its counts as a draft that gets its name when it is complete and on disk. */
async function writeWhole(file: string, write: (draft: string) => Promise<RowCounts>): Promise<void> {
  const draft = `${file}.part`;
  try {
    await rm(draft, { force: true });
    // Others must not read it while it is written either.
    await (await open(draft, 'wx', 0o600)).close();
  } catch (error) {
    throw new StartupError(`${file}: cannot be written (${fileReason(error)})`);
  }
  try {
    const counts = await write(draft);
    await syncToDisk(draft);
    await writeCounts(file, counts);
    await rename(draft, file);
  } catch (error) {
    for (const path of [draft, countsFile(file)]) await rm(path, { force: true });
    throw error;
  }
}

async function syncToDisk(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
