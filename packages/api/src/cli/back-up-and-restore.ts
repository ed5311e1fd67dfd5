import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileReason } from '@switchyard/embedded-postgres/data-folder';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { backUp, eventsFolder } from '../backup/back-up.ts';
import { nextBackupIn, removeDrafts, removeOldBackups } from '../backup/backup-folder.ts';
import { drill } from '../backup/drill.ts';
import { restore } from '../backup/restore.ts';
import type { Job } from '../backup/run-tool.ts';
import { processEnvironment, readSettings, type Settings } from '../env.ts';
import { lastBackupFile } from '../observability/storage.ts';
import { keyName } from '../secret-keys/held-keys.ts';
import { findKeyState, keyInState } from '../secret-keys/secret-keys-store.ts';
import { tell, warn, withDatabase } from './with-database.ts';

/** Backs up all stored data to a file, or to a folder of which the newest `keep` backups are kept, and says what the backup lacks. */
export async function runBackup(path: string, keep: number | null): Promise<void> {
  const job = createJob();
  const end = async (file: string): Promise<void> => {
    await noteBackup(lastBackupFile(job.settings.dataDir));
    const lacks = describeLacks(job.settings);
    tell(`${file} holds everything that is stored${lacks === '' ? '' : `, except ${lacks}`}.`);
    if (keep !== null) tell(`Backups in ${path}: ${await removeOldBackups(path, { keep, last: file })}.`);
  };
  await backUp({ begin: () => (keep === null ? newFile(path) : newFileIn(path)), end }, job);
}

/** Notes the time for the console, which tells how old the newest backup is. A backup may run where no console does. */
async function noteBackup(file: string): Promise<void> {
  if (!existsSync(dirname(file))) return;
  try {
    // Made anew: the time of one that another account wrote could not be changed.
    await rm(file, { force: true });
    await writeFile(file, '');
  } catch (error) {
    warn(`${file}: cannot be written, so the console tells of an older backup (${fileReason(error)})`);
  }
}

async function newFile(path: string): Promise<string> {
  if (existsSync(path)) throw new StartupError(`${path}: already exists (choose another name)`);
  return path;
}

async function newFileIn(folder: string): Promise<string> {
  const file = await nextBackupIn(folder, new Date());
  await removeDrafts(folder);
  return file;
}

/** Names what a backup does not contain, with what to do about it; empty if it is complete. */
function describeLacks(settings: Settings): string {
  const hasKey = settings.databaseUrl === null && existsSync(join(settings.dataDir, 'secret-key'));
  const hasEvents = settings.eventStore.kind === 'postgres' || eventsFolder(settings) !== null;
  return [
    ...(hasKey ? [] : ['SECRET_KEY (keep a copy elsewhere)']),
    ...(hasEvents ? [] : ['the events (back ClickHouse up by its own means, before this)']),
  ].join(' and ');
}

/** Restores a file of `runBackup`, and says which key it needs. */
export async function runRestore(file: string): Promise<void> {
  const job = createJob();
  if ((await restore(file, job)) === 'different') process.exitCode = 1;
  tell(`${file} is restored; start the console${await describeNeededKey(job.settings)}.`);
}

/** The key of an embedded database is in its data folder, unless the environment sets it. */
async function describeNeededKey({ databaseUrl, dataDir }: Settings): Promise<string> {
  if (databaseUrl === null && existsSync(join(dataDir, 'secret-key'))) return '';
  const text = ' with the SECRET_KEY that it was stored with';
  if (databaseUrl === null) return text;
  const { storedKeys } = await withDatabase(async ({ databases }) => findKeyState(databases.opsDb), { needsKey: false });
  const current = keyInState(storedKeys, 'current');
  return current === undefined ? text : `${text} (${keyName(current.fingerprint)})`;
}

/** Tries a file of `runBackup` out, without touching the data of the console. */
export async function runDrill(file: string): Promise<void> {
  const isPassed = await drill(file, createJob());
  tell(`Drill: ${isPassed ? 'passed' : 'failed'} (${file}).`);
  if (!isPassed) process.exitCode = 1;
}

/** The settings of the environment, and a signal that stops the job when the process is told to end. */
function createJob(): Job {
  const env = processEnvironment();
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => stopping.abort(new StartupError(`Stopped by ${name}`)));
  return { settings: readSettings(env, { needsKey: false }), env, signal: stopping.signal, tell };
}
