import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The registry as files: lines of first address, last address, code and name. */
type RegistryFiles = { source: string; paths: readonly string[] };

/** The registry that comes with this version of the console (@ip-location-db/asn, CC BY 4.0: RouteViews, DB-IP, NRO). */
export function packagedRegistry(): RegistryFiles & { version: string } {
  const paths = [
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
