import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newAccountForm, storedAccount, testPassword, trailOfAccount } from '../../../test/account-form.ts';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;
let id: number;
let form: ReturnType<typeof newAccountForm>;
const home = '203.0.113.5';
const next = 'An0therPassw0rd';

beforeAll(async () => {
  api = await buildTestApi({ databases });
  return async () => api.app.close();
});
beforeEach(async () => {
  api.wait(60_000);
  // Creating accounts needs a recent sign-in.
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  await databases.db.deleteFrom('sign_in_attempts').execute();
  form = newAccountForm({ roles: ['Admin'] });
  id = (await api.call('POST', '/api/users', { ...admin, body: form })).body.data.id;
});

type Caller = Pick<SignedIn, 'headers'>;
const signIn = async (password: string, email = form.email, ip = home) =>
  api.call('POST', '/api/sanctum/login', { body: { email, password }, ip });
async function session(email = form.email): Promise<Caller> {
  const { body } = await signIn(testPassword, email);
  return { headers: { authorization: `Bearer ${body.data.token.accessToken}` } };
}
const change = async (caller: Caller, body: object) => api.call('PUT', '/api/sanctum/password', { ...caller, body, ip: home });
const put = async (caller: Caller, body: object, url = `/api/users/${id}`) => api.call('PUT', url, { ...caller, body, ip: home });
const statusFor = async (caller: Caller) => (await api.call('GET', '/api/sanctum/user', caller)).status;
const wrong = { current_password: ['*The current password is wrong'] };
const missing = { current_password: ['The current_password field is required.'] };

describe('changing the own password', () => {
  it('[O39] [S38] needs the current one, ends every other session and leaves one entry in the trail', async () => {
    const [current, other] = [await session(), await session()];
    const answer = await change(current, { current_password: testPassword, password: next });
    expect([answer.status, answer.body]).toEqual([204, null]);
    expect([await statusFor(current), await statusFor(other)]).toEqual([200, 401]);
    expect([(await signIn(testPassword)).status, (await signIn(next)).status]).toEqual([401, 200]);
    expect((await trailOfAccount(databases, id)).slice(1)).toEqual([
      { action: 'update', entity: 'user', actor_id: id, entity_label: form.name, changes: [{ field: 'password', from: null, to: null }] },
    ]);
  });

  it('[O39] [S38] is for buyers and for accounts without any permission, too', async () => {
    const buyer = newAccountForm({ roles: ['Buyer'] });
    await api.call('POST', '/api/buyers', { ...admin, body: buyer });
    const caller = await session(buyer.email);
    expect((await change(caller, { current_password: testPassword, password: next })).status).toBe(204);
    expect((await signIn(next, buyer.email)).status).toBe(200);
    expect((await api.call('PUT', '/api/sanctum/password', { body: {} })).status).toBe(401);
  });

  it.each([
    ['no current password', { password: next }, missing],
    ['an empty current password', { current_password: '', password: next }, missing],
    ['a wrong current password', { current_password: 'Wrong-Horse-9', password: next }, wrong],
    ['an overlong current password', { current_password: `${testPassword}${'x'.repeat(200)}`, password: next }, wrong],
    ['no new password', { current_password: testPassword }, { password: [expect.stringContaining('*Minimum length of 12')] }],
    ['a weak password', { current_password: testPassword, password: 'short' }, { password: [expect.stringContaining('*Minimum')] }],
    ['a common password', { current_password: testPassword, password: 'Password1234' }, { password: ['*This password is too common'] }],
    ['two faults', { current_password: 'x', password: 'Liverpool2026' }, { ...wrong, password: ['*This password is too common'] }],
    ['another key', { current_password: testPassword, password: next, email: 'x@example.com' }, { email: ['Unknown field.'] }],
  ])('[O39] [S38] rejects %s and changes nothing', async (_what, body, errors) => {
    const caller = await session();
    const before = await storedAccount(databases, id);
    const answer = await change(caller, body);
    expect([answer.status, answer.body.errors]).toEqual([422, errors]);
    expect(await storedAccount(databases, id)).toEqual(before);
  });

  it('[O39] [S38] cannot be used to guess the current one: wrong ones count as failed sign-ins', async () => {
    const caller = await session();
    const answers = [];
    for (let at = 0; at < 10; at += 1) answers.push(await change(caller, { current_password: `Wrong-Horse-${at}`, password: next }));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 422));
    const blockedAnswer = await change(caller, { current_password: testPassword, password: next });
    expect([blockedAnswer.status, blockedAnswer.body.message, blockedAnswer.headers['retry-after']]).toEqual([
      429,
      'Too many attempts. Try again later',
      '900',
    ]);
    expect((await put(caller, { password: next, current_password: testPassword })).status).toBe(429);
    expect((await signIn(testPassword)).status).toBe(429);
    const failures = await databases.db
      .selectFrom('audit_entries')
      .select('id')
      .where('action', '=', 'login_failed')
      .where('entity_label', '=', form.email)
      .execute();
    expect(failures).toHaveLength(10);
  });

  it('[IDN-092] [O39] is done once by parallel calls with one current password, which is read under the lock', async () => {
    const caller = await session();
    const passwords = ['An0therPassw0rd', 'YetAn0therPassw0rd', 'An0therPassw0rdStill', 'TheLastPassw0rd'];
    const changes = passwords.map(async (password, at) => {
      const body = { current_password: testPassword, password };
      return at % 2 === 0 ? change(caller, body) : put(caller, body);
    });
    const answers = await Promise.all(changes);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    for (const { status, body } of answers) if (status >= 300) expect([status, body.errors]).toEqual([422, wrong]);
    const signedIn = await Promise.all(passwords.map(async (password) => (await signIn(password)).status));
    expect(signedIn.map((status) => status === 200)).toEqual(answers.map(({ status }) => status < 300));
  });

  it('[O39] [S38] counts a wrong one before it is checked, so that parallel ones count too', async () => {
    const caller = await session();
    const tries = Array.from({ length: 30 }, async (_, at) => change(caller, { current_password: `Wrong-Horse-${at}`, password: next }));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 422).length).toBeLessThanOrEqual(10);
    expect(statuses.filter((status) => status === 204)).toEqual([]);
  });
});

