import { beforeAll, describe, expect, it } from 'vitest';
import { accountVersion, newAppForm, trailOfApp } from '../../../test/app-form.ts';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { createSecretBox } from '../../adapters/secret-box.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;
/** May edit, but neither bundle nor domain. */
let editor: SignedIn;

beforeAll(async () => {
  api = await buildTestApi({ databases, startsAt: new Date('2026-11-20T10:11:12Z') });
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  editor = await signInAs(databases, { role: 'App Manager', since: api.now() });
  return async () => api.app.close();
});

const save = async (id: number, body: object, { caller = admin, ifMatch }: { caller?: SignedIn; ifMatch?: string } = {}) =>
  api.call('PUT', `/api/apps/${id}`, { body, headers: { ...caller.headers, ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) } });
const get = async (id: number, caller = admin) => api.call('GET', `/api/apps/${id}`, caller);
const create = async (fields: Readonly<Record<string, unknown>> = {}) =>
  (await api.call('POST', '/api/apps', { ...admin, body: newAppForm(fields) })).body.data;
const buyer = async () => (await signInAs(databases, { role: 'Buyer', panel: 'buyer', apps: [] })).accountId;
const onlySuperAdmin = 'Only SUPER ADMIN can change this field';

describe('changing an app', () => {
  it('[API-015][CONF-075] replaces what was sent, keeps the rest, raises the version once and announces it', async () => {
    const app = await create({ whiteUserAgent: 'Probe', keys: { createApfDevKey: 'a' }, privateKeys: { apiSecret: 's' } });
    api.wait(1000);
    const { status, body, headers } = await save(app.id, { vertical: 'finance', keys: { firebaseAppId: 'f' }, static_response_path: '' });
    expect([status, headers['etag']]).toEqual([200, '"v2"']);
    const { updated_at: _before, ...rest } = app;
    expect(body.data).toMatchObject({
      ...rest,
      vertical: 'finance',
      keys: { createApfDevKey: 'a', firebaseAppId: 'f', apiSecret: 's' },
      version: 2,
    });
    expect(body.data.updated_at > app.updated_at).toBe(true);
    const readAnswer = await get(app.id);
    expect([readAnswer.body.data, readAnswer.headers['etag']]).toEqual([body.data, '"v2"']);
  });

  it('keeps version, date and trail when nothing changes, whatever was sent', async () => {
    const app = await create({ userIds: [await buyer()], privateKeys: { apiSecret: 's' }, proxy_api_url: 'https://x.example' });
    api.wait(1000);
    const same = {
      name: app.name,
      bundle: app.bundle,
      domain: app.domain,
      vertical: app.vertical,
      whiteUserAgent: '',
      keys: app.keys,
      userIds: app.buyers.map((each: { id: number }) => each.id),
      response_message: app.response_message,
      response_mode: app.response_mode,
      proxy_api_url: 'x.example',
      adspect_cloak: '',
    };
    for (const body of [same, {}, { static_response_path: '' }]) {
      const answer = await save(app.id, body, { caller: body === same ? editor : admin });
      expect([answer.status, answer.headers['etag'], answer.body.data.updated_at]).toEqual([200, '"v1"', app.updated_at]);
    }
    expect(await trailOfApp(databases, app.id)).toHaveLength(1);
  });

  it('[CONF-073] forgets the proxy address when a response mode comes without one, and only then', async () => {
    const app = await create({ proxy_api_url: 'https://x.example' });
    expect((await save(app.id, { app_mode: 'push_only' })).body.data.proxy_api_url).toBe('https://x.example');
    expect((await save(app.id, { response_mode: 'white', proxy_api_url: 'y.example' })).body.data.proxy_api_url).toBe('https://y.example');
    expect((await save(app.id, { response_mode: 'white' })).body.data.proxy_api_url).toBeNull();
  });

  it('[RESP-010][RESP-011][RESP-012] validates a partial response message and a cloak mode against the resulting app', async () => {
    const app = await create({ response_message: { create: { code: 302, response: 'https://x.example' } } });
    const clearedAnswer = await save(app.id, {
      response_message: { create: { response: '' }, static: { code: 301 } },
      cloak_mode: 'custom',
    });
    expect([clearedAnswer.status, clearedAnswer.body.errors]).toEqual([
      422,
      {
        'response_message.static': ['The "static" field is not a valid URL.'],
        'response_message.create': ['The "create" field is not a valid URL.'],
        adspect_cloak: ['ID Adspect Cloak not valid!'],
      },
    ]);
    const mergedAnswer = await save(app.id, { response_message: { create: { type: 'html' } } });
    expect(mergedAnswer.body.data.response_message.create).toEqual({ type: 'html', code: 302, response: 'https://x.example' });
  });

  it('[UACC-001][UACC-007][UACC-008][UACC-009][AMB-089] takes userIds as the complete set of buyers and counts it for both sides', async () => {
    const [stays, leaves, comes, deletedId] = [await buyer(), await buyer(), await buyer(), await buyer()];
    const app = await create({ userIds: [stays, leaves, deletedId] });
    await databases.db.updateTable('accounts').set({ deleted_at: new Date() }).where('id', '=', deletedId).execute();
    const before = await Promise.all([stays, leaves, comes].map(async (id) => accountVersion(databases, id)));
    const { body } = await save(app.id, { userIds: [comes, stays] });
    expect(body.data.buyers.map((each: { id: number }) => each.id)).toEqual([stays, comes]);
    expect(body.data.users_count).toBe(2);
    const after = await Promise.all([stays, leaves, comes].map(async (id) => accountVersion(databases, id)));
    expect(after.map((version, at) => version - (before[at] ?? 0))).toEqual([0, 1, 1]);
    expect((await trailOfApp(databases, app.id)).at(-1)?.changes).toEqual([
      { field: 'userIds', from: [stays, leaves], to: [stays, comes] },
    ]);
    expect((await save(app.id, { userIds: [] })).body.data.buyers).toEqual([]);
  });

  it('[UACC-010] gives and takes the access of the buyer account itself', async () => {
    const id = await buyer();
    const app = await create({ userIds: [id] });
    const apps = async () => databases.db.selectFrom('app_buyers').select('app_id').where('account_id', '=', id).execute();
    expect(await apps()).toEqual([{ app_id: app.id }]);
    await save(app.id, { userIds: [] });
    expect(await apps()).toEqual([]);
  });

  it('[CONF-036][CONF-037][PERM-016][PERM-017][AMB-110] lets only holders of manager_app_edit_domain_bundle change bundle and domain', async () => {
    const app = await create();
    const refusal = await save(app.id, { bundle: 'com.other', domain: 'other.example', name: `${app.name} 2` }, { caller: editor });
    expect([refusal.status, refusal.body.errors]).toEqual([422, { bundle: [onlySuperAdmin], domain: [onlySuperAdmin] }]);
    expect((await get(app.id)).body.data).toEqual(app);
    const equal = await save(app.id, { bundle: app.bundle, domain: app.domain, name: `${app.name} 2` }, { caller: editor });
    expect(equal.status).toBe(200);
    const change = await save(app.id, { bundle: `${app.bundle}.x`, domain: `x.${app.domain}` });
    expect([change.status, change.body.data.bundle, change.body.data.domain]).toEqual([200, `${app.bundle}.x`, `x.${app.domain}`]);
  });

  it('[CONF-060] a name may change its case, and may not become that of another app', async () => {
    const [app, other] = [await create(), await create()];
    expect((await save(app.id, { name: app.name.toUpperCase() })).status).toBe(200);
    const { status, body } = await save(app.id, { name: other.name.toUpperCase() });
    expect([status, body.errors]).toEqual([422, { name: [`The "name" ${other.name.toUpperCase()} was previously used.`] }]);
  });

  it('writes each changed field into the trail, the secret by name only', async () => {
    const app = await create({ privateKeys: { apiSecret: 'old-canary' } });
    await save(app.id, { vertical: 'casino', privateKeys: { apiSecret: 'new-canary' }, response_message: { static: { code: 404 } } });
    const entry = (await trailOfApp(databases, app.id)).at(-1);
    expect(entry).toMatchObject({ action: 'update', actor_id: admin.accountId, app_id: app.id });
    expect(entry?.changes).toEqual([
      { field: 'vertical', from: 'bet', to: 'casino' },
      { field: 'keys.apiSecret', from: null, to: null },
      { field: 'response_message.static.code', from: 200, to: 404 },
    ]);
    expect(JSON.stringify(api.log())).not.toContain('canary');
  });
});

