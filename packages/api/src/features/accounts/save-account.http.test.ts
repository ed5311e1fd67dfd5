import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newAccountForm, storedAccount, testPassword, trailOfAccount } from '../../../test/account-form.ts';
import { newAppForm } from '../../../test/app-form.ts';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;
let app: number;
/** A staff account that holds one low role. */
let id: number;
let form: ReturnType<typeof newAccountForm>;

beforeAll(async () => {
  api = await buildTestApi({ databases });
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  app = (await api.call('POST', '/api/apps', { ...admin, body: newAppForm() })).body.data.id;
  return async () => api.app.close();
});
beforeEach(async () => {
  form = newAccountForm();
  id = (await api.call('POST', '/api/users', { ...admin, body: form })).body.data.id;
});

const put = async (body: object, caller: Pick<SignedIn, 'headers'> = admin, of = id) =>
  api.call('PUT', `/api/users/${of}`, { ...caller, body });
const tokenOf = async (email: string, password: string) => {
  const { status, body } = await api.call('POST', '/api/sanctum/login', { body: { email, password } });
  return status === 200 ? { headers: { authorization: `Bearer ${body.data.token.accessToken}` } } : null;
};
const statusFor = async (caller: Pick<SignedIn, 'headers'>) => (await api.call('GET', '/api/sanctum/user', caller)).status;

