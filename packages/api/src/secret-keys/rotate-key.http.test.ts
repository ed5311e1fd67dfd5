import { Secret, TOTP } from 'otpauth';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { afterFile } from '../../test/after-file.ts';
import { buildTestApi, impossibleFolder, type TestApi } from '../../test/build-test-api.ts';
import { createApp } from '../../test/factories/app.ts';
import { listUnlabelledFields } from '../../test/field-labels.ts';
import { signInAs, type SignedIn } from '../../test/sign-in-as.ts';
import { soon } from '../../test/soon.ts';
import { createTestDatabase, timeoutFactor } from '../../test/test-database.ts';
import { createAnchorFile } from '../adapters/audit-anchor.ts';
import { keyId } from '../adapters/secret-box.ts';
import { openDatabases, type Databases } from '../database/connect.ts';
import { recordAudit, transaction, unaudited } from '../database/transaction.ts';
import { BadSetting } from '../env.ts';
import { findLastSeal, insertSeal, listSeals, lockSealing, type AuditSeal } from '../features/audit-seals/audit-seals-store.ts';
import { signSeal } from '../features/audit-seals/sign-entries.ts';
import { verifyTrail } from '../features/audit-seals/verify-trail.ts';
import { claimDatabase } from './claim-database.ts';
import { createLoadAuditKeys, findRequestKey } from './derived-keys.ts';
import { holdKeys, type HeldKeys } from './held-keys.ts';
import { rotateKey } from './rotate-key.ts';
import { createSealSecret } from './seal-secret.ts';
import { sealedColumns } from './secret-keys-store.ts';

const key = (name: string): string => `${name} key of a database, 32 characters`;
const hold = (name: string, previous: string | null = null): HeldKeys =>
  holdKeys({ key: key(name), previous: previous === null ? null : key(previous) });
const idOf = ({ main }: HeldKeys): string => keyId(main.fingerprint);

const [first, both, second] = [hold('first'), hold('second', 'first'), hold('second')];

type Scene = {
  databases: Databases;
  admin: SignedIn;
  /** A console with these keys. */
  console: (keys: HeldKeys) => Promise<TestApi>;
  /** Runs a replacement on connections of its own, as the command does. */
  rotate: (keys: HeldKeys, options?: { isPreviousLost?: boolean }) => Promise<{ isUnchanged: boolean; lines: string[] }>;
  /** Ids of the keys that encrypt the stored texts of every column. */
  keyIds: () => Promise<Record<string, string[]>>;
};

/** A database that the first key encrypts. */
async function openScene(): Promise<Scene> {
  const { databases, url } = await createTestDatabase();
  await claimDatabase({ opsDb: databases.opsDb, announceKeys: async () => undefined }, first);
  const admin = await signInAs(databases, { role: 'Super Admin' });
  const apis: TestApi[] = [];
  afterFile(async () => void (await Promise.all(apis.map(async ({ app }) => app.close()))));
  return {
    databases,
    admin,
    async console(keys) {
      const api = await buildTestApi({ databases, keys });
      apis.push(api);
      return api;
    },
    async rotate(keys, { isPreviousLost = false } = {}) {
      const own = openDatabases({ url, onError: () => undefined, timeoutFactor });
      const lines: string[] = [];
      try {
        const { isUnchanged } = await rotateKey({
          databases: own,
          keys,
          isPreviousLost,
          seals: { lockSealing, findLastSeal },
          tell: (line) => lines.push(line),
        });
        return { isUnchanged, lines };
      } finally {
        await own.close();
      }
    },
    async keyIds() {
      const found: Record<string, string[]> = {};
      for (const { table, column } of sealedColumns) {
        const { rows } = await databases.pools.ui.query<{ id: string }>(
          `select distinct split_part(${column}, '.', 2) as id from ${table} where ${column} is not null order by 1`,
        );
        found[`${table}.${column}`] = rows.map(({ id }) => id);
      }
      return found;
    },
  };
}

const saveSecret = async (api: TestApi, { headers }: SignedIn, appId: number, apiSecret: string) =>
  (await api.call('PUT', `/api/apps/${appId}`, { headers, body: { privateKeys: { apiSecret } } })).status;
const readSecret = async (api: TestApi, { headers }: SignedIn, appId: number) =>
  (await api.call('GET', `/api/apps/${appId}`, { headers })).body.data.keys.apiSecret;
const codeOf = (secret: string, at: Date) => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: at.getTime() });

