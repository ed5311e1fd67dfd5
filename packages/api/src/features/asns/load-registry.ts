import type { Databases } from '../../database/connect.ts';
import { packagedRegistry, type registryIn } from './registry-files.ts';
import { findPackagedVersion, replaceRegistry, type LoadedRegistry } from './registry-store.ts';

type Deps = { databases: Pick<Databases, 'pools'>; signal: AbortSignal };

/**
 * Loads the packaged registry of autonomous systems when this database has not seen this version of it yet: at the first
 * start, demo or not (O28), and after an update. Null when there was nothing to do, or another process does it.
 */
export async function loadPackagedRegistry({ databases, signal }: Deps): Promise<LoadedRegistry | null> {
  const files = packagedRegistry();
  if ((await findPackagedVersion(databases)) === files.version) return null;
  return replaceRegistry(databases, { ...files, packagedVersion: files.version, signal });
}

/** Loads the registry from these files, whatever was loaded before; starts leave it until a newer package comes. */
export async function refreshRegistry({ databases, signal }: Deps, files: ReturnType<typeof registryIn>): Promise<LoadedRegistry> {
  const loaded = await replaceRegistry(databases, { ...files, packagedVersion: packagedRegistry().version, signal });
  if (!loaded) throw new Error('The registry is being loaded by another process just now. Try again in a minute.');
  return loaded;
}