describe('rejections of a change, in their order', () => {
  it('[CONF-014][CONF-035] shape, then 404, then 409 archived, then 412, then values', async () => {
    const app = await create();
    const restrictedAdmin = await signInAs(databases, { role: 'Admin', apps: [], since: api.now() });
    const bad = { name: ' x', extra: 1 };
    const values = { name: ' x' };
    const shape = await save(999_999_999, bad, { ifMatch: '"v9"' });
    expect([shape.status, shape.body.errors]).toEqual([422, { extra: ['Unknown field.'] }]);
    expect((await save(999_999_999, values)).status).toBe(404);
    expect((await save(app.id, values, { caller: restrictedAdmin })).status).toBe(404);
    await api.call('DELETE', `/api/apps/${app.id}`, admin);
    const archivedAnswer = await save(app.id, values, { ifMatch: '"v9"' });
    expect([archivedAnswer.status, archivedAnswer.body.message]).toEqual([409, 'You need to restore the app first to make changes']);
    expect((await get(app.id)).body.data.deleted_at).not.toBeNull();
    await api.call('PUT', `/api/apps/${app.id}/restore`, admin);
    const current = (await get(app.id)).body.data;
    const old = await save(app.id, values, { ifMatch: '"v1"' });
    expect([old.status, old.body]).toEqual([412, { success: false, message: 'Changed by someone else', data: { current } }]);
    const validated = await save(app.id, values, { ifMatch: `"v${current.version}"` });
    expect([validated.status, validated.body.errors]).toEqual([422, { name: ['Check the name " x" for spaces start or and.'] }]);
    expect((await get(app.id)).body.data).toEqual(current);
  });

  it('the current state of a 412 hides what its reader may not see', async () => {
    const app = await create();
    const { body } = await save(app.id, {}, { caller: editor, ifMatch: '"v7"' });
    expect([body.data.current.users_count, body.data.current.statistics.all.all_time]).toEqual([null, null]);
  });

  it('needs manager_app_edit, also to read', async () => {
    const app = await createApp(databases);
    const creator = await signInAs(databases, { permissions: ['manager_app_create'], since: api.now() });
    expect([(await save(app.id, {}, { caller: creator })).status, (await get(app.id, creator)).status]).toEqual([403, 403]);
  });

  it('rejects keys that nobody may set, and changes nothing (S12)', async () => {
    const app = await create();
    for (const key of ['id', 'deleted_at', 'has_clients', 'created_at', 'version', 'statistics', 'api_secret_sealed', 'push_file_sealed']) {
      const { status, body } = await save(app.id, { vertical: 'finance', [key]: 1 });
      expect([status, body.errors]).toEqual([422, { [key]: ['Unknown field.'] }]);
    }
    const raw = await api.call('PUT', `/api/apps/${app.id}`, {
      headers: { ...admin.headers, 'content-type': 'application/json' },
      body: '{"vertical":"finance","__proto__":{"deleted_at":1}}',
    });
    expect(raw.status).toBe(400);
    expect((await get(app.id)).body.data).toEqual(app);
  });
});

