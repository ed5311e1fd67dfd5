import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runs } from '../../packages/api/test/console-process.ts';
import { createApp } from '../../packages/api/test/factories/app.ts';
import { signInAs } from '../../packages/api/test/sign-in-as.ts';
import { soon } from '../../packages/api/test/soon.ts';
import { openDatabases } from '../../packages/api/src/database/connect.ts';
import { startEmbeddedPostgres } from '../../packages/embedded-postgres/src/start-embedded-postgres.ts';
import { prepareDatabase } from '../../packages/api/src/database/prepare-database.ts';
import { recordAudit, transaction } from '../../packages/api/src/database/transaction.ts';
import { sealEntries } from '../../packages/api/src/features/audit-seals/seal-entries.ts';
import { createLoadAuditKeys } from '../../packages/api/src/secret-keys/derived-keys.ts';
import { holdKeys } from '../../packages/api/src/secret-keys/held-keys.ts';
import { openEngine, type EngineClient } from '@switchyard/traffic-store/clickhouse/engine-client';
import { migrateEngine } from '@switchyard/traffic-store/clickhouse/migrate-engine';
import { isEngineInstalled, startEngine } from '@switchyard/traffic-store/clickhouse/start-engine';
import { newParameters } from '@switchyard/traffic-store/clickhouse/statement';

// Not by its launcher, which a test without any PATH could not run.
const program = join(import.meta.dirname, '../../packages/api/src/cli/switchyard.ts');
let folder = '';
let file = '';
let dataDir = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-backup-'));
  dataDir = join(folder, 'data');
  file = join(folder, 'backup');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Run = { code: number | null; text: string };

/** Starts the tool; `end` waits for its exit code and what it wrote. */
function launch(what: string, env: Record<string, string> = {}): { child: ChildProcess; end: () => Promise<Run> } {
  const args = [program, ...what.split(' '), ...(what === 'start --no-build' ? [] : [file])];
  const child = spawn(process.execPath, args, { env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, ...env } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => void (text += chunk.toString()));
  const closed = once(child, 'close');
  return { child, end: async () => closed.then(() => ({ code: child.exitCode, text: text.trim() })) };
}

const run = (what: string, env: Record<string, string> = {}): Promise<Run> => launch(what, env).end();