/** Stores a secret of every kind through a console. */
async function storeSecrets(api: TestApi, admin: SignedIn, keys: HeldKeys) {
  const { databases } = api;
  const { headers } = admin;
  const app = await createApp(databases);
  expect(await saveSecret(api, admin, app.id, 'secret of the app')).toBe(200);
  const sealSecret = createSealSecret(keys);
  await transaction(databases.db, async (tx) => {
    const sealed = await sealSecret(tx, '{}', { table: 'apps', column: 'push_file_sealed', id: app.id });
    await tx.updateTable('apps').set({ push_file_sealed: sealed }).where('id', '=', app.id).execute();
    return unaudited('a test', undefined);
  });
  const hashes = { mainHash: 'main hash', hash: 'other hash' };
  const server = await api.call('POST', '/api/servers', {
    headers,
    body: { name: 'edge', url: 'http://203.0.113.7', token: `token-${'x'.repeat(40)}`, ...hashes },
  });
  expect(server.status).toBe(201);
  for (const kind of ['slack', 'webhook']) {
    const channel = await api.call('POST', '/api/channels', {
      headers,
      body: { name: 'Duty', target: { kind, url: 'https://hooks.example' } },
    });
    expect(channel.status).toBe(201);
    const { id } = channel.body.data.channel;
    if (kind === 'webhook') expect((await api.call('POST', `/api/channels/${id}/secret`, { headers, body: {} })).status).toBe(201);
  }
  const begin = async () => (await api.call('POST', '/api/sanctum/second-factors/totp', { headers, body: {} })).body.data;
  const totp = await begin();
  const path = '/api/sanctum/second-factors/totp/confirm';
  const body = { challenge: totp.challenge, code: codeOf(totp.secret, api.now()), name: 'Phone' };
  expect((await api.call('POST', path, { headers, body })).status).toBe(201);
  return { appId: app.id, serverId: Number(server.body.data.id), hashes, challenge: await begin() };
}

const onlyId = (id: string) => Object.fromEntries(sealedColumns.map(({ table, column }) => [`${table}.${column}`, [id]]));

describe('consoles with the old key and with both', () => {
  it('[SKEY-003] read what the other one encrypted, until the key is replaced', async () => {
    const { databases, admin, console, keyIds } = await openScene();
    const [oldConsole, newConsole] = [await console(first), await console(both)];
    const { id } = await createApp(databases);
    for (const [writer, reader] of [
      [oldConsole, newConsole],
      [newConsole, oldConsole],
    ] as const) {
      expect(await saveSecret(writer, admin, id, `by ${writer === oldConsole ? 'old' : 'new'}`)).toBe(200);
      expect(await readSecret(reader, admin, id)).toBe(`by ${writer === oldConsole ? 'old' : 'new'}`);
      await Promise.all([oldConsole.maintain(), newConsole.maintain()]);
    }
    expect((await keyIds())['apps.api_secret_sealed']).toEqual([idOf(first)]);
    const { rows } = await databases.pools.ui.query('select distinct key_id from audit_seals');
    expect(rows).toEqual([{ key_id: first.main.auditKey.id }]);
  });
});

