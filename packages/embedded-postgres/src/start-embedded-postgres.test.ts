import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StartupError } from './startup-error.ts';
import { stopOrphanedServer } from './orphaned-servers.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start-embedded-postgres.ts';

let dataDir = '';
const problems: string[] = [];
const recoveries: string[] = [];
const servers: EmbeddedPostgres[] = [];

beforeEach(() => {
  // mkdtemp gives mode 700: as root this is the folder that no other account can enter.
  dataDir = join(mkdtempSync(join(tmpdir(), 'switchyard-embedded-')), 'data');
  problems.length = 0;
  recoveries.length = 0;
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
  rmSync(join(dataDir, '..'), { recursive: true, force: true });
});

async function start(): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({
    dataDir,
    onProblem: (line) => problems.push(line),
    onRecovery: (line) => recoveries.push(line),
  });
  servers.push(server);
  return server;
}

async function stop(server: EmbeddedPostgres): Promise<void> {
  servers.splice(servers.indexOf(server), 1);
  await server.stop();
}

async function query(server: EmbeddedPostgres, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: server.url });
  // A server that is killed cuts the connection.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

async function refusal(): Promise<string> {
  const error: unknown = await start().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StartupError);
  return error instanceof Error ? error.message : '';
}

const postmasterFile = (): string => join(dataDir, 'postgres/postmaster.pid');

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('the PostgreSQL of our own', { timeout: 120_000 }, () => {
  it('keeps its data over a second start, its safety settings on, and its files to its own account', async () => {
    const first = await start();
    expect(first.isFresh).toBe(true);
    await query(first, `create table kept as select 'Ä' as letter`);
    await stop(first);
    expect(runs(first.pid())).toBe(false);
    const second = await start();
    expect(second.isFresh).toBe(false);
    expect(await query(second, 'select lower(letter) as letter from kept')).toEqual([{ letter: 'ä' }]);
    expect(
      await query(
        second,
        `select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'jit') order by 1`,
      ),
    ).toEqual([
      { name: 'fsync', setting: 'on' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'jit', setting: 'off' },
      { name: 'synchronous_commit', setting: 'on' },
    ]);
    expect(await query(second, 'select rolsuper as super from pg_roles where rolname = current_user')).toEqual([{ super: false }]);
    expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, 'postgres-password')).mode & 0o777).toBe(0o600);
  });

  it('is one only, however many want it', async () => {
    const outcomes = await Promise.allSettled([start(), start(), start()]);
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(String(outcome.reason)).toMatch(/in use/);
  });

  it('restarts on the same address when its process is killed, with all acknowledged writes', async () => {
    const server = await start();
    await query(server, 'create table kept as select 1 as one');
    const killedPid = server.pid();
    process.kill(killedPid, 'SIGKILL');
    // In between it may say that another program has taken its port for a moment.
    await expect.poll(() => recoveries).toEqual(['Embedded PostgreSQL: recovered']);
    expect(problems[0]).toContain('ended unexpectedly');
    expect(server.pid()).not.toBe(killedPid);
    expect(await query(server, 'select one from kept')).toEqual([{ one: 1 }]);
  });

  it('takes no stranger for a server that a crash left behind, and replaces a password that was lost', async () => {
    const server = await start();
    const file = readFileSync(postmasterFile(), 'utf8');
    await stop(server);
    // After a crash of the machine the number may belong to anybody, here to this very test.
    writeFileSync(postmasterFile(), file.replace(/^\d+/, String(process.pid)));
    const second = await start();
    expect(second.pid()).not.toBe(process.pid);
    expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }]);
    await stop(second);
    rmSync(join(dataDir, 'postgres-password'));
    expect(await query(await start(), 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('[R1] never takes what a killed server left for the word of the next, which in a container may have the same number', async () => {
    const folder = join(dataDir, 'postgres');
    mkdirSync(folder, { recursive: true });
    // A number beyond all that systems give: nobody has it.
    writeFileSync(postmasterFile(), `4194305\n${folder}\n1795000000\n5432\n\n127.0.0.1\n\nready   \n`);
    await stopOrphanedServer(folder);
    // Only where processes can be seen is it known that none of them works on.
    expect(existsSync(postmasterFile())).toBe(!existsSync('/proc/self'));
  });

  it('starts again after a first start that was killed half-way', async () => {
    mkdirSync(join(dataDir, 'postgres.new/base'), { recursive: true });
    const server = await start();
    expect(server.isFresh).toBe(true);
    expect(existsSync(join(dataDir, 'postgres.new'))).toBe(false);
  });

  it('rejects in one line the folder of another version, of something else, and one that it cannot create', async () => {
    mkdirSync(join(dataDir, 'postgres'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres/notes.txt'), '');
    expect(await refusal()).toMatch(/not empty and not a PostgreSQL data folder/);
    writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '15\n');
    expect(await refusal()).toMatch(/PostgreSQL 15.*PostgreSQL 18/);
    expect(existsSync(join(dataDir, 'switchyard.lock'))).toBe(false);
    rmSync(dataDir, { recursive: true });
    writeFileSync(dataDir, '');
    expect(await refusal()).toMatch(/cannot be written \(a part of the path is a file\)/);
  });
});
