import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { processEnvironment, readSettings, type Settings } from '../env.ts';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { backUp, eventsFolder } from './back-up.ts';
import { restore } from './restore.ts';

/** `npm run backup -- FILE` and `npm run restore -- FILE` (docs/operations.md). */
async function main(): Promise<void> {
  const [what, file] = process.argv.slice(2);
  const work = what === 'backup' ? backUp : what === 'restore' ? restore : null;
  if (work === null || file === undefined) throw new StartupError('File: missing (npm run backup -- FILE, or npm run restore -- FILE)');
  const env = processEnvironment();
  // Neither command needs SECRET_KEY, so it may be unknown here.
  const settings = readSettings({ SECRET_KEY: 'x'.repeat(32), ...env });
  await work(resolve(file), settings, env);
  // The key of an embedded database is in its data folder, unless the environment sets it.
  const hasKey = settings.databaseUrl === null && existsSync(join(settings.dataDir, 'secret-key'));
  const start = hasKey ? 'start the console' : 'start the console with the SECRET_KEY that it was stored with';
  const holds = `holds everything that is stored${hasAllEvents(settings) ? '' : ', except the events: back ClickHouse up by its own means, before this'}`;
  process.stdout.write(`${file} ${what === 'backup' ? holds : `is restored; ${start}`}.\n`);
}

function hasAllEvents(settings: Settings): boolean {
  return settings.eventStore.kind === 'postgres' || eventsFolder(settings) !== null;
}

try {
  await main();
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
