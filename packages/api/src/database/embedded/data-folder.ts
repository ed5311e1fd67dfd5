import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { StartRefused } from '../../start-refused.ts';
import { isRunning } from './leftover-processes.ts';
import { othersLive, showLife } from './sign-of-life.ts';

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

/** The system's error code in words, for a message to the operator. */
export function fileReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  return reasons[code] ?? (error instanceof Error ? error.message : String(error));
}

/**
 * Makes the data folder if need be and proves that we may write in it. Others may pass it but not list it, because
 * PostgreSQL may run under another account.
 * @throws StartRefused with the reason in words.
 */
export async function prepareDataDir(dataDir: string): Promise<void> {
  const probe = join(dataDir, `.write-test-${randomUUID()}`);
  try {
    await makeFolder(dataDir);
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    throw new StartRefused(`DATA_DIR ${dataDir} cannot be written: ${fileReason(error)}.`);
  }
}

/** Node's own recursive mkdir never returns where the system answers ENOENT for ever, as in /proc. */
async function makeFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return;
  if (dirname(folder) !== folder) await makeFolder(dirname(folder));
  await mkdir(folder, { mode: 0o711 }).catch(async (error: unknown) => {
    // A start at the same moment may have made it.
    if (!(await isFolder(folder))) throw error;
  });
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Who uses the data folder; the start time tells a process from a later one with the same number. */
const holderShape = z.object({ pid: z.number(), startedAt: z.string() });
type Holder = z.output<typeof holderShape>;

/**
 * When a process began, in the system's own unit; empty where the system does not tell. A killed process that its
 * parent has not collected yet counts as none: in a container without an init that may last for ever.
 */
async function startOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The command's name, in brackets, may hold spaces; its state follows, and 19 fields on its start time.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? 'ended' : (fields[19] ?? '');
}

/** Null for a file that stays unreadable: its writer was killed, for a living one is done within moments. */
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

/** How long a process that was just told to end, or killed, may still be seen. */
const farewellMilliseconds = 1500;

/** Whether the holder still runs after so many milliseconds. */
async function outlives({ pid, startedAt }: Holder, milliseconds: number): Promise<boolean> {
  const runs = async (): Promise<boolean> => isRunning(pid) && (await startOf(pid)) === startedAt;
  for (const end = performance.now() + milliseconds; pid !== process.pid && performance.now() < end; await wait(25))
    if (!(await runs())) return false;
  return runs();
}

/**
 * Reserves the data folder for this process, so that two never run on the same data, not even in two containers, where
 * neither sees the other's process. What a killed process left is taken over. Gives the function that frees the folder.
 * @throws StartRefused when another process that still runs holds it.
 */
export async function takeFolder(dataDir: string): Promise<() => Promise<void>> {
  const file = join(dataDir, 'switchyard.lock');
  const mine: Holder = { pid: process.pid, startedAt: await startOf(process.pid) };
  const inUse = (whom: string) =>
    new StartRefused(`DATA_DIR ${dataDir} is in use by another Switchyard (${whom}). Stop it, or choose another DATA_DIR.`);
  for (let tries = 0; tries < 5; tries += 1) {
    if (await writeNew(file, JSON.stringify(mine))) {
      const sign = await showLife(dataDir);
      const release = async (): Promise<void> => {
        await sign.end();
        await rm(file, { force: true });
      };
      // Whoever looks after showing itself is seen by all who look later: of two that came past the file, one stays at most.
      if (!(await othersLive(dataDir, { own: sign.name, milliseconds: farewellMilliseconds }))) return release;
      await release();
      throw inUse('its process cannot be seen from here');
    }
    const holder = await readHolder(file);
    const runs = holder !== null && (await outlives(holder, farewellMilliseconds));
    if (runs && holder.pid !== process.pid) throw inUse(`process ${holder.pid}`);
    if (runs) throw new StartRefused(`DATA_DIR ${dataDir} is already in use by this process.`);
    if (await othersLive(dataDir, { own: null, milliseconds: farewellMilliseconds })) throw inUse('its process cannot be seen from here');
    // Renaming first lets only one of several starters remove a stale file.
    const aside = `${file}.${process.pid}`;
    await rename(file, aside).catch(() => undefined);
    await rm(aside, { force: true });
  }
  throw new StartRefused(`DATA_DIR ${dataDir} cannot be reserved: ${file} keeps coming back.`);
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
    throw new StartRefused(`DATA_DIR cannot be written: ${file}: ${fileReason(error)}.`);
  }
}
