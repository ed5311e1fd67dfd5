import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { consoleProcesses, endOf, program, runProgram, type ConsoleProcesses, type StartedConsole } from '../../test/console-process.ts';
import { runInProcess } from '../../test/run-in-process.ts';
import { prepareFolder } from '../../test/prepare-folder.ts';
import { soon } from '../../test/soon.ts';
import { databaseUrl } from '../../test/test-database.ts';
import { keyFingerprint, keyId } from '../adapters/secret-box.ts';
import { openDatabases, type Databases } from '../database/connect.ts';
import { migrations } from '../database/all-migrations.ts';
import { holdKeys } from '../secret-keys/held-keys.ts';

const keyOf = (name: string): string => `${name}-Zp3kM9wQx7Lr2VtB8nYc5HsJ4dFg6TaE`;
const [first, second, wrong] = [keyOf('first'), keyOf('second'), keyOf('wrong')];
const nameOf = (secretKey: string): string => `key ${keyId(keyFingerprint(secretKey))}`;
const secrets = 300;

let consoles: ConsoleProcesses;
let host: StartedConsole;
let opened: Databases[] = [];

beforeAll(async () => {
  consoles = consoleProcesses();
  await prepareFolder(join(consoles.folder, 'data'), [prepared]);
  // Its server takes the databases of the tests: the one of other tests may lose acknowledged writes, and consoles reject it.
  host = await consoles.start();
}, 120_000);
afterEach(async () => {
  await Promise.all(opened.splice(0).map(async (databases) => databases.close()));
});
afterAll(() => consoles.cleanUp());

let made = 0;

/** A migrated database without a key. */
const prepared = 'prepared';

async function onHost(statement: string): Promise<void> {
  const server = openDatabases({ url: consoles.databaseUrl(), onError: () => undefined });
  await server.pools.ops.query(statement);
  await server.close();
}

/** A database of the host's server: empty, or a copy of the prepared one. */
async function makeDatabase(template?: typeof prepared): Promise<{ url: string; databases: Databases }> {
  const name = `keys_${(made += 1)}`;
  await onHost(`create database ${name}${template === undefined ? '' : ` template ${template}`}`);
  const url = databaseUrl(consoles.databaseUrl(), name);
  const databases = openDatabases({ url, onError: () => undefined });
  opened.push(databases);
  return { url, databases };
}

const environment = (url: string, secretKey: string, previous?: string) => ({
  DATABASE_URL: url,
  SECRET_KEY: secretKey,
  DATA_DIR: join(consoles.folder, `console-${(made += 1)}`),
  ...(previous === undefined ? {} : { SECRET_KEY_PREVIOUS: previous }),
});

/** Runs a command; its exit code and its lines, without the days in them. In this process, unless it is one of several. */
async function run(args: readonly string[], env: Readonly<Record<string, string>>, by: typeof runProgram = runInProcess) {
  const { code, stdout, stderr } = await by(args, { env: { DEMO: '0', PORT: '0', ...env } });
  const lines = `${stdout}${stderr}`.trimEnd().split('\n');
  return { code, lines: lines.map((line) => line.replace(/\d{4}-\d\d-\d\d/, 'DAY')) };
}
/** A console that must not start. */
const rejectedStart = async (env: Readonly<Record<string, string>>) => run(['start', '--no-build'], env, runProgram);

const fingerprints = async ({ pools }: Databases) =>
  (await pools.ui.query<{ fingerprint: string; state: string }>('select fingerprint, state from secret_keys order by id')).rows.map(
    ({ fingerprint, state }) => [keyId(fingerprint), state],
  );
const countSeals = async ({ pools }: Databases) => (await pools.ui.query('select from audit_seals')).rowCount;