describe('changing an account', () => {
  it('[API-045] changes what was sent, raises the version and leaves one entry in the trail', async () => {
    const { status, headers, body } = await put({ name: 'New Name', hasAccess: false, roles: ['Log Reviewer'], isQa: true, appIds: [app] });
    expect([status, headers['etag']]).toEqual([200, '"v2"']);
    expect(body.data).toMatchObject({ id, name: 'New Name', email: form.email, hasAccess: false, roles: ['Log Reviewer'], appIds: [app] });
    expect((await trailOfAccount(databases, id))[1]).toEqual({
      action: 'update',
      entity: 'user',
      actor_id: admin.accountId,
      entity_label: 'New Name',
      changes: [
        { field: 'name', from: form.name, to: 'New Name' },
        { field: 'hasAccess', from: true, to: false },
        { field: 'roles', from: ['App Manager'], to: ['Log Reviewer'] },
        { field: 'isQa', from: false, to: true },
        { field: 'hasAllApps', from: true, to: false },
        { field: 'appIds', from: [], to: [app] },
      ],
    });
  });

  it('[AMB-174] keeps the QA flag that is absent, in either state', async () => {
    for (const isQa of [true, false]) {
      await put({ isQa });
      const { body } = await put({ name: `Renamed ${String(isQa)}` });
      expect([body.data.name, body.data.isQa]).toEqual([`Renamed ${String(isQa)}`, isQa]);
      expect((await storedAccount(databases, id)).row.is_qa).toBe(isQa);
    }
  });

  it('[AMB-174] keeps what is absent, and everything when nothing changes', async () => {
    const before = await storedAccount(databases, id);
    const { status, body } = await put({ ...form, password: '', hasAccess: true, roles: ['App Manager'], appIds: [] });
    expect([status, body.data.version]).toEqual([200, 1]);
    expect((await put({ password: null })).body.data.version).toBe(1);
    expect((await put({})).body.data).toEqual(body.data);
    expect(await storedAccount(databases, id)).toEqual(before);
    expect(await trailOfAccount(databases, id)).toHaveLength(1);
  });

  it('writes over the version that was read only (api 0.9)', async () => {
    const ifMatch = (tag: string) => ({ headers: { ...admin.headers, 'if-match': tag } });
    expect((await put({ name: 'First' }, ifMatch('"v1"'))).status).toBe(200);
    const stale = await put({ name: 'Second' }, ifMatch('"v1"'));
    expect(stale.status).toBe(412);
    expect(stale.body.data.current).toEqual((await api.call('GET', `/api/users/${id}`, admin)).body.data);
    expect((await put({ name: 'x' }, ifMatch('"v1"'))).status).toBe(412);
    expect((await put({ name: '' }, ifMatch('"v1"'))).status).toBe(422);
    expect((await put({ name: 'Third' }, ifMatch('W/"v2"'))).body.data.version).toBe(3);
  });

  it('[USER-026] [USER-025] [USER-028] lets an account keep its own name and address, but not take another one', async () => {
    const other = newAccountForm();
    await api.call('POST', '/api/users', { ...admin, body: other });
    expect((await put({ name: ` ${form.name} `, email: form.email })).status).toBe(200);
    expect((await put({ name: other.name, email: other.email.toUpperCase() })).body.errors).toEqual({
      name: ['*User with this name already exists'],
      email: ['*User with this email already exists'],
    });
  });

  it('[USER-049] [PERM-056] [AMB-168] lets only admins and super admins change the address', async () => {
    const email = ['Only ADMIN and SUPER ADMIN can change the email'];
    const editor = await signInAs(databases, { permissions: ['manager_user_edit', 'manager_user_buyer_create'], since: api.now() });
    const buyer = (await api.call('POST', '/api/buyers', { ...admin, body: newAccountForm({ roles: ['Buyer'] }) })).body.data;
    const putBuyer = async (body: object, caller: SignedIn) => api.call('PUT', `/api/buyers/${buyer.id}`, { ...caller, body });
    expect((await putBuyer({ email: 'new@example.com' }, editor)).body.errors).toEqual({ email });
    expect((await putBuyer({ email: buyer.email, name: 'Still Me' }, editor)).status).toBe(200);
    const plainAdmin = await signInAs(databases, { role: 'Admin', since: api.now() });
    expect((await putBuyer({ email: 'new@example.com' }, plainAdmin)).status).toBe(200);
    expect((await put({ email: 'super@example.com' })).status).toBe(200);
  });

  it('forgets the Google identity with another address, not with another spelling', async () => {
    const google = { google_issuer: 'https://accounts.google.com', google_subject: `sub-${id}` };
    await databases.db.updateTable('accounts').set(google).where('id', '=', id).execute();
    await put({ email: form.email.toUpperCase() });
    expect((await storedAccount(databases, id)).row).toMatchObject(google);
    await put({ email: `other-${form.email}` });
    expect((await storedAccount(databases, id)).row).toMatchObject({ google_issuer: null, google_subject: null });
  });

  it('[S6] ends every session of the account with a new password, and the old password', async () => {
    const [one, two] = [await tokenOf(form.email, testPassword), await tokenOf(form.email, testPassword)];
    if (!one || !two) throw new Error('Nobody could sign in');
    const { body } = await put({ password: 'An0therPassw0rd' });
    expect(body.data.version).toBe(2);
    expect(await Promise.all([one, two].map(statusFor))).toEqual([401, 401]);
    expect(await tokenOf(form.email, testPassword)).toBeNull();
    expect(await tokenOf(form.email, 'An0therPassw0rd')).not.toBeNull();
    expect((await trailOfAccount(databases, id))[1]?.changes).toEqual([{ field: 'password', from: null, to: null }]);
  });

  it('[S6] keeps the own current session with a new own password, no other', async () => {
    await put({ roles: ['Admin'] });
    const [current, other] = [await tokenOf(form.email, testPassword), await tokenOf(form.email, testPassword)];
    if (!current || !other) throw new Error('Nobody could sign in');
    expect((await put({ password: 'An0therPassw0rd', current_password: testPassword }, current)).status).toBe(200);
    expect([await statusFor(current), await statusFor(other)]).toEqual([200, 401]);
  });

  it('[USER-059] [S6] ends every session with the access, and rejects sign-in', async () => {
    const token = await tokenOf(form.email, testPassword);
    if (!token) throw new Error('Nobody could sign in');
    expect((await put({ has_access: false })).body.data.hasAccess).toBe(false);
    expect(await statusFor(token)).toBe(401);
    expect(await tokenOf(form.email, testPassword)).toBeNull();
    // They are deleted, not only rejected: restored access restores none of them.
    expect((await put({ has_access: true })).body.data.hasAccess).toBe(true);
    expect(await statusFor(token)).toBe(401);
  });

  it('[S6] removes a role from the next request on', async () => {
    const token = await tokenOf(form.email, testPassword);
    if (!token) throw new Error('Nobody could sign in');
    expect((await api.call('GET', '/api/apps', token)).status).toBe(200);
    const roles = await databases.db
      .insertInto('roles')
      .values({ panel: 'user', name: 'None', label: 'None', badge: 'N' })
      .returning('id')
      .execute();
    expect((await put({ roles: roles.map((role) => role.id) })).body.data.roles).toEqual(['None']);
    expect((await api.call('GET', '/api/apps', token)).status).toBe(403);
  });

  it.each([
    [{ password: 'short' }, 'password'],
    [{ password: 'Password1234' }, 'password'],
    [{ name: 'ab' }, 'name'],
    [{ email: 'none' }, 'email'],
    [{ roles: ['Buyer'] }, 'roles'],
    [{ appIds: [999_999] }, 'appIds'],
    [{ hasAccess: true, has_access: false }, 'hasAccess'],
    [{ id: 5 }, 'id'],
    [{ password_hash: 'x' }, 'password_hash'],
    [{ hasAllApps: true }, 'hasAllApps'],
    [{ panel: 'buyer' }, 'panel'],
    [{ deleted_at: null }, 'deleted_at'],
  ])('[S12] rejects %j and changes nothing', async (body, field) => {
    const before = await storedAccount(databases, id);
    const answer = await put(body);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
    expect(await storedAccount(databases, id)).toEqual(before);
  });

  it('[API-056] [AMB-172] finds staff among staff and buyers among buyers only, and nobody who was deleted', async () => {
    const buyer = (await api.call('POST', '/api/buyers', { ...admin, body: newAccountForm({ roles: ['Buyer'] }) })).body.data.id;
    const statuses = async (path: string) =>
      Promise.all([
        api.call('GET', `/api/${path}`, admin),
        api.call('PUT', `/api/${path}`, { ...admin, body: { name: 'ab' } }),
        api.call('PUT', `/api/${path}/switch-access`, { ...admin, body: { hasAccess: true } }),
        api.call('DELETE', `/api/${path}`, admin),
      ]).then((answers) => answers.map((answer) => answer.status));
    expect(await statuses(`users/${buyer}`)).toEqual([404, 404, 404, 404]);
    expect(await statuses(`buyers/${id}`)).toEqual([404, 404, 404, 404]);
    expect((await api.call('DELETE', `/api/buyers/${buyer}`, admin)).status).toBe(204);
    expect(await statuses(`buyers/${buyer}`)).toEqual([404, 404, 404, 404]);
  });
});

