import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { adminPassword, prepareCallers, send } from '../console/console-under-load.ts';
import { type ConsoleServer, startConsole } from '../console/console-server.ts';
import { childrenOf, engineOf, signalAll } from '../console/processes.ts';
import type { Target } from '../console/clients.ts';

export type StoreName = 'postgres' | 'clickhouse';

/** Faults that last a moment, and those that last some seconds. */
export const faultKinds = [
  'restart console',
  'kill console',
  'kill postgres',
  'kill engine',
  'freeze console',
  'freeze postgres',
  'freeze engine',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** A fault, in milliseconds since 1970. */
export type Fault = { kind: FaultKind; from: number; until: number };

/** A console with its own data folder, whose processes can be disturbed. */
export type Installation = {
  store: StoreName;
  dataDir: string;
  target: Target;
  faults: Fault[];
  /** When the console's process became ready, in milliseconds since 1970. */
  startedAt(): number;
  /** Numbers of the console's process and of those that it started; the engine is null where events are in PostgreSQL. */
  pids(): { console: number; postgres: number | null; engine: number | null };
  /** Causes a fault that lasts so long and waits until the console serves lists again. */
  disturb(kind: FaultKind, milliseconds: number): Promise<void>;
  /** Whether a fault explains what happened in this time. */
  isExplained(from: number, until?: number): boolean;
  stop(): Promise<void>;
};

/** A console that has just recovered may still reject calls, and connections that hang are given up after seconds. */
const graceMilliseconds = 10_000;
const recoveryMilliseconds = 120_000;
const stopMilliseconds = 60_000;

/** Key of every console of a run. */
export const secretKey = randomBytes(32).toString('base64');

/** Starts a console on an empty folder. `onProblem` gets what went wrong and does not end the run. */
export async function openInstallation(store: StoreName, folder: string, onProblem: (line: string) => void): Promise<Installation> {
  const dataDir = join(folder, store);
  mkdirSync(dataDir, { recursive: true });
  const environment = {
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: adminPassword,
    SECRET_KEY: secretKey,
    DEMO: '0',
    NODE_ENV: 'test',
    SESSION_HOURS: '8760',
    ...(store === 'clickhouse' ? { EVENT_STORE_URL: `chdb:${join(dataDir, 'events')}` } : {}),
  };
  const start = async (more: Record<string, string> = {}): Promise<ConsoleServer> =>
    startConsole({ ...environment, ...more }, (text) => appendFileSync(join(dataDir, 'output.txt'), text));

  let server = await start();
  const target: Target = { url: server.url, ...(await prepareCallers(server.url)) };
  const faults: Fault[] = [];
  let startedAt = Date.now();

  /** Null while the server is being started. */
  function postmaster(): number | null {
    try {
      const pid = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
      return pid > 0 ? pid : null;
    } catch {
      return null;
    }
  }
  const engine = (): number | null => engineOf(server.child.pid ?? 0);

  function pidsOf(part: string): number[] {
    const pid = part === 'postgres' ? postmaster() : part === 'engine' ? engine() : server.child.pid;
    if (typeof pid !== 'number') return [];
    return part === 'postgres' ? [pid, ...childrenOf(pid)] : [pid];
  }

  async function stopServer(): Promise<void> {
    const overdue = setTimeout(() => {
      onProblem(`a console did not end within ${stopMilliseconds / 1000} s`);
      server.child.kill('SIGKILL');
    }, stopMilliseconds);
    await server.stop();
    clearTimeout(overdue);
  }

  async function servesLists(): Promise<boolean> {
    const answers = await Promise.all(
      ['/readyz', 'all-requests?limit=10', 'servers'].map((path) => send(target.url, path, target.staff).catch(() => null)),
    );
    return answers.every((answer) => answer?.status === 200);
  }

  async function recover(kind: FaultKind): Promise<void> {
    const until = performance.now() + recoveryMilliseconds;
    while (!(await servesLists())) {
      if (performance.now() > until) throw new Error(`no lists ${recoveryMilliseconds / 1000} s after: ${kind}`);
      await wait(200);
    }
  }

  async function cause(kind: FaultKind, milliseconds: number): Promise<void> {
    const [verb, part = ''] = kind.split(' ');
    if (part === 'console' && verb !== 'freeze') {
      const { child } = server;
      if (verb === 'kill') child.kill('SIGKILL');
      else await stopServer();
      while (child.exitCode === null && child.signalCode === null) await wait(20);
      if (verb === 'restart' && child.exitCode !== null && child.exitCode !== 0)
        onProblem(`a console that was told to stop ended with ${child.exitCode}`);
      server = await start({ PORT: new URL(target.url).port });
      startedAt = Date.now();
      return;
    }
    const pids = pidsOf(part);
    if (verb === 'freeze') {
      signalAll(pids, 'SIGSTOP');
      await wait(milliseconds);
      signalAll(pids, 'SIGCONT');
      return;
    }
    signalAll(pids.slice(0, 1), 'SIGKILL');
    const until = performance.now() + recoveryMilliseconds;
    // The file of a killed server stays until the next one starts.
    while (pidsOf(part)[0] === pids[0] || pidsOf(part).length === 0) {
      if (performance.now() > until) throw new Error(`no new process ${recoveryMilliseconds / 1000} s after: ${kind}`);
      await wait(50);
    }
  }

  return {
    store,
    dataDir,
    target,
    faults,
    startedAt: () => startedAt,
    pids: () => ({ console: server.child.pid ?? 0, postgres: postmaster(), engine: engine() }),
    async disturb(kind, milliseconds) {
      const fault = { kind, from: Date.now(), until: Number.POSITIVE_INFINITY };
      faults.push(fault);
      await cause(kind, milliseconds);
      await recover(kind);
      fault.until = Date.now();
    },
    isExplained: (from, until = from) => faults.some((fault) => fault.from <= until && from <= fault.until + graceMilliseconds),
    stop: stopServer,
  };
}