describe('rotate-key', () => {
  it('knows every column with encrypted texts', async () => {
    const { databases } = await openScene();
    const { rows } = await databases.pools.ui.query<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public' and column_name like '%\\_sealed'`,
    );
    expect(new Set(rows.map(({ name }) => name))).toEqual(new Set(sealedColumns.map(({ table, column }) => `${table}.${column}`)));
  });

  it('[SKEY-004] encrypts every secret again, and none has to be entered again', async () => {
    const { databases, admin, console, rotate, keyIds } = await openScene();
    const running = await console(both);
    const { appId, serverId, hashes, challenge } = await storeSecrets(running, admin, both);
    const before = await databases.db.selectFrom('apps').select(['version', 'updated_at']).where('id', '=', appId).execute();

    expect(await rotate(both)).toEqual({
      isUnchanged: false,
      lines: [`SECRET_KEY: key ${idOf(second)} replaces key ${idOf(first)}.`, 'Encrypted again: 9.'],
    });
    expect(await keyIds()).toEqual(onlyId(idOf(second)));
    expect(await databases.db.selectFrom('apps').select(['version', 'updated_at']).where('id', '=', appId).execute()).toEqual(before);
    const after = await console(second);
    for (const api of [running, after]) {
      expect(await readSecret(api, admin, appId)).toBe('secret of the app');
      const same = await api.call('PUT', `/api/servers/${serverId}`, { headers: admin.headers, body: hashes });
      expect([same.status, same.body.data.version]).toEqual([200, 1]);
    }
    const body = { challenge: challenge.challenge, code: codeOf(challenge.secret, after.now()), name: 'Tablet' };
    expect((await after.call('POST', '/api/sanctum/second-factors/totp/confirm', { headers: admin.headers, body })).status).toBe(201);
    expect(await keyIds()).toMatchObject({ 'second_factors.secret_sealed': [idOf(second)] });

    const entries = await databases.db.selectFrom('audit_entries').selectAll().where('entity', '=', 'secret_key').execute();
    expect(entries).toMatchObject([
      {
        action: 'replace',
        actor_id: null,
        entity_label: idOf(second),
        changes: [{ field: 'key_id', from: idOf(first), to: idOf(second) }],
      },
    ]);
    expect(await listUnlabelledFields(databases)).toEqual([]);
  });

  it('[SKEY-004] waits for a secret that is being stored, and encrypts it, too', async () => {
    const { databases, console, admin, rotate, keyIds } = await openScene();
    const api = await console(both);
    const { id } = await createApp(databases);
    const place = { table: 'apps', column: 'api_secret_sealed', id };
    let rotation: ReturnType<typeof rotate> | undefined;
    await transaction(databases.db, async (tx) => {
      const sealed = await createSealSecret(first)(tx, 'late', place);
      rotation = rotate(both);
      await vi.waitFor(async () => {
        const { rowCount } = await databases.pools.jobs.query(`select from pg_locks where mode = 'ExclusiveLock' and not granted`);
        expect(rowCount).toBe(1);
      }, soon);
      await tx.updateTable('apps').set({ api_secret_sealed: sealed }).where('id', '=', id).execute();
      return unaudited('a test', undefined);
    });
    expect((await rotation)?.lines.at(-1)).toBe('Encrypted again: 1.');
    expect((await keyIds())['apps.api_secret_sealed']).toEqual([idOf(second)]);
    expect(await readSecret(api, admin, id)).toBe('late');
  });

  it('[SKEY-004] encrypts what something else stored with the old key while it worked', async () => {
    const { databases, console, admin, rotate } = await openScene();
    const api = await console(both);
    const { appId } = await storeSecrets(api, admin, both);
    const stray = first.main.box.seal('stray', { table: 'apps', column: 'api_secret_sealed', id: appId });
    // The column of apps has its turn before that of challenges.
    await databases.pools.ui.query(`
      create function store_stray() returns trigger language plpgsql as $$
      begin update apps set api_secret_sealed = '${stray}' where id = ${appId}; return null; end $$;
      create trigger store_stray after update on sign_in_challenges for each statement execute function store_stray()`);
    await rotate(both);
    expect(await readSecret(await console(second), admin, appId)).toBe('stray');
  });

  it('[SKEY-004] leaves what no key decrypts, says so, and comes to its end', async () => {
    const { databases, console, admin, rotate, keyIds } = await openScene();
    const [changed, lost] = [await createApp(databases), await createApp(databases)];
    await saveSecret(await console(both), admin, changed.id, 'x');
    await databases.pools.ui.query(`update apps set api_secret_sealed = left(api_secret_sealed, -4) || 'AAAA' where id = $1`, [changed.id]);
    const foreign = hold('foreign').main.box.seal('x', { table: 'apps', column: 'api_secret_sealed', id: lost.id });
    await databases.pools.ui.query('update apps set api_secret_sealed = $2 where id = $1', [lost.id, foreign]);
    expect((await rotate(both)).lines.slice(1)).toEqual([
      'Encrypted again: 0.',
      'Left as they are, because no given key decrypts them: 2. They count as not set.',
    ]);
    expect((await keyIds())['apps.api_secret_sealed']).toEqual([idOf(first), idOf(hold('foreign'))].toSorted());
    const after = await console(second);
    expect(await readSecret(after, admin, changed.id)).toBeNull();
    expect(await saveSecret(after, admin, changed.id, 'again')).toBe(200);
  });

  it('[SKEY-005] does nothing when it is done, and runs once when two start at once', async () => {
    const { databases, rotate } = await openScene();
    const results = await Promise.all([rotate(both), rotate(both), rotate(both)]);
    expect(results.filter(({ isUnchanged }) => !isUnchanged)).toHaveLength(1);
    expect(await rotate(both)).toEqual({ isUnchanged: true, lines: [] });
    expect(await rotate(second)).toEqual({ isUnchanged: true, lines: [] });
    const states = await databases.db.selectFrom('secret_keys').select(['fingerprint', 'state']).orderBy('id').execute();
    expect(states).toEqual([
      { fingerprint: first.main.fingerprint, state: 'replaced' },
      { fingerprint: second.main.fingerprint, state: 'current' },
    ]);
  });

  it('[SKEY-006] changes nothing while a console runs without the new key', async () => {
    const { databases, rotate, keyIds } = await openScene();
    const { url } = await createTestDatabase();
    const elsewhere = openDatabases({ url, onError: () => undefined, timeoutFactor });
    onTestFinished(() => elsewhere.close());
    // On another database of the same server.
    await elsewhere.announceKeys([first.main.fingerprint]);
    const before = await keyIds();
    await databases.announceKeys([first.main.fingerprint]);
    await expect(rotate(both)).rejects.toThrow(
      new BadSetting(`SECRET_KEY: a console runs without key ${idOf(second)} (restart with it, then run this again): 127.0.0.1`),
    );
    expect(await keyIds()).toEqual(before);
    expect(await databases.db.selectFrom('secret_keys').select('state').execute()).toEqual([{ state: 'current' }]);
    await databases.announceKeys(both.all.map(({ fingerprint }) => fingerprint));
    expect((await rotate(both)).isUnchanged).toBe(false);
  });

  it.each([
    ['a wrong new key without the old one', hold('wrong'), /^SECRET_KEY: not the key of this database/],
    [
      'a wrong previous key',
      hold('second', 'wrong'),
      /^SECRET_KEY: not the key of this database \(it needs key .*, SECRET_KEY_PREVIOUS key/,
    ],
  ])('[SKEY-001] rejects %s', async (_what, keys, message) => {
    const { databases, rotate } = await openScene();
    await expect(rotate(keys)).rejects.toThrow(message);
    expect(await databases.db.selectFrom('secret_keys').select('state').execute()).toEqual([{ state: 'current' }]);
  });

  it('[SKEY-001] rejects a key that was replaced before, because whoever has it could make seals again', async () => {
    const { rotate } = await openScene();
    await rotate(both);
    await expect(rotate(hold('first', 'second'))).rejects.toThrow(
      /^SECRET_KEY: key \w{8} was replaced on \d{4}-\d\d-\d\d and cannot be used again$/,
    );
  });

  it('[SKEY-008] keeps the key of requests, over several replacements', async () => {
    const { databases, rotate } = await openScene();
    const { requestKey } = first.main;
    expect(await findRequestKey(databases.db, both)).toEqual(requestKey);
    await rotate(both);
    expect(await findRequestKey(databases.db, both)).toEqual(requestKey);
    await rotate(hold('third', 'second'));
    expect(await findRequestKey(databases.db, hold('third'))).toEqual(requestKey);
  });
});

