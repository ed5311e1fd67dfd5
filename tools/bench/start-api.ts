import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Memory, memoryOf } from '../console/processes.ts';
import { processorTimeOf } from './processor-time.ts';

/** The console in a process of its own, as an operator starts it. */
export type RunningApi = {
  url: string;
  memory(): Promise<Memory>;
  /** Resets the peak of the memory to what is used now. */
  forgetPeak(): Promise<void>;
  /** Seconds of processor time the process has used so far. */
  processorTime(): Promise<number>;
  /** Ends the process, unless it has ended already. */
  stop(): Promise<void>;
};

const root = join(import.meta.dirname, '../..');
const program = join(root, 'packages/api/bin/switchyard');

export type StartOptions = {
  databaseUrl: string;
  /** Address of the event store; null: events are in the database. */
  eventStoreUrl: string | null;
  /** Takes the console's log. */
  dataDir: string;
  nodeFlags: readonly string[];
  /** Called at once with how to stop the process, also while it is not ready yet. */
  onStarted: (stop: () => Promise<void>) => void;
};

/** Starts the console on a free port over this database, in production mode and without a demo. */
export async function startApi({ databaseUrl, eventStoreUrl, dataDir, nodeFlags, onStarted }: StartOptions): Promise<RunningApi> {
  const child = spawn(program, ['start', '--no-build'], {
    env: {
      NODE_OPTIONS: nodeFlags.join(' '),
      NODE_ENV: 'production',
      PORT: '0',
      DATABASE_URL: databaseUrl,
      ...(eventStoreUrl !== null && { EVENT_STORE_URL: eventStoreUrl }),
      SECRET_KEY: 'bench'.repeat(10),
      DATA_DIR: dataDir,
      DEMO: '0',
      // Loaded events have no system, and filling them in would take a tenth of the time.
      ASN_FILL_PERCENT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    // Ctrl-C reaches us alone; we stop what we started.
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('the console could not be started');
  const stop = stopOf(child);
  onStarted(stop);
  return {
    url: await readyAddress(child),
    memory: async () => memoryOf(pid),
    // 5 resets the peak (man 5 proc_pid_clear_refs).
    forgetPeak: () => writeFile(`/proc/${pid}/clear_refs`, '5'),
    processorTime: () => processorTimeOf(pid),
    stop,
  };
}

const bareProgram = join(import.meta.dirname, 'bare-api.ts');

/** Starts Fastify and the driver without a product between them, in a process of its own on the Node.js and with the flags of the console. */
export async function startBareApi({ databaseUrl, nodeFlags, onStarted }: StartOptions): Promise<Pick<RunningApi, 'url' | 'stop'>> {
  const child = spawn(process.execPath, ['--max-semi-space-size=8', ...nodeFlags, bareProgram], {
    env: { NODE_ENV: 'production', DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const stop = stopOf(child);
  onStarted(stop);
  return { url: await readyAddress(child), stop };
}

/** Ends a process, unless it has ended already. */
export function stopOf(child: ChildProcess): () => Promise<void> {
  return async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    await exit;
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
