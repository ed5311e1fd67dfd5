import { chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { StartRefused } from '../../start-refused.ts';
import type { Binaries } from './binaries.ts';
import type { RunAs } from './run-as.ts';
import { runToEnd } from './run-program.ts';

/** The version whose data folders we can open; it changes with the package that brings the programs. */
const majorVersion = '18';

export const databaseName = 'switchyard';
export const roleName = 'switchyard';

/**
 * Looks at the folder of the cluster: `absent` when it is missing or empty, `usable` when it is one of our version.
 * @throws StartRefused when it belongs to another version or is something else.
 */
export async function inspectCluster(folder: string): Promise<'absent' | 'usable'> {
  const entries = await readdir(folder).catch((error: unknown): string[] => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  if (entries.length === 0) return 'absent';
  if (!entries.includes('PG_VERSION'))
    throw new StartRefused(`${folder} is not empty and no PostgreSQL data folder. Move it away, or choose another DATA_DIR.`);
  const version = (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim();
  if (version !== majorVersion)
    throw new StartRefused(
      `${folder} was made by PostgreSQL ${version}, but this Switchyard brings PostgreSQL ${majorVersion}. Move it with pg_dump of version ${version}, or choose another DATA_DIR.`,
    );
  return 'usable';
}

/**
 * Makes a cluster with our database and role. It is built beside its place and moved there when whole, so a start that
 * is killed half-way leaves nothing that looks finished.
 * The role owns the database but is no superuser; the superuser cannot sign in over the network at all.
 */
export async function createCluster(folder: string, { binaries, runAs }: { binaries: Binaries; runAs: RunAs }): Promise<void> {
  const draft = `${folder}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await chownIfRoot(draft, runAs);
  const run = (command: readonly string[], input = '') => runToEnd(runAs, command, { env: binaries.env, cwd: draft, input });
  await run([
    binaries.initdb,
    `--pgdata=${draft}`,
    '--username=postgres',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    // Of no effect: our own pg_hba.conf replaces this before the cluster ever serves.
    '--auth=trust',
    '--no-instructions',
  ]);
  await writeFile(
    join(draft, 'pg_hba.conf'),
    `# Only our own role, over the loop-back address, with its password.\nhost all ${roleName} 127.0.0.1/32 scram-sha-256\n`,
  );
  await run(
    [...singleUser(binaries, draft)],
    `create role ${roleName} login createdb\n;\n\ngrant pg_monitor, pg_checkpoint to ${roleName}\n;\n\ncreate database ${databaseName} owner ${roleName}\n;\n\n`,
  );
  await rm(folder, { recursive: true, force: true });
  await rename(draft, folder);
}

/** Statements straight into the files of a stopped cluster: needs no password. */
function singleUser(binaries: Binaries, folder: string): string[] {
  return [binaries.postgres, '--single', '-j', '-D', folder, 'postgres'];
}

/**
 * The password of our role, kept in `file` (mode 600). When the file is missing, a new password is set in the stopped
 * cluster and then kept.
 */
export async function ensurePassword(
  file: string,
  folder: string,
  { binaries, runAs }: { binaries: Binaries; runAs: RunAs },
): Promise<string> {
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (/^[0-9a-f]{48}$/.test(kept)) return kept;
  const password = randomBytes(24).toString('hex');
  await runToEnd(runAs, singleUser(binaries, folder), {
    env: binaries.env,
    cwd: folder,
    input: `alter role ${roleName} password '${password}'\n;\n\n`,
  });
  await rm(file, { force: true });
  await writeFile(file, `${password}\n`, { mode: 0o600 });
  return password;
}

/** Gives a folder with all it holds to the account PostgreSQL runs under; needed when that changed since last time. */
export async function handOver(folder: string, runAs: RunAs): Promise<void> {
  const found = await stat(folder);
  if (found.uid === runAs.owner.uid) return;
  for (const entry of await readdir(folder, { recursive: true })) await chownIfRoot(join(folder, entry), runAs);
  await chownIfRoot(folder, runAs);
}

async function chownIfRoot(path: string, { owner }: RunAs): Promise<void> {
  if (process.getuid?.() === 0) await chown(path, owner.uid, owner.gid);
}
