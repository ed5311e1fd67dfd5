import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { mkdtemp, open, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { StartupError } from './startup-error.ts';
import { isRunning } from './orphaned-servers.ts';
import { othersAreAlive, openLivenessSocket } from './liveness-socket.ts';

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a part of the path is a file',
  ENOENT: 'it cannot be made there',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
};

/** The system's error code in words, for messages to the operator. */
export function fileReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  return reasons[code] ?? (error instanceof Error ? error.message : String(error));
}

/**
 * Creates the data folder if it is missing and checks that it is writable. Other accounts may traverse but not list it,
 * because PostgreSQL may run under another account.
 * @throws StartupError with the reason.
 */
export async function prepareDataDir(dataDir: string): Promise<void> {
  const probe = join(dataDir, `.write-test-${randomUUID()}`);
  try {
    makeFolder(dataDir);
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    throw new StartupError(`DATA_DIR ${dataDir}: cannot be written (${fileReason(error)})`);
  }
}

/**
 * Creates a folder and its parents. Node's recursive mkdir never returns where the system keeps answering ENOENT, as in
 * /proc.
 */
export function makeFolder(folder: string, mode = 0o711): void {
  if (isFolder(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // A concurrent start may have created it.
    if (!isFolder(folder)) throw error;
  }
}

/** Checks that a folder is writable or, if it is missing, that it can be created. Leaves nothing behind. @throws the system's error. */
export async function probeFolder(folder: string): Promise<void> {
  const nearest = await stat(folder).then(
    () => folder,
    (error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    },
  );
  if (nearest === null) return probeFolder(dirname(folder));
  await rmdir(await mkdtemp(join(nearest, '.write-test-')));
}

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

/** Process that holds the data folder. The start time distinguishes it from a later process with the same PID. */
const holderShape = z.object({ pid: z.number(), startedAt: z.string() });
type Holder = z.output<typeof holderShape>;

/**
 * Start time of a process in the kernel's unit; empty where the system does not provide it, `ended` for a zombie. In a
 * container without an init a zombie may never be reaped.
 */
async function startOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The command name, in parentheses, may contain spaces. The state follows it, the start time 19 fields later.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? 'ended' : (fields[19] ?? '');
}

/** Null for a file that stays unreadable, because its writer was killed half-way. */
async function readHolder(file: string): Promise<Holder | null> {
  for (let tries = 0; tries < 5; tries += 1) {
    try {
      return holderShape.parse(JSON.parse(await readFile(file, 'utf8')));
    } catch {
      await wait(20);
    }
  }
  return null;
}

/** How long a process that was just stopped or killed may still be visible. */
const exitGraceMilliseconds = 1500;

/** Whether the holder still runs after `milliseconds`. */
async function outlives({ pid, startedAt }: Holder, milliseconds: number): Promise<boolean> {
  const runs = async (): Promise<boolean> => isRunning(pid) && (await startOf(pid)) === startedAt;
  for (const end = performance.now() + milliseconds; pid !== process.pid && performance.now() < end; await wait(25))
    if (!(await runs())) return false;
  return runs();
}

/**
 * Locks the data folder for this process, so that no two processes use the same data, even in two containers that do not
 * see each other's processes. Replaces the lock of a killed process. Returns the function that unlocks the folder.
 * @throws StartupError if a running process holds the lock.
 */
export async function lockDataDir(dataDir: string): Promise<() => Promise<void>> {
  const file = join(dataDir, 'switchyard.lock');
  const mine: Holder = { pid: process.pid, startedAt: await startOf(process.pid) };
  const inUse = (whom: string) =>
    new StartupError(`DATA_DIR ${dataDir}: in use by another Switchyard (${whom}; stop it or choose another DATA_DIR)`);
  for (let tries = 0; tries < 5; tries += 1) {
    if (await writeNew(file, JSON.stringify(mine))) {
      const socket = await openLivenessSocket(dataDir);
      const release = async (): Promise<void> => {
        await socket.close();
        await rm(file, { force: true });
      };
      // Each starter opens its socket before it looks for others, so of two that passed the file at most one stays.
      if (!(await othersAreAlive(dataDir, { own: socket.name, milliseconds: exitGraceMilliseconds }))) return release;
      await release();
      throw inUse('its process cannot be seen from here');
    }
    const holder = await readHolder(file);
    const runs = holder !== null && (await outlives(holder, exitGraceMilliseconds));
    if (runs && holder.pid !== process.pid) throw inUse(`process ${holder.pid}`);
    if (runs) throw new StartupError(`DATA_DIR ${dataDir}: already in use by this process`);
    if (await othersAreAlive(dataDir, { own: null, milliseconds: exitGraceMilliseconds }))
      throw inUse('its process cannot be seen from here');
    // The rename lets only one of several starters remove a stale file.
    const aside = `${file}.${process.pid}`;
    await rename(file, aside).catch(() => undefined);
    await rm(aside, { force: true });
  }
  throw new StartupError(`DATA_DIR ${dataDir}: cannot be locked (another process keeps creating ${file})`);
}

async function writeNew(file: string, text: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw new StartupError(`DATA_DIR ${dirname(file)}: cannot be written (${file}: ${fileReason(error)})`);
  }
}
