import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { newAccountForm } from '../../../test/account-form.ts';
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
  await databases.db.deleteFrom('accounts').execute();
  api = await buildTestApi({ databases, startsAt: new Date('2026-11-20T08:00:00Z') });
  return () => api.app.close();
});

async function signIn(body: object, ip: string) {
  return api.call('POST', '/api/sanctum/login', { body, ip });
}
const statusOf = async (email: string, typedPassword: string, ip: string) => (await signIn({ email, password: typedPassword }, ip)).status;
const statusesOf = async (count: number, run: (at: number) => Promise<number>) => {
  const statuses = [];
  for (let at = 0; at < count; at += 1) statuses.push(await run(at));
  return statuses;
};
const times = (count: number, status: number) => Array.from({ length: count }, () => status);

describe('requests of one network', () => {
  it('[O40] [S37] a /64 has 30 sign-ins a minute, however many of its addresses are used', async () => {
    const statuses = await statusesOf(120, async (at) => (await signIn({}, `2001:db8:1:2:${at.toString(16)}::${at}`)).status);
    expect(statuses).toEqual([...times(30, 422), ...times(90, 429)]);
    expect((await signIn({}, '2001:db8:1:3::1')).status).toBe(422);
  });

  it('[O40] [S37] a /48 has 300 sign-ins a minute, however many of its networks are used', async () => {
    const statuses = await statusesOf(301, async (at) => (await signIn({}, `2001:db8:7:${(at % 100).toString(16)}::1`)).status);
    expect(statuses).toEqual([...times(300, 422), 429]);
    expect((await signIn({}, '2001:db8:7:ffff::1')).headers['retry-after']).toBe('60');
    expect((await signIn({}, '2001:db8:8::1')).status).toBe(422);
    api.wait(60_000);
    expect((await signIn({}, '2001:db8:7:ffff::1')).status).toBe(422);
  });

  it('[O40] [S37] what a /64 tries past its limit uses up nothing of its /48', async () => {
    await statusesOf(320, async () => (await signIn({}, '2001:db8:9:1::1')).status);
    expect((await signIn({}, '2001:db8:9:2::1')).status).toBe(422);
  });

  it('[O40] [S37] an IPv4 address written as IPv6 counts with itself, and with no other', async () => {
    expect(await statusesOf(31, async (at) => (await signIn({}, at % 2 === 0 ? '192.0.2.7' : '::ffff:192.0.2.7')).status)).toEqual([
      ...times(30, 422),
      429,
    ]);
    expect((await signIn({}, '::ffff:192.0.2.8')).status).toBe(422);
  });

  it('[O40] [S37] a /64 has 60 consent pages of Google a minute', async () => {
    const env = { GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'y', GOOGLE_ISSUER: 'http://127.0.0.1:9' };
    const google = await buildTestApi({ databases, env });
    const ask = async (at: number) => (await google.call('GET', '/api/google/auth-url', { ip: `2001:db8:1:2::${at.toString(16)}` })).status;
    expect(await statusesOf(61, ask)).toEqual([...times(60, 503), 429]);
    await google.app.close();
  });
});

