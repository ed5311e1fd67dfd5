import { existsSync } from 'node:fs';
import { chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { StartupError } from './startup-error.ts';
import type { Binaries } from './binaries.ts';
import type { RunAs } from './run-program.ts';
import { runToEnd } from './run-program.ts';

/** Major version of the packaged PostgreSQL: the only one whose data folders can be opened. */
const majorVersion = '18';

export const databaseName = 'switchyard';
export const roleName = 'switchyard';

/** Where a backup of the data folder is unpacked, beside the cluster folder, which appears last and whole. */
export const restoreDraft = (folder: string): string => `${folder}.restore`;

/**
 * State of the cluster folder: `absent` if it is missing or empty, `usable` if it is a cluster of this version.
 * @throws StartupError if it belongs to another version or is something else, or if a restore of it did not finish.
 */
export async function inspectCluster(folder: string): Promise<'absent' | 'usable'> {
  const entries = await readdir(folder).catch((error: unknown): string[] => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  if (entries.length === 0) {
    if (!existsSync(restoreDraft(folder))) return 'absent';
    throw new StartupError(`${restoreDraft(folder)}: left by a restore that did not finish (run it again, or delete this folder)`);
  }
  if (!entries.includes('PG_VERSION'))
    throw new StartupError(`${folder}: not empty and not a PostgreSQL data folder (move it away, or choose another DATA_DIR)`);
  const version = (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim();
  if (version !== majorVersion)
    throw new StartupError(
      `${folder}: created by PostgreSQL ${version}, but this Switchyard uses PostgreSQL ${majorVersion} (migrate with pg_dump of version ${version}, or choose another DATA_DIR)`,
    );
  return 'usable';
}

/**
 * Creates a cluster with the product's database and role. It is built in a temporary folder and then renamed, so a killed
 * start leaves nothing that looks complete. The role owns the database but is no superuser; the superuser cannot connect
 * over the network.
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
    // Overwritten by our pg_hba.conf before the server first starts.
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

/** Single-user mode: runs statements on a stopped cluster without a password. */
function singleUser(binaries: Binaries, folder: string): string[] {
  return [binaries.postgres, '--single', '-j', '-D', folder, 'postgres'];
}

/**
 * Password of the role, stored in `file` (mode 600). If the file is missing, sets a new password in the stopped cluster
 * and stores it.
 */
export async function ensurePassword(
  file: string,
  folder: string,
  { binaries, runAs }: { binaries: Binaries; runAs: RunAs },
): Promise<string> {
  const text = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (/^[0-9a-f]{48}$/.test(text)) return text;
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

/** Changes the owner of a folder and its contents to the account of PostgreSQL, if that changed since the last start. */
export async function changeOwner(folder: string, runAs: RunAs): Promise<void> {
  const stats = await stat(folder);
  if (stats.uid === runAs.owner.uid) return;
  for (const entry of await readdir(folder, { recursive: true })) await chownIfRoot(join(folder, entry), runAs);
  await chownIfRoot(folder, runAs);
}

async function chownIfRoot(path: string, { owner }: RunAs): Promise<void> {
  if (process.getuid?.() === 0) await chown(path, owner.uid, owner.gid);
}
