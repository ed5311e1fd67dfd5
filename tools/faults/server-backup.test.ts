import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { endOf, runProgram } from '../../packages/api/test/console-process.ts';
import { createApp } from '../../packages/api/test/factories/app.ts';
import { soon } from '../../packages/api/test/soon.ts';
import { openDatabases } from '../../packages/api/src/database/connect.ts';
import { migrate } from '../../packages/api/src/database/migrate.ts';
import { claimDatabase } from '../../packages/api/src/secret-keys/claim-database.ts';
import { holdKeys, keyName } from '../../packages/api/src/secret-keys/held-keys.ts';
import { isPostgresInstalled, postgresProgram } from '../console/debian-programs.ts';
import { databaseUrl, type PostgresServer, startPrimary } from '../console/postgres-pair.ts';

const program = join(import.meta.dirname, '../../packages/api/src/cli/switchyard.ts');
const key = 'Zp3kM9wQx7Lr2VtB8nYc5HsJ4dFg6TaE';
let server: PostgresServer;
let folder = '';
let backups = '';
let env: Record<string, string> = {};

/** A database of the server beside that of the console. */
const addressOf = (name: string): string => databaseUrl(server.port).replace(/\w+$/, name);

async function createDatabase(name: string): Promise<string> {
  await server.query(`drop database if exists ${name} with (force)`);
  await server.query(`create database ${name}`);
  return addressOf(name);
}

/** Starts the command, with its output. */
function launch(args: readonly string[], extra: Readonly<Record<string, string>> = {}): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, [program, ...args], { env: { ...env, ...extra }, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => void (text += chunk.toString()));
  return { child, output: () => text.trim() };
}

async function run(args: readonly string[], extra: Readonly<Record<string, string>> = {}): Promise<{ code: number | null; text: string }> {
  const { code, stdout, stderr } = await runProgram(args, { env: { ...env, ...extra } });
  return { code, text: `${stdout}${stderr}`.trim() };
}

/** Whether a program with this in its command line runs. */
function isRunning(name: string, argument: string): boolean {
  const lines = readdirSync('/proc').map((pid) => {
    try {
      return /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0') : [];
    } catch {
      return [];
    }
  });
  return lines.some((line) => line[0]?.endsWith(name) === true && line.some((part) => part.includes(argument)));
}

/** The end of the command by a signal, with its output. */
const stopped = {
  SIGKILL: ['SIGKILL', expect.not.stringContaining('Stopped')],
  SIGTERM: [1, expect.stringMatching(/^Stopped by SIGTERM$/m)],
};

const untilRuns = (name: string, argument: string): Promise<void> => vi.waitFor(() => expect(isRunning(name, argument)).toBe(true), soon);
const untilEnded = (name: string, argument: string): Promise<void> => vi.waitFor(() => expect(isRunning(name, argument)).toBe(false), soon);

/** Every table of a database with its rows, in the form of a backup's counts. */
async function rowsOf(url: string): Promise<Record<string, number>> {
  const databases = openDatabases({ url, onError: () => undefined });
  const { rows } = await databases.pools.ops.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'jobs')
    and format('%I.%I', schemaname, tablename)::regclass not in (select partrelid from pg_partitioned_table) order by 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of rows)
    counts[name] = (await databases.pools.ops.query<{ count: number }>(`select count(*) from ${name}`)).rows[0]?.count ?? 0;
  await databases.close();
  return counts;
}

/** Holds a lock in a transaction of its own until the returned function is called. */
async function holdOpen(url: string, statement: string): Promise<() => Promise<void>> {
  const databases = openDatabases({ url, onError: () => undefined });
  const client = await databases.pools.exports.connect();
  await client.query('begin');
  await client.query(statement);
  return async () => {
    client.release(true);
    await databases.close();
  };
}

