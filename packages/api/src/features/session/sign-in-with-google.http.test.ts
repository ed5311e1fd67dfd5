import { describe, expect, it } from 'vitest';
import { buildTestApi, testSettings } from '../../../test/build-test-api.ts';
import { goodClaims } from '../../../test/google-provider.ts';
import { forgetSignIns, withGoogle } from '../../../test/google-sign-in-steps.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { signInAs } from '../../../test/sign-in-as.ts';
import type { Databases } from '../../database/connect.ts';

const database = createTestDatabase();
const email = goodClaims.email;

const refusals = {
  off: { success: false, message: 'Sign-in with Google is switched off' },
  notConfigured: { success: false, message: 'Google sign-in is not configured' },
  unavailable: { success: false, message: 'Google is unavailable, try again' },
  badState: { success: false, message: 'Invalid or expired sign-in state' },
  failed: { success: false, message: 'Google sign-in failed' },
  unknownUser: { success: false, message: 'User not found' },
  denied: { success: false, message: 'Access denied. Contact your administrator' },
  tooMany: { success: false, message: 'Too many attempts. Try again later' },
};

async function given(options: Parameters<typeof withGoogle>[1] = {}) {
  const { databases } = await database;
  return { databases, ...(await withGoogle(databases, options)) };
}

/** What a refused sign-in must leave alone. */
async function accountsAndSessions({ db }: Databases) {
  const accounts = await db.selectFrom('accounts').select(['id', 'google_issuer', 'google_subject']).orderBy('id').execute();
  const sessions = await db.selectFrom('sessions').select('id').orderBy('id').execute();
  return { accounts, sessions };
}

async function trail({ db }: Databases) {
  return db.selectFrom('audit_entries').select(['actor_id', 'action', 'entity', 'entity_id', 'entity_label', 'ip']).orderBy('id').execute();
}

describe('the consent page (api [8])', () => {
  it('[AUTH-048, AUTH-049, AUTH-054, AUTH-055, API-009] is given with a state that lives ten minutes', async () => {
    const { api, provider } = await given({ startsAt: new Date('2026-11-20T08:00:00Z') });
    const { status, body } = await api.call('GET', '/api/google/auth-url');
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: {
        url: expect.stringContaining(`${provider.issuer}/authorize?`),
        state: expect.stringMatching(/^[\w-]{43}$/),
        expiresAt: Date.parse('2026-11-20T08:10:00Z'),
      },
    });
    const query = new URL(body.data.url).searchParams;
    expect(query.get('state')).toBe(body.data.state);
    expect(query.get('redirect_uri')).toBe('https://console.example/oauth/google');
  });

  it('is different each time, and the database holds nothing that opens it', async () => {
    const { begin, databases } = await given();
    const [one, other] = [await begin(), await begin()];
    expect(one.state).not.toBe(other.state);
    expect(new URL(one.url).searchParams.get('nonce')).not.toBe(new URL(other.url).searchParams.get('nonce'));
    const rows = await databases.db.selectFrom('google_states').selectAll().execute();
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain(one.state);
  });

  it('is given 60 times a minute to an address', async () => {
    const { api } = await given();
    const ask = (ip: string) => api.call('GET', '/api/google/auth-url', { ip });
    const answers = await Promise.all(Array.from({ length: 61 }, () => ask('198.51.100.1')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    const refused = answers.find(({ status }) => status !== 200);
    expect(refused).toMatchObject({ status: 429, body: refusals.tooMany, headers: { 'retry-after': '60' } });
    expect((await ask('198.51.100.2')).status).toBe(200);
    api.wait(60_000);
    expect((await ask('198.51.100.1')).status).toBe(200);
  });

  it('is unavailable while the provider is, and comes back with it', async () => {
    const { api, provider } = await given();
    provider.disturb('/.well-known/openid-configuration', 503);
    const answer = await api.call('GET', '/api/google/auth-url');
    expect(answer).toMatchObject({ status: 503, body: refusals.unavailable, headers: { 'retry-after': '2' } });
    expect(api.log()).toContainEqual(expect.objectContaining({ msg: 'Sign-in with Google went wrong' }));
    provider.disturb('/.well-known/openid-configuration', null);
    expect((await api.call('GET', '/api/google/auth-url')).status).toBe(200);
  });
});