describe('a console that has the old key only, after a replacement that did not see it', () => {
  it('[SKEY-001] encrypts and seals nothing', async () => {
    const { databases, console, admin, rotate } = await openScene();
    const old = await console(first);
    const { id } = await createApp(databases);
    await rotate(both);
    const sealsBefore = await listSeals(databases.db, { after: 0n, limit: 10 });
    await expect(old.maintain()).rejects.toThrow(
      `SECRET_KEY: this database is encrypted with key ${idOf(second)}, which this process does not have`,
    );
    expect(await saveSecret(old, admin, id, 'x')).toBe(500);
    expect(await listSeals(databases.db, { after: 0n, limit: 10 })).toEqual(sealsBefore);
    expect(await readSecret(await console(second), admin, id)).toBeNull();
  });
});

describe('a lost key', () => {
  it('[SKEY-010] is given up: what only it decrypts counts as not set, and can be entered again', async () => {
    const { databases, console, admin, rotate } = await openScene();
    const { appId, serverId, hashes } = await storeSecrets(await console(first), admin, first);
    await expect(rotate(second)).rejects.toThrow(BadSetting);
    await expect(rotate(both, { isPreviousLost: true })).rejects.toThrow('leave --previous-lost out');
    const { lines } = await rotate(second, { isPreviousLost: true });
    expect(lines.at(-1)).toBe('Left as they are, because no given key decrypts them: 9. They count as not set.');
    expect(await rotate(second, { isPreviousLost: true })).toEqual({ isUnchanged: true, lines: [] });
    const api = await console(second);
    expect(await readSecret(api, admin, appId)).toBeNull();
    expect(await saveSecret(api, admin, appId, 'new')).toBe(200);
    expect(await readSecret(api, admin, appId)).toBe('new');
    const entered = await api.call('PUT', `/api/servers/${serverId}`, { headers: admin.headers, body: hashes });
    expect([entered.status, entered.body.data.version]).toEqual([200, 2]);
    expect(await findRequestKey(databases.db, second)).toEqual(second.main.requestKey);
    await expect(rotate(hold('first'), { isPreviousLost: true })).rejects.toThrow('was replaced');
  });

  it('[SKEY-010] takes what was kept of earlier keys with it', async () => {
    const { databases, rotate } = await openScene();
    await rotate(both);
    await rotate(hold('third'), { isPreviousLost: true });
    const rows = await databases.db.selectFrom('secret_keys').select(['state', 'derived_sealed']).orderBy('id').execute();
    expect(rows).toEqual([
      { state: 'replaced', derived_sealed: null },
      { state: 'replaced', derived_sealed: null },
      { state: 'current', derived_sealed: null },
    ]);
  });
});