describe('an API secret that was sealed with a lost key', () => {
  const findSealedSecret = async (id: number) =>
    (await databases.db.selectFrom('apps').select('api_secret_sealed').where('id', '=', id).executeTakeFirstOrThrow()).api_secret_sealed;

  it('[API-014][CONF-075] counts as not set, stays as it is until it is entered again, and is logged once', async () => {
    const { id } = await create({ privateKeys: { apiSecret: 'old' } });
    const lostSecret = createSecretBox(['a key that nobody has any more']).seal('old', { table: 'apps', column: 'api_secret_sealed', id });
    await databases.db.updateTable('apps').set({ api_secret_sealed: lostSecret }).where('id', '=', id).execute();
    const before = await get(id);
    expect([before.status, before.body.data.keys.apiSecret]).toEqual([200, null]);
    const other = await save(id, { vertical: 'casino', privateKeys: { apiSecret: '' } });
    expect([other.status, other.body.data.keys.apiSecret, await findSealedSecret(id)]).toEqual([200, null, lostSecret]);
    const warnings = api.log().filter((line) => line['id'] === id && String(line['msg']).startsWith('Stored secret: cannot be decrypted'));
    expect(warnings).toEqual([expect.objectContaining({ table: 'apps', column: 'api_secret_sealed' })]);
    const again = await save(id, { privateKeys: { apiSecret: 'new' } });
    expect([again.status, again.body.data.keys.apiSecret]).toEqual([200, 'new']);
    expect((await get(id)).body.data.keys.apiSecret).toBe('new');
    expect((await trailOfApp(databases, id)).at(-1)?.changes).toEqual([{ field: 'keys.apiSecret', from: null, to: null }]);
  });
});