describe('deleting an account', () => {
  it('[API-046] [USER-005] hides it, ends its sessions and is found no second time', async () => {
    const token = await tokenOf(form.email, testPassword);
    if (!token) throw new Error('Nobody could sign in');
    const answers = await Promise.all(Array.from({ length: 10 }, async () => api.call('DELETE', `/api/users/${id}`, admin)));
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([204, ...Array.from({ length: 9 }, () => 404)]);
    expect(await statusFor(token)).toBe(401);
    expect((await api.call('GET', '/api/users', admin)).body.data.map((one: { id: number }) => one.id)).not.toContain(id);
    expect((await trailOfAccount(databases, id)).slice(1)).toEqual([
      {
        action: 'delete',
        entity: 'user',
        actor_id: admin.accountId,
        entity_label: form.name,
        changes: [{ field: 'deleted_at', from: null, to: expect.stringMatching(/^\d{4}-/) }],
      },
    ]);
  });
});

describe('switching access', () => {
  it.each(['hasAccess', 'has_access'])('[API-047] [USER-058] takes the flag as %s, again and again', async (key) => {
    const turn = async (value: unknown) => api.call('PUT', `/api/users/${id}/switch-access`, { ...admin, body: { [key]: value } });
    expect((await turn(false)).body.data).toMatchObject({ id, hasAccess: false, version: 2, apps: [] });
    expect((await turn(0)).body.data.version).toBe(2);
    expect((await turn(true)).body.data).toMatchObject({ hasAccess: true, version: 3 });
    expect((await trailOfAccount(databases, id)).slice(1).map((entry) => [entry.action, entry.changes])).toEqual([
      ['switch_access', [{ field: 'hasAccess', from: true, to: false }]],
      ['switch_access', [{ field: 'hasAccess', from: false, to: true }]],
    ]);
  });

  it('rejects a body without the flag, with a wrong one and with two that differ', async () => {
    const errors = async (body: object) => (await api.call('PUT', '/api/users/999999999/switch-access', { ...admin, body })).body.errors;
    expect(await errors({})).toEqual({ hasAccess: ['The hasAccess field is required.'] });
    expect(await errors({ has_access: 'no' })).toEqual({ has_access: ['The has_access field must be of type boolean.'] });
    expect(await errors({ has_access: true, hasAccess: false })).toEqual({ hasAccess: ['The selected hasAccess is invalid.'] });
  });

  it('[BUY-033] [API-057] [USER-059] works for buyers, whose next request is rejected at once', async () => {
    const buyerForm = newAccountForm({ roles: ['Buyer'] });
    const buyer = (await api.call('POST', '/api/buyers', { ...admin, body: buyerForm })).body.data.id;
    const token = await tokenOf(buyerForm.email, testPassword);
    if (!token) throw new Error('Nobody could sign in');
    const { status, body } = await api.call('PUT', `/api/buyers/${buyer}/switch-access`, { ...admin, body: { hasAccess: false } });
    expect([status, body.data.hasAccess, body.data.app_ids]).toEqual([200, false, []]);
    expect(await statusFor(token)).toBe(401);
  });
});
