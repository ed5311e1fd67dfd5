import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { vi } from 'vitest';
import { endOf } from '../../packages/api/test/console-process.ts';
import { soon } from '../../packages/api/test/soon.ts';
import { childrenOf, signalAll } from '../console/processes.ts';
import { postgresAccount, postgresProgram } from './debian-programs.ts';
import { freePort } from './free-port.ts';

/** A PostgreSQL of the distribution in a temporary folder, with the check by which a load balancer finds the primary. */
export type PostgresServer = {
  port: number;
  /** Responds to `GET /primary` with 200 on the primary, else 503. */
  checkPort: number;
  query: (text: string) => Promise<Record<string, unknown>[]>;
  /** Kills every process of the server at once, as if its machine had lost power. */
  kill: () => Promise<void>;
  /** Makes a standby the primary; resolves when it accepts writes. */
  promote: () => Promise<void>;
  stop: () => Promise<void>;
};

const user = 'switchyard';
const databaseName = 'switchyard';

/** Address of the product's database at a port of this machine. */
export const databaseUrl = (port: number): string => `postgres://${user}@127.0.0.1:${port}/${databaseName}`;

const account = postgresAccount();

function run(program: string, ...options: string[]): void {
  execFileSync(postgresProgram(program), options, { ...account, stdio: ['ignore', 'ignore', 'inherit'], cwd: tmpdir() });
}

function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-cluster-'));
  mkdirSync(join(folder, 'data'), { mode: 0o700 });
  chmodSync(folder, 0o755);
  for (const path of [folder, join(folder, 'data')]) if (account.uid !== undefined) chownSync(path, account.uid, account.gid ?? 0);
  return folder;
}

/** Starts an empty server with the product's database. */
export async function startPrimary(): Promise<PostgresServer> {
  const folder = ownFolder();
  run('initdb', '-D', join(folder, 'data'), '-U', user, '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8');
  const server = await launch(folder);
  await server.queryAt('postgres', `create database ${databaseName}`);
  return server;
}

/** Starts a standby of a primary, and has the primary acknowledge only what the standby has stored, too. */
export async function startStandby(primary: PostgresServer): Promise<PostgresServer> {
  const folder = ownFolder();
  const connection = `host=127.0.0.1 port=${primary.port} user=${user} application_name=standby`;
  run('pg_basebackup', '-D', join(folder, 'data'), '-d', connection, '-R', '--checkpoint=fast', '--no-sync');
  const standby = await launch(folder);
  await vi.waitFor(async () => expectOne(await primary.query(`select from pg_stat_replication where state = 'streaming'`)), soon);
  await primary.query(`alter system set synchronous_standby_names = 'standby'`);
  await primary.query('select pg_reload_conf()');
  await vi.waitFor(async () => expectOne(await primary.query(`select from pg_stat_replication where sync_state = 'sync'`)), soon);
  return standby;
}

function expectOne(rows: readonly unknown[]): void {
  if (rows.length !== 1) throw new Error(`${rows.length} rows instead of one`);
}

async function launch(folder: string): Promise<PostgresServer & { queryAt: (database: string, text: string) => Promise<unknown> }> {
  const port = await freePort();
  const data = join(folder, 'data');
  const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: folder, shared_buffers: '64MB', max_connections: 150 };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(postgresProgram('postgres'), ['-D', data, ...options], { ...account, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-20_000)));

  async function queryAt(database: string, text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ host: '127.0.0.1', port, user, database, connectionTimeoutMillis: 2000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  await vi.waitFor(async () => {
    if (child.exitCode !== null) throw new Error(log);
    await queryAt('postgres', 'select 1');
  }, soon);
  const check = await startCheck(
    async () => (await queryAt('postgres', 'select not pg_is_in_recovery() as is_primary'))[0]?.['is_primary'] === true,
  );
  return {
    port,
    checkPort: check.port,
    queryAt,
    query: (text) => queryAt(databaseName, text),
    async kill() {
      const pid = child.pid ?? 0;
      signalAll([pid, ...childrenOf(pid)], 'SIGKILL');
      await endOf(child);
    },
    async promote() {
      run('pg_ctl', 'promote', '-D', data, '-w', '-t', '30');
    },
    async stop() {
      check.stop();
      // Immediate: nothing of it is needed any more, and connections of a failed test must not hold it up.
      await endOf(child, 'SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startCheck(isPrimary: () => Promise<boolean>): Promise<{ port: number; stop: () => void }> {
  const server = createServer((_request, response) => {
    void isPrimary()
      .catch(() => false)
      .then((is) => response.writeHead(is ? 200 : 503, { connection: 'close' }).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, stop: () => void server.close() };
}
