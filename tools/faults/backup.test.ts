import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../packages/api/test/factories/app.ts';
import { signInAs } from '../../packages/api/test/sign-in-as.ts';
import { openDatabases } from '../../packages/api/src/database/connect.ts';
import { startEmbeddedPostgres } from '../../packages/embedded-postgres/src/start-embedded-postgres.ts';
import { migrate } from '../../packages/api/src/database/migrate.ts';
import { openEngine, type EngineClient } from '../../packages/api/src/traffic-store/clickhouse/engine-client.ts';
import { migrateEngine } from '../../packages/api/src/traffic-store/clickhouse/migrate-engine.ts';
import { isEngineInstalled, startEngine } from '../../packages/api/src/traffic-store/clickhouse/start-engine.ts';
import { newParameters } from '../../packages/api/src/traffic-store/clickhouse/statement.ts';

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

/** Runs the tool; its exit code and what it wrote. */
async function run(what: string, env: Record<string, string> = {}): Promise<{ code: number | null; text: string }> {
  const child = spawn(process.execPath, [program, what, file], { env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, ...env } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => void (text += chunk.toString()));
  await once(child, 'close');
  return { code: child.exitCode, text: text.trim() };
}

/** Every table with the number of its rows and a sum over what they hold. */
async function contents(url: string): Promise<Record<string, string>> {
  const databases = openDatabases({ url, onError: () => undefined });
  const { rows } = await databases.pools.ops.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const found: Record<string, string> = {};
  for (const { name } of rows) {
    const sum = `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as text from ${name} t`;
    found[name] = (await databases.pools.ops.query<{ text: string }>(sum)).rows[0]?.text ?? '';
  }
  await databases.close();
  return found;
}

const start = () => startEmbeddedPostgres({ dataDir, onProblem: () => undefined });

async function fill(url: string): Promise<void> {
  const databases = openDatabases({ url, onError: () => undefined });
  await migrate(databases.opsDb);
  await createApp(databases, { bundle: 'com.kept' });
  await signInAs(databases, { role: 'Super Admin' });
  await databases.close();
}

describe('backup and restore', { timeout: 120_000 }, () => {
  it('give back all that was stored, with the key that opens it, in a folder of its own', async () => {
    const first = await start();
    writeFileSync(join(dataDir, 'secret-key'), 'the key of this installation');
    await fill(first.url);
    const before = await contents(first.url);
    expect([before['public.apps'], before['public.sessions']]).toEqual([expect.stringMatching(/^1 /), expect.stringMatching(/^1 /)]);
    // As long as a console runs its files are not at rest.
    expect(await run('backup')).toEqual({ code: 1, text: expect.stringMatching(/^DATA_DIR .*: in use by another Switchyard/) });
    await first.stop();

    expect(await run('backup')).toEqual({ code: 0, text: expect.stringContaining('holds everything that is stored') });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await run('backup')).toEqual({ code: 1, text: `${file}: already exists (choose another name)` });
    expect(await run('restore')).toEqual({ code: 1, text: expect.stringContaining('already contains a database') });

    renameSync(dataDir, join(folder, 'lost'));
    expect(await run('restore')).toEqual({ code: 0, text: expect.stringContaining('is restored') });
    expect(readFileSync(join(dataDir, 'secret-key'), 'utf8')).toBe('the key of this installation');
    const second = await start();
    expect(second.isFresh).toBe(false);
    expect(await contents(second.url)).toEqual(before);
    await second.stop();
  });

  it.runIf(isEngineInstalled())('[API-028] include the events of an embedded ClickHouse in the data folder', async () => {
    const env = { EVENT_STORE_URL: `chdb:${join(dataDir, 'events')}` };
    const events = async (change: (engine: EngineClient) => Promise<void>): Promise<string[]> => {
      const { url, stop } = await startEngine(join(dataDir, 'events'), { onProblem: () => undefined });
      const engine = openEngine({ url, cluster: null });
      await change(engine);
      const stored = await engine.lines({ text: 'select id, row from events', parameters: newParameters() });
      await engine.close();
      await stop();
      return stored;
    };
    await (await start()).stop();
    const before = await events(async (engine) => {
      await migrateEngine({ engine, cluster: null });
      await engine.insert({ table: 'events', columns: ['id', 'row'], values: [[7, '[7]']], queryId: 'events-1' });
    });
    expect(before).toEqual(['7\t[7]']);
    expect(await run('backup', env)).toEqual({ code: 0, text: expect.stringMatching(/holds everything that is stored\.$/) });
    renameSync(dataDir, join(folder, 'lost'));
    expect(await run('restore', env)).toMatchObject({ code: 0 });
    expect(await events(async () => undefined)).toEqual(before);
    rmSync(join(dataDir, 'postgres'), { recursive: true });
    expect(await run('restore', env)).toEqual({ code: 1, text: expect.stringMatching(/^EVENT_STORE_URL: .*events already exists/) });
    rmSync(file);
    await (await start()).stop();
    const elsewhere = { EVENT_STORE_URL: 'http://127.0.0.1:9/events' };
    expect(await run('backup', elsewhere)).toEqual({ code: 0, text: expect.stringContaining('except the events') });
  });

  it('refuse in one line what they cannot do', async () => {
    expect(await run('backup')).toEqual({ code: 1, text: expect.stringContaining('contains no database') });
    expect(await run('restore')).toEqual({ code: 1, text: `${file}: cannot be read` });
    writeFileSync(file, 'no backup');
    expect(await run('restore')).toEqual({ code: 1, text: `${file}: not a backup of this console` });
    writeFileSync(file, 'PGDMP…');
    expect(await run('restore')).toEqual({ code: 1, text: expect.stringContaining('set DATABASE_URL') });
    rmSync(file);
    const away = { DATABASE_URL: 'postgres://u:hush@127.0.0.1:9/none', PATH: '/nonexistent' };
    expect(await run('backup', away)).toEqual({
      code: 1,
      text: 'pg_dump: cannot be run (it is part of the client programs of PostgreSQL)',
    });
    expect(existsSync(`${file}.part`)).toBe(false);
  });
});
