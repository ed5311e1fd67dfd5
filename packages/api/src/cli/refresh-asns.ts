import { prepareDatabase } from '../database/prepare-database.ts';
import { packagedRegistry, refreshRegistry, registryIn } from '../features/asns/load-registry.ts';
import { tell, withDatabase } from './with-database.ts';

/** Loads the registry of autonomous systems from a folder, or again from the package if it is null. */
export async function refreshAsns(folder: string | null): Promise<void> {
  await withDatabase(
    async ({ databases }) => {
      await prepareDatabase(databases.opsDb);
      const files = folder === null ? packagedRegistry() : registryIn(folder);
      const { systems, prefixes } = await refreshRegistry({ databases, signal: new AbortController().signal }, files);
      tell(`${systems} autonomous systems with ${prefixes} prefixes loaded from ${files.source}.`);
    },
    { needsKey: false },
  );
}