describe('signing in (api [7])', () => {
  it('[AUTH-002, AUTH-045, API-008] answers as sign-in by e-mail does and links the account', async () => {
    const { api, databases, provider, signIn } = await given({ startsAt: new Date('2026-11-20T08:00:00Z') });
    const { accountId } = await signInAs(databases, { email, role: 'Log Reviewer' });
    const { status, body } = await signIn();
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: {
        user: expect.objectContaining({ id: accountId, email, panel: 'user', roles: ['Log Reviewer'], badges: ['T'], isSuperAdmin: false }),
        token: { accessToken: expect.stringMatching(/^swy_/), expiresAt: Date.parse('2026-11-20T20:00:00Z') },
      },
    });
    const authorization = `Bearer ${body.data.token.accessToken}`;
    expect(await api.call('GET', '/api/sanctum/user', { headers: { authorization } })).toMatchObject({ body: { data: body.data.user } });
    expect((await accountsAndSessions(databases)).accounts).toEqual([
      { id: accountId, google_issuer: provider.issuer, google_subject: goodClaims.sub },
    ]);
    const { id } = await databases.db.selectFrom('sessions').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
    expect(await trail(databases)).toEqual([
      { actor_id: accountId, action: 'login', entity: 'session', entity_id: String(id), entity_label: email, ip: '198.51.100.7' },
    ]);
  });

  it('[AUTH-070] lets buyers in as well', async () => {
    const { databases, signIn } = await given();
    await signInAs(databases, { email, role: 'Buyer', panel: 'buyer' });
    expect(await signIn()).toMatchObject({ status: 200, body: { data: { user: { panel: 'buyer', roles: ['Buyer'] } } } });
  });

  it('finds the account whatever the case of the e-mail', async () => {
    const { databases, provider, signIn } = await given();
    const { accountId } = await signInAs(databases, { email: 'Olga@Example.com' });
    provider.claim({ email: 'oLGA@example.COM' });
    expect(await signIn()).toMatchObject({ status: 200, body: { data: { user: { id: accountId } } } });
  });

  it('finds a linked account by its subject, also when the e-mail is another one now', async () => {
    const { databases, provider, signIn } = await given();
    const olga = await signInAs(databases, { email });
    const other = await signInAs(databases, { email: 'other@example.com' });
    await signIn();
    for (const changed of ['renamed@example.com', 'other@example.com']) {
      provider.claim({ email: changed });
      expect(await signIn()).toMatchObject({ status: 200, body: { data: { user: { id: olga.accountId } } } });
    }
    const { accounts } = await accountsAndSessions(databases);
    expect(accounts.find(({ id }) => id === other.accountId)).toMatchObject({ google_subject: null });
  });

  it('lets accounts of the allowed domains in, and of no other', async () => {
    const { databases, provider, signIn } = await given({ env: { GOOGLE_HOSTED_DOMAIN: 'Example.com, example.org' } });
    await signInAs(databases, { email });
    for (const hd of [undefined, 'evil.example', 'sub.example.com', 'example.com.evil.example']) {
      provider.claim({ hd });
      expect(await signIn()).toMatchObject({ status: 404, body: refusals.unknownUser });
    }
    for (const hd of ['example.com', 'EXAMPLE.ORG']) {
      provider.claim({ hd });
      expect((await signIn()).status).toBe(200);
    }
  });

  it('works in two tabs at once, also for the first time', async () => {
    const { consent, databases, finish } = await given();
    await signInAs(databases, { email });
    const tabs = [await consent(), await consent()];
    const statuses = (await Promise.all(tabs.map((back) => finish(back)))).map(({ status }) => status);
    expect(statuses).toEqual([200, 200]);
  });

  it('ends the count of failed passwords', async () => {
    const { api, databases, signIn } = await given();
    await signInAs(databases, { email });
    const wrong = () => api.call('POST', '/api/sanctum/login', { body: { email, password: 'wrong' }, ip: '203.0.113.1' });
    for (let i = 0; i < 10; i += 1) expect((await wrong()).status).toBe(401);
    expect((await wrong()).status).toBe(429);
    expect((await signIn()).status).toBe(200);
    expect((await wrong()).status).toBe(401);
  });
});

