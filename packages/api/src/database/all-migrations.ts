import { FileMigrationProvider } from 'kysely/migration';
import fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const provider = new FileMigrationProvider({
  fs,
  path,
  migrationFolder: fileURLToPath(new URL('migrations', import.meta.url)),
  onFileIgnored: (name) => {
    throw new Error(`Database: migrations/${name} is no migration`);
  },
});

/** The files of `migrations/` by their names, in order. A released one is never edited, only followed. */
export const migrations = Object.fromEntries(
  Object.entries(await provider.getMigrations()).toSorted(([name], [other]) => (name < other ? -1 : 1)),
);
