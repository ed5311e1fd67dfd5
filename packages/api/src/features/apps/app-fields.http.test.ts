import { beforeAll, describe, expect, it } from 'vitest';
import { newAppForm } from '../../../test/app-form.ts';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;
let appId: number;

beforeAll(async () => {
  api = await buildTestApi({ databases });
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  appId = (await api.call('POST', '/api/apps', { ...admin, body: newAppForm() })).body.data.id;
  return async () => api.app.close();
});

const create = async (fields: Readonly<Record<string, unknown>>) => api.call('POST', '/api/apps', { ...admin, body: newAppForm(fields) });
const save = async (body: object) => api.call('PUT', `/api/apps/${appId}`, { ...admin, body });
const long = (length: number) => 'x'.repeat(length);
const part = { type: 'json', code: 200, response: '' };

/** Field errors by what is sent; the same on creation and on change. */
const invalidFields: [string, Readonly<Record<string, unknown>>, Readonly<Record<string, string>>][] = [
  [
    'outer spaces',
    { name: ' a', whiteUserAgent: 'b ' },
    { name: 'Check the name " a" for spaces start or and.', whiteUserAgent: 'Check the whiteUserAgent "b " for spaces start or and.' },
  ],
  [
    'inner spaces',
    { bundle: 'a\tb', domain: 'a b' },
    { bundle: 'Check the bundle "a\tb" for spaces.', domain: 'Check the domain "a b" for spaces.' },
  ],
  ['a scheme', { domain: 'https://a.example' }, { domain: 'The domain must not contain http or https.' }],
  [
    'spaces around keys',
    { keys: { createApfDevKey: ' a', firebaseAppId: 'b ' }, privateKeys: { apiSecret: '\nc' } },
    {
      createApfDevKey: 'Check the createApfDevKey " a" for spaces start or and.',
      firebaseAppId: 'Check the firebaseAppId "b " for spaces start or and.',
      apiSecret: 'Check the apiSecret "\nc" for spaces start or and.',
    },
  ],
  [
    'empty required fields',
    { name: '', bundle: '', domain: '', vertical: '' },
    {
      name: 'The name field is required.',
      bundle: 'The bundle field is required.',
      domain: 'The domain field is required.',
      vertical: 'The vertical field is required.',
    },
  ],
  [
    'wrong types',
    {
      name: 5,
      vertical: 1,
      keys: [],
      userIds: {},
      app_mode: null,
      response_message: 'x',
      proxy_cache_seconds: '300',
      static_response_path: null,
      whiteUserAgent: true,
    },
    {
      name: 'The name field must be of type string.',
      vertical: 'The vertical field must be of type string.',
      keys: 'The keys field must be of type object.',
      userIds: 'The userIds field must be of type array.',
      app_mode: 'The app_mode field must be of type string.',
      response_message: 'The response_message field must be of type object.',
      proxy_cache_seconds: 'The proxy_cache_seconds field must be of type integer.',
      static_response_path: 'The static_response_path field must be of type string.',
      whiteUserAgent: 'The whiteUserAgent field must be of type string.',
    },
  ],
  [
    'values that are no choice',
    { vertical: 'poker', conversion_api_type: 'x', app_mode: '', response_mode: 'black', cloak_mode: 'all', proxy_cache_seconds: 301 },
    {
      vertical: 'The selected vertical is invalid.',
      conversion_api_type: 'The selected conversion_api_type is invalid.',
      app_mode: 'The selected app_mode is invalid.',
      response_mode: 'The selected response_mode is invalid.',
      cloak_mode: 'The selected cloak_mode is invalid.',
      proxy_cache_seconds: 'The selected proxy_cache_seconds is invalid.',
    },
  ],
  [
    'parts of responses',
    { response_message: { static: { code: 302.5 }, create: { code: 418, type: 'xml' }, receive: { response: 1, extra: 1 }, other: part } },
    {
      'response_message.static.code': 'The code field must be of type integer.',
      'response_message.create.code': 'The selected code is invalid.',
      'response_message.create.type': 'The selected type is invalid.',
      'response_message.receive.response': 'The response field must be of type string.',
      'response_message.receive.extra': 'Unknown field.',
      'response_message.other': 'Unknown field.',
    },
  ],
  [
    'what is too long',
    {
      name: long(256),
      bundle: long(256),
      domain: long(256),
      whiteUserAgent: long(1001),
      keys: { apiSecret: long(256) },
      proxy_api_url: long(2049),
      static_response_path: long(1001),
      adspect_cloak: long(256),
      response_message: { static: { response: long(65_536) } },
    },
    {
      name: 'The name field must not be longer than 255 characters.',
      bundle: 'The bundle field must not be longer than 255 characters.',
      domain: 'The domain field must not be longer than 255 characters.',
      whiteUserAgent: 'The whiteUserAgent field must not be longer than 1000 characters.',
      'keys.apiSecret': 'The apiSecret field must not be longer than 255 characters.',
      proxy_api_url: 'The proxy_api_url field must not be longer than 2048 characters.',
      static_response_path: 'The static_response_path field must not be longer than 1000 characters.',
      adspect_cloak: 'The adspect_cloak field must not be longer than 255 characters.',
      'response_message.static.response': 'The response field must not be longer than 65535 characters.',
    },
  ],
  [
    'lists',
    { userIds: Array.from({ length: 1001 }, (_, i) => i + 1) },
    { userIds: 'The userIds field must not have more than 1000 items.' },
  ],
  ['elements of a list', { userIds: [1, '2'] }, { userIds: 'The userIds field contains an invalid value.' }],
  [
    'NUL and half characters',
    { name: 'a\u0000b', whiteUserAgent: '\ud800', response_message: { static: { response: '\u0000' } } },
    {
      name: 'The name field contains invalid characters.',
      whiteUserAgent: 'The whiteUserAgent field contains invalid characters.',
      'response_message.static.response': 'The response field contains invalid characters.',
    },
  ],
  [
    'redirects to nowhere, white or not',
    {
      response_mode: 'white',
      response_message: {
        static: { ...part, code: 301 },
        create: { ...part, code: 302, response: 'ftp://x' },
        receive: { ...part, code: 307, response: 'https://a b' },
      },
    },
    {
      'response_message.static': 'The "static" field is not a valid URL.',
      'response_message.create': 'The "create" field is not a valid URL.',
      'response_message.receive': 'The "receive" field is not a valid URL.',
    },
  ],
  ['a cloak id of another kind', { cloak_mode: 'custom', adspect_cloak: 'a'.repeat(32) }, { adspect_cloak: 'ID Adspect Cloak not valid!' }],
  ['no cloak id', { cloak_mode: 'magic_checker', adspect_cloak: '' }, { adspect_cloak: 'ID MagicChecker Cloak not valid!' }],
];

