import { readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { StartRefused } from '../../start-refused.ts';

/** What `postmaster.pid` says: the process and, at its eighth line, how far it is (`ready`, `stopping` …). */
export async function readPostmasterFile(folder: string): Promise<{ pid: number; status: string } | null> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Math.abs(Number(lines[0]));
  return Number.isSafeInteger(pid) && pid > 0 ? { pid, status: lines[7]?.trim() ?? '' } : null;
}

/** Whether a process with this number runs, whoever it is. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** All processes that can be seen; none where there is no /proc. */
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
    const named = await readPostmasterFile(folder);
    return named !== null && isRunning(named.pid) ? [named.pid] : [];
  }
  const real = await realpath(folder);
  const found: number[] = [];
  for (const number of numbers) {
    const cwd = await readlink(`/proc/${number}/cwd`).catch(() => null);
    if (cwd !== real) continue;
    const name = await readFile(`/proc/${number}/comm`, 'utf8').catch(() => '');
    if (name.trim() === 'postgres') found.push(Number(number));
  }
  return found;
}

/**
 * Makes sure that no PostgreSQL of an earlier, killed run works in `folder`: asks it for a fast shutdown, waits until
 * all its processes are gone, and removes the `postmaster.pid` that they left. Its number may belong to a stranger by now; and in a
 * container, where numbers begin anew, the next server may get the very same one and be taken for ready. Acknowledged transactions are kept whichever way it ends.
 * The caller must own the folder (`takeFolder`), or it would end the server of a running neighbour.
 * @throws StartRefused when it does not end within half a minute.
 */
export async function endLeftovers(folder: string): Promise<void> {
  const started = Date.now();
  const tries = [
    { afterMs: 0, signal: 'SIGINT' },
    { afterMs: 10_000, signal: 'SIGQUIT' },
    { afterMs: 20_000, signal: 'SIGKILL' },
  ] as const;
  let next = 0;
  for (let running = await processesOf(folder); running.length > 0; running = await processesOf(folder)) {
    const elapsed = Date.now() - started;
    if (elapsed > 30_000)
      throw new StartRefused(`An earlier PostgreSQL (process ${running.join(', ')}) still works in ${folder} and does not end.`);
    const due = tries[next];
    if (due !== undefined && elapsed >= due.afterMs) {
      next += 1;
      const postmaster = (await readPostmasterFile(folder))?.pid;
      // Without their postmaster the others end by themselves; only at last are they forced.
      for (const pid of running) if (pid === postmaster || due.signal !== 'SIGINT') signal(pid, due.signal);
    }
    await wait(20);
  }
  const named = await readPostmasterFile(folder);
  // Where processes cannot be seen, the file is PostgreSQL's own means of finding those that outlive their postmaster.
  const allAreKnown = (await processNumbers()).length > 0;
  if (named !== null && (allAreKnown || isRunning(named.pid))) await rm(join(folder, 'postmaster.pid'), { force: true });
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended in the meantime.
  }
}
