import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildTestApi, testPasswords, type TestApi } from '../test/build-test-api.ts';
import { createApp } from '../test/factories/app.ts';
import { goodClaims, trustIn } from '../test/google-provider.ts';
import { withGoogle } from '../test/google-sign-in-steps.ts';
import { listenForTest, openAnswer } from '../test/listening-api.ts';
import { signInAs, signInAsServer, type SignedIn } from '../test/sign-in-as.ts';
import { soon } from '../test/soon.ts';
import { createTestDatabase, timeoutFactor } from '../test/test-database.ts';
import { openDatabases, type Databases } from './database/connect.ts';

const password = 'Correct-Horse-9';
let databases: Databases;
let elsewhere: Databases;
/** Two processes with connections of their own. */
let one: TestApi;
let other: TestApi;
let admin: SignedIn;

beforeAll(async () => {
  const testDatabase = await createTestDatabase();
  databases = testDatabase.databases;
  elsewhere = openDatabases({ url: testDatabase.url, onError: () => undefined, timeoutFactor });
  one = await buildTestApi({ databases });
  other = await buildTestApi({ databases: elsewhere });
  admin = await signInAs(databases, { role: 'Super Admin', since: one.now() });
  await one.maintain();
});
afterAll(async () => {
  await Promise.all([one.app.close(), other.app.close()]);
  await elsewhere.close();
});

const statusOf = async (api: TestApi, url: string, { headers }: Pick<SignedIn, 'headers'> = admin) =>
  (await api.call('GET', `/api/${url}`, { headers })).status;

async function signIn(api: TestApi, email: string): Promise<{ headers: { authorization: string } }> {
  const { body } = await api.call('POST', '/api/sanctum/login', { body: { email, password } });
  return { headers: { authorization: `Bearer ${body.data.token.accessToken}` } };
}

async function ingest(api: TestApi, { headers }: Pick<SignedIn, 'headers'>, event: object): Promise<number> {
  const body = { events: [{ type: 'create', date: api.now().getTime(), ip: '203.0.113.9', ...event }] };
  return (await api.call('POST', '/api/ingest/events', { headers, body })).status;
}

