import { join } from 'node:path';
import { vi } from 'vitest';
import { type ConsoleProcesses, consoleProcesses, endOf, type StartedConsole } from '../../packages/api/test/console-process.ts';
import { adminPassword, prepareCallers } from '../console/console-under-load.ts';
import type { Target } from '../console/clients.ts';
import { consoleProxy, type LoadBalancer, startLoadBalancer } from './load-balancer.ts';
import { freePort } from '../console/free-port.ts';

/** Three consoles behind HAProxy over one database. */
export type ConsoleCluster = {
  /** The address of HAProxy with callers who have signed in there. */
  target: Target;
  consoles: StartedConsole[];
  proxy: LoadBalancer;
  /** Starts the console at a place again, on the port that it had. */
  startAgain: (at: number) => Promise<StartedConsole>;
  /** Starts it without waiting until it is ready. */
  launch: (at: number) => ReturnType<ConsoleProcesses['launch']>;
  /** Environment variables of the console at a place. */
  environment: (at: number) => Record<string, string>;
  stop: () => Promise<void>;
};

/** @param databases configurations of HAProxy that the consoles need to reach their database. */
export async function startCluster(
  databaseUrl: string,
  { databases = [], env = {} }: { databases?: readonly string[]; env?: Readonly<Record<string, string>> } = {},
): Promise<ConsoleCluster> {
  const processes: ConsoleProcesses = consoleProcesses();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const ports: [number, number, number] = [await freePort(), await freePort(), await freePort()];
  const proxy = await startLoadBalancer([consoleProxy(port, ports), ...databases], port);
  const environment = (at: number): Record<string, string> => ({
    PATH: process.env['PATH'] ?? '',
    ADMIN_PASSWORD: adminPassword,
    APP_URL: url,
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(processes.folder, `console-${at + 1}`),
    DEMO: '0',
    DRAIN_SECONDS: '5',
    PORT: String(ports[at]),
    SECRET_KEY: 'cluster-tests-key-0123456789abcdef0123456789',
    TRUSTED_PROXIES: '127.0.0.1',
    ...env,
  });
  const start = async (at: number): Promise<StartedConsole> => {
    const console = await processes.start(environment(at));
    // It says the address of HAProxy.
    return { ...console, url: `http://127.0.0.1:${ports[at]}` };
  };
  // At once, as an orchestrator does: one of them migrates the database and creates the administrator.
  const consoles = await Promise.all(ports.map((_, at) => start(at)));
  return {
    target: { url, ...(await whenUp(() => prepareCallers(url))) },
    consoles,
    proxy,
    environment,
    launch: (at) => processes.launch(environment(at)),
    async startAgain(at) {
      const member = await start(at);
      consoles[at] = member;
      return member;
    },
    async stop() {
      await Promise.all(consoles.map(({ child }) => endOf(child, 'SIGKILL')));
      await processes.cleanUp();
      await proxy.stop();
    },
  };
}

/** HAProxy needs a check to learn that a console is ready. */
async function whenUp<T>(call: () => Promise<T>): Promise<T> {
  return vi.waitFor(call, { timeout: 30_000, interval: 100 });
}
