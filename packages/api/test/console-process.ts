import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { vi } from 'vitest';

/** The command of the installation. */
export const program = join(import.meta.dirname, '../bin/switchyard');

type Command = readonly [program: string, ...args: string[]];
const startCommand: Command = [program, 'start', '--no-build'];

/** A console in a process of its own, ready to be called. */
export type StartedConsole = { child: ChildProcess; url: string; output: () => string; milliseconds: number };

/** Real consoles over one folder, for tests of what happens to processes. */
export type ConsoleProcesses = {
  /** Where the consoles keep `data`. */
  folder: string;
  launch: (env?: Readonly<Record<string, string>>, command?: Command) => { child: ChildProcess; output: () => string };
  /** Starts one and waits until it says where it is. */
  start: (env?: Readonly<Record<string, string>>, command?: Command) => Promise<StartedConsole>;
  /** Process number of the embedded PostgreSQL, as its own file says. */
  postmaster: () => number;
  /** Address of the embedded PostgreSQL's database. */
  databaseUrl: () => string;
  /** Ends whatever was started and removes the folder. */
  cleanUp: () => Promise<void>;
};

/** Makes an empty folder; `cleanUp` must follow. */
export function consoleProcesses(): ConsoleProcesses {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-process-'));
  const children: ChildProcess[] = [];
  const dataDir = join(folder, 'data');
  const postmasterLines = (): string[] => readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n');

  function launch(
    env: Readonly<Record<string, string>> = {},
    [path, ...args] = startCommand,
  ): { child: ChildProcess; output: () => string } {
    const child = spawn(path, args, {
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, PORT: '0', DEMO: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    let output = '';
    const keep = (chunk: Buffer): void => void (output += chunk.toString());
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    return { child, output: () => output };
  }

  return {
    folder,
    launch,
    async start(env, command) {
      const began = performance.now();
      const { child, output } = launch(env, command);
      const url = await vi.waitFor(
        () => {
          if (child.exitCode !== null) throw new Error(`ended: ${output()}`);
          // The second form is that of LOG_STDOUT=1.
          const readyUrl = /(?:ready at |"url":")(http:[^\s"]+)/.exec(output())?.[1];
          if (readyUrl === undefined) throw new Error(`not ready: ${output()}`);
          return readyUrl;
        },
        { timeout: 100_000, interval: 20 },
      );
      return { child, url, output, milliseconds: performance.now() - began };
    },
    postmaster: () => Number(postmasterLines()[0]),
    databaseUrl() {
      const password = readFileSync(join(dataDir, 'postgres-password'), 'utf8').trim();
      return `postgres://switchyard:${password}@127.0.0.1:${postmasterLines()[3]}/switchyard`;
    },
    async cleanUp() {
      for (const child of children.splice(0)) await endOf(child, 'SIGTERM');
      chmodSync(folder, 0o700);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs the command to its end, with no other variables than these. */
export async function runProgram(
  args: readonly string[],
  { env = {}, cwd, path = program }: { env?: Readonly<Record<string, string>>; cwd?: string; path?: string } = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(path, args, { env: { PATH: process.env['PATH'] ?? '', ...env }, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, stdout, stderr };
}

/** Waits for the end of a process, after a signal when one is given; its exit code, or the signal that killed it. */
export async function endOf(child: ChildProcess, signal?: NodeJS.Signals): Promise<number | NodeJS.Signals | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit');
    if (signal) child.kill(signal);
    await exit;
  }
  return child.exitCode ?? child.signalCode;
}

/** Whether a process of that number runs; one that has ended and only waits to be collected does not. */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !existsSync('/proc/self/stat') || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
