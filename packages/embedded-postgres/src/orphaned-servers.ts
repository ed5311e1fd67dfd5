import { readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { StartupError } from './startup-error.ts';

/** Contents of `postmaster.pid`: the PID and, from line 8, the status (`ready`, `stopping` …). */
export async function readPostmasterFile(folder: string): Promise<{ pid: number; status: string } | null> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Math.abs(Number(lines[0]));
  return Number.isSafeInteger(pid) && pid > 0 ? { pid, status: lines[7]?.trim() ?? '' } : null;
}

/** Whether a process with this PID exists, of whatever program. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** PIDs of all visible processes; empty without /proc. */
async function processNumbers(): Promise<string[]> {
  return (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
}

/**
 * Every PostgreSQL process of this data folder: all of them work in it. Where there is no /proc only the one that
 * `postmaster.pid` names is known.
 */
async function processesOf(folder: string): Promise<number[]> {
  const numbers = await processNumbers();
  if (numbers.length === 0) {
    const postmaster = await readPostmasterFile(folder);
    return postmaster !== null && isRunning(postmaster.pid) ? [postmaster.pid] : [];
  }
  const real = await realpath(folder);
  const pids: number[] = [];
  for (const number of numbers) {
    const cwd = await readlink(`/proc/${number}/cwd`).catch(() => null);
    if (cwd !== real) continue;
    const name = await readFile(`/proc/${number}/comm`, 'utf8').catch(() => '');
    if (name.trim() === 'postgres') pids.push(Number(number));
  }
  return pids;
}

/**
 * Shuts down a PostgreSQL that a killed run orphaned in `folder`, waits until all its processes have exited, and removes
 * `postmaster.pid`. The PID in that file may belong to another program by now; in a container, the next server may get the
 * same PID and would look ready. Acknowledged transactions survive every kind of shutdown. The caller must hold the lock of
 * the folder (`lockDataDir`), or it would stop the server of a running console.
 * @throws StartupError if the processes do not exit within 30 seconds.
 */
export async function stopOrphanedServer(folder: string): Promise<void> {
  const startedAt = Date.now();
  const tries = [
    { afterMs: 0, signal: 'SIGINT' },
    { afterMs: 10_000, signal: 'SIGQUIT' },
    { afterMs: 20_000, signal: 'SIGKILL' },
  ] as const;
  let next = 0;
  for (let running = await processesOf(folder); running.length > 0; running = await processesOf(folder)) {
    const elapsedMilliseconds = Date.now() - startedAt;
    if (elapsedMilliseconds > 30_000)
      throw new StartupError(`${folder}: an orphaned PostgreSQL does not exit (process ${running.join(', ')})`);
    const due = tries[next];
    if (due !== undefined && elapsedMilliseconds >= due.afterMs) {
      next += 1;
      const postmaster = (await readPostmasterFile(folder))?.pid;
      // Without a postmaster, backends exit on their own; only the later signals go to them too.
      for (const pid of running) if (pid === postmaster || due.signal !== 'SIGINT') signal(pid, due.signal);
    }
    await wait(20);
  }
  const postmaster = await readPostmasterFile(folder);
  // Without /proc, PostgreSQL itself needs the file to find backends that outlive their postmaster.
  const allAreKnown = (await processNumbers()).length > 0;
  if (postmaster !== null && (allAreKnown || isRunning(postmaster.pid))) await rm(join(folder, 'postmaster.pid'), { force: true });
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It exited in the meantime.
  }
}
