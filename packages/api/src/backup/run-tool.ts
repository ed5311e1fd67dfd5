import { execFile, spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { parentDeathPrefix } from '@switchyard/embedded-postgres/run-program';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import type { Environment, Settings } from '../env.ts';
import { clientArguments } from './backup-store.ts';

/** Settings and parts that a backup or restore uses. */
export type Job = {
  settings: Settings;
  env: Environment;
  /** Stops it: programs that run are ended, and drafts are removed. */
  signal: AbortSignal;
  /** Gets lines for the operator. */
  tell: (line: string) => void;
};

/**
 * Runs a program until it exits. Its output goes to the terminal. It ends with this process, however that ends (on Linux).
 * @throws StartupError if it fails, and the reason of `signal` if that ends it.
 */
export async function runTool(command: readonly [string, ...string[]], { env, signal }: Pick<Job, 'env' | 'signal'>): Promise<void> {
  const [program] = command;
  const [first = program, ...rest] = [...(await parentDeathPrefix(env)), ...command];
  signal.throwIfAborted();
  const child = spawn(first, rest, { stdio: ['ignore', 'inherit', 'inherit'], env });
  const stop = (): unknown => child.kill('SIGINT');
  signal.addEventListener('abort', stop);
  try {
    await new Promise<void>((resolve, reject) => {
      child.on('error', () => reject(new StartupError(`${program}: cannot be run (it is missing)`)));
      child.on('close', (code, name) =>
        code === 0 ? resolve() : reject(new StartupError(`${program}: failed (${name ?? `code ${code}`})`)),
      );
    });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Major version of a client program of PostgreSQL. @throws StartupError if it is not installed. */
async function clientVersion(program: 'pg_dump' | 'pg_restore', env: Environment): Promise<number> {
  const { stdout } = await promisify(execFile)(program, ['--version'], { env }).catch(() => {
    throw new StartupError(`${program}: cannot be run (it is part of the client programs of PostgreSQL)`);
  });
  return Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]);
}

/** From this version on the client programs set `transaction_timeout`, which older servers do not know, and their dumps need such programs. */
const timeoutVersion = 17;
const canRestore = (version: number, serverVersion: number): boolean => version < timeoutVersion || serverVersion >= timeoutVersion;

/**
 * Checks that `pg_dump` fits a server of this major version.
 * @returns a line about dumps that this server cannot take back; null if it can
 * @throws StartupError with what to install, if there is no `pg_dump` or it cannot dump the server.
 */
export async function checkDump(serverVersion: number, env: Environment): Promise<string | null> {
  const version = await clientVersion('pg_dump', env);
  const remedy = `install the client programs of version ${serverVersion}, first in PATH`;
  if (!(version >= serverVersion))
    throw new StartupError(`pg_dump: version ${version} cannot dump PostgreSQL ${serverVersion} (${remedy})`);
  if (canRestore(version, serverVersion)) return null;
  return `pg_dump: version ${version} makes dumps for PostgreSQL ${timeoutVersion} and newer, not for PostgreSQL ${serverVersion} (${remedy})`;
}

/** Checks that `pg_restore` fits a server of this major version. @throws StartupError with what to install. */
export async function checkRestore(serverVersion: number, env: Environment): Promise<void> {
  const version = await clientVersion('pg_restore', env);
  if (canRestore(version, serverVersion)) return;
  throw new StartupError(
    `pg_restore: version ${version} cannot restore into PostgreSQL ${serverVersion} (install the client programs of version ${serverVersion}, first in PATH; a dump that version ${timeoutVersion} or newer made needs PostgreSQL ${timeoutVersion} or newer)`,
  );
}

/** Connects to the database as a backup does, and dumps nothing. @throws StartupError with the first line of `pg_dump`, if it cannot. */
export async function probeDump(databaseUrl: string, env: Environment): Promise<void> {
  const client = clientArguments(databaseUrl, env);
  const options = ['--schema-only', '--exclude-schema=*', `--dbname=${client.address}`];
  await promisify(execFile)('pg_dump', options, { env: client.env }).catch((error: unknown) => {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
    throw new StartupError(`pg_dump: cannot dump the database (${output.replace(/^pg_dump: (error: )?/, '').split('\n')[0]})`);
  });
}

/** The kind of a backup by its first bytes. @throws StartupError if it is none, or the file cannot be read. */
export async function kindOfBackup(path: string): Promise<'dump' | 'folder'> {
  const file = await open(path).catch(() => {
    throw new StartupError(`${path}: cannot be read`);
  });
  try {
    const { buffer } = await file.read(Buffer.alloc(5), 0, 5, 0);
    if (buffer.toString('latin1') === 'PGDMP') return 'dump';
    if (buffer.readUInt16BE() === 0x1f8b) return 'folder';
    throw new StartupError(`${path}: not a backup of this console`);
  } finally {
    await file.close();
  }
}
