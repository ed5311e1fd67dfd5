import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { z } from 'zod';
import type { Databases } from '../../database/connect.ts';
import { findPackagedVersion, updateRegistry, type LoadedRegistry, type RegistryPaths } from './registry-store.ts';

/** The registry as files: lines of first address, last address, code and name. */
type RegistryFiles = { source: string; paths: RegistryPaths };

/** The registry that comes with this version of the console (@ip-location-db/asn, CC BY 4.0: RouteViews, DB-IP, NRO). */
export function packagedRegistry(): RegistryFiles & { version: string } {
  const paths: RegistryPaths = [
    createRequire(import.meta.url).resolve('@ip-location-db/asn/asn-ipv4.csv'),
    createRequire(import.meta.url).resolve('@ip-location-db/asn/asn-ipv6.csv'),
  ];
  const description: unknown = JSON.parse(readFileSync(createRequire(import.meta.url).resolve('@ip-location-db/asn/package.json'), 'utf8'));
  const { version } = z.object({ version: z.string() }).parse(description);
  return { version, source: `@ip-location-db/asn ${version}`, paths };
}

/** Newer files of the same form in some folder. */
export function registryIn(folder: string): RegistryFiles {
  return { source: folder, paths: [join(folder, 'asn-ipv4.csv'), join(folder, 'asn-ipv6.csv')] };
}

type Deps = { databases: Pick<Databases, 'pools'>; signal: AbortSignal };

/**
 * Loads the packaged registry of autonomous systems unless this database has its version: at the first start and after an
 * update. Null when there was nothing to do, or when another process is loading it.
 */
export async function loadPackagedRegistry({ databases, signal }: Deps): Promise<LoadedRegistry | null> {
  const files = packagedRegistry();
  if ((await findPackagedVersion(databases)) === files.version) return null;
  return updateRegistry(databases, { ...files, packagedVersion: files.version, signal });
}

/** Loads the registry from these files. The next starts keep it until there is a newer package. */
export async function refreshRegistry({ databases, signal }: Deps, files: ReturnType<typeof registryIn>): Promise<LoadedRegistry> {
  const registry = await updateRegistry(databases, { ...files, packagedVersion: packagedRegistry().version, signal });
  if (!registry) throw new StartupError('ASN registry: another process is loading it (try again in a minute)');
  return registry;
}