describe('a hostile identity opens nothing, makes no account and links none', () => {
  const past = Math.floor(Date.now() / 1000) - 3600;

  it.each([
    ['an e-mail that is not verified', { email_verified: false }, 404, refusals.unknownUser, email],
    ['an e-mail whose check is not told', { email_verified: undefined }, 404, refusals.unknownUser, email],
    ['no e-mail', { email: undefined }, 404, refusals.unknownUser, null],
    ['an unknown e-mail', { email: 'nobody@example.com' }, 404, refusals.unknownUser, 'nobody@example.com'],
    ['an e-mail that only looks alike once folded', { email: 'mi\u212Ae@example.com' }, 404, refusals.unknownUser, 'mi\u212Ae@example.com'],
    ['a pattern for an e-mail', { email: '%@example.com' }, 404, refusals.unknownUser, '%@example.com'],
    ['wrong audience', { aud: 'another-console' }, 401, refusals.failed, null],
    ['wrong issuer', { iss: 'https://evil.example' }, 401, refusals.failed, null],
    ['wrong nonce', { nonce: 'somebody-elses' }, 401, refusals.failed, null],
    ['an expired token', { iat: past - 60, exp: past }, 401, refusals.failed, null],
  ])('%s', async (_case, claims, status, body, label) => {
    const { databases, provider, signIn } = await given();
    await signInAs(databases, { email });
    await signInAs(databases, { email: 'mike@example.com' });
    const before = await accountsAndSessions(databases);
    provider.claim(claims);
    expect(await signIn()).toMatchObject({ status, body });
    expect(await accountsAndSessions(databases)).toEqual(before);
    expect(await trail(databases)).toEqual([
      { actor_id: null, action: 'login_failed', entity: 'session', entity_id: null, entity_label: label, ip: '198.51.100.7' },
    ]);
  });

  it('a foreign subject with the e-mail of a linked account', async () => {
    const { databases, provider, signIn } = await given();
    await signInAs(databases, { email });
    await signIn();
    const before = await accountsAndSessions(databases);
    provider.claim({ sub: 'who-bought-the-domain' });
    expect(await signIn()).toMatchObject({ status: 404, body: refusals.unknownUser });
    expect(await accountsAndSessions(databases)).toEqual(before);
  });

  it('the subject of another issuer', async () => {
    const { databases, signIn } = await given();
    const { accountId } = await signInAs(databases, { email });
    const link = { google_issuer: 'https://another.example', google_subject: goodClaims.sub };
    await databases.db.updateTable('accounts').set(link).where('id', '=', accountId).execute();
    expect(await signIn()).toMatchObject({ status: 404, body: refusals.unknownUser });
  });

  it('an account that was deleted, linked or not', async () => {
    const { databases, signIn } = await given();
    const { accountId } = await signInAs(databases, { email });
    await signIn();
    await databases.db.updateTable('accounts').set({ deleted_at: new Date() }).where('id', '=', accountId).execute();
    expect(await signIn()).toMatchObject({ status: 404, body: refusals.unknownUser });
  });

  it('an account without access: it is not linked either', async () => {
    const { databases, signIn } = await given();
    await signInAs(databases, { email, hasAccess: false });
    const before = await accountsAndSessions(databases);
    expect(await signIn()).toMatchObject({ status: 401, body: refusals.denied, headers: { 'www-authenticate': 'Bearer' } });
    expect(await accountsAndSessions(databases)).toEqual(before);
    expect(await trail(databases)).toMatchObject([{ actor_id: null, action: 'login_failed', entity_label: email }]);
  });

  it('a linked account that lost its access', async () => {
    const { databases, signIn } = await given();
    const { accountId } = await signInAs(databases, { email });
    await signIn();
    await databases.db.updateTable('accounts').set({ has_access: false }).where('id', '=', accountId).execute();
    expect(await signIn()).toMatchObject({ status: 401, body: refusals.denied });
  });

  it('two subjects at once: one links, the other finds nobody', async () => {
    const { consent, databases, finish, provider } = await given();
    await signInAs(databases, { email });
    const [one, other] = [await consent(), await consent()];
    let signed = 0;
    provider.claim(() => ({ sub: `subject-${(signed += 1)}` }));
    const statuses = (await Promise.all([finish(one), finish(other)])).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 404]));
  });
});

