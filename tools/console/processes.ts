import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A file that Linux has of a process; empty once the process has ended. */
function readProcess(pid: number | string, file: 'cmdline' | 'status'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** The processes that this one started directly. */
export function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && /^PPid:\t(\d+)$/m.exec(readProcess(name, 'status'))?.[1] === String(parent))
    .map(Number);
}

/** The embedded ClickHouse that a console started. */
export function engineOf(consolePid: number): number | null {
  return childrenOf(consolePid).find((pid) => readProcess(pid, 'cmdline').includes('gateway.ts')) ?? null;
}

/** Sends a signal to those that still run. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended by itself.
    }
  }
}

/** Bytes of a process as the system counts them (resident set): now, and at most since its start. */
export type Memory = { now: number; peak: number };

/** Throws once the process has ended. */
export function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const bytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') };
}

/** Open files of a process: paths, and `socket:[…]`. */
export function openFilesOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${name}`)];
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });
}
