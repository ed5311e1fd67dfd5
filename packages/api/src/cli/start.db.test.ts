import { productVersion } from '@switchyard/contract/limits';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type ConsoleProcesses, type StartedConsole, consoleProcesses, endOf, runs } from '../../test/console-process.ts';
import { emptyPort } from '../../test/empty-port.ts';
import { countRegistryAsLoaded } from '../../test/prepare-folder.ts';
import { soon } from '../../test/soon.ts';
import { openDatabases } from '../database/connect.ts';
import { isEngineInstalled } from '@switchyard/traffic-store/clickhouse/start-engine';

let consoles: ConsoleProcesses;

const start = (...environment: Parameters<ConsoleProcesses['start']>) => consoles.start(...environment);
const inFolder = (path: string): string => join(consoles.folder, path);
const postmaster = (): number => consoles.postmaster();

async function refusal(env: Record<string, string> = {}): Promise<{ code: unknown; output: string }> {
  const { child, output } = consoles.launch(env);
  // Its last output may arrive after the event of its exit.
  await once(child, 'close');
  return { code: child.exitCode, output: output() };
}

/** Has the console end orderly by a signal, and its PostgreSQL with it. */
async function expectNothingLeft(end: () => Promise<unknown>): Promise<void> {
  const pid = postmaster();
  expect(runs(pid)).toBe(true);
  expect(await end()).toBe(0);
  expect(runs(pid)).toBe(false);
  expect(existsSync(inFolder('data/postgres/postmaster.pid'))).toBe(false);
}

const signIn = async (url: string, account: { email: string; password: string }): Promise<number> =>
  (
    await fetch(`${url}/api/sanctum/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(account),
    })
  ).status;

// One folder for all, since the first start on an empty one takes the longest.
describe('the process', { timeout: 120_000 }, () => {
  let running: StartedConsole | undefined;
  const console = async (): Promise<StartedConsole> => (running ??= await start());

  beforeAll(() => {
    consoles = consoleProcesses();
  });
  afterAll(() => consoles.cleanUp());

  it('[API-010, OPS-008, MARK-028] starts on an empty folder, signs its admin in, and leaves nothing behind after SIGINT', async () => {
    const { child, url, output } = await start({ LOG_STDOUT: '1', REQUEST_KEY: 'x'.repeat(32) });
    const [, email = '', password = ''] = /First administrator: (\S+), password (\S+)/.exec(output()) ?? [];
    expect(await signIn(url, { email, password })).toBe(200);
    // The API of other tests hashes at a lower cost.
    const databases = openDatabases({ url: consoles.databaseUrl(), onError: () => undefined });
    const { rows } = await databases.pools.ops.query('select password_hash from accounts');
    // The consoles of the other tests would begin anew with the load that the end of this one aborts.
    await countRegistryAsLoaded(databases);
    const { rows: starts } = await databases.pools.ops.query(
      `select action, entity_label, actor_id from audit_entries where entity = 'console'`,
    );
    await databases.close();
    expect(starts).toEqual([{ action: 'start', entity_label: productVersion, actor_id: null }]);
    expect(rows).toEqual([{ password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/) }]);
    await expectNothingLeft(() => endOf(child, 'SIGINT'));
    // With LOG_STDOUT=1 every line is an entry, and none is there twice.
    const messages = output()
      .trimEnd()
      .split('\n')
      .map((line) => z.object({ level: z.string(), time: z.string(), msg: z.string() }).parse(JSON.parse(line)).msg);
    const steps = messages.map((message) => message.replace(/ in \d+ s$/, '').replace(/\d+$/, 'N'));
    expect(steps.slice(0, 2)).toEqual(['Started PostgreSQL', 'Database migrations applied: N']);
    expect(messages.filter((message) => message.startsWith('REQUEST_KEY: easy to guess'))).toHaveLength(1);
    expect(messages.filter((message) => message.includes('ready'))).toEqual(['Console: ready']);
    expect(messages.slice(-2)).toEqual(['Console: stopping (SIGINT)', expect.stringMatching(/^Console: stopped in [\d.]+ s$/)]);
  });

  it('keeps everything over a killed process, and takes the database over that it left', async () => {
    const killedConsole = await start();
    const orphan = postmaster();
    await endOf(killedConsole.child, 'SIGKILL');
    const { url, output } = await console();
    // The first start creates the admin and prints the password once.
    expect(output()).not.toContain('First administrator');
    expect(postmaster()).not.toBe(orphan);
    expect(runs(orphan)).toBe(false);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  it('[OPS-022] keeps the port and the folder of a running console to itself, in one line', async () => {
    const { url } = await console();
    const takenPort = await refusal({ PORT: new URL(url).port, DATA_DIR: inFolder('other') });
    expect(takenPort.code).toBe(1);
    expect(takenPort.output.trim().split('\n')).toEqual([
      `PORT ${new URL(url).port}: in use on 127.0.0.1 (stop the other program or choose another port)`,
    ]);
    // Detected before anything is created: a first start would have printed a password that nobody sees.
    expect(existsSync(inFolder('other'))).toBe(false);
    const same = await refusal();
    expect(same.code).toBe(1);
    expect(same.output.trim().split('\n')).toHaveLength(1);
    // With a database elsewhere it may run, but says so.
    const second = await start({
      DATABASE_URL: consoles.databaseUrl(),
      SECRET_KEY: readFileSync(inFolder('data/secret-key'), 'utf8').trim(),
    });
    expect(second.output()).toMatch(/^DATA_DIR .*: in use by another Switchyard/m);
    expect(await endOf(second.child, 'SIGTERM')).toBe(0);
  });

  it('returns 503 while the database is unavailable, and recovers by itself', async () => {
    const { url, child } = await console();
    const killedPid = postmaster();
    process.kill(killedPid, 'SIGKILL');
    // Its processes may answer for a moment more.
    await vi.waitFor(() => expect(postmaster()).not.toBe(killedPid), soon);
    await vi.waitFor(async () => expect(await signIn(url, { email: 'a@b.c', password: 'x' })).toBe(401), soon);
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    expect(child.exitCode).toBeNull();
  });

  it('lets a call under way finish after SIGTERM, while a probe learns at once that it stops', async () => {
    const { child, url } = await console();
    const body = '{"email":"a@b.c","password":"x"}';
    const call = request(`${url}/api/sanctum/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' },
    });
    const answer = once(call, 'response');
    call.flushHeaders();
    // Says that the server has begun with the call and now waits for its body.
    await once(call, 'continue');
    await expectNothingLeft(async () => {
      child.kill('SIGTERM');
      await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(503), soon);
      call.end(body);
      const [response] = await answer;
      expect(response).toHaveProperty('statusCode', 401);
      return endOf(child);
    });
  });

  it('[R5] serves calls for DRAIN_SECONDS after SIGTERM, while a probe learns of it', async () => {
    const { child, url } = await start({ DRAIN_SECONDS: '2' });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    await expectNothingLeft(async () => {
      const signalledAt = performance.now();
      child.kill('SIGTERM');
      await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(503), soon);
      expect((await fetch(`${url}/api/settings`)).status).toBe(200);
      const code = await endOf(child);
      expect(performance.now() - signalledAt).toBeGreaterThan(2000);
      return code;
    });
  });

  it.each(isEngineInstalled() ? ['chdb:'] : [])(
    'starts the event store of EVENT_STORE_URL=%sFOLDER, and ends it with itself',
    async (kind) => {
      const env = { EVENT_STORE_URL: kind + inFolder('events') };
      const { child, url, output } = await start(env);
      expect(output()).toContain('Started ClickHouse');
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      const engine = Number(/PID: (\d+)/.exec(readFileSync(inFolder('events/status'), 'utf8'))?.[1]);
      expect(runs(engine)).toBe(true);
      await expectNothingLeft(() => endOf(child, 'SIGINT'));
      expect(runs(engine)).toBe(false);
      const { code, output: refusedOutput } = await refusal();
      expect([code, refusedOutput.trim().split('\n').at(-1)]).toEqual([1, expect.stringMatching(/^EVENT_STORE_URL: missing.*--back\)$/)]);
    },
  );
});

