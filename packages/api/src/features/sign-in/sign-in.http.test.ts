import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestApi, testPasswords, type TestApi } from '../../../test/build-test-api.ts';
import { signInAs } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import type { Databases } from '../../database/connect.ts';

let databases: Databases;
const password = 'Correct-Horse-9';
let passwordHash: string;
let api: TestApi;

beforeAll(async () => {
  ({ databases } = await createTestDatabase());
  passwordHash = await testPasswords.hash(password);
});

beforeEach(async () => {
  await databases.db.deleteFrom('sign_in_attempts').execute();
  await databases.db.deleteFrom('audit_entries').execute();
  api = await buildTestApi({ databases, startsAt: new Date('2026-11-20T08:00:00Z') });
  return () => api.app.close();
});

const wrong = { success: false, message: 'Invalid e-mail or password' };
const tooMany = { success: false, message: 'Too many attempts. Try again later' };

async function signIn(body: object, options: { ip?: string; headers?: Record<string, string> } = {}) {
  return api.call('POST', '/api/sanctum/login', { body, ...options });
}

async function auditTrail() {
  return api.databases.db
    .selectFrom('audit_entries')
    .select(['actor_id', 'action', 'entity', 'entity_id', 'entity_label', 'ip', 'request_id', 'changes'])
    .orderBy('id')
    .execute();
}

describe('signing in (api [1])', () => {
  it('[AUTH-017] [AUTH-018] [API-006] [ENT-024] answers the account with its rights and a token that works', async () => {
    const person = await signInAs(api.databases, { role: 'Admin', passwordHash, email: 'olga@example.com' });
    const answer = await signIn({ email: '  Olga@Example.COM ', password }, { ip: '203.0.113.9' });
    expect(answer.status).toBe(200);
    const { user, token } = answer.body.data;
    expect(user).toMatchObject({ id: person.accountId, email: person.email, panel: 'user', roles: ['Admin'], badges: ['A'] });
    expect([user.hasAllApps, user.isSuperAdmin, user.permissions.length]).toEqual([true, false, 21]);
    expect(user.permissions.slice(0, 3)).toEqual(['manager_app_view_all', 'manager_app_create', 'manager_app_edit']);
    expect(Object.keys(answer.body.data)).toEqual(['user', 'token']);
    expect(token.accessToken).toMatch(/^swy_[A-Za-z0-9_-]{43}$/);
    expect(token.expiresAt).toBe(Date.parse('2026-11-20T20:00:00Z'));

    const me = await api.call('GET', '/api/sanctum/user', { headers: { authorization: `Bearer ${token.accessToken}` } });
    expect(me.body).toEqual({ success: true, data: user });
    const [entry] = await auditTrail();
    expect(entry).toMatchObject({
      actor_id: person.accountId,
      action: 'login',
      entity: 'session',
      entity_label: person.email,
      ip: '203.0.113.9',
    });
  });

  it('[AUTH-018] stores no token, only a hash of it', async () => {
    await signInAs(api.databases, { role: 'Admin', passwordHash, email: 'hash@example.com' });
    const { body } = await signIn({ email: 'hash@example.com', password });
    const { rows } = await api.databases.pools.ops.query<{ text: string }>('select sessions::text as text from sessions');
    const dump = rows.map((row) => row.text).join('\n');
    expect(dump).not.toContain(body.data.token.accessToken);
    expect(dump).not.toContain(Buffer.from(body.data.token.accessToken).toString('hex'));
  });

  it('[AUTH-070] buyers sign in too, with the permissions of their panel', async () => {
    await signInAs(api.databases, { role: 'QA', panel: 'buyer', passwordHash, email: 'buyer@example.com' });
    const { body } = await signIn({ email: 'buyer@example.com', password });
    expect(body.data.user).toMatchObject({
      panel: 'buyer',
      badges: ['QA'],
      hasAllApps: false,
      permissions: ['buyer_stream_view', 'buyer_push_view', 'buyer_statistics_view'],
    });
  });

  it('[AUTH-001] unknown, wrong, overlong, deleted and passwordless get one and the same answer', async () => {
    await signInAs(api.databases, { role: 'Admin', passwordHash, email: 'known@example.com' });
    await signInAs(api.databases, { role: 'Admin', passwordHash: null, email: 'google-only@example.com' });
    await signInAs(api.databases, { role: 'Admin', passwordHash, email: 'denied@example.com', hasAccess: false });
    const deletedPerson = await signInAs(api.databases, { role: 'Admin', passwordHash, email: 'gone@example.com' });
    await api.databases.db.updateTable('accounts').set({ deleted_at: new Date() }).where('id', '=', deletedPerson.accountId).execute();
    for (const body of [
      { email: 'known@example.com', password: `${password}x` },
      { email: 'known@example.com', password: password.toLowerCase() },
      { email: 'known@example.com', password: password + 'x'.repeat(200) },
      { email: 'nobody@example.com', password },
      { email: 'google-only@example.com', password: 'x' },
      { email: 'denied@example.com', password: 'x' },
      { email: 'gone@example.com', password },
      { email: `${'x'.repeat(300)}@example.com`, password },
      { email: 'no address at all', password },
    ]) {
      const { status, body: answer, headers } = await signIn(body);
      expect([body.email, status, answer, headers['www-authenticate']]).toEqual([body.email, 401, wrong, 'Bearer']);
    }
    expect((await auditTrail()).map((entry) => [entry.actor_id, entry.action])).toEqual(
      Array.from({ length: 9 }, () => [null, 'login_failed']),
    );
  });

  it('[AUTH-001] the right password of an account without access says so', async () => {
    await signInAs(api.databases, { role: 'Admin', passwordHash, email: 'shut@example.com', hasAccess: false });
    const { status, body } = await signIn({ email: 'shut@example.com', password });
    expect([status, body]).toEqual([401, { success: false, message: 'Access denied. Contact your administrator' }]);
    expect((await auditTrail()).map((entry) => entry.action)).toEqual(['login_failed']);
  });

  it('[ERR-015] missing, empty and wrongly typed fields are field errors, unknown keys too', async () => {
    expect((await signIn({})).body.errors).toEqual({
      email: ['The email field is required.'],
      password: ['The password field is required.'],
    });
    expect((await signIn({ email: '', password: 5, remember: true })).body.errors).toEqual({
      email: ['The email field is required.'],
      password: ['The password field must be of type string.'],
      remember: ['Unknown field.'],
    });
  });

  it('[AUTH-003] by e-mail it is switched off where only Google is allowed', async () => {
    const env = { AUTH_METHODS: 'google', GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'y' };
    const google = await buildTestApi({ databases: api.databases, env });
    const { status, body } = await google.call('POST', '/api/sanctum/login', { body: {} });
    expect([status, body]).toEqual([404, { success: false, message: 'Sign-in by e-mail is switched off' }]);
    await google.app.close();
  });
});