describe('fields of the app form', () => {
  it.each(invalidFields)(
    '[CONF-005][CONF-046][CONF-049][CONF-053][RESP-010][RESP-016][API-013][API-015][AMB-056][AMB-058][AMB-093] %s',
    async (_title, fields, errors) => {
      const expected = Object.fromEntries(Object.entries(errors).map(([field, message]) => [field, [message]]));
      const creation = await create(fields);
      const change = await save(fields);
      expect([creation.status, creation.body.errors]).toEqual([422, expected]);
      expect([change.status, change.body.errors]).toEqual([422, expected]);
    },
  );

  it('[DATA-003] stores the address of a redirect in ASCII, whichever of its parts is sent', async () => {
    const address = 'https://offer.example/путь?c={click_id}&a=%2F';
    const ascii = 'https://offer.example/%D0%BF%D1%83%D1%82%D1%8C?c={click_id}&a=%2F';
    const creation = await create({ response_message: { receive: { ...part, code: 302, response: address } } });
    expect([creation.status, creation.body.data.response_message.receive.response]).toEqual([201, ascii]);
    const responses = [];
    for (const receive of [{ code: 200, response: address }, { code: 302 }, { response: 'https://x.example/' }, { response: address }]) {
      const { status, body } = await save({ response_message: { receive } });
      responses.push([status, body.data.response_message.receive.response]);
    }
    expect(responses).toEqual([
      [200, address],
      [200, ascii],
      [200, 'https://x.example/'],
      [200, ascii],
    ]);
  });

  it.each([
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '[::ffff:127.0.0.1]',
    '169.254.169.254',
    'localhost.',
    'a@b',
    'file:///x',
    'javascript:alert(1)',
  ])('[RESP-020] proxy_api_url %s is rejected on creation and on change (S19)', async (proxy) => {
    for (const answer of [await create({ proxy_api_url: proxy }), await save({ proxy_api_url: proxy })])
      expect([answer.status, answer.body.errors]).toEqual([422, { proxy_api_url: ['The "proxy_api_url" field is not a valid URL.'] }]);
  });

  it('[CONF-048][RESP-013][RESP-015][RESP-018][AMB-096] takes what no rule forbids, up to the limits', async () => {
    const values = {
      name: `a ${'b'.repeat(252)}c`,
      whiteUserAgent: `${'u'.repeat(500)} ${'u'.repeat(499)}`,
      static_response_path: `/${long(999)}`,
      adspect_cloak: long(255),
      response_message: { static: { ...part, response: long(65_535) }, create: { ...part, code: 400, response: 'free text' } },
    };
    const { status, body } = await create(values);
    expect([status, body.data.name, body.data.adspect_cloak]).toEqual([201, values.name, values.adspect_cloak]);
    expect(body.data.response_message.static.response).toHaveLength(65_535);
  });

  it('[RESP-021][RESP-022] stores addresses and paths in their normal form', async () => {
    const { body } = await save({ proxy_api_url: 'HTTPS://', static_response_path: 'x/y' });
    expect([body.data.proxy_api_url, body.data.static_response_path]).toEqual([null, '/x/y']);
  });
});

