import { fullApp } from '@switchyard/contract/app-form';
import { beforeAll, describe, expect, it } from 'vitest';
import { accountVersion, newAppForm, trailOfApp } from '../../../test/app-form.ts';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;

beforeAll(async () => {
  api = await buildTestApi({ databases, startsAt: new Date('2026-11-20T10:11:12Z') });
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  return async () => api.app.close();
});

const create = async (body: object, caller = admin) => api.call('POST', '/api/apps', { ...caller, body });
const get = async (id: number, caller = admin) => api.call('GET', `/api/apps/${id}`, caller);
const buyer = async (role = 'Buyer') => signInAs(databases, { role, panel: 'buyer', apps: [] });
const countApps = async () => (await databases.db.selectFrom('apps').select('id').execute()).length;

const blank = { type: 'json', code: 200, response: '' };
const noCounters = {
  create: { all: 0, success: 0 },
  receive: { all: 0, success: 0 },
  push: { all: 0, success: 0 },
  conversion: { all: 0, success: 0 },
  bots: { all: 0, success: 0 },
};

describe('creating an app', () => {
  it('[API-013][API-014][ENT-001][ENT-005][ENT-006][ENT-007][ENT-012][RESP-007][RESP-023] gives the defaults to what the form leaves out', async () => {
    const form = newAppForm();
    const { status, body, headers } = await create(form);
    expect(status).toBe(201);
    expect(body).toEqual({
      success: true,
      data: {
        id: expect.any(Number),
        ...form,
        label: `${form.name} (${form.bundle})`,
        expiration_at: null,
        deleted_at: null,
        white_user_agent: null,
        keys: { createApfDevKey: null, firebaseAppId: null, apiSecret: null },
        conversion_api_type: 'mmp_appsflyer',
        buyers: [],
        check_domains: [],
        firebase_settings: null,
        monitoring: null,
        users_count: 0,
        statistics: { all: { today: noCounters, all_time: noCounters }, qa: noCounters },
        app_mode: 'default',
        response_mode: 'white',
        response_message: { static: blank, create: blank, receive: blank },
        proxy_api_url: null,
        static_response_path: '/',
        proxy_cache_seconds: 300,
        cloak_mode: 'default',
        adspect_cloak: null,
        has_clients: false,
        created_at: '2026-11-20 10:11:12',
        updated_at: '2026-11-20 10:11:12',
        version: 1,
      },
    });
    expect(headers['etag']).toBeUndefined();
    const readAnswer = await get(body.data.id);
    expect([readAnswer.status, readAnswer.body.data, readAnswer.headers['etag']]).toEqual([200, body.data, '"v1"']);
  });

  it('[CONF-072][CONF-074][RESP-008][RESP-009][RESP-025][ENT-002][ENT-003][ENT-004][ENT-011][ENT-018][AMB-102] keeps all that the form can say, and the secret sealed', async () => {
    const { accountId } = await buyer();
    const message = {
      static: { type: 'random', code: 503, response: '' },
      create: { type: 'html', code: 302, response: 'https://offer.example/x?sub={id}' },
      receive: { type: 'text', code: 404, response: 'not a URL at all' },
    };
    const form = {
      ...newAppForm(),
      whiteUserAgent: 'Mozilla/5.0 (X)',
      vertical: 'social_casino',
      keys: { createApfDevKey: 'dK9', firebaseAppId: '' },
      privateKeys: { apiSecret: 'canary-secret' },
      conversion_api_type: 'google_analytics',
      userIds: [accountId, accountId],
      app_mode: 'one_request_url',
      response_mode: 'custom',
      response_message: message,
      proxy_api_url: 'api.example.com/base',
      static_response_path: 'home',
      proxy_cache_seconds: 2_592_000,
      cloak_mode: 'custom',
      adspect_cloak: '123E4567-e89b-12d3-a456-426614174000',
    };
    const { status, body } = await create(form);
    expect(status).toBe(201);
    const { keys: _keys, privateKeys: _privateKeys, userIds: _userIds, whiteUserAgent, ...same } = form;
    const expected = {
      ...same,
      white_user_agent: whiteUserAgent,
      keys: { createApfDevKey: 'dK9', firebaseAppId: null, apiSecret: 'canary-secret' },
      buyers: [expect.objectContaining({ id: accountId, role: 'B', has_access: true })],
      proxy_api_url: 'https://api.example.com/base',
      static_response_path: '/home',
    };
    expect(body.data).toMatchObject(expected);
    expect((await get(body.data.id)).body.data).toEqual(body.data);
    expect(() => fullApp.parse(body.data)).not.toThrow();
    const row = await databases.db.selectFrom('apps').selectAll().where('id', '=', body.data.id).executeTakeFirstOrThrow();
    expect(row.api_secret_sealed).toMatch(/^v1\./);
    expect(JSON.stringify([row, api.log(), await trailOfApp(databases, body.data.id)])).not.toContain('canary-secret');
  });

  it('[CONF-074] takes a key from either object; privateKeys wins', async () => {
    const { body } = await create(
      newAppForm({
        keys: { createApfDevKey: 'a', apiSecret: 's', firebaseAppId: 'f' },
        privateKeys: { createApfDevKey: 'b', firebaseAppId: '' },
      }),
    );
    expect(body.data.keys).toEqual({ createApfDevKey: 'b', firebaseAppId: null, apiSecret: 's' });
  });

  it('completes a partial response message with its defaults', async () => {
    const { body } = await create(newAppForm({ response_message: { create: { code: 404 } } }));
    expect(body.data.response_message).toEqual({ static: blank, create: { ...blank, code: 404 }, receive: blank });
  });

  it('[UACC-006][PERM-009][CONF-001] needs only the permission to create, and hides figures without manager_app_statistics', async () => {
    const { accountId } = await buyer('QA');
    const creator = await signInAs(databases, { permissions: ['manager_app_create'], since: api.now() });
    const { status, body } = await create(newAppForm({ userIds: [accountId] }), creator);
    expect([status, body.data.users_count, body.data.statistics.all.all_time, body.data.buyers[0].role]).toEqual([201, null, null, 'QA']);
  });

  it('attaches the app to its creator if the creator is restricted, and to nobody else', async () => {
    const restrictedAdmin = await signInAs(databases, { role: 'Admin', apps: [], since: api.now() });
    const { body } = await create(newAppForm(), restrictedAdmin);
    expect((await get(body.data.id, restrictedAdmin)).status).toBe(200);
    expect(await accountVersion(databases, restrictedAdmin.accountId)).toBe(2);
    const appAccounts = databases.db.selectFrom('app_accounts').select('account_id');
    expect(await appAccounts.where('app_id', '=', body.data.id).execute()).toEqual([{ account_id: restrictedAdmin.accountId }]);
    const other = await signInAs(databases, { role: 'Admin', apps: [], since: api.now() });
    expect((await get(body.data.id, other)).status).toBe(404);
    const free = await create(newAppForm());
    expect(await appAccounts.where('app_id', '=', free.body.data.id).execute()).toEqual([]);
  });

  it('writes what was set into the trail, secrets by name only', async () => {
    const form = newAppForm({ privateKeys: { apiSecret: 'hush' }, cloak_mode: 'none' });
    const { body } = await create(form);
    const [entry, ...more] = await trailOfApp(databases, body.data.id);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ action: 'create', actor_id: admin.accountId, entity_label: form.name, app_id: body.data.id });
    expect(entry?.changes).toContainEqual({ field: 'bundle', from: null, to: form.bundle });
    expect(entry?.changes).toContainEqual({ field: 'response_message.static.code', from: null, to: 200 });
    expect(entry?.changes).toContainEqual({ field: 'keys.apiSecret', from: null, to: null });
    expect(JSON.stringify(entry)).not.toMatch(/hush|userIds|proxy_api_url/);
  });

  it('[CONF-005][CONF-060][CONF-061][CONF-062] names every taken field at once, whatever its case, archived apps included', async () => {
    const old = await createApp(databases, { deleted_at: new Date() });
    const before = await countApps();
    const form = { name: old.name.toUpperCase(), bundle: old.bundle.toUpperCase(), domain: old.domain.toUpperCase(), vertical: 'bet' };
    const { status, body } = await create(form);
    const errors = {
      name: [`The "name" ${form.name} was previously used.`],
      bundle: [`The "bundle" ${form.bundle} was previously used.`],
      domain: [`The "domain" ${form.domain} was previously used.`],
    };
    expect([status, body]).toEqual([422, { success: false, message: 'The given data was invalid.', errors, data: { errors } }]);
    expect(await countApps()).toBe(before);
  });

  it('names shapes, rules and taken values in one answer, and writes nothing', async () => {
    const old = await createApp(databases);
    const before = await countApps();
    const { status, body } = await create({
      name: old.name,
      bundle: 'com. x',
      domain: 'HTTPbin.org',
      userIds: [99_999_999_999],
      keys: { apiSecret: ' x' },
      cloak_mode: 'nonsense',
      privateKeys: { other: 1 },
    });
    expect([status, body.errors]).toEqual([
      422,
      {
        name: [`The "name" ${old.name} was previously used.`],
        bundle: ['Check the bundle "com. x" for spaces.'],
        domain: ['The domain must not contain http or https.'],
        vertical: ['The vertical field is required.'],
        userIds: ['The userIds field contains an unknown id: 99999999999.'],
        apiSecret: ['Check the apiSecret " x" for spaces start or and.'],
        cloak_mode: ['The selected cloak_mode is invalid.'],
        'privateKeys.other': ['Unknown field.'],
      },
    ]);
    expect(await countApps()).toBe(before);
  });

  it('[API-013, AMB-089] rejects staff and deleted buyers among the users', async () => {
    const deletedBuyer = await buyer();
    await databases.db.updateTable('accounts').set({ deleted_at: new Date() }).where('id', '=', deletedBuyer.accountId).execute();
    for (const id of [admin.accountId, deletedBuyer.accountId, 0, -1]) {
      const { status, body } = await create(newAppForm({ userIds: [id] }));
      expect([status, body.errors]).toEqual([422, { userIds: [`The userIds field contains an unknown id: ${id}.`] }]);
    }
  });
});
