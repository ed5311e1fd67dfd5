import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders of PostgreSQL in which operators may have replaced entries by symbolic links to other disks. */
const linkedWithin = ['postgres', 'postgres/pg_tblspc'];

/** Symbolic links among entries of a data folder and within its database, relative to the folder. */
export function listLinks(dataDir: string, entries: readonly string[]): string[] {
  const inner = linkedWithin
    .filter((folder) => existsSync(join(dataDir, folder)))
    .flatMap((folder) => readdirSync(join(dataDir, folder)).map((name) => `${folder}/${name}`));
  return [...entries, ...inner].filter((path) => lstatSync(join(dataDir, path)).isSymbolicLink());
}