describe('two processes on one database', () => {
  it('[AUTH-017] [API-085] take each other’s sessions, and end them at once', async () => {
    const person = await signInAs(databases, { role: 'Admin', passwordHash: await testPasswords.hash(password) });
    const session = await signIn(one, person.email);
    expect(await statusOf(other, 'apps', session)).toBe(200);
    expect(await statusOf(other, 'sanctum/logout', session)).toBe(204);
    expect([await statusOf(one, 'apps', session), await statusOf(other, 'apps', session)]).toEqual([401, 401]);
  });

  it('[API-086] know of changed roles and lost access with the next call', async () => {
    const person = await signInAs(databases, { permissions: ['manager_dev_logs'], since: one.now() });
    expect([await statusOf(one, 'log-viewer/logs', person), await statusOf(other, 'log-viewer/logs', person)]).toEqual([200, 200]);
    const { role_id: roleId } = await databases.db
      .selectFrom('account_roles')
      .select('role_id')
      .where('account_id', '=', person.accountId)
      .executeTakeFirstOrThrow();
    const body = { name: 'Without the logs', permission_ids: [1] };
    expect((await one.call('PUT', `/api/roles/${roleId}`, { ...admin, body })).status).toBe(200);
    expect(await statusOf(other, 'log-viewer/logs', person)).toBe(403);
    const denial = await other.call('PUT', `/api/users/${person.accountId}/switch-access`, { ...admin, body: { hasAccess: false } });
    expect(denial.status).toBe(200);
    expect(await statusOf(one, 'log-viewer/logs', person)).toBe(401);
  });

  it('[API-085] know of a replaced token of a traffic server with the next call', async () => {
    const { id: appId } = await createApp(databases, { bundle: 'com.tokens' });
    const server = await signInAsServer(databases);
    expect([await ingest(one, server, { app_id: appId }), await ingest(other, server, { app_id: appId })]).toEqual([200, 200]);
    const { body } = await one.call('GET', `/api/servers/${server.serverId}`, admin);
    const token = 'x'.repeat(40);
    const saveAnswer = await one.call('PUT', `/api/servers/${server.serverId}`, {
      ...admin,
      body: { name: body.data.name, url: body.data.url, token },
    });
    expect(saveAnswer.status).toBe(200);
    expect(await ingest(other, server, { app_id: appId })).toBe(401);
    expect(await ingest(other, { headers: { authorization: `Bearer ${token}` } }, { app_id: appId })).toBe(200);
  });

  it('[API-029, API-083] follow live what the other stored', async () => {
    const { id: appId } = await createApp(databases, { bundle: 'com.live' });
    const server = await signInAsServer(databases);
    const answer = await openAnswer(`${await listenForTest(other.app)}/api/all-requests/stream`, admin.headers);
    let wire = '';
    answer.on('data', (part) => (wire += String(part)));
    await vi.waitFor(() => expect(wire).toContain(': ok'), soon);
    expect(await ingest(one, server, { app_id: appId, client_uid: 'seen-elsewhere' })).toBe(200);
    await vi.waitFor(() => expect(wire).toContain('seen-elsewhere'), soon);
    answer.destroy();
  });

  it('[IDN-124] end the oldest live stream of an account for a sixth one, wherever it is', async () => {
    const { headers } = await signInAs(databases, { role: 'Super Admin', since: one.now() });
    const [near, far] = [await listenForTest(one.app), await listenForTest(other.app)];
    const endedIds: number[] = [];
    const open = async (from: string, at: number) => {
      const answer = await openAnswer(`${from}/api/all-requests/stream`, headers);
      let wire = '';
      answer.on('data', (part) => (wire += String(part)));
      answer.on('end', () => wire.includes('event: end\ndata: {"reason":"replaced"}\n\n') && endedIds.push(at));
      await vi.waitFor(() => expect(wire).toContain('id: '), soon);
      return answer;
    };
    const streams = [];
    for (const [at, from] of [near, far, near, far, far].entries()) streams.push(await open(from, at));
    expect(endedIds).toEqual([]);
    streams.push(await open(far, 5));
    await vi.waitFor(() => expect(endedIds).toEqual([0]), soon);
    streams.push(await open(near, 6));
    await vi.waitFor(() => expect(endedIds).toEqual([0, 1]), soon);
    // A stream that was closed makes room.
    streams[3]?.destroy();
    await vi.waitFor(async () => expect(await openStreams(databases)).toBe(4), soon);
    streams.push(await open(far, 7));
    expect(endedIds).toEqual([0, 1]);
    for (const stream of streams) stream.destroy();
    await vi.waitFor(async () => expect(await openStreams(databases)).toBe(0), soon);
  });

  it('[API-084] let a download wait while three run, wherever they run', async () => {
    const { id } = await createApp(databases, { bundle: 'com.download' });
    const running = await Promise.all([1, 2, 3].map(async () => databases.takeSharedSlot('downloads', { slots: 3 })));
    expect(running).not.toContain(null);
    const state = { isOver: false };
    const waiting = other.call('GET', `/api/apps/${id}/postbacks/download`, admin).then((answer) => {
      state.isOver = true;
      return answer;
    });
    // Calls that came later are answered meanwhile.
    expect(await statusOf(other, 'apps')).toBe(200);
    expect(await elsewhere.takeSharedSlot('downloads', { slots: 3 })).toBeNull();
    expect(state.isOver).toBe(false);
    running[0]?.();
    expect((await waiting).status).toBe(200);
    for (const release of running) release?.();
  });

  it('[O40] [S37] reject an address within about a second after the other has heard enough of it', async () => {
    const check = async (api: TestApi) =>
      (await api.call('POST', '/api/sanctum/password-check', { ...admin, body: { password: 'x' }, ip: '198.51.100.7' })).status;
    for (let call = 0; call < 60; call += 1) expect(await check(one)).toBe(200);
    let calls = 0;
    await vi.waitFor(
      async () => {
        calls += 1;
        expect(await check(other)).toBe(429);
      },
      { ...soon, interval: 500 },
    );
    expect(calls).toBeLessThan(50);
  });

  it('[API-011] [AMB-075] show cached statistics of at most five minutes, and fresh ones when asked', async () => {
    const { id: appId } = await createApp(databases, { bundle: 'com.cached' });
    const server = await signInAsServer(databases);
    const all = async (api: TestApi, isCache: 0 | 1): Promise<number> =>
      (await api.call('GET', `/api/apps?status=all&search=com.cached&isCache=${isCache}`, admin)).body.data[0].statistics.all.all_time
        .create.all;
    expect([await all(one, 1), await all(other, 1)]).toEqual([0, 0]);
    expect(await ingest(one, server, { app_id: appId })).toBe(200);
    expect([await all(one, 1), await all(other, 1), await all(other, 0), await all(one, 1)]).toEqual([0, 0, 1, 0]);
    one.wait(301_000);
    expect(await all(one, 1)).toBe(1);
  });

  it('[AUTH-045] [API-008] finish a sign-in with Google that the other began', async () => {
    // Deletes all accounts, so it comes last.
    const { consent, provider } = await withGoogle(databases);
    const second = await buildTestApi({ databases: elsewhere, env: trustIn(provider) });
    const person = await signInAs(databases, { role: 'Admin', email: goodClaims.email });
    const answer = await second.call('POST', '/api/google/login', { body: await consent() });
    expect([answer.status, answer.body.data?.user?.id]).toEqual([200, person.accountId]);
    await second.app.close();
  });
});

/** Live streams of all accounts, by their locks. */
async function openStreams({ pools }: Databases): Promise<number> {
  const { rows } = await pools.ops.query(
    `select count(*)::int as open from pg_locks where locktype = 'advisory' and objsubid = 2 and classid::bigint between 2147483648 and 4294966295
      and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows[0]?.open;
}