describe('a console with another key', { timeout: 120_000 }, () => {
  it('[SKEY-001, SKEY-011] ends in one line beside the running one, and seals and stores nothing', async () => {
    const { url, databases } = await makeDatabase(prepared);
    const { child } = await consoles.start(environment(url, first));
    const state = async () => [await fingerprints(databases), await countSeals(databases)];
    const before = await state();
    expect(before[0]).toEqual([[keyId(keyFingerprint(first)), 'current']]);
    // An entry that it would seal.
    await databases.pools.ui.query(`insert into audit_entries (action, entity) values ('login', 'session')`);
    const problem = `SECRET_KEY: not the key of this database (it needs ${nameOf(first)}, in use since DAY, and this is ${nameOf(wrong)})`;
    expect(await rejectedStart(environment(url, wrong))).toEqual({ code: 1, lines: [problem] });
    expect(await run(['audit', 'verify'], environment(url, wrong))).toEqual({ code: 1, lines: [problem] });
    expect(await run(['rotate-key'], environment(url, wrong))).toEqual({ code: 1, lines: [problem] });
    const checked = await run(['check'], environment(url, wrong));
    expect([checked.code, checked.lines]).toEqual([1, expect.arrayContaining([`problem: ${problem}`])]);
    expect(await state()).toEqual(before);
    const fits = await run(['check'], environment(url, first));
    expect([fits.code, fits.lines]).toEqual([0, expect.arrayContaining([`ok:      SECRET_KEY: ${nameOf(first)}, in use since DAY`])]);
    expect(child.exitCode).toBeNull();
  });

  it('[SKEY-002] one of two that start at once on an empty database goes on', async () => {
    const { url, databases } = await makeDatabase();
    const launched = [first, second].map((secretKey) => ({ secretKey, ...consoles.launch(environment(url, secretKey)) }));
    await vi.waitFor(() => expect(launched.filter(({ child }) => child.exitCode !== null)).toHaveLength(1), { ...soon, timeout: 100_000 });
    const loser = launched.find(({ child }) => child.exitCode !== null);
    const winner = launched.find((one) => one !== loser);
    expect(loser?.output().trimEnd().split('\n').at(-1)).toContain(`this is ${nameOf(loser?.secretKey ?? '')})`);
    expect(await fingerprints(databases)).toEqual([[keyId(keyFingerprint(winner?.secretKey ?? '')), 'current']]);
    await vi.waitFor(() => expect(winner?.output()).toContain('ready at'), { ...soon, timeout: 100_000 });
  });

  it('[SKEY-002] of a database of 1.2.14 ends before it migrates; the right key goes on and is stored', async () => {
    const { url, databases } = await makeDatabase();
    const dump = await readFile(join(import.meta.dirname, '../../test/databases/switchyard-1.2.14.sql.gz'));
    const loading = openDatabases({ url, onError: () => undefined });
    await loading.pools.ops.query(gunzipSync(dump).toString());
    await loading.close();
    const migrated = async () => (await databases.pools.ui.query('select name from kysely_migration')).rowCount;
    const before = await migrated();
    const right = '0123456789abcdef0123456789abcdef0123';
    expect(await rejectedStart(environment(url, wrong))).toEqual({
      code: 1,
      lines: [`SECRET_KEY: not the key of this database (its secrets were encrypted with ${nameOf(right)}, and this is ${nameOf(wrong)})`],
    });
    expect(await migrated()).toBe(before);
    const console = await consoles.start(environment(url, right));
    expect(await migrated()).toBe(Object.keys(migrations).length);
    expect(await fingerprints(databases)).toEqual([[keyId(keyFingerprint(right)), 'current']]);
    await endOf(console.child, 'SIGTERM');
  });
});

