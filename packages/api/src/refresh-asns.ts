import { resolve } from 'node:path';
import { openDatabases } from './database/connect.ts';
import { startEmbeddedPostgres } from '@switchyard/embedded-postgres/start-embedded-postgres';
import { prepareDatabase } from './database/prepare-database.ts';
import { processEnvironment, readSettings } from './env.ts';
import { packagedRegistry, refreshRegistry, registryIn } from './features/asns/load-registry.ts';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';

/** Loads the registry of autonomous systems from a folder, or anew from the package (docs/operations.md). */
async function main(): Promise<void> {
  const [folder] = process.argv.slice(2);
  const settings = readSettings(processEnvironment());
  const embedded = settings.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: settings.dataDir, onProblem: tell }) : null;
  const databases = openDatabases({ url: embedded?.url ?? settings.databaseUrl ?? '', onError: () => undefined });
  try {
    await prepareDatabase(databases.opsDb);
    const files = folder === undefined ? packagedRegistry() : registryIn(resolve(folder));
    const { systems, prefixes } = await refreshRegistry({ databases, signal: new AbortController().signal }, files);
    tell(`${systems} autonomous systems with ${prefixes} prefixes loaded from ${files.source}.`);
  } finally {
    await databases.close();
    await embedded?.stop();
  }
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof StartupError) && !(error instanceof Error && 'code' in error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