describe('the own account in the forms of accounts', () => {
  it('[O39] [S38] gets a new password with the current one only', async () => {
    const caller = await session();
    const before = await storedAccount(databases, id);
    expect((await put(caller, { password: next })).body.errors).toEqual(missing);
    expect((await put(caller, { password: next, current_password: null })).body.errors).toEqual(missing);
    expect((await put(caller, { password: next, current_password: 'Wrong-Horse-9', name: 'ab' })).body.errors).toEqual({
      ...wrong,
      name: ['*Provide a valid name (min length - 3)'],
    });
    expect(await storedAccount(databases, id)).toEqual(before);
    expect((await put(caller, { password: next, current_password: testPassword })).status).toBe(200);
    expect((await signIn(next)).status).toBe(200);
  });

  it('[O39] needs no current password for anything else, nor for the password of somebody else', async () => {
    const caller = await session();
    expect((await put(caller, { name: `${form.name} again`, password: '' })).status).toBe(200);
    const other = newAccountForm();
    const { body } = await api.call('POST', '/api/users', { ...admin, body: other });
    expect((await put(caller, { password: next }, `/api/users/${body.data.id}`)).status).toBe(200);
    expect((await signIn(next, other.email)).status).toBe(200);
  });

  it('[O39] [S38] another e-mail address ends every session of the account, the one that changed it too', async () => {
    const [one, two] = [await session(), await session()];
    expect((await put(admin, { email: form.email.toUpperCase() })).status).toBe(200);
    expect([await statusFor(one), await statusFor(two)]).toEqual([200, 200]);
    expect((await put(admin, { email: newAccountForm().email })).status).toBe(200);
    expect([await statusFor(one), await statusFor(two)]).toEqual([401, 401]);
    const own = await signInAs(databases, { role: 'Super Admin', since: api.now() });
    expect((await put(own, { email: newAccountForm().email }, `/api/users/${own.accountId}`)).status).toBe(200);
    expect(await statusFor(own)).toBe(401);
  });
});

describe('checking a password', () => {
  const check = async (caller: Caller, body: object, ip = home) => api.call('POST', '/api/sanctum/password-check', { ...caller, body, ip });

  it.each([
    ['a good one', { password: next, email: 'olga.petrova@example.com' }, null],
    ['a common one', { password: 'Password1234' }, '*This password is too common'],
    ['a word with digits', { password: 'Liverpool2026' }, '*This password is too common'],
    ['a short one', { password: 'Ab1' }, expect.stringContaining('*Minimum length of 12')],
    ['the name of the product', { password: 'My-Switchyard-1' }, '*The password must not contain the name of the product'],
    [
      'the name in the address',
      { password: 'Olga.Petrova-2026', email: 'olga.petrova@example.com' },
      expect.stringContaining('email address'),
    ],
    ['that name without its address', { password: 'Olga.Petrova-2026' }, null],
  ])('[O40] says what is wrong with %s, as saving would', async (_what, body, error) => {
    const answer = await check(admin, body);
    expect([answer.status, answer.body]).toEqual([200, { success: true, data: { error } }]);
  });

  it('[O40] is for everybody who is signed in, and neither stores nor logs what was typed', async () => {
    const buyer = newAccountForm({ roles: ['Buyer'] });
    await api.call('POST', '/api/buyers', { ...admin, body: buyer });
    const caller = await session(buyer.email);
    const trail = async () => (await databases.db.selectFrom('audit_entries').select('id').execute()).length;
    const before = await trail();
    expect((await check(caller, { password: 'Unlogged-Passw0rd', email: 'unlogged@example.com' })).status).toBe(200);
    expect((await check(caller, { password: 'Unlogged-Passw0rd', email: 5 })).status).toBe(422);
    expect((await api.call('POST', '/api/sanctum/password-check', { body: { password: next } })).status).toBe(401);
    expect(await trail()).toBe(before);
    expect(JSON.stringify(api.log())).not.toMatch(/unlogged/i);
  });

  it.each([
    ['no password', {}, 'password'],
    ['an empty one', { password: '' }, 'password'],
    ['an overlong one', { password: 'x'.repeat(129) }, 'password'],
    ['an overlong address', { password: next, email: 'x'.repeat(255) }, 'email'],
    ['another key', { password: next, name: 'x' }, 'name'],
  ])('[O40] rejects %s', async (_what, body, field) => {
    const answer = await check(admin, body);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
  });

  it('[O40] answers an address 60 times a minute', async () => {
    const caller = await session();
    for (let at = 0; at < 60; at += 1) expect((await check(caller, { password: next }, '198.51.100.77')).status).toBe(200);
    const rejection = await check(caller, { password: next }, '198.51.100.77');
    expect([rejection.status, rejection.headers['retry-after']]).toEqual([429, '60']);
    expect((await check(caller, { password: next }, '198.51.100.78')).status).toBe(200);
    api.wait(60_000);
    expect((await check(caller, { password: next }, '198.51.100.77')).status).toBe(200);
  });
});