describe.runIf(isPostgresInstalled())('backup and restore of a PostgreSQL server', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    server = await startPrimary();
    const databases = openDatabases({ url: databaseUrl(server.port), onError: () => undefined });
    await migrate(databases.opsDb);
    await createApp(databases, { bundle: 'com.kept' });
    await databases.close();
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'switchyard-backup-'));
    backups = join(folder, 'backups');
    mkdirSync(backups);
    const path = `${dirname(postgresProgram('pg_dump'))}${delimiter}${process.env['PATH'] ?? ''}`;
    env = { PATH: path, DATA_DIR: join(folder, 'data'), DATABASE_URL: databaseUrl(server.port), SECRET_KEY: key };
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const files = (): string[] => readdirSync(backups).toSorted();

  it('[OPS-010, OPS-011, MON-006] counts what it dumps, and gives it back in an empty database', async () => {
    mkdirSync(join(folder, 'data'));
    const nowhere = '/proc/none/file.backup';
    expect(await run(['backup', nowhere])).toEqual({ code: 1, text: `${nowhere}: cannot be written (it cannot be made there)` });
    const first = await run(['backup', '--keep', '2', backups]);
    expect(readdirSync(join(folder, 'data'))).toContain('last-backup');
    expect(first).toEqual({
      code: 0,
      text: expect.stringMatching(/everything that is stored, except SECRET_KEY .*\nBackups in .*: 1\.$/),
    });
    const [name = '', counts = ''] = files();
    expect([name, counts]).toEqual([expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{6}Z\.backup$/), `${name}.counts`]);
    expect(files().map((file) => statSync(join(backups, file)).mode & 0o777)).toEqual([0o600, 0o600]);
    const stored = await rowsOf(env['DATABASE_URL'] ?? '');
    expect(JSON.parse(readFileSync(join(backups, counts), 'utf8'))).toMatchObject({ rows: stored });
    const target = await createDatabase('restored');
    const restored = await run(['restore', join(backups, name)], { DATABASE_URL: target });
    expect(restored).toEqual({
      code: 0,
      text: expect.stringMatching(/All \d+ tables have the \d+ rows that were backed up\n.* SECRET_KEY/),
    });
    expect(await rowsOf(target)).toEqual(stored);
    expect(await run(['restore', join(backups, name)], { DATABASE_URL: target })).toEqual({
      code: 1,
      text: 'DATABASE_URL: the database is not empty (create a new one)',
    });
  });

  it.each([
    [':50%@', 'max=3&keepAlive=true'],
    ['@', 'password=50%25&uselibpqcompat=true'],
  ])('[OPS-031] works with an address of the driver (%s, %s), and shows the password to no other account', async (password, parameters) => {
    // Keeps the arguments, which other accounts could read, and the password.
    for (const name of ['pg_dump', 'pg_restore']) {
      const text = `#!/bin/sh\necho "$*" "$PGPASSWORD" >> '${folder}/calls'\nexec '${postgresProgram(name)}' "$@"\n`;
      writeFileSync(join(folder, name), text, { mode: 0o755 });
    }
    const addressed = (url: string) => ({
      PATH: `${folder}${delimiter}${env['PATH'] ?? ''}`,
      DATABASE_URL: `${url.replace('@', password)}?${parameters}`,
    });
    const file = join(folder, 'file');
    expect(await run(['check'], addressed(env['DATABASE_URL'] ?? ''))).toMatchObject({
      text: expect.stringContaining('Backup: pg_dump fits this server'),
    });
    expect(await run(['backup', file], addressed(env['DATABASE_URL'] ?? ''))).toMatchObject({ code: 0 });
    expect(await run(['restore', file], addressed(await createDatabase('addressed')))).toMatchObject({ code: 0 });
    const calls = readFileSync(join(folder, 'calls'), 'utf8')
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('--version'));
    expect(calls).toHaveLength(3);
    for (const line of calls) expect(line.split('50%')).toEqual([expect.stringContaining(`dbname=host='127.0.0.1'`), '']);
  });

  it('[SKEY-001, SKEY-011] names the key that a backup needs, and a console with another one does not start', async () => {
    const databases = openDatabases({ url: databaseUrl(server.port), onError: () => undefined });
    const keys = holdKeys({ key, previous: null });
    await claimDatabase(databases, keys);
    await databases.close();
    const file = join(backups, 'x.backup');
    await run(['backup', file]);
    const target = await createDatabase('restored');
    const name = keyName(keys.main.fingerprint);
    expect(await run(['restore', file], { DATABASE_URL: target })).toEqual({
      code: 0,
      text: expect.stringContaining(`${file} is restored; start the console with the SECRET_KEY that it was stored with (${name}).`),
    });
    const other = { DATABASE_URL: target, SECRET_KEY: `other ${key}`, PORT: '0', DEMO: '0' };
    expect(await run(['start', '--no-build'], other)).toEqual({
      code: 1,
      text: expect.stringMatching(new RegExp(`^SECRET_KEY: not the key of this database \\(it needs ${name}, in use since .*\\)$`)),
    });
  });

  it('[OPS-010] counts in the snapshot that is dumped, whatever is written meanwhile', async () => {
    const programs = join(folder, 'programs');
    mkdirSync(programs);
    const write = `${postgresProgram('psql')} -q "$DATABASE_URL" -c 'create table later ()' -c "delete from apps"`;
    const text = `#!/bin/sh\n[ "$1" = --version ] || ${write} || exit 1\nexec ${postgresProgram('pg_dump')} "$@"\n`;
    writeFileSync(join(programs, 'pg_dump'), text, { mode: 0o755 });
    const file = join(backups, 'x.backup');
    expect(await run(['backup', file], { PATH: `${programs}${delimiter}${env['PATH']}` })).toMatchObject({ code: 0 });
    const target = await createDatabase('restored');
    expect(await run(['restore', file], { DATABASE_URL: target })).toMatchObject({ code: 0 });
    expect(await rowsOf(target)).toMatchObject({ 'public.apps': 1 });
    await server.query('drop table later');
    // The one app of these tests again.
    const databases = openDatabases({ url: databaseUrl(server.port), onError: () => undefined });
    await createApp(databases, { bundle: 'com.kept' });
    await databases.close();
  });

  it('[OPS-010] says in one line that the database is empty, which a timer would keep instead of good backups', async () => {
    expect(await run(['backup', '--keep', '1', backups], { DATABASE_URL: await createDatabase('empty') })).toEqual({
      code: 1,
      text: 'DATABASE_URL: the database has no tables (there is nothing to back up)',
    });
    expect(files()).toEqual([]);
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)('[OPS-013] leaves no pg_dump and no file when a backup gets %s', async (signal) => {
    writeFileSync(join(backups, '2020-01-01T000000Z.backup'), 'an earlier one');
    // pg_dump waits for this lock, too.
    const release = await holdOpen(databaseUrl(server.port), 'lock table only events in access exclusive mode');
    const { child, output } = launch(['backup', '--keep', '1', backups]);
    await untilRuns('pg_dump', backups);
    expect(await run(['backup', '--keep', '1', backups])).toEqual({ code: 1, text: 'Database: another backup is running' });
    expect([await endOf(child, signal), output()]).toEqual(stopped[signal]);
    await untilEnded('pg_dump', backups);
    await release();
    const draft = signal === 'SIGKILL' ? [expect.stringMatching(/\.backup\.part$/)] : [];
    expect(files()).toEqual(['2020-01-01T000000Z.backup', ...draft]);
    await vi.waitFor(async () => expect(await run(['backup', '--keep', '1', backups])).toMatchObject({ code: 0 }), soon);
    expect(files()).toEqual([expect.stringMatching(/^20[2-9]\d.*Z\.backup$/), expect.stringMatching(/\.backup\.counts$/)]);
    expect(files()[0]).not.toMatch(/^2020/);
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    '[OPS-013] leaves no pg_restore and an empty database when a restore gets %s',
    async (signal) => {
      const file = join(backups, 'x.backup');
      await run(['backup', file]);
      const target = await createDatabase('interrupted');
      // pg_restore waits for the end of this transaction, to see whether the table exists.
      const release = await holdOpen(target, 'create table apps ()');
      const { child, output } = launch(['restore', file], { DATABASE_URL: target });
      await untilRuns('pg_restore', file);
      await vi.waitFor(async () => {
        const waiting = await server.query(
          `select from pg_stat_activity where application_name = 'pg_restore' and wait_event_type = 'Lock'`,
        );
        expect(waiting).toHaveLength(1);
      }, soon);
      const other = { DATABASE_URL: target, PORT: '0', DEMO: '0' };
      const busy = 'Database: another restore, or the start of a console, is running';
      expect(await run(['restore', file], other)).toEqual({ code: 1, text: busy });
      expect(await run(['start', '--no-build'], other)).toEqual({
        code: 1,
        text: expect.stringContaining('Database: a restore is running (start again when it has ended)'),
      });
      expect([await endOf(child, signal), output()]).toEqual(stopped[signal]);
      await untilEnded('pg_restore', file);
      await release();
      expect(await rowsOf(target)).toEqual({});
      await vi.waitFor(async () => expect(await run(['restore', file], other)).toMatchObject({ code: 0 }), soon);
      expect(await rowsOf(target)).toEqual(await rowsOf(databaseUrl(server.port)));
    },
  );

  it('[OPS-012] drills a dump without the server, and finds rows that differ and a damaged file', async () => {
    const file = join(backups, 'x.backup');
    await run(['backup', file]);
    const elsewhere = { DATABASE_URL: 'postgres://u:hush@127.0.0.1:9/none' };
    const passed = await run(['restore', '--drill', file], elsewhere);
    expect(passed).toEqual({
      code: 0,
      text: expect.stringMatching(/rows that were backed up\nAudit trail: Nothing was changed: .*\nDrill: passed \(.*\)\.$/),
    });
    expect(readdirSync(join(folder, 'data'))).toEqual([]);

    const counts = readFileSync(`${file}.counts`, 'utf8');
    writeFileSync(`${file}.counts`, counts.replace('"public.apps": 1', '"public.apps": 2,\n "public.lost": 5'));
    const differs = await run(['restore', '--drill', file], elsewhere);
    expect(differs.code).toBe(1);
    expect(differs.text).toContain('public.apps: 1 rows restored, 2 rows backed up\npublic.lost: no table restored, 5 rows backed up\n');
    expect(differs.text).toMatch(/^Tables that differ: 2 of \d+$/m);
    writeFileSync(`${file}.counts`, counts);

    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, bytes.length - 2000));
    expect(await run(['restore', '--drill', file], elsewhere)).toEqual({
      code: 1,
      text: expect.stringMatching(/^pg_restore: failed \(code 1\)$/m),
    });
    const target = await createDatabase('damaged');
    expect(await run(['restore', file], { DATABASE_URL: target })).toMatchObject({ code: 1 });
    expect(await rowsOf(target)).toEqual({});
    expect(readdirSync(join(folder, 'data'))).toEqual([]);
  });
});