describe('the state (S4)', () => {
  it.each([
    ['none', () => ({})],
    ['an empty one', () => ({ state: '' })],
    ['an unknown one', () => ({ state: 'a'.repeat(43) })],
    ['one in other letters', ({ state }: { state: string }) => ({ state: state.toUpperCase() })],
  ])('refuses %s without asking the provider', async (_case, change) => {
    const { consent, databases, finish, provider } = await given();
    await signInAs(databases, { email });
    const back = await consent();
    expect(await finish({ code: back.code, ...change(back) })).toMatchObject({ status: 401, body: refusals.badState });
    expect(provider.calls('/token')).toBe(0);
    expect((await finish(back)).status).toBe(200);
  });

  it('is good for one call', async () => {
    const { consent, databases, finish, provider } = await given();
    await signInAs(databases, { email });
    const back = await consent();
    expect((await finish(back)).status).toBe(200);
    expect(await finish(back)).toMatchObject({ status: 401, body: refusals.badState });
    expect(provider.calls('/token')).toBe(1);
  });

  it('is good for one of many calls at the same time', async () => {
    const { consent, databases, finish, provider } = await given();
    await signInAs(databases, { email });
    const back = await consent();
    const statuses = (await Promise.all(Array.from({ length: 20 }, () => finish(back)))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401)).toHaveLength(19);
    expect(provider.calls('/token')).toBe(1);
  });

  it('is over after ten minutes', async () => {
    const { api, consent, databases, finish, provider } = await given();
    await signInAs(databases, { email });
    const [early, late] = [await consent(), await consent()];
    api.wait(599_999);
    expect((await finish(early)).status).toBe(200);
    api.wait(1);
    expect(await finish(late)).toMatchObject({ status: 401, body: refusals.badState });
    expect(provider.calls('/token')).toBe(1);
  });

  it.each([
    ['a refused code', { code: 'made-up' }, 401],
    ['a missing code', { code: undefined }, 422],
    ['a code that is too long', { code: 'a'.repeat(2049) }, 422],
    ['an unknown key', { remember: true }, 422],
  ])('is used up by a call with %s', async (_case, change, status) => {
    const { consent, databases, finish } = await given();
    await signInAs(databases, { email });
    const back = await consent();
    expect((await finish({ ...back, ...change })).status).toBe(status);
    expect(await finish(back)).toMatchObject({ status: 401, body: refusals.badState });
  });

  it('is forgotten once it is over', async () => {
    const { api, begin, databases } = await given();
    await begin();
    api.wait(300_000);
    const { state } = await begin();
    api.wait(300_000);
    await api.maintain();
    expect(await databases.db.selectFrom('google_states').select('expires_at').execute()).toHaveLength(1);
    expect(state).toBeTruthy();
  });
});

