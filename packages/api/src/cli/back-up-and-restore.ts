import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { backUp, eventsFolder } from '../backup/back-up.ts';
import { restore } from '../backup/restore.ts';
import { processEnvironment, readSettings } from '../env.ts';
import { tell } from './with-database.ts';

/** Backs up all stored data to a file, and says what the file lacks. */
export async function runBackup(file: string): Promise<void> {
  const env = processEnvironment();
  const settings = readSettings(env, { needsKey: false });
  await backUp(file, settings, env);
  const hasAllEvents = settings.eventStore.kind === 'postgres' || eventsFolder(settings) !== null;
  const except = hasAllEvents ? '' : ', except the events: back ClickHouse up by its own means, before this';
  tell(`${file} holds everything that is stored${except}.`);
}

/** Restores a file of `runBackup`. */
export async function runRestore(file: string): Promise<void> {
  const env = processEnvironment();
  const settings = readSettings(env, { needsKey: false });
  await restore(file, settings, env);
  // The key of an embedded database is in its data folder, unless the environment sets it.
  const hasKey = settings.databaseUrl === null && existsSync(join(settings.dataDir, 'secret-key'));
  tell(`${file} is restored; start the console${hasKey ? '' : ' with the SECRET_KEY that it was stored with'}.`);
}
