import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { buildTestApi, testSettings } from '../../../test/build-test-api.ts';
import { goodClaims } from '../../../test/google-provider.ts';
import { accountsAndSessions, forgetSignIns, givenGoogle, refusals, trail } from '../../../test/google-sign-in-steps.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { signInAs } from '../../../test/sign-in-as.ts';

const database = createTestDatabase();
const startGoogle = givenGoogle(database);
const email = goodClaims.email;

describe('signing in (api [7])', () => {
  it('[AUTH-002, AUTH-045, API-008] answers as sign-in by e-mail does and links the account', async () => {
    const { api, databases, provider, signIn } = await startGoogle({ startsAt: new Date('2026-11-20T08:00:00Z') });
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

  it('[IDN-033] asks an account with a second factor for a code, and opens a session with it only', async () => {
    const { api, databases, signIn } = await startGoogle({ startsAt: new Date('2026-11-20T08:00:00Z') });
    const { headers, accountId } = await signInAs(databases, { email, since: api.now() });
    const { challenge: factorChallenge, secret } = (await api.call('POST', '/api/sanctum/second-factors/totp', { headers, body: {} })).body
      .data;
    const codeNow = () => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: api.now().getTime() });
    const confirm = { challenge: factorChallenge, code: codeNow(), name: 'Phone' };
    expect((await api.call('POST', '/api/sanctum/second-factors/totp/confirm', { headers, body: confirm })).status).toBe(201);
    const sessions = async () => (await databases.db.selectFrom('sessions').select('id').execute()).length;
    const before = await sessions();
    const { status, body } = await signIn();
    expect([status, body.data.token, body.data.second_factor.methods]).toEqual([200, undefined, ['totp', 'recovery_code']]);
    const { challenge } = body.data.second_factor;
    const finish = async () => api.call('POST', '/api/sanctum/second-factor', { body: { challenge, code: codeNow() } });
    // The code that added the factor is used up.
    expect([(await finish()).status, await sessions()]).toEqual([422, before]);
    api.wait(30_000);
    expect(await finish()).toMatchObject({ status: 200, body: { data: { user: { id: accountId } } } });
    expect(await sessions()).toBe(before + 1);
  });

  it('[IDN-084] confirms the identity of an account without a second factor, with its own Google account only', async () => {
    const { api, consent, databases, provider, signIn } = await startGoogle({ env: { AUTH_METHODS: 'google' } });
    await signInAs(databases, { email, role: 'Super Admin' });
    const headers = { authorization: `Bearer ${(await signIn()).body.data.token.accessToken}` };
    const post = async (path: string, body: object = {}) => api.call('POST', `/api/sanctum/${path}`, { headers, body });
    api.wait(15 * 60_000);
    const answer = await post('second-factors/totp');
    expect([answer.status, answer.body.data]).toEqual([403, { reauthentication: { methods: ['google'] } }]);

    const errors = { google: ['Google could not confirm that it is you. Use the Google account you sign in with'] };
    const wrong = { status: 422, body: { errors } };
    provider.claim({ sub: 'somebody-else' });
    expect(await post('reauthenticate', { google: await consent() })).toMatchObject(wrong);
    provider.claim({ email_verified: false });
    expect(await post('reauthenticate', { google: await consent() })).toMatchObject(wrong);
    provider.claim({});
    const back = await consent();
    expect(await post('reauthenticate', { google: { ...back, state: 'invented' } })).toMatchObject(wrong);
    expect((await post('second-factors/totp')).status).toBe(403);
    expect((await trail(databases)).filter(({ action }) => action === 'reauthenticate_failed')).toHaveLength(3);
    provider.disturb('/token', 503);
    expect(await post('reauthenticate', { google: await consent() })).toMatchObject({ status: 503, body: refusals.unavailable });
    provider.disturb('/token', null);
    expect((await post('reauthenticate', { google: back })).status).toBe(204);
    expect(await post('reauthenticate', { google: back })).toMatchObject(wrong);

    const { challenge, secret } = (await post('second-factors/totp')).body.data;
    const code = TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: api.now().getTime() });
    expect((await post('second-factors/totp/confirm', { challenge, code, name: 'Phone' })).status).toBe(201);
    expect(await post('reauthenticate', { google: await consent() })).toMatchObject({
      status: 422,
      body: { errors: { google: ['Confirm with your second factor'] } },
    });
  });

  it('[AUTH-070] lets buyers in as well', async () => {
    const { databases, signIn } = await startGoogle();
    await signInAs(databases, { email, role: 'Buyer', panel: 'buyer' });
    expect(await signIn()).toMatchObject({ status: 200, body: { data: { user: { panel: 'buyer', roles: ['Buyer'] } } } });
  });

  it('finds the account whatever the case of the e-mail', async () => {
    const { databases, provider, signIn } = await startGoogle();
    const { accountId } = await signInAs(databases, { email: 'Olga@Example.com' });
    provider.claim({ email: 'oLGA@example.COM' });
    expect(await signIn()).toMatchObject({ status: 200, body: { data: { user: { id: accountId } } } });
  });

  it('finds a linked account by its subject, also when the e-mail is another one now', async () => {
    const { databases, provider, signIn } = await startGoogle();
    const olga = await signInAs(databases, { email });
    const other = await signInAs(databases, { email: 'other@example.com' });
    await signIn();
    for (const newEmail of ['renamed@example.com', 'other@example.com']) {
      provider.claim({ email: newEmail });
      expect(await signIn()).toMatchObject({ status: 200, body: { data: { user: { id: olga.accountId } } } });
    }
    const { accounts } = await accountsAndSessions(databases);
    expect(accounts.find(({ id }) => id === other.accountId)).toMatchObject({ google_subject: null });
  });

  it('lets accounts of the allowed domains in, and of no other', async () => {
    const { databases, provider, signIn } = await startGoogle({ env: { GOOGLE_HOSTED_DOMAIN: 'Example.com, example.org' } });
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
    const { consent, databases, finish } = await startGoogle();
    await signInAs(databases, { email });
    const tabs = [await consent(), await consent()];
    const statuses = (await Promise.all(tabs.map((back) => finish(back)))).map(({ status }) => status);
    expect(statuses).toEqual([200, 200]);
  });

  it('ends the count of failed passwords', async () => {
    const { api, databases, signIn } = await startGoogle();
    await signInAs(databases, { email });
    const wrong = () => api.call('POST', '/api/sanctum/login', { body: { email, password: 'wrong' }, ip: '203.0.113.1' });
    for (let i = 0; i < 10; i += 1) expect((await wrong()).status).toBe(401);
    expect((await wrong()).status).toBe(429);
    expect((await signIn()).status).toBe(200);
    expect((await wrong()).status).toBe(401);
  });
});