describe('wrong passwords', () => {
  const other = (at: number) => `198.51.100.${at}`;
  const home = '203.0.113.5';

  it('[O40] [S39] from elsewhere do not lock out an address that signed in to the account', async () => {
    await signInAs(databases, { role: 'Admin', passwordHash, email: 'olga@example.com' });
    expect(await statusOf('olga@example.com', password, home)).toBe(200);
    expect(await statusesOf(11, async (at) => statusOf('olga@example.com', 'wrong', other(at)))).toEqual([...times(10, 401), 429]);
    expect(await statusOf('olga@example.com', password, other(99))).toBe(429);
    expect(await statusOf(' OLGA@example.com', password, home)).toBe(200);
    expect(await statusOf('olga@example.com', password, other(99))).toBe(429);
  });

  it('[O40] [S39] from a known address have a budget of their own, parallel ones counted before they are checked', async () => {
    await signInAs(databases, { role: 'Admin', passwordHash, email: 'olga@example.com' });
    expect(await statusOf('olga@example.com', password, home)).toBe(200);
    const answers = await Promise.all(Array.from({ length: 25 }, async (_, at) => statusOf('olga@example.com', `wrong-${at}`, home)));
    expect(answers.filter((status) => status === 401).length).toBeLessThanOrEqual(10);
    await statusesOf(3, async () => statusOf('olga@example.com', 'wrong', home));
    api.wait(60_000);
    expect(await statusOf('olga@example.com', password, home)).toBe(429);
    expect(await statusOf('olga@example.com', password, other(1))).toBe(200);
  });

  it('[O40] [S39] are counted for a /64 that signed in, whichever of its addresses is used', async () => {
    await signInAs(databases, { role: 'Admin', passwordHash, email: 'olga@example.com' });
    expect(await statusOf('olga@example.com', password, '2001:db8:1:2::1')).toBe(200);
    await statusesOf(11, async (at) => statusOf('olga@example.com', 'wrong', other(at)));
    expect(await statusOf('olga@example.com', password, '2001:db8:1:2:ffff::9')).toBe(200);
    expect(await statusOf('olga@example.com', password, '2001:db8:1:3::1')).toBe(429);
  });

  it('[O40] lock out nobody for longer because the clock was set back', async () => {
    await signInAs(databases, { role: 'Admin', passwordHash, email: 'olga@example.com' });
    api.wait(86_400_000);
    expect(await statusesOf(11, async (at) => statusOf('olga@example.com', 'wrong', other(at)))).toEqual([...times(10, 401), 429]);
    api.wait(-86_400_000);
    expect(await statusOf('olga@example.com', password, home)).toBe(429);
    api.wait(3_600_000);
    expect(await statusOf('olga@example.com', password, home)).toBe(200);
  });

  it('[IDN-105] a sign-in before the clock was set back is not recent', async () => {
    const person = await signInAs(databases, { role: 'Super Admin', passwordHash, email: 'olga@example.com', since: api.now() });
    const body = () => newAccountForm({ password: undefined });
    const guarded = async () => (await api.call('POST', '/api/users/invite', { ...person, body: body() })).status;
    expect(await guarded()).toBe(201);
    api.wait(-86_400_000);
    await databases.pools.ops.query('update sessions set last_used_at = $1', [api.now()]);
    expect(await guarded()).toBe(403);
  });

  it('[O40] [S39] lock out an address again 30 days after its last sign-in, and maintenance forgets it', async () => {
    await signInAs(databases, { role: 'Admin', passwordHash, email: 'olga@example.com' });
    expect(await statusOf('olga@example.com', password, home)).toBe(200);
    expect(await databases.db.selectFrom('known_addresses').select('address_key').execute()).toEqual([{ address_key: home }]);
    api.wait(30 * 86_400_000 - 1000);
    await api.maintain();
    await statusesOf(10, async (at) => statusOf('olga@example.com', 'wrong', other(at)));
    api.wait(2000);
    expect(await statusOf('olga@example.com', password, home)).toBe(429);
    await api.maintain();
    expect(await databases.db.selectFrom('known_addresses').selectAll().execute()).toEqual([]);
  });

  it('[O40] [S39] [S2] do not reveal whether an account exists or from where it is used', async () => {
    await signInAs(databases, { role: 'Admin', passwordHash, email: 'olga@example.com' });
    expect(await statusOf('olga@example.com', password, home)).toBe(200);
    const answersOf = async (email: string) => {
      const answers = [];
      for (let at = 0; at < 12; at += 1) answers.push(await signIn({ email, password: 'wrong' }, `192.0.2.${at}`));
      return answers.map(({ status, body, headers }) => [status, body, headers['retry-after']]);
    };
    expect(await answersOf('olga@example.com')).toEqual(await answersOf('nobody@example.com'));
    // An address known to one account is like any other to the next one.
    expect(await statusesOf(11, async () => statusOf('nobody-else@example.com', 'wrong', home))).toEqual([...times(10, 401), 429]);
  });
});

describe('sessions of one account', () => {
  it('[O40] [S39] are 50 at most: the oldest ends with the next sign-in, and the trail has it', async () => {
    const person = await signInAs(databases, { role: 'Admin', passwordHash, email: 'olga@example.com', since: api.now() });
    const bystander = await signInAs(databases, { role: 'Admin', passwordHash, since: api.now() });
    const open = async (ip: string) => {
      api.wait(1000);
      const { body } = await signIn({ email: person.email, password }, ip);
      return { headers: { authorization: `Bearer ${body.data.token.accessToken}` } };
    };
    const sessions = [];
    for (let at = 1; at < 50; at += 1) sessions.push(await open(`203.0.113.${at}`));
    const works = async (caller: { headers: { authorization: string } }) => (await api.call('GET', '/api/sanctum/user', caller)).status;
    expect(await works(person)).toBe(200);
    const last = await open('203.0.113.50');
    expect(await Promise.all([person, ...sessions, last, bystander].map(works))).toEqual([401, ...times(51, 200)]);
    const entries = await databases.db.selectFrom('audit_entries').select(['actor_id', 'entity_id']).where('action', '=', 'end').execute();
    expect(entries).toEqual([{ actor_id: person.accountId, entity_id: String(person.sessionId) }]);
  });

  it('[O40] end with the one that was opened first, also after the clock was set back', async () => {
    const person = await signInAs(databases, { role: 'Admin', passwordHash, email: 'olga@example.com', since: api.now() });
    const signInFrom = async (ip: string) => (await signIn({ email: person.email, password }, ip)).status;
    for (let at = 1; at < 50; at += 1) expect(await signInFrom(`203.0.113.${at}`)).toBe(200);
    api.wait(-120_000);
    onTestFinished(() => api.wait(120_000));
    expect(await signInFrom('203.0.113.50')).toBe(200);
    expect((await api.call('GET', '/api/sanctum/user', person)).status).toBe(401);
  });

  it('[O40] [S39] stay 50 however many sign-ins come at once', async () => {
    const person = await signInAs(databases, { role: 'Admin', passwordHash, email: 'olga@example.com', since: api.now() });
    const row = {
      account_id: person.accountId,
      created_at: api.now(),
      last_used_at: api.now(),
      expires_at: new Date('2026-11-20T20:00:00Z'),
    };
    const rows = Array.from({ length: 48 }, (_, at) => ({ ...row, token_hash: Buffer.from(`session ${at}`) }));
    await databases.db.insertInto('sessions').values(rows).execute();
    const answers = await Promise.all(Array.from({ length: 8 }, async (_, at) => statusOf(person.email, password, `203.0.113.${at}`)));
    expect(answers.filter((status) => status === 200).length).toBeGreaterThan(1);
    expect(await databases.db.selectFrom('sessions').select('id').where('account_id', '=', person.accountId).execute()).toHaveLength(50);
  });
});
