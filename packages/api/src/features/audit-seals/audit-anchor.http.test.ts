import { setTimeout as wait } from 'node:timers/promises';
import type { AuditSealState } from '@switchyard/contract/audit-seals';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildTestApi, loadTestAuditKeys, type TestApi } from '../../../test/build-test-api.ts';
import { makeApiToken, signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { createAnchorFile } from '../../adapters/audit-anchor.ts';
import { verifyTrail } from './verify-trail.ts';

const { databases } = await createTestDatabase();
const { ops } = databases.pools;
const admin: SignedIn = await signInAs(databases, { role: 'Super Admin' });
let dataDir: string;
let open: TestApi[] = [];

beforeEach(async () => {
  await ops.query('truncate audit_seals; truncate audit_entries restart identity');
  dataDir = await mkdtemp(join(tmpdir(), 'switchyard-anchor-'));
  return async () => {
    await Promise.all(open.map(async ({ app }) => app.close()));
    open = [];
    await rm(dataDir, { recursive: true });
  };
});

/** A console on this database; `folder` is its DATA_DIR. */
async function startConsole(folder = dataDir): Promise<TestApi> {
  const api = await buildTestApi({ databases, env: { DATA_DIR: folder } });
  open.push(api);
  await api.maintain();
  return api;
}

const write = async (count: number) =>
  ops.query(`insert into audit_entries (action, entity) select 'login', 'session' from generate_series(1, $1)`, [count]);
const forge = async () => ops.query(`insert into audit_entries (action, entity, entity_label) values ('login', 'session', 'forged')`);

/** Seals of four entries each. */
async function seal(api: TestApi, batches: number): Promise<void> {
  for (let nth = 0; nth < batches; nth++) {
    await write(4);
    await api.maintain();
  }
}

const stateOf = async (api: TestApi, caller = admin): Promise<AuditSealState> =>
  (await api.call('GET', '/api/audit/seal', caller)).body.data;
const countSeals = async () => (await ops.query('select from audit_seals')).rowCount;
const missing = (number: number) => ({ kind: 'seal-missing', seal_id: String(number), entry_id: null });
const logged = (api: TestApi) => api.log().flatMap(({ level, msg }) => (level === 50 ? [String(msg)] : []));

async function verify(anchors: string[] = [], folder = dataDir): Promise<{ outcome: string; lines: string[] }> {
  const lines: string[] = [];
  const file = createAnchorFile(folder);
  const outcome = await verifyTrail({ db: databases.opsDb, loadKeys: loadTestAuditKeys, anchors, file, tell: (line) => lines.push(line) });
  return { outcome, lines };
}

const attacks: readonly [string, string][] = [
  ['all seals', 'truncate audit_seals'],
  ['the newest seal', 'delete from audit_seals where id = 3'],
  ['the newest seal with its entries', 'delete from audit_seals where id = 3; delete from audit_entries where id > 8'],
  ['all seals and entries', 'truncate audit_seals; truncate audit_entries restart identity'],
  ['the newest seal, replaced by an older one', 'delete from audit_seals where id = 3; update audit_seals set id = 3 where id = 2'],
];

describe('a trail whose newest seal is missing', () => {
  it.each(attacks)('[IDN-095][S47] is not sealed again by the running console: %s', async (_, statement) => {
    const api = await startConsole();
    await seal(api, 3);
    await ops.query(statement);
    const left = await countSeals();
    await forge();
    await api.maintain();
    await api.maintain();
    expect(await countSeals()).toBe(left);
    expect(await stateOf(api)).toMatchObject({ state: 'broken', is_halted: true, problems: expect.arrayContaining([missing(3)]) });
    expect(logged(api)).toContain('Audit trail: seal 3 is missing (nothing is sealed until an administrator acknowledges it on Activity)');
  });

  it.each(attacks)('[IDN-095][S47] is not sealed again by the next process on the same DATA_DIR: %s', async (_, statement) => {
    const before = await startConsole();
    await seal(before, 3);
    await ops.query(statement);
    const left = await countSeals();
    await forge();
    const api = await startConsole();
    expect(await countSeals()).toBe(left);
    expect(await stateOf(api)).toMatchObject({ state: 'broken', is_halted: true, problems: expect.arrayContaining([missing(3)]) });
  });

  it.each(attacks)('[IDN-097][S47] is reported by audit:verify: %s', async (_, statement) => {
    await seal(await startConsole(), 3);
    expect((await verify()).outcome).toBe('unchanged');
    await ops.query(statement);
    const { outcome, lines } = await verify();
    expect(outcome).toBe('changed');
    expect(lines.slice(0, -1)).toContainEqual(
      expect.stringMatching(/^seal 3 of the anchor 3:\w{12}… \(.*audit-anchor\) is missing or was replaced$/),
    );
  });

  it('[IDN-095] is found if other processes added the newest seals', async () => {
    const [first, second] = [await startConsole(), await startConsole(await mkdtemp(join(dataDir, 'second-')))];
    await seal(first, 1);
    await seal(second, 2);
    await first.maintain();
    await ops.query('delete from audit_seals where id = 3');
    await first.maintain();
    expect(await stateOf(first)).toMatchObject({ is_halted: true, problems: [missing(3)] });
  });

  it('[IDN-040] [IDN-095] has seals in the order of their numbers, whether a number has one digit or more', async () => {
    const [first, second] = [await startConsole(), await startConsole(await mkdtemp(join(dataDir, 'second-')))];
    await seal(first, 8);
    await second.maintain();
    await seal(first, 4);
    expect((await verify()).outcome).toBe('unchanged');
    // From the eighth seal on, and without an anchor.
    await seal(second, 1);
    await seal(await startConsole(await mkdtemp(join(dataDir, 'third-'))), 1);
    await first.maintain();
    expect(await countSeals()).toBe(14);
    expect((await verify()).outcome).toBe('unchanged');
    for (const api of open) expect(logged(api)).toEqual([]);
  });

  it('[IDN-095] is not trusted beyond a seal that the key did not make', async () => {
    const api = await startConsole();
    await seal(api, 2);
    await ops.query(
      'insert into audit_seals select 3, sealed_at, to_id + 1, key_id, ids, digests, sha256(mac) from audit_seals where id = 2',
    );
    await api.maintain();
    expect(await stateOf(api)).toMatchObject({
      state: 'broken',
      problems: expect.arrayContaining([{ kind: 'seal-changed', seal_id: '3', entry_id: null }]),
    });
    expect((await readFile(join(dataDir, 'audit-anchor'), 'utf8')).startsWith('2:')).toBe(true);
    expect((await stat(join(dataDir, 'audit-anchor'))).mode % 0o1000).toBe(0o600);
    await ops.query('delete from audit_seals where id < 3');
    await api.maintain();
    expect(await stateOf(api)).toMatchObject({ is_halted: true, problems: expect.arrayContaining([missing(2)]) });
  });

  it('[IDN-095] is sealed on and logs an error where the file cannot be written', async () => {
    const api = await startConsole(join(dataDir, 'absent'));
    await seal(api, 1);
    expect(await stateOf(api)).toMatchObject({ state: 'intact', is_halted: false });
    expect(logged(api)).toContainEqual(expect.stringContaining('absent/audit-anchor could not be written'));
    await ops.query('truncate audit_seals');
    await api.maintain();
    expect((await stateOf(api)).is_halted).toBe(true);
  });
});

describe('POST audit/seal/acknowledge', () => {
  const acknowledge = async (api: TestApi, sealId: string, caller = admin) =>
    api.call('POST', '/api/audit/seal/acknowledge', { headers: caller.headers, body: { seal_id: sealId } });

  it('[IDN-096] seals on from what is left, with an entry in the trail, and is known to every process', async () => {
    const [first, second] = [await startConsole(), await startConsole(await mkdtemp(join(dataDir, 'second-')))];
    await seal(first, 3);
    await second.maintain();
    await ops.query('delete from audit_seals where id > 1; delete from audit_entries where id > 8');
    await first.maintain();
    await second.maintain();
    const { status, body } = await acknowledge(first, '3');
    expect([status, body.data]).toMatchObject([200, { state: 'checking', is_halted: false, problems: [] }]);
    const { rows } = await ops.query('select id, resumes_after, to_id, cardinality(ids) as entries from audit_seals order by id');
    expect(rows).toEqual([
      { id: 1, resumes_after: null, to_id: 4, entries: 4 },
      { id: 4, resumes_after: 1, to_id: 13, entries: 5 },
    ]);
    const { body: list } = await first.call('GET', '/api/audit?entity=audit_seal', admin);
    expect(list.data).toMatchObject([{ actor: { id: admin.accountId }, action: 'acknowledge', entity_id: '3' }]);
    for (const api of [first, second, await startConsole()]) {
      await api.maintain();
      expect(await stateOf(api)).toMatchObject({ state: 'intact', is_halted: false, problems: [] });
    }
    const { outcome, lines } = await verify(['3:'.padEnd(66, 'a')]);
    expect([outcome, lines]).toEqual([
      'unchanged',
      [
        'Acknowledged by an administrator: seals 2 to 3 are missing (seal 4)',
        'Acknowledged by an administrator: seal 3 of the anchor 3:aaaaaaaaaaaa… (--anchor) is missing or was replaced (seal 4)',
        expect.stringMatching(/^Nothing was changed: .*Compared with seal 4 \(.*audit-anchor\), seal 3 \(--anchor\)\.$/),
      ],
    ]);
    await ops.query('delete from audit_seals where id = 4');
    await second.maintain();
    expect((await stateOf(second)).is_halted).toBe(true);
  });

  it('[IDN-096][S47] cannot be forged in the database, not by an entry and not by a seal', async () => {
    const api = await startConsole();
    await seal(api, 2);
    await ops.query(`
      insert into audit_entries (actor_id, action, entity, entity_id) values (${admin.accountId}, 'acknowledge', 'audit_seal', '2');
      insert into audit_seals select 3, sealed_at, to_id, key_id, ids, digests, mac, 0 from audit_seals where id = 2;
      delete from audit_seals where id < 3`);
    await api.maintain();
    expect((await stateOf(api)).is_halted).toBe(true);
    expect(await countSeals()).toBe(1);
  });

  it('[IDN-096] survives the loss of everything', async () => {
    const api = await startConsole();
    await seal(api, 2);
    await ops.query('truncate audit_seals; truncate audit_entries restart identity');
    await api.maintain();
    expect((await acknowledge(api, '2')).status).toBe(200);
    await api.maintain();
    expect(await stateOf(api)).toMatchObject({ state: 'intact', is_halted: false });
    expect((await ops.query('select id, resumes_after, to_id from audit_seals')).rows).toEqual([{ id: 3, resumes_after: 0, to_id: 1 }]);
  });

  it('[IDN-096] is for super admins in person, who confirmed their identity, about the seal that is missing', async () => {
    const api = await startConsole();
    await seal(api, 1);
    expect(await acknowledge(api, '1')).toMatchObject({ status: 409, body: { message: 'No seal with this number is missing' } });
    await ops.query('truncate audit_seals');
    await api.maintain();
    const refused = [
      await signInAs(databases, { permissions: ['manager_user_activity'] }),
      await signInAs(databases, { role: 'Super Admin', apps: [] }),
      await makeApiToken(databases, { ownerId: admin.accountId }),
      await signInAs(databases, { role: 'Super Admin', since: new Date(api.now().getTime() - 1_000_000) }),
    ];
    for (const caller of refused)
      expect((await api.call('POST', '/api/audit/seal/acknowledge', { headers: caller.headers, body: { seal_id: '1' } })).status).toBe(403);
    expect((await acknowledge(api, '2')).status).toBe(409);
    expect((await acknowledge(api, '9'.repeat(19))).status).toBe(422);
    expect((await ops.query(`select from audit_entries where entity = 'audit_seal'`)).rowCount).toBe(0);
    expect((await acknowledge(api, '1')).status).toBe(200);
  });
});

describe('switchyard audit verify', () => {
  it('[IDN-097] names the newest anchor that it compared with, and says so without one', async () => {
    await seal(await startConsole(), 2);
    const [text] = (await readFile(join(dataDir, 'audit-anchor'), 'utf8')).split('\n');
    expect(await verify([text ?? ''])).toEqual({
      outcome: 'unchanged',
      lines: [
        expect.stringMatching(
          /^Nothing was changed: 8 sealed entries up to seal 2, 0 .*Compared with seal 2 \(.*audit-anchor\), seal 2 \(--anchor\)\.$/,
        ),
      ],
    });
    const none = join(dataDir, 'none');
    expect(await verify([], none)).toEqual({
      outcome: 'unanchored',
      lines: [expect.stringMatching(/^No changes found, but there is no anchor to compare with .*none\/audit-anchor.*--anchor/)],
    });
    await ops.query('truncate audit_seals; truncate audit_entries restart identity');
    expect((await verify([], none)).outcome).toBe('unanchored');
    expect((await verify([text ?? ''], none)).outcome).toBe('changed');
    await writeFile(join(dataDir, 'audit-anchor'), 'spoiled');
    expect(await verify()).toMatchObject({
      outcome: 'changed',
      lines: [expect.stringMatching(/audit-anchor holds no anchor/), expect.anything()],
    });
  });
});

describe('ids of entries', () => {
  const insert = async (id: string) =>
    ops.query(`insert into audit_entries (id, action, entity) overriding system value values (${id}, 'login', 'session')`);
  const ahead = (id: string) => ({ kind: 'entry-ahead', seal_id: null, entry_id: id });

  it.each(['9007199254740993', '9223372036854775807'])(
    '[IDN-098][S47] ahead of the sequence are reported and do not stop sealing: %s',
    async (id) => {
      const api = await startConsole();
      await seal(api, 1);
      await insert(id);
      await seal(api, 2);
      expect(await stateOf(api)).toMatchObject({ state: 'broken', sealed_to: '12', problems: [ahead(id)] });
      expect(await verify()).toMatchObject({
        outcome: 'changed',
        lines: [`entry ${id} was added with an id ahead of the sequence`, expect.anything()],
      });
      expect((await api.call('GET', '/api/audit', admin)).status).toBe(200);
      await ops.query('delete from audit_entries where id > 12');
      await api.maintain();
      expect(await stateOf(api)).toMatchObject({ state: 'intact' });
    },
  );

  it('[IDN-098] beyond 2^53 are sealed and compared to the last digit', async () => {
    const api = await startConsole();
    await ops.query(`select setval('audit_entries_id_seq', 9007199254740992)`);
    await seal(api, 2);
    expect(await stateOf(api)).toMatchObject({ state: 'intact', sealed_to: '9007199254741000', sealed_entries: 8 });
    await ops.query(`update audit_entries set action = 'logout' where id = 9007199254740993`);
    await api.maintain();
    expect((await stateOf(api)).problems).toEqual([{ kind: 'entry-changed', seal_id: '1', entry_id: '9007199254740993' }]);
  });

  it('[IDN-098] below 0 and beyond 2^53 are listed and downloaded, each once', async () => {
    const api = await startConsole();
    await ops.query(`insert into audit_entries (id, action, entity) overriding system value
      select -n, 'login', 'session' from generate_series(1, 1100) n union all select 9007199254740993 + n, 'login', 'session' from generate_series(1, 1100) n`);
    const { body } = await api.app.inject({ url: '/api/audit/download?entity=session', headers: admin.headers });
    expect(body.split('\n').length - 1).toBe(2200);
    const page = async (cursor: string) => (await api.call('GET', `/api/audit?entity=session&limit=200&cursor=${cursor}`, admin)).body;
    let [rows, cursor] = [0, ''];
    do {
      const { data, pagination } = await page(cursor);
      rows += data.length;
      cursor = pagination.next_cursor ?? '';
    } while (cursor !== '');
    expect(rows).toBe(2200);
  });

  it('[IDN-098] of seals can be any number', async () => {
    const api = await startConsole();
    await seal(api, 1);
    await ops.query(`insert into audit_seals select 9007199254740993, sealed_at, to_id, key_id, ids, digests, mac from audit_seals`);
    await seal(api, 2);
    expect(await stateOf(api)).toMatchObject({ state: 'broken', sealed_to: '12', problems: expect.arrayContaining([missing(4)]) });
  });
});

describe('GET audit/seal', () => {
  it('[IDN-103] names the newest seal and what it covers from the first maintenance on, whichever process made it', async () => {
    await seal(await startConsole(), 2);
    const api = await startConsole();
    expect(await stateOf(api)).toMatchObject({
      sealed_until: expect.stringMatching(/^\d{4}-/),
      sealed_to: '8',
      sealed_entries: 8,
      unsealed_entries: 0,
    });
    await write(3);
    expect(await stateOf(api)).toMatchObject({ sealed_to: '8', unsealed_entries: 3 });
    const restricted = await signInAs(databases, { role: 'Super Admin', apps: [] });
    expect(await stateOf(api, restricted)).toMatchObject({ sealed_to: null, sealed_entries: null, unsealed_entries: null });
  });

  it('[IDN-102] compares at once when asked to, in one run at a time', async () => {
    const api = await startConsole();
    await seal(api, 2);
    await write(1);
    await ops.query(`update audit_entries set action = 'logout' where id = 3`);
    const begin = async (caller = admin) => api.call('POST', '/api/audit/seal/verify', { headers: caller.headers, body: {} });
    expect((await Promise.all([begin(), begin()])).map(({ status, body }) => [status, body.data.is_verifying])).toEqual([
      [200, true],
      [200, true],
    ]);
    const polling = { maxAttempts: 200, intervalMs: 20 };
    for (let attempt = 0; attempt < polling.maxAttempts && (await stateOf(api)).is_verifying; attempt++) await wait(polling.intervalMs);
    expect(await stateOf(api)).toMatchObject({
      is_verifying: false,
      state: 'broken',
      sealed_to: '9',
      problems: [{ kind: 'entry-changed', seal_id: '1', entry_id: '3' }],
    });
    const without = await signInAs(databases, { permissions: ['manager_app_edit'] });
    expect((await begin(without)).status).toBe(403);
  });
});