/** A PATH with a tar that writes its number to a file, does the first part of its work and then waits. */
function slowTar(): { env: Record<string, string>; pid: () => Promise<number> } {
  const pidFile = join(folder, 'tar.pid');
  mkdirSync(join(folder, 'bin'), { recursive: true });
  const text = `#!/bin/sh\n[ "$1" = -xzf ] && mkdir "$4/postgres" || echo half > "$2"\necho $$ > '${pidFile}'\nexec sleep 60\n`;
  writeFileSync(join(folder, 'bin/tar'), text, { mode: 0o755 });
  const pid = (): number => Number(readFileSync(pidFile, 'utf8').trim() || 'none');
  return {
    env: { PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` },
    pid: () => vi.waitFor(() => (Number.isNaN(pid()) ? Promise.reject(new Error('not yet')) : pid()), soon),
  };
}

const untilEnded = (pid: number): Promise<void> => vi.waitFor(() => expect(runs(pid)).toBe(false), soon);

/** Every table with the number of its rows and a sum over what they hold. */
async function contents(url: string): Promise<Record<string, string>> {
  const databases = openDatabases({ url, onError: () => undefined });
  const { rows } = await databases.pools.ops.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const files: Record<string, string> = {};
  for (const { name } of rows) {
    const sum = `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as text from ${name} t`;
    files[name] = (await databases.pools.ops.query<{ text: string }>(sum)).rows[0]?.text ?? '';
  }
  await databases.close();
  return files;
}

const start = () => startEmbeddedPostgres({ dataDir, onProblem: () => undefined });

const key = 'the key of this installation, 32+';

async function fill(url: string): Promise<void> {
  const databases = openDatabases({ url, onError: () => undefined });
  await prepareDatabase(databases.opsDb);
  await createApp(databases, { bundle: 'com.kept' });
  await signInAs(databases, { role: 'Super Admin' });
  const entry = { actor: null, entity: 'role', action: 'update', id: 1, label: 'Admin', request: null, changes: [] } as const;
  await transaction(databases.db, (tx) => recordAudit(tx, entry, undefined));
  const loadKeys = createLoadAuditKeys(holdKeys({ key, previous: null }));
  await sealEntries({ databases, loadKeys, now: () => new Date() }, { anchor: null, isLossAcknowledged: false });
  await databases.close();
}

describe('backup and restore', { timeout: 120_000 }, () => {
  it('[OPS-010] give back all that was stored, with the key that opens it, in a folder of its own', async () => {
    const first = await start();
    writeFileSync(join(dataDir, 'secret-key'), key);
    await fill(first.url);
    const before = await contents(first.url);
    expect([before['public.apps'], before['public.sessions']]).toEqual([expect.stringMatching(/^1 /), expect.stringMatching(/^1 /)]);
    // As long as a console runs its files are not at rest.
    expect(await run('backup')).toEqual({ code: 1, text: expect.stringMatching(/^DATA_DIR .*: in use by another Switchyard/) });
    await first.stop();

    expect(await run('backup')).toEqual({ code: 0, text: `${file} holds everything that is stored.` });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await run('backup')).toEqual({ code: 1, text: `${file}: already exists (choose another name)` });
    expect(await run('restore')).toEqual({ code: 1, text: expect.stringContaining('already contains a database') });

    renameSync(dataDir, join(folder, 'lost'));
    expect(await run('restore')).toEqual({
      code: 0,
      text: expect.stringMatching(/All \d+ tables have the \d+ rows that were backed up\n.* is restored; start the console\.$/),
    });
    expect(readFileSync(join(dataDir, 'secret-key'), 'utf8')).toBe(key);
    const second = await start();
    expect(second.isFresh).toBe(false);
    expect(await contents(second.url)).toEqual(before);
    await second.stop();
  });

  it('[OPS-029] do not overwrite what belongs to a database that was moved away', async () => {
    await (await start()).stop();
    writeFileSync(join(dataDir, 'secret-key'), key);
    await run('backup');
    renameSync(join(dataDir, 'postgres'), join(folder, 'postgres'));
    const foreign = { 'secret-key': 'the key of another installation', 'postgres-password': 'its password' };
    for (const [name, text] of Object.entries(foreign)) writeFileSync(join(dataDir, name), text);
    const before = readdirSync(dataDir);
    const named = `DATA_DIR ${dataDir}: already contains another postgres-password and secret-key (move it away first, and keep it)`;
    expect(await run('restore')).toEqual({ code: 1, text: named });
    expect(readdirSync(dataDir)).toEqual(before);
    for (const [name, text] of Object.entries(foreign)) expect(readFileSync(join(dataDir, name), 'utf8')).toBe(text);
    rmSync(join(dataDir, 'postgres-password'));
    // The same file may stay.
    writeFileSync(join(dataDir, 'secret-key'), key);
    expect(await run('restore')).toMatchObject({ code: 0 });
    expect(readFileSync(join(dataDir, 'secret-key'), 'utf8')).toBe(key);
  });

  /** Moves an entry of the data folder to another folder and puts a symbolic link in its place. */
  const moveBehindLink = (entry: string): void => {
    const target = join(folder, 'disk', entry.replace('/', '-'));
    mkdirSync(join(folder, 'disk'), { recursive: true });
    renameSync(join(dataDir, entry), target);
    symlinkSync(target, join(dataDir, entry));
  };

  it('[OPS-030] hold what symbolic links lead to', async () => {
    const first = await start();
    writeFileSync(join(dataDir, 'secret-key'), key);
    await fill(first.url);
    const before = await contents(first.url);
    await first.stop();
    for (const entry of ['postgres/pg_wal', 'postgres', 'secret-key']) moveBehindLink(entry);
    expect(await run('backup')).toMatchObject({ code: 0 });
    for (const name of ['data', 'disk']) renameSync(join(folder, name), join(folder, `lost-${name}`));
    expect(await run('restore')).toMatchObject({ code: 0 });
    expect(readFileSync(join(dataDir, 'secret-key'), 'utf8')).toBe(key);
    const second = await start();
    expect(await contents(second.url)).toEqual(before);
    await second.stop();
  });

  it('[OPS-030] take no file that holds a link, and leave alone the database that it leads to', async () => {
    await (await start()).stop();
    const archive = (entry: string) => execFileSync('tar', ['-czf', file, '-C', dataDir, entry]);
    moveBehindLink('postgres/pg_wal');
    archive('postgres');
    const withLink = (link: string) => ({
      code: 1,
      text: `${file}: contains ${link} as a symbolic link, without its content (use another backup)`,
    });
    expect(await run('restore --drill')).toEqual(withLink('postgres/pg_wal'));
    rmSync(join(dataDir, 'postgres/pg_wal'));
    renameSync(join(folder, 'disk/postgres-pg_wal'), join(dataDir, 'postgres/pg_wal'));
    moveBehindLink('postgres');
    archive('postgres');
    const console = await start();
    expect(await run('restore --drill')).toEqual({ code: 1, text: expect.stringContaining('contains postgres') });
    expect(await contents(console.url)).toEqual({});
    await console.stop();
  });

  it.runIf(isEngineInstalled())('[API-028, OPS-030] include the events of an embedded ClickHouse in the data folder', async () => {
    const env = { EVENT_STORE_URL: `chdb:${join(dataDir, 'events')}` };
    const events = async (change: (engine: EngineClient) => Promise<void>): Promise<string[]> => {
      const { url, stop } = await startEngine(join(dataDir, 'events'), { onProblem: () => undefined });
      const engine = openEngine({ url, cluster: null });
      await change(engine);
      const storedLines = await engine.lines({ text: 'select id, row from events', parameters: newParameters() });
      await engine.close();
      await stop();
      return storedLines;
    };
    await (await start()).stop();
    const before = await events(async (engine) => {
      await migrateEngine({ engine, cluster: null });
      await engine.insert({ table: 'events', columns: ['id', 'row'], values: [[7, '[7]']], queryId: 'events-1' });
    });
    expect(before).toEqual(['7\t[7]']);
    moveBehindLink('postgres');
    const linked = `DATA_DIR ${dataDir}: postgres cannot be backed up beside ClickHouse (replace the symbolic link)`;
    expect(await run('backup', env)).toEqual({ code: 1, text: linked });
    rmSync(join(dataDir, 'postgres'));
    renameSync(join(folder, 'disk/postgres'), join(dataDir, 'postgres'));
    expect(await run('backup', env)).toEqual({
      code: 0,
      text: expect.stringMatching(/holds everything that is stored, except SECRET_KEY \([^)]+\)\.$/),
    });
    renameSync(dataDir, join(folder, 'lost'));
    expect(await run('restore', env)).toMatchObject({ code: 0 });
    expect(await events(async () => undefined)).toEqual(before);
    rmSync(join(dataDir, 'postgres'), { recursive: true });
    expect(await run('restore', env)).toEqual({ code: 1, text: expect.stringMatching(/^EVENT_STORE_URL: .*events already exists/) });
    rmSync(file);
    await (await start()).stop();
    const elsewhere = { EVENT_STORE_URL: 'http://127.0.0.1:9/events' };
    expect(await run('backup', elsewhere)).toEqual({
      code: 0,
      text: expect.stringMatching(/except SECRET_KEY \(.+\) and the events \(.+\)\.$/),
    });
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    '[OPS-013] leave no program, no file and a usable folder when a backup gets %s',
    async (signal) => {
      await (await start()).stop();
      const slow = slowTar();
      const { child, end } = launch('backup', slow.env);
      const tar = await slow.pid();
      expect(await run('backup')).toEqual({ code: 1, text: expect.stringMatching(/: in use by another Switchyard \(process \d+/) });
      child.kill(signal);
      expect(await end()).toEqual(signal === 'SIGKILL' ? { code: null, text: '' } : { code: 1, text: 'Stopped by SIGTERM' });
      await untilEnded(tar);
      expect(readdirSync(folder).filter((name) => name.startsWith('backup'))).toEqual(signal === 'SIGKILL' ? ['backup.part'] : []);
      expect(await run('backup')).toMatchObject({ code: 0 });
      expect(readdirSync(folder).filter((name) => name.startsWith('backup'))).toEqual(['backup', 'backup.counts']);
    },
  );

  it.each(['SIGKILL', 'SIGTERM'] as const)('[OPS-013] leave no program and no database when a restore gets %s', async (signal) => {
    await (await start()).stop();
    await run('backup');
    renameSync(dataDir, join(folder, 'lost'));
    const slow = slowTar();
    const { child, end } = launch('restore', slow.env);
    const tar = await slow.pid();
    const busy = { code: 1, text: expect.stringMatching(/: in use by another Switchyard \(process \d+/) };
    expect(await run('restore')).toEqual(busy);
    expect(await run('start --no-build', { PORT: '0', DEMO: '0' })).toEqual(busy);
    child.kill(signal);
    expect(await end()).toEqual(signal === 'SIGKILL' ? { code: null, text: '' } : { code: 1, text: 'Stopped by SIGTERM' });
    await untilEnded(tar);
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    if (signal === 'SIGKILL') {
      const unfinished = `${dataDir}/postgres.restore: left by a restore that did not finish (run it again, or delete this folder)`;
      expect(await run('start --no-build', { PORT: '0', DEMO: '0' })).toEqual({ code: 1, text: expect.stringContaining(unfinished) });
    }
    expect(await run('restore')).toMatchObject({ code: 0 });
    expect(readdirSync(dataDir).filter((name) => name.includes('restore'))).toEqual([]);
    const again = await start();
    expect(again.isFresh).toBe(false);
    await again.stop();
  });

  it('[OPS-012, SKEY-011] drill an archive beside the console, with its seals, and leave nothing behind', async () => {
    const first = await start();
    writeFileSync(join(dataDir, 'secret-key'), key);
    await fill(first.url);
    await first.stop();
    await run('backup');
    const console = await start();
    const before = await contents(console.url);
    expect(await run('restore --drill')).toEqual({
      code: 0,
      text: expect.stringMatching(
        /rows that were backed up\nAudit trail: Nothing was changed: \d+ sealed entries up to seal 1.*\nDrill: passed \(.*\)\.$/,
      ),
    });
    const otherKey = await run('restore --drill', { SECRET_KEY: 'another key of more than 32 characters' });
    expect(otherKey).toEqual({ code: 1, text: expect.stringMatching(/^SECRET_KEY: not the key of this database .*\nDrill: failed/m) });
    // The next drill deletes the files of a killed one.
    const slow = slowTar();
    const { child, end } = launch('restore --drill', slow.env);
    const tar = await slow.pid();
    expect(await run('restore --drill')).toEqual({ code: 1, text: expect.stringMatching(/restore-drill: in use by another Switchyard/) });
    child.kill('SIGKILL');
    await end();
    await untilEnded(tar);
    expect(existsSync(join(dataDir, 'restore-drill/data/postgres.restore'))).toBe(true);
    expect(await run('restore --drill')).toMatchObject({ code: 0 });
    // One bit of the archive is wrong.
    const bytes = readFileSync(file);
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
    writeFileSync(file, bytes);
    expect(await run('restore --drill')).toEqual({ code: 1, text: expect.stringMatching(/^tar: failed \(code \d\)$/m) });
    expect(existsSync(join(dataDir, 'restore-drill'))).toBe(false);
    expect(await contents(console.url)).toEqual(before);
    await console.stop();
  });

  it('report in one line what they cannot do', async () => {
    expect(await run('backup')).toEqual({ code: 1, text: expect.stringContaining('contains no database') });
    expect(await run('restore')).toEqual({ code: 1, text: `${file}: cannot be read` });
    writeFileSync(file, 'no backup');
    expect(await run('restore')).toEqual({ code: 1, text: `${file}: not a backup of this console` });
    writeFileSync(file, 'PGDMP…');
    expect(await run('restore')).toEqual({ code: 1, text: expect.stringContaining('set DATABASE_URL') });
    rmSync(file);
    const away = { DATABASE_URL: 'postgres://u:hush@127.0.0.1:9/none' };
    expect(await run('backup', away)).toEqual({ code: 1, text: 'Database: cannot connect (connect ECONNREFUSED 127.0.0.1:9)' });
    expect(existsSync(`${file}.part`)).toBe(false);
  });
});