describe('a call that cannot be served', () => {
  it('with a code that was used before, under a fresh state', async () => {
    const { begin, consent, databases, finish } = await startGoogle();
    await signInAs(databases, { email });
    const back = await consent();
    await finish(back);
    const { state } = await begin();
    expect(await finish({ code: back.code, state })).toMatchObject({ status: 401, body: refusals.failed });
  });

  it.each(['/token', '/jwks'] as const)('while %s of the provider is broken', async (path) => {
    const { consent, databases, finish, provider } = await startGoogle();
    await signInAs(databases, { email });
    const back = await consent();
    provider.disturb(path, 500);
    expect(await finish(back)).toMatchObject({ status: 503, body: refusals.unavailable, headers: { 'retry-after': '2' } });
    expect(await trail(databases)).toEqual([]);
  });

  it('while the provider is unavailable', async () => {
    const { consent, finish, provider } = await startGoogle();
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
    const { finish } = await startGoogle();
    const answer = await finish(body);
    expect(answer).toMatchObject({ status: 422, body: { message: 'The given data was invalid.', errors, data: { errors } } });
    expect(answer.body.errors).toEqual(errors);
  });

  it('over the limit of 30 a minute, which it shares with sign-in by e-mail', async () => {
    const { api, finish } = await startGoogle();
    const byEmail = (i: number) =>
      api.call('POST', '/api/sanctum/login', { body: { email: `a${i}@b.c`, password: 'x' }, ip: '203.0.113.9' });
    for (let i = 0; i < 15; i += 1) {
      expect((await byEmail(i)).status).toBe(401);
      expect((await finish({ code: 'x' }, '203.0.113.9')).status).toBe(401);
    }
    const refusal = { status: 429, body: refusals.tooMany, headers: { 'retry-after': '60' } };
    expect(await finish({ code: 'x' }, '203.0.113.9')).toMatchObject(refusal);
    expect(await byEmail(99)).toMatchObject(refusal);
    expect((await finish({ code: 'x' }, '203.0.113.10')).status).toBe(401);
  });
});

describe('where Google is not to be had', () => {
  it('both calls return 404 when it is switched off, before any other check', async () => {
    const { api, finish } = await startGoogle({ env: { AUTH_METHODS: 'email' } });
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