describe('switchyard rotate-key', { timeout: 240_000 }, () => {
  it('[SKEY-004, SKEY-005, SKEY-006] replaces a key beside running consoles, killed and started again', async () => {
    const { url, databases } = await makeDatabase(prepared);
    const old = await consoles.start(environment(url, first));
    const sealed = holdKeys({ key: first, previous: null }).main.box;
    const { rows } = await databases.pools.ui.query<{ id: number }>(
      `insert into apps (name, bundle, domain, vertical, response_message)
       select 'App ' || n, 'com.example.a' || n, 'a' || n || '.example', 'casino', '{}'
       from generate_series(1, $1) as n returning id`,
      [secrets],
    );
    const ids = rows.map(({ id }) => id);
    await databases.pools.ui.query(
      'update apps set api_secret_sealed = sealed from unnest($1::int[], $2::text[]) as given (id, sealed) where apps.id = given.id',
      [ids, ids.map((id) => sealed.seal(`secret ${id}`, { table: 'apps', column: 'api_secret_sealed', id }))],
    );
    const countNew = async () =>
      (await databases.pools.ui.query(`select from apps where api_secret_sealed like 'v1.' || $1 || '.%'`, [keyId(keyFingerprint(second))]))
        .rowCount ?? 0;

    const running = await consoles.start(environment(url, second, first));
    expect(running.output()).toContain(
      `SECRET_KEY: ${nameOf(second)} is not in use yet (run "switchyard rotate-key" when every console has it)`,
    );
    expect(await run(['rotate-key'], environment(url, second, first))).toEqual({
      code: 1,
      lines: [`SECRET_KEY: a console runs without ${nameOf(second)} (restart with it, then run this again): 127.0.0.1`],
    });
    expect(await endOf(old.child, 'SIGTERM')).toBe(0);

    const killed = consoles.launch(environment(url, second, first), [program, 'rotate-key']);
    await vi.waitFor(async () => expect(await countNew()).toBeGreaterThan(0), { ...soon, interval: 5 });
    killed.child.kill('SIGKILL');
    await once(killed.child, 'close');
    expect(await countNew()).toBeLessThan(secrets);
    const unfinished = `${nameOf(second)} still replaces ${nameOf(first)}`;
    expect(await rejectedStart(environment(url, second))).toEqual({
      code: 1,
      lines: [expect.stringMatching(/^SECRET_KEY_PREVIOUS: missing \(set it to key /)],
    });
    expect(await rejectedStart(environment(url, first))).toEqual({
      code: 1,
      lines: [
        `SECRET_KEY: ${nameOf(second)} replaces ${nameOf(first)} (set SECRET_KEY to it, and SECRET_KEY_PREVIOUS to ${nameOf(first)})`,
      ],
    });
    const checked = await run(['check'], environment(url, second, first));
    expect([checked.code, checked.lines]).toEqual([
      0,
      expect.arrayContaining([`warning: SECRET_KEY: ${unfinished} (run "switchyard rotate-key" again)`]),
    ]);

    const both = await Promise.all([1, 2].map(async () => run(['rotate-key'], environment(url, second, first), runProgram)));
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(both.flatMap(({ lines }) => lines)).toContain(
      `Done. Remove SECRET_KEY_PREVIOUS from the settings of all consoles. Backups that were made before need ${nameOf(first)}.`,
    );
    expect(await countNew()).toBe(secrets);
    const stored = await databases.db.selectFrom('apps').select(['id', 'api_secret_sealed']).execute();
    const { open } = holdKeys({ key: second, previous: null });
    for (const { id, api_secret_sealed: text } of stored)
      expect(open(text ?? '', { table: 'apps', column: 'api_secret_sealed', id })).toBe(`secret ${id}`);
    const again = await run(['rotate-key'], environment(url, second));
    expect([again.code, again.lines]).toEqual([0, [expect.stringContaining('encrypts everything already')]]);

    expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
    const after = await consoles.start(environment(url, second));
    expect(await run(['audit', 'verify'], environment(url, second))).toMatchObject({ code: 3 });
    expect(await rejectedStart(environment(url, first))).toEqual({
      code: 1,
      lines: [`SECRET_KEY: ${nameOf(first)} was replaced on DAY and cannot be used again (the one of this database is ${nameOf(second)})`],
    });
    for (const { child } of [running, after]) await endOf(child, 'SIGTERM');
  });
});

describe('the key in DATA_DIR', { timeout: 240_000 }, () => {
  const file = (name: string): string => join(consoles.folder, 'data', name);
  const read = (name: string): string => readFileSync(file(name), 'utf8').trim();
  const dataDir = () => ({ DATA_DIR: join(consoles.folder, 'data') });
  const restart = async (): Promise<string> => {
    const { child, output } = await consoles.start();
    await endOf(child, 'SIGTERM');
    return output();
  };

  it('[SKEY-009] is replaced while the console is stopped; a kill at any step leaves a console that starts', async () => {
    await endOf(host.child, 'SIGTERM');
    const before = read('secret-key');
    // Killed before the first transaction: there is a key that nothing uses.
    writeFileSync(file('secret-key-next'), `${second}\n`, { mode: 0o600 });
    expect(await restart()).toContain(`${nameOf(second)} is not in use yet`);
    const done = await run(['rotate-key'], dataDir());
    expect(done).toEqual({
      code: 0,
      lines: [
        `SECRET_KEY: ${nameOf(second)} replaces ${nameOf(before)}.`,
        'Encrypted again: 0.',
        `Done: DATA_DIR has ${nameOf(second)}. Start the console.`,
      ],
    });
    expect([read('secret-key'), existsSync(file('secret-key-next'))]).toEqual([second, false]);
    // Killed after the last transaction: the files are as before.
    renameSync(file('secret-key'), file('secret-key-next'));
    writeFileSync(file('secret-key'), `${before}\n`);
    expect(await restart()).not.toContain('SECRET_KEY');
    expect([read('secret-key'), existsSync(file('secret-key-next'))]).toEqual([second, false]);

    const next = await run(['rotate-key'], dataDir());
    expect([next.code, next.lines.at(-1)]).toEqual([0, `Done: DATA_DIR has ${nameOf(read('secret-key'))}. Start the console.`]);
    expect([second, before]).not.toContain(read('secret-key'));
    expect(await run(['audit', 'verify'], dataDir())).toMatchObject({ code: 0 });
  });

  it('[SKEY-009, SKEY-010] is missing: the start makes no other one and says so; a lost one is replaced', async () => {
    const lost = read('secret-key');
    rmSync(file('secret-key'));
    const missing = `SECRET_KEY: missing, and ${join(consoles.folder, 'data')} has a database but no secret-key (restore the file)`;
    const rejected = await rejectedStart(dataDir());
    expect([rejected.code, rejected.lines.at(-1), existsSync(file('secret-key'))]).toEqual([1, missing, false]);
    const found = await run(['rotate-key', '--previous-lost'], dataDir());
    expect([found.code, found.lines[0]]).toEqual([0, `SECRET_KEY: ${nameOf(read('secret-key'))} replaces ${nameOf(lost)}.`]);
    expect(await restart()).toContain('is ready at');
  });
});