describe('whether a value is free', () => {
  const check = async (field: string, query: string) => api.call('GET', `/api/app/check-not/${field}?${query}`, admin);

  it('[CONF-056][CONF-059][API-018] compares with all apps, archived ones too, whatever the case, leaving one out', async () => {
    const { data: app } = (await create({})).body;
    await api.call('DELETE', `/api/apps/${app.id}`, admin);
    for (const field of ['name', 'bundle', 'domain']) {
      const value = encodeURIComponent(`  ${String(app[field]).toUpperCase()} `);
      expect((await check(field, `search=${value}`)).body).toEqual({ success: true, data: false });
      expect((await check(field, `search=${value}&exceptId=${app.id}`)).body.data).toBe(true);
      expect((await check(field, `search=${value}x`)).body.data).toBe(true);
    }
  });

  it('answers over apps that the caller does not see', async () => {
    const { data: app } = (await create({})).body;
    const restrictedAdmin = await signInAs(databases, { role: 'Admin', apps: [] });
    expect((await api.call('GET', `/api/app/check-not/bundle?search=${app.bundle}`, restrictedAdmin)).body.data).toBe(false);
  });

  it('[API-018] rejects other fields and a search of no or too many characters, all at once', async () => {
    const { status, body } = await check('id', '');
    expect([status, body.errors]).toEqual([422, { field: ['The selected field is invalid.'], search: ['The search field is required.'] }]);
    const tooLong = await check('name', `search=${long(256)}`);
    expect(tooLong.body.errors).toEqual({ search: ['The search field must not be longer than 255 characters.'] });
    const noId = await check('name', 'search=abc&exceptId=x');
    expect(noId.body.errors).toEqual({ exceptId: ['The exceptId field must be of type integer.'] });
  });
});