describe('a call that cannot be served', () => {
  it('with a code that was used before, under a fresh state', async () => {
    const { begin, consent, databases, finish } = await given();
    await signInAs(databases, { email });
    const back = await consent();
    await finish(back);
    const { state } = await begin();
    expect(await finish({ code: back.code, state })).toMatchObject({ status: 401, body: refusals.failed });
  });

  it.each(['/token', '/jwks'] as const)('while %s of the provider is broken', async (path) => {
    const { consent, databases, finish, provider } = await given();
    await signInAs(databases, { email });
    const back = await consent();
    provider.disturb(path, 500);
    expect(await finish(back)).toMatchObject({ status: 503, body: refusals.unavailable, headers: { 'retry-after': '2' } });
    expect(await trail(databases)).toEqual([]);
  });

  it('while the provider is away', async () => {
    const { consent, finish, provider } = await given();
    const back = await consent();
    await provider.stop();
    expect(await finish(back)).toMatchObject({ status: 503, body: refusals.unavailable });
  });

  it.each([
    ['no code', {}, { code: ['The code field is required.'] }],
    ['an empty code', { code: '' }, { code: ['The code field is required.'] }],
    [
      'numbers',
      { code: 5, state: 5 },
      { code: ['The code field must be of type string.'], state: ['The state field must be of type string.'] },
    ],
    ['a long state', { code: 'a', state: 'a'.repeat(257) }, { state: ['The state field must not be longer than 256 characters.'] }],
    ['a long code', { code: 'a'.repeat(2049) }, { code: ['The code field must not be longer than 2048 characters.'] }],
  ])('with %s', async (_case, body, errors) => {
    const { finish } = await given();
    const answer = await finish(body);
    expect(answer).toMatchObject({ status: 422, body: { message: 'The given data was invalid.', errors, data: { errors } } });
    expect(answer.body.errors).toEqual(errors);
  });

  it('over the limit of 30 a minute, which it shares with sign-in by e-mail', async () => {
    const { api, finish } = await given();
    const byEmail = (i: number) =>
      api.call('POST', '/api/sanctum/login', { body: { email: `a${i}@b.c`, password: 'x' }, ip: '203.0.113.9' });
    for (let i = 0; i < 15; i += 1) {
      expect((await byEmail(i)).status).toBe(401);
      expect((await finish({ code: 'x' }, '203.0.113.9')).status).toBe(401);
    }
    const refused = { status: 429, body: refusals.tooMany, headers: { 'retry-after': '60' } };
    expect(await finish({ code: 'x' }, '203.0.113.9')).toMatchObject(refused);
    expect(await byEmail(99)).toMatchObject(refused);
    expect((await finish({ code: 'x' }, '203.0.113.10')).status).toBe(401);
  });
});

describe('where Google is not to be had', () => {
  it('both calls are not found when it is switched off, before anything else is looked at', async () => {
    const { api, finish } = await given({ env: { AUTH_METHODS: 'email' } });
    for (let i = 0; i < 31; i += 1) expect(await finish({ remember: 1 })).toMatchObject({ status: 404, body: refusals.off });
    expect(await api.call('GET', '/api/google/auth-url')).toMatchObject({ status: 404, body: refusals.off });
    const text = await api.call('POST', '/api/google/login', { body: 'junk', headers: { 'content-type': 'text/plain' } });
    expect(text).toMatchObject({ status: 404, body: refusals.off });
  });

  it('the consent page says so when it is on but not configured', async () => {
    const { databases } = await database;
    await forgetSignIns(databases);
    const settings = testSettings();
    const api = await buildTestApi({ databases, settings: { ...settings, signIn: { ...settings.signIn, methods: 'both', google: null } } });
    expect(await api.call('GET', '/api/google/auth-url')).toMatchObject({ status: 503, body: refusals.notConfigured });
    const login = await api.call('POST', '/api/google/login', { body: { code: 'x', state: 'y' } });
    expect(login).toMatchObject({ status: 401, body: refusals.badState });
    await api.app.close();
  });
});