describe('limits of signing in (api 0.15)', () => {
  it('[AUTH-001] checks ten of 100 parallel wrong attempts and returns 429 for the others, whatever else the requests contain', async () => {
    await signInAs(api.databases, { role: 'Admin', passwordHash, email: 'target@example.com' });
    const tries = Array.from({ length: 100 }, (_, i) =>
      signIn(
        { email: i % 2 === 0 ? 'target@example.com' : ' TARGET@example.com ', password: `wrong-${i}` },
        { ip: `198.51.100.${i}`, headers: { 'x-forwarded-for': `203.0.113.${i}` } },
      ),
    );
    const answers = await Promise.all(tries);
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    // On a busy machine some calls find no connection in time. Their passwords are not checked, and they are not counted.
    expect(count(401) + count(429) + count(503)).toBe(100);
    expect(count(401)).toBeLessThanOrEqual(10);
    expect(count(429)).toBeGreaterThan(0);
    for (let failures = count(401); failures < 10; failures += 1)
      expect((await signIn({ email: 'target@example.com', password: 'wrong' })).status).toBe(401);
    expect(answers.find((answer) => answer.status === 429)).toMatchObject({ body: tooMany, headers: { 'retry-after': '900' } });

    const refusal = await signIn({ email: 'target@example.com', password });
    expect([refusal.status, refusal.body]).toEqual([429, tooMany]);
    api.wait(899_000);
    expect((await signIn({ email: 'target@example.com', password })).headers['retry-after']).toBe('1');
    api.wait(1000);
    expect((await signIn({ email: 'target@example.com', password })).status).toBe(200);
  });

  it('[AUTH-001] a success clears the count; an unknown e-mail is counted like a known one', async () => {
    await signInAs(api.databases, { role: 'Admin', passwordHash, email: 'typo@example.com' });
    for (let i = 0; i < 9; i++) await signIn({ email: 'typo@example.com', password: 'wrong' }, { ip: `10.0.1.${i}` });
    expect((await signIn({ email: 'typo@example.com', password })).status).toBe(200);
    for (let i = 0; i < 10; i++) {
      expect((await signIn({ email: 'typo@example.com', password: 'wrong' }, { ip: `10.0.2.${i}` })).status).toBe(401);
      expect((await signIn({ email: 'unknown@example.com', password: 'wrong' }, { ip: `10.0.3.${i}` })).status).toBe(401);
    }
    expect((await signIn({ email: 'typo@example.com', password }, { ip: '10.0.4.1' })).status).toBe(429);
    expect((await signIn({ email: 'unknown@example.com', password }, { ip: '10.0.4.1' })).status).toBe(429);
  });

  it('[AUTH-001] an address has 30 requests a minute, before anything is read; forwarded addresses change nothing', async () => {
    const answers = [];
    for (let i = 0; i < 31; i++) answers.push(await signIn({}, { ip: '192.0.2.1', headers: { 'x-forwarded-for': `203.0.113.${i}` } }));
    expect(answers.map((answer) => answer.status)).toEqual([...Array(30).fill(422), 429]);
    expect(answers[30]).toMatchObject({ body: tooMany, headers: { 'retry-after': '60' } });
    const mappedAnswer = await api.call('POST', '/api/sanctum/login', {
      ip: '::ffff:192.0.2.1',
      headers: { 'content-type': 'application/json' },
      body: '{',
    });
    expect(mappedAnswer.status).toBe(429);
    expect((await signIn({}, { ip: '192.0.2.2' })).status).toBe(422);
    api.wait(60_000);
    expect((await signIn({}, { ip: '192.0.2.1' })).status).toBe(422);
  });

  it('[AUTH-001] the table of attempts contains no e-mail address, and old attempts are deleted', async () => {
    await signIn({ email: 'private@example.com', password: 'x' });
    const { rows } = await api.databases.pools.ops.query<{ text: string }>('select sign_in_attempts::text as text from sign_in_attempts');
    expect(rows).toHaveLength(2);
    expect(rows.map((row) => row.text).join()).not.toContain('private@example');
    api.wait(61_000);
    await api.maintain();
    expect(await api.databases.db.selectFrom('sign_in_attempts').selectAll().execute()).toHaveLength(1);
  });
});
