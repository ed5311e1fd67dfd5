import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { makeApiToken, signInAs, signInAsServer } from '../../../test/sign-in-as.ts';
import { soon } from '../../../test/soon.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import type { Databases } from '../../database/connect.ts';

let databases: Databases;
let api: TestApi;

beforeAll(async () => {
  ({ databases } = await createTestDatabase());
  api = await buildTestApi({ databases });
  return () => api.app.close();
});

/** Notes the queries of callers, and keeps the answer of the first one back until the test says so. */
function holdFirstQuery(): { countStarted: () => number; isHeld: () => boolean; release: () => void } {
  const pool = databases.pools.sessions;
  const query: unknown = Reflect.get(pool, 'query');
  if (typeof query !== 'function') throw new TypeError('a pool has no query method');
  const gate = Promise.withResolvers<void>();
  let startedCount = 0;
  let isHeld = false;
  Reflect.set(pool, 'query', async (...args: unknown[]): Promise<unknown> => {
    startedCount += 1;
    const isFirst = startedCount === 1;
    const answer: unknown = await Reflect.apply(query, pool, args);
    if (!isFirst) return answer;
    isHeld = true;
    await gate.promise;
    return answer;
  });
  onTestFinished(() => void Reflect.deleteProperty(pool, 'query'));
  return { countStarted: () => startedCount, isHeld: () => isHeld, release: gate.resolve };
}

const statusOf = async (headers: Record<string, string>): Promise<number> => (await api.call('GET', '/api/time', { headers })).status;
const deliver = async (headers: Record<string, string>): Promise<number> =>
  (await api.call('POST', '/api/ingest/events', { headers, body: {} })).status;

describe('coalesced lookups of callers', () => {
  it('[R4] ask once for all calls that arrive while a query runs, and give each its own caller', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => signInAs(databases)));
    const query = holdFirstQuery();
    const first = statusOf(people[0]?.headers ?? {});
    await expect.poll(query.isHeld, soon).toBe(true);
    const users = people.map(({ headers }) => api.call('GET', '/api/sanctum/user', { headers }));
    const stranger = statusOf({ authorization: `Bearer swy_${'x'.repeat(43)}` });
    query.release();
    expect(await first).toBe(200);
    expect((await Promise.all(users)).map(({ body }) => body.data.id)).toEqual(people.map(({ accountId }) => accountId));
    expect(await stranger).toBe(401);
    expect(query.countStarted()).toBe(2);
  });

  it('[S6] reject a call that began after the end of its session, though an earlier one still waits for its answer', async () => {
    const person = await signInAs(databases);
    const query = holdFirstQuery();
    const before = statusOf(person.headers);
    await expect.poll(query.isHeld, soon).toBe(true);
    await databases.db.deleteFrom('sessions').where('id', '=', person.sessionId).execute();
    const after = statusOf(person.headers);
    query.release();
    expect([await before, await after]).toEqual([200, 401]);
  });

  it('[S6] reject a call that began after its API token was revoked', async () => {
    const { accountId: ownerId } = await signInAs(databases);
    const token = await makeApiToken(databases, { ownerId });
    const query = holdFirstQuery();
    const before = statusOf(token.headers);
    await expect.poll(query.isHeld, soon).toBe(true);
    await databases.db.deleteFrom('api_tokens').where('id', '=', token.tokenId).execute();
    const after = statusOf(token.headers);
    query.release();
    expect([await before, await after]).toEqual([200, 401]);
  });

  it('[S6] reject a batch that began after its server was switched off', async () => {
    const server = await signInAsServer(databases);
    const query = holdFirstQuery();
    const before = deliver(server.headers);
    await expect.poll(query.isHeld, soon).toBe(true);
    await databases.db.updateTable('traffic_servers').set({ ingest_enabled: false }).where('id', '=', server.serverId).execute();
    const after = deliver(server.headers);
    query.release();
    expect([await before, await after]).toEqual([422, 401]);
  });
});
