import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { restoreDraft } from '@switchyard/embedded-postgres/cluster';
import { lockDataDir, prepareDataDir } from '@switchyard/embedded-postgres/data-folder';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import {
  clientArguments,
  countRows,
  listTables,
  lockFor,
  readServerVersion,
  type ServerClient,
  withConnection,
  withEmbedded,
} from './backup-store.ts';
import { listLinks } from './folder-links.ts';
import { compareCounts, countsFile, readCounts } from './row-counts.ts';
import { checkRestore, type Job, kindOfBackup, runTool } from './run-tool.ts';

/**
 * Restores a file of `backUp`: a dump into an empty database, an archive into a data folder without a database. Existing
 * data is never overwritten, and nothing is restored in part. Then compares the rows, and prints a line for each table that differs.
 * @throws StartupError if the target is not empty or in use, the file does not fit it or is damaged, or a program is missing.
 */
export async function restore(file: string, job: Job): Promise<RowComparison> {
  const kind = await kindOfBackup(file);
  const { dataDir, databaseUrl, eventStore } = job.settings;
  if (databaseUrl === null) {
    if (kind === 'dump') throw new StartupError(`${file}: a database dump (set DATABASE_URL to an empty database)`);
    if (eventStore.kind === 'chdb' && existsSync(eventStore.folder))
      throw new StartupError(`EVENT_STORE_URL: ${eventStore.folder} already exists (move it away first)`);
    await unpackFolder(file, dataDir, job);
    return withEmbedded(dataDir, (client) => compareRows(file, client, job));
  }
  if (kind === 'folder') throw new StartupError(`${file}: the data folder of an embedded database (restore it without DATABASE_URL)`);
  return withConnection(databaseUrl, async (client) => {
    await checkRestore(await readServerVersion(client), job.env);
    await lockFor('restore', client);
    if ((await listTables(client)).length > 0) throw new StartupError('DATABASE_URL: the database is not empty (create a new one)');
    await loadDump(file, databaseUrl, job);
    return compareRows(file, client, job);
  });
}

/** Unpacks an archive beside the place of the database, which appears last: a start does not take the folder of a killed restore for a database. */
export async function unpackFolder(file: string, dataDir: string, job: Job): Promise<void> {
  await prepareDataDir(dataDir);
  const release = await lockDataDir(dataDir);
  try {
    const database = join(dataDir, 'postgres');
    if (existsSync(database)) throw new StartupError(`DATA_DIR ${dataDir}: already contains a database (move it away first)`);
    const draft = restoreDraft(database);
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { mode: 0o711 });
    try {
      await runTool(['tar', '-xzf', file, '-C', draft], job);
      if (!existsSync(join(draft, 'postgres'))) throw new StartupError(`${file}: contains no database`);
      // Otherwise the database would be used that such a link leads to, e.g. that of the running console in a drill.
      const links = listLinks(draft, await readdir(draft));
      if (links.length > 0)
        throw new StartupError(`${file}: contains ${links.join(', ')} as a symbolic link, without its content (use another backup)`);
      const entries = (await readdir(draft)).filter((entry) => entry !== 'postgres').toSorted();
      const presentEntries = entries.filter((entry) => existsSync(join(dataDir, entry)));
      // Files that are the same were there before, or a killed restore has put them there.
      const differences = presentEntries.filter((entry) => !areSameFile(join(draft, entry), join(dataDir, entry)));
      if (differences.length > 0)
        throw new StartupError(
          `DATA_DIR ${dataDir}: already contains another ${differences.join(' and ')} (move it away first, and keep it)`,
        );
      for (const name of [...entries.filter((entry) => !presentEntries.includes(entry)), 'postgres'])
        await rename(join(draft, name), join(dataDir, name));
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  } finally {
    await release();
  }
}

function areSameFile(one: string, other: string): boolean {
  return [one, other].every((path) => statSync(path).isFile()) && readFileSync(one).equals(readFileSync(other));
}

/** Loads a dump into an empty database, in one transaction. */
export async function loadDump(file: string, databaseUrl: string, job: Job): Promise<void> {
  const { address, env } = clientArguments(databaseUrl, job.env);
  const options = ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction', `--dbname=${address}`];
  await runTool(['pg_restore', ...options, file], { ...job, env });
}

/** `unknown`: the backup has no counts, as those of earlier versions. */
export type RowComparison = 'same' | 'different' | 'unknown';

/** Compares restored rows with those of the backup, and prints a line for each table that differs, and one with the result. */
export async function compareRows(file: string, client: ServerClient, job: Job): Promise<RowComparison> {
  const stored = await readCounts(file);
  if (stored === null) {
    job.tell(`${file}: restored, but its rows cannot be compared (${countsFile(file)} is missing)`);
    return 'unknown';
  }
  job.tell(`${file}: restored, comparing its rows`);
  const restored = await countRows(client, await listTables(client), job.signal);
  const problems = compareCounts({ restored, stored });
  for (const problem of problems) job.tell(problem);
  const [tables, rows] = [Object.keys(stored).length, Object.values(stored).reduce((sum, count) => sum + count, 0)];
  job.tell(
    problems.length > 0
      ? `Tables that differ: ${problems.length} of ${tables}`
      : `All ${tables} tables have the ${rows} rows that were backed up`,
  );
  return problems.length === 0 ? 'same' : 'different';
}
