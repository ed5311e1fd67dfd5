import { startEmbeddedPostgres } from '@switchyard/embedded-postgres/start-embedded-postgres';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { type Databases, openDatabases } from './database/connect.ts';
import { processEnvironment, readSettings, type Settings } from './env.ts';

/** What a command works with; `tell` writes a line to the terminal. */
export type CommandContext = { settings: Settings; databases: Databases; tell: (line: string) => void };

/**
 * Runs a command on the console's database, which is started for it if it is the embedded one. What the system or the database
 * reports ends it with one line and code 1; other errors are defects and are thrown.
 * @param read gives the work by the arguments, before anything is started
 */
export async function runCommand(read: () => (context: CommandContext) => Promise<void>): Promise<void> {
  try {
    const work = read();
    const settings = readSettings(processEnvironment());
    const embedded = settings.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: settings.dataDir, onProblem: tell }) : null;
    const databases = openDatabases({ url: embedded?.url ?? settings.databaseUrl ?? '', onError: () => undefined });
    try {
      await work({ settings, databases, tell });
    } finally {
      await databases.close();
      await embedded?.stop();
    }
  } catch (error) {
    if (!(error instanceof StartupError) && !(error instanceof Error && 'code' in error)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