describe('a start that cannot be', { timeout: 120_000 }, () => {
  beforeEach(() => {
    consoles = consoleProcesses();
  });
  afterEach(() => consoles.cleanUp());

  it('rejects an invalid setting in one line', async () => {
    expect(await refusal({ PORT: 'http' })).toEqual({ code: 1, output: 'PORT: must be a whole number from 0 to 65535 (got "http")\n' });
  });

  it('rejects a data folder of another PostgreSQL in one line', async () => {
    mkdirSync(inFolder('data/postgres'), { recursive: true });
    writeFileSync(inFolder('data/postgres/PG_VERSION'), '15\n');
    const { code, output } = await refusal();
    expect(code).toBe(1);
    expect(output.trim().split('\n')).toHaveLength(1);
    expect(output).toMatch(/PostgreSQL 15/);
  });

  it('rejects in one line a folder that it cannot create', async () => {
    writeFileSync(inFolder('file'), '');
    const { code, output } = await refusal({ DATA_DIR: inFolder('file/data') });
    expect(code).toBe(1);
    expect(output.trim().split('\n')).toHaveLength(1);
    expect(output).toContain('cannot be written');
  });

  it.each(['DATA_DIR', 'LOG_DIR'])('[OPS-007] ends in one line where its %s cannot be made, with a database server, too', async (name) => {
    const database = { DATABASE_URL: `postgres://u:p@127.0.0.1:${emptyPort}/x`, SECRET_KEY: 'x'.repeat(32) };
    for (const env of [database, {}]) {
      const { code, output } = await refusal({ ...env, [name]: '/proc/none/folder' });
      expect([code, output]).toEqual([
        1,
        expect.stringMatching(new RegExp(`^(Started PostgreSQL.*\n)?${name} /proc/none/folder: cannot .*\\(it cannot be made there\\)\n$`)),
      ]);
    }
  });

  it('reports in one line that a database cannot be reached', async () => {
    const { code, output } = await refusal({ DATABASE_URL: `postgres://u:p@127.0.0.1:${emptyPort}/x`, SECRET_KEY: 'x'.repeat(32) });
    expect(code).toBe(1);
    expect(output.trim().split('\n')).toHaveLength(1);
    expect(output).toContain('Database: cannot connect');
  });
});
