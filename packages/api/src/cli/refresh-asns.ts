import { prepareDatabase } from '../database/prepare-database.ts';
import { packagedRegistry, refreshRegistry, registryIn } from '../features/asns/load-registry.ts';
import { tell, withDatabase } from './with-database.ts';

/** Loads the registry of autonomous systems from a folder, or again from the package if it is null. A signal ends its statement, too. */
export async function refreshAsns(folder: string | null): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  await withDatabase(
    async ({ databases }) => {
      await prepareDatabase(databases.opsDb);
      const files = folder === null ? packagedRegistry() : registryIn(folder);
      const { systems, prefixes } = await refreshRegistry({ databases, signal: stopping.signal }, files);
      tell(`${systems} autonomous systems with ${prefixes} prefixes loaded from ${files.source}.`);
    },
    { needsKey: false },
  );
}
