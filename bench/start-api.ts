import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The console in a process of its own, as an operator starts it. */
export type RunningApi = {
  url: string;
  memory(): Promise<Memory>;
  stop(): Promise<void>;
};

/** Bytes of the process as the system counts them (resident set): now, and at most since its start. */
export type Memory = { now: number; peak: number };

const main = join(import.meta.dirname, '../packages/api/src/main.ts');

/** Starts the console on a free port over this database, in production mode and without a demo; `dataDir` takes its log. */
export async function startApi(options: { databaseUrl: string; dataDir: string; flags?: readonly string[] }): Promise<RunningApi> {
  const child = spawn(process.execPath, [...(options.flags ?? []), main], {
    env: {
      NODE_ENV: 'production',
      PORT: '0',
      DATABASE_URL: options.databaseUrl,
      SECRET_KEY: 'bench'.repeat(10),
      DATA_DIR: options.dataDir,
      DEMO: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    // Ctrl-C reaches us alone; we stop what we started.
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('the console could not be started');
  return {
    url: await readyAddress(child),
    memory: () => memoryOf(pid),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    },
  };
}

/** The address that the console prints once it answers. */
async function readyAddress(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the console has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const address = / is ready at (\S+)$/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error('the console ended before it was ready');
}

/** Linux only: other systems have no /proc. */
async function memoryOf(pid: number): Promise<Memory> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') };
}
