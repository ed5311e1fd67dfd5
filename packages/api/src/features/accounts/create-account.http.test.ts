import { beforeAll, describe, expect, it } from 'vitest';
import { newAccountForm, testPassword, trailOfAccount } from '../../../test/account-form.ts';
import { newAppForm } from '../../../test/app-form.ts';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;
let apps: number[];

beforeAll(async () => {
  api = await buildTestApi({ databases });
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  apps = [];
  for (let count = 0; count < 4; count += 1)
    apps.push((await api.call('POST', '/api/apps', { ...admin, body: newAppForm() })).body.data.id);
  return async () => api.app.close();
});

const post = async (path: string, body: object, caller: SignedIn = admin) => api.call('POST', `/api/${path}`, { ...caller, body });
const errorsOf = async (path: string, body: object, caller?: SignedIn) => (await post(path, body, caller)).body.errors;

describe('creating accounts', () => {
  it('[API-043] [API-044] [ENT-031] [USER-060] POST users answers the whole account, without its password', async () => {
    const form = newAccountForm({
      name: '  Pavel Manager ',
      email: ' Pavel@Example.com ',
      appIds: [apps[1], apps[0], apps[1]],
      isQa: true,
    });
    const { status, headers, body } = await post('users', form);
    expect(status).toBe(201);
    expect(headers['etag']).toBeUndefined();
    expect(body).toEqual({
      success: true,
      data: {
        id: expect.any(Number),
        name: 'Pavel Manager',
        email: 'Pavel@Example.com',
        panel: 'user',
        hasAccess: true,
        isQa: true,
        roles: ['App Manager'],
        badges: ['M'],
        appIds: [apps[0], apps[1]],
        hasAllApps: false,
        isSuperAdmin: false,
        deleted_at: null,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        updated_at: expect.any(String),
        version: 1,
        apps: expect.any(Array),
      },
    });
    expect(body.data.apps.map((app: object) => Object.keys(app))).toEqual([
      ['id', 'name', 'bundle', 'deleted_at'],
      ['id', 'name', 'bundle', 'deleted_at'],
    ]);
    const readAnswer = await api.call('GET', `/api/users/${body.data.id}`, admin);
    expect(readAnswer.body.data).toEqual(body.data);
    expect(readAnswer.headers['etag']).toBe('"v1"');
    expect((await api.call('POST', '/api/sanctum/login', { body: { email: 'pavel@example.COM', password: testPassword } })).status).toBe(
      200,
    );
  });

  it('[API-053] [API-054] [ENT-032] [BUY-010] POST buyers returns a buyer, with the apps under both names', async () => {
    const { status, body } = await post('buyers', newAccountForm({ roles: ['QA', 5], app_ids: [apps[2]] }));
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ panel: 'buyer', roles: ['Buyer', 'QA'], badges: ['B', 'QA'], isQa: true, hasAllApps: false });
    expect([body.data.appIds, body.data.app_ids]).toEqual([[apps[2]], [apps[2]]]);
    expect((await api.call('GET', `/api/buyers/${body.data.id}`, admin)).body.data).toEqual(body.data);
    expect((await api.call('GET', `/api/apps/${apps[2]}`, admin)).body.data).toMatchObject({ version: 2, buyers: [{ id: body.data.id }] });
  });

  it('[AMB-176] leaves its creation in the trail, the password without a value', async () => {
    const form = newAccountForm({ appIds: [apps[0]] });
    const { id } = (await post('users', form)).body.data;
    expect(await trailOfAccount(databases, id)).toEqual([
      {
        action: 'create',
        entity: 'user',
        actor_id: admin.accountId,
        entity_label: form.name,
        changes: [
          { field: 'name', from: null, to: form.name },
          { field: 'email', from: null, to: form.email },
          { field: 'hasAccess', from: null, to: true },
          { field: 'roles', from: null, to: ['App Manager'] },
          { field: 'isQa', from: null, to: false },
          { field: 'hasAllApps', from: null, to: false },
          { field: 'appIds', from: null, to: [apps[0]] },
          { field: 'password', from: null, to: null },
        ],
      },
    ]);
  });

  it('[AMB-174] takes every field under either of its names, and the tester flag as it is sent', async () => {
    const buyer = await post('users', newAccountForm({ has_access: 0, isQa: 1 }));
    expect(buyer.body.data).toMatchObject({ hasAccess: false, isQa: true, hasAllApps: true, appIds: [] });
    const same = await post('buyers', newAccountForm({ roles: ['QA'], hasAccess: true, has_access: true, appIds: [apps[0]], isQa: false }));
    expect(same.body.data).toMatchObject({ hasAccess: true, isQa: false, app_ids: [apps[0]] });
    expect(await errorsOf('users', newAccountForm({ has_access: true, hasAccess: false }))).toEqual({
      hasAccess: ['The selected hasAccess is invalid.'],
    });
  });

  it('[AMB-163] [AMB-172] takes roles of the own panel by label, name or id and gives them by id', async () => {
    expect((await post('users', newAccountForm({ roles: [4, 'App Manager', 'Admin', 'Log Reviewer'] }))).body.data.roles).toEqual([
      'Admin',
      'App Manager',
      'Log Reviewer',
    ]);
  });

  it.each(['users', 'buyers'])('[USER-024] [USER-027] [USER-029] POST %s names every field that is missing or empty', async (path) => {
    const missing = {
      name: ['*Provide a valid name (min length - 3)'],
      email: ['*Provide a valid email address'],
      password: ['*Minimum length of 12 characters, must contain at least one digit, at least one letter in lower and uppercase'],
    };
    expect(await errorsOf(path, {})).toEqual({ ...missing, roles: ['The roles field is required.'] });
    const empty = { name: '  ', email: '', password: '', roles: [] };
    expect(await errorsOf(path, empty)).toEqual({ ...missing, roles: ['*Choose at least one role'] });
  });

  it.each([
    ['[USER-024] a name of two characters', { name: ' ab ' }, { name: '*Provide a valid name (min length - 3)' }],
    ['a name too long', { name: 'a'.repeat(101) }, { name: 'The name field must not be longer than 100 characters.' }],
    ['a name with NUL', { name: 'Pav\0el' }, { name: 'The name field contains invalid characters.' }],
    ['a name that is none', { name: 7 }, { name: 'The name field must be of type string.' }],
    ['[USER-027] no address', { email: 'pavel@example' }, { email: '*Provide a valid email address' }],
    ['[AMB-179] an address with a space', { email: 'pa vel@example.com' }, { email: '*Provide a valid email address' }],
    ['an address too long', { email: `${'a'.repeat(250)}@b.cd` }, { email: 'The email field must not be longer than 254 characters.' }],
    [
      'an address made to keep a pattern busy',
      { email: `a@${'.'.repeat(900_000)}@` },
      { email: 'The email field must not be longer than 254 characters.' },
    ],
    ['[USER-029] a password of 11 characters', { password: 'Abcdefgh123' }, { password: expect.stringMatching(/^\*Minimum length of 12/) }],
    ['[USER-030] no digit', { password: 'Abcdefghijklm' }, { password: expect.stringMatching(/^\*Minimum length of 12/) }],
    ['[USER-031] no lower case', { password: 'ABCDEFGHIJK1' }, { password: expect.stringMatching(/^\*Minimum length of 12/) }],
    ['[USER-032] no upper case', { password: 'abcdefghijk1' }, { password: expect.stringMatching(/^\*Minimum length of 12/) }],
    ['a password too long', { password: 'aA1'.repeat(43) }, { password: 'The password field must not be longer than 128 characters.' }],
    ['[USER-029] a common password', { password: 'Password1234' }, { password: '*This password is too common' }],
    ['a common password in another case', { password: 'QWERTy123456' }, { password: '*This password is too common' }],
    ['roles that are no list', { roles: 'Admin' }, { roles: 'The roles field must be of type array.' }],
    ['[AMB-163] an unknown role', { roles: ['Admin', 'Wizard'] }, { roles: 'The roles field contains an unknown id: Wizard.' }],
    ['[PERM-058] a role of the other panel', { roles: [5] }, { roles: 'The roles field contains an unknown id: 5.' }],
    ['a role of a wrong type', { roles: [true] }, { roles: 'The roles field contains an invalid value.' }],
    ['an unknown app', { appIds: [999_999] }, { appIds: 'The appIds field contains an unknown id: 999999.' }],
    ['an unknown app, other name', { app_ids: [999_999] }, { app_ids: 'The app_ids field contains an unknown id: 999999.' }],
    ['an app that is none', { appIds: ['1'] }, { appIds: 'The appIds field contains an invalid value.' }],
    ['too many apps', { appIds: Array(10_001).fill(1) }, { appIds: 'The appIds field must not have more than 10000 items.' }],
    ['[S12] keys nobody knows', { version: 9, is_super: true }, { version: 'Unknown field.', is_super: 'Unknown field.' }],
  ])('rejects %s', async (_title, form, expected) => {
    const { status, body } = await post('users', newAccountForm(form));
    expect(status).toBe(422);
    expect(body.message).toBe('The given data was invalid.');
    expect(body.errors).toEqual(Object.fromEntries(Object.entries(expected).map(([field, text]) => [field, [text]])));
    expect(body.data).toEqual({ errors: body.errors });
  });

  it('[USER-025] [USER-028] [AMB-177] names which of name and address is taken', async () => {
    const takenForm = newAccountForm();
    await post('users', takenForm);
    const name = ['*User with this name already exists'];
    const email = ['*User with this email already exists'];
    expect(await errorsOf('users', { ...takenForm, email: ` ${takenForm.email.toUpperCase()} `, name: ` ${takenForm.name} ` })).toEqual({
      name,
      email,
    });
    expect(await errorsOf('buyers', { ...takenForm, roles: ['Buyer'] })).toEqual({ email });
    expect((await post('users', newAccountForm({ name: takenForm.name.toUpperCase() }))).status).toBe(201);
    expect((await post('buyers', newAccountForm({ name: takenForm.name, roles: ['Buyer'] }))).status).toBe(201);
  });

  it('[IDN-119] signs in by either spelling of a domain, and lets only one account have it', async () => {
    const { status, body } = await post('users', newAccountForm({ email: 'Olga@Bücher.example' }));
    expect([status, body.data?.email]).toEqual([201, 'Olga@xn--bcher-kva.example']);
    for (const email of ['olga@BÜCHER.example', 'olga@xn--bcher-kva.example']) {
      expect(await errorsOf('users', newAccountForm({ email }))).toEqual({ email: ['*User with this email already exists'] });
      const signedIn = await api.call('POST', '/api/sanctum/login', { body: { email, password: testPassword } });
      expect(signedIn.status).toBe(200);
    }
    for (const email of ['"a"<x@y.example>', 'adm\u0131n@y.example'])
      expect(await errorsOf('users', newAccountForm({ email }))).toEqual({ email: ['*Provide a valid email address'] });
  });

  it('[AMB-178] lets name and address of a deleted account be used again', async () => {
    const form = newAccountForm();
    const { id } = (await post('users', form)).body.data;
    expect((await api.call('DELETE', `/api/users/${id}`, admin)).status).toBe(204);
    expect((await post('users', form)).status).toBe(201);
  });

  it('[USER-020] [PERM-025] gives nothing but the role Buyer without the permission for statistics', async () => {
    const creator = await signInAs(databases, { permissions: ['manager_user_create', 'manager_user_buyer_create'], since: api.now() });
    const roles = ['Only the role Buyer can be given'];
    expect(await errorsOf('users', newAccountForm({ roles: ['App Manager'] }), creator)).toEqual({ roles });
    expect(await errorsOf('buyers', newAccountForm({ roles: ['Buyer', 'QA'] }), creator)).toEqual({ roles });
    expect((await post('buyers', newAccountForm({ roles: ['Buyer'] }), creator)).status).toBe(201);
  });

  it('[USER-016] [USER-033] [AMB-176] stores a password nobody knows where only Google signs in', async () => {
    const google = await buildTestApi({
      databases,
      env: { AUTH_METHODS: 'google', GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' },
      startsAt: api.now(),
    });
    const { password: _none, ...form } = newAccountForm();
    const { status, body } = await google.call('POST', '/api/users', { ...admin, body: form });
    expect(status).toBe(201);
    const row = await databases.db.selectFrom('accounts').select('password_hash').where('id', '=', body.data.id).executeTakeFirstOrThrow();
    expect(row.password_hash).toMatch(/^\$argon2id\$/);
    await google.app.close();
  });

  it('[USER-025] of ten equal forms sent at once one creates the account', async () => {
    const form = newAccountForm();
    const answers = await Promise.all(Array.from({ length: 10 }, async () => post('users', form)));
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([201, ...Array.from({ length: 9 }, () => 422)]);
    for (const { body } of answers.filter((answer) => answer.status === 422)) {
      expect(body.errors.email ?? body.errors.name).toEqual([expect.stringMatching(/already exists$/)]);
    }
  });
});
