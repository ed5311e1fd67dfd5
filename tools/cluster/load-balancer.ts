import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { endOf } from '../../packages/api/test/console-process.ts';
import { soon } from '../../packages/api/test/soon.ts';
import { haproxyProgram } from '../console/debian-programs.ts';
import type { PostgresServer } from '../console/postgres-pair.ts';

/** A running HAProxy. */
export type LoadBalancer = { log: () => string; stop: () => Promise<void> };

const read = (name: string): string => readFileSync(join(import.meta.dirname, '../../deploy', name), 'utf8');

/** Replaces a text that must be there once. */
function replaceOnce(text: string, from: string, to: string): string {
  if (text.split(from).length !== 2) throw new Error(`"${from}" is not there once`);
  return text.replace(from, to);
}

/** deploy/haproxy.cfg with the addresses of a test and a third console. */
export function consoleProxy(port: number, consolePorts: readonly [number, number, number]): string {
  const [first, second, third] = consolePorts;
  const own = replaceOnce(replaceOnce(read('haproxy.cfg'), 'bind :8080', `bind 127.0.0.1:${port}`), 'console-1:3000', `127.0.0.1:${first}`);
  return `${replaceOnce(own, 'console-2:3000', `127.0.0.1:${second}`)}  server console-3 127.0.0.1:${third}\n`;
}

/** deploy/haproxy-postgres.cfg with the addresses of a test. */
export function postgresProxy(port: number, servers: readonly [PostgresServer, PostgresServer]): string {
  const boundConfiguration = replaceOnce(read('haproxy-postgres.cfg'), 'bind :5432', `bind 127.0.0.1:${port}`);
  return servers.reduce(
    (text, server, at) => replaceOnce(text, `postgres-${at + 1}:5432 port 8008`, `127.0.0.1:${server.port} port ${server.checkPort}`),
    boundConfiguration,
  );
}

/** Starts HAProxy with these configurations and waits until it accepts connections at `port`. */
export async function startLoadBalancer(configurations: readonly string[], port: number): Promise<LoadBalancer> {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-haproxy-'));
  const files = configurations.map((text, at) => {
    const file = join(folder, `${at}.cfg`);
    writeFileSync(file, text);
    return file;
  });
  const child = spawn(haproxyProgram, ['-db', ...files.flatMap((file) => ['-f', file])], { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  await vi.waitFor(async () => {
    if (child.exitCode !== null) throw new Error(log);
    await new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve();
      });
      socket.on('error', reject);
    });
  }, soon);
  return {
    log: () => log,
    async stop() {
      await endOf(child, 'SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
