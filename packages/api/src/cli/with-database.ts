import { startEmbeddedPostgres } from '@switchyard/embedded-postgres/start-embedded-postgres';
import { type Databases, openDatabases } from '../database/connect.ts';
import { processEnvironment, readSettings, type Settings } from '../env.ts';

/** Runs work on the console's database, which is started for it if it is the embedded one; gives what the work gives. */
export async function withDatabase<Result>(
  work: (context: { settings: Settings; databases: Databases }) => Promise<Result>,
  { needsKey }: { needsKey: boolean },
): Promise<Result> {
  const settings = readSettings(processEnvironment(), { needsKey });
  const embedded = settings.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: settings.dataDir, onProblem: warn }) : null;
  const databases = openDatabases({ url: embedded?.url ?? settings.databaseUrl ?? '', onError: () => undefined });
  try {
    return await work({ settings, databases });
  } finally {
    await databases.close();
    await embedded?.stop();
  }
}

export function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function warn(line: string): void {
  process.stderr.write(`${line}\n`);
}
