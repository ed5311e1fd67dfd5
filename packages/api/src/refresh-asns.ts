import { resolve } from 'node:path';
import { prepareDatabase } from './database/prepare-database.ts';
import { packagedRegistry, refreshRegistry, registryIn } from './features/asns/load-registry.ts';
import { runCommand } from './run-command.ts';

/** Loads the registry of autonomous systems from a folder, or anew from the package (docs/operations.md). */
await runCommand(() => async ({ databases, tell }) => {
  const [folder] = process.argv.slice(2);
  await prepareDatabase(databases.opsDb);
  const files = folder === undefined ? packagedRegistry() : registryIn(resolve(folder));
  const { systems, prefixes } = await refreshRegistry({ databases, signal: new AbortController().signal }, files);
  tell(`${systems} autonomous systems with ${prefixes} prefixes loaded from ${files.source}.`);
});