describe('the sealed trail', () => {
  /** Three seals of the first key, a replacement, two of the second one. */
  async function sealedScene() {
    const scene = await openScene();
    const { databases, console, rotate } = scene;
    const write = async () =>
      transaction(databases.db, async (tx) =>
        recordAudit(tx, { actor: null, entity: 'session', action: 'login', id: null, label: 'one', request: null }),
      );
    const seal = async (api: TestApi, times: number) => {
      for (let nth = 0; nth < times; nth += 1) {
        await write();
        await api.maintain();
      }
    };
    await seal(await console(first), 3);
    await rotate(both);
    const api = await console(second);
    await seal(api, 2);
    const verify = async (keys: HeldKeys) => {
      const lines: string[] = [];
      const file = createAnchorFile(impossibleFolder);
      await verifyTrail({ db: databases.opsDb, loadKeys: createLoadAuditKeys(keys), anchors: [], file, tell: (line) => lines.push(line) });
      return lines.slice(0, -1);
    };
    return { ...scene, seal, verify, api };
  }

  const replaceSeal = async ({ db, pools }: Databases, seal: AuditSeal) => {
    await pools.ui.query('delete from audit_seals where id = $1', [String(seal.id)]);
    await transaction(db, async (tx) => {
      await insertSeal(tx, seal);
      return unaudited('a test', undefined);
    });
  };

  it('[SKEY-007] stays verifiable with the new key alone, over several replacements', async () => {
    const { databases, console, rotate, seal, verify } = await sealedScene();
    const seals = await listSeals(databases.db, { after: 0n, limit: 10 });
    const ids = [first, first, first, second, second].map(({ main }) => main.auditKey.id);
    expect(seals.map(({ keyId: id }) => id)).toEqual(ids);
    expect(await verify(second)).toEqual([]);
    await rotate(hold('third', 'second'));
    await seal(await console(hold('third')), 1);
    expect(await verify(hold('third'))).toEqual([]);
    expect((await findLastSeal(databases.db))?.keyId).toBe(hold('third').main.auditKey.id);
  });

  it('[SKEY-007][S47] cannot be continued with the old key', async () => {
    const { databases, verify } = await sealedScene();
    const [before, newest] = (await listSeals(databases.db, { after: 3n, limit: 10 })).slice(-2);
    if (before === undefined || newest === undefined) throw new Error('Two seals were made');
    const { mac: _mac, ...rest } = { ...newest, keyId: first.main.auditKey.id };
    await replaceSeal(databases, { ...rest, mac: signSeal(first.main.auditMac, rest, before.mac) });
    expect((await verify(second))[0]).toBe(`seal ${newest.id} was changed or moved`);
    expect((await verify(both))[0]).toBe(`seal ${newest.id} was changed or moved`);
  });

  it('[SKEY-007][S47] shows an old seal that was made again with the old key', async () => {
    const { databases, verify } = await sealedScene();
    const [before, last] = await listSeals(databases.db, { after: 1n, limit: 2 });
    if (before === undefined || last === undefined) throw new Error('Three seals were made');
    const { mac: _mac, ...rest } = { ...last, sealedAt: '2020-01-01 00:00:00.000000' };
    await replaceSeal(databases, { ...rest, mac: signSeal(first.main.auditMac, rest, before.mac) });
    expect(await verify(second)).toEqual([`seal ${last.id + 1n} was changed or moved`]);
  });

  it('[SKEY-007] reports the seals of a key of which nothing is kept', async () => {
    const { databases, verify } = await sealedScene();
    await databases.pools.ui.query('update secret_keys set derived_sealed = null');
    expect(await verify(second)).toEqual([1, 2, 3].map((id) => `seal ${id} cannot be verified (made with another SECRET_KEY)`));
  });
});
