import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { longToken, only, plain, trafficServerCalls } from '../../../test/traffic-server-calls.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;
let restrictedAdmin: SignedIn;

beforeAll(async () => {
  api = await buildTestApi({ databases });
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  const app = await createApp(databases);
  restrictedAdmin = await signInAs(databases, { permissions: ['manager_settings_server'], apps: [app.id], since: api.now() });
  return async () => api.app.close();
});

const { add, stored, trail, ingest } = trafficServerCalls(databases, () => ({ api, admin }));
const refusal = { status: 403, body: { success: false, message: 'You have no permission for this action' } };
const put = async (id: number, body: object, ifMatch?: string) =>
  api.call('PUT', `/api/servers/${id}`, {
    headers: { ...restrictedAdmin.headers, ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) },
    body,
  });

describe('an account that sees some apps only', () => {
  it('[O36] [S35] creates no server, whatever the form says', async () => {
    const count = async () => (await databases.db.selectFrom('traffic_servers').select('id').execute()).length;
    const before = await count();
    for (const body of [plain, { ...plain, token: longToken('mine') }, { ...plain, url: 'nowhere' }]) {
      expect(only(await api.call('POST', '/api/servers', { ...restrictedAdmin, body }))).toEqual(refusal);
    }
    expect(await count()).toBe(before);
    expect(await ingest(longToken('mine'))).toBe(401);
  });

  it('[O36] [S35] deletes no server', async () => {
    const id = await add({ token: longToken('stays') });
    expect(only(await api.call('DELETE', `/api/servers/${id}`, restrictedAdmin))).toEqual(refusal);
    expect(await ingest(longToken('stays'))).toBe(422);
    expect((await api.call('DELETE', '/api/servers/999999', restrictedAdmin)).status).toBe(404);
  });

  it.each([
    ['url', { url: 'https://elsewhere.example' }],
    ['ip', { ip: '198.51.100.77' }],
    ['no ip', { ip: null }],
    ['token', { token: longToken('stolen') }],
    ['the same token', { token: longToken('held') }],
    ['mainHash', { mainHash: 'another' }],
    ['hash', { hash: 'another' }],
    ['a name beside it', { name: 'renamed', hash: 'another' }],
  ])('[O36] [S35] sets no %s of a server, and nothing beside it', async (_case, body) => {
    const id = await add({ ip: '203.0.113.20', token: longToken('held') });
    const before = await stored(id);
    expect(only(await put(id, body))).toEqual(refusal);
    expect(await stored(id)).toEqual(before);
    expect(await trail(id)).toHaveLength(1);
    await databases.db.deleteFrom('traffic_servers').where('id', '=', id).execute();
  });

  it('[O36] changes name and region, with the rest sent back as it is', async () => {
    const id = await add({ ip: '203.0.113.20', mainHash: 'kept' });
    const body = { name: 'renamed', region: 'eu', url: plain.url, ip: '::ffff:203.0.113.20', token: '', mainHash: null, hash: '' };
    const { status, body: answer } = await put(id, body);
    expect([status, answer.data.name, answer.data.region, answer.data.has_main_hash]).toEqual([200, 'renamed', 'eu', true]);
    // Somebody else moved it meanwhile: the old address is stale, not forbidden.
    await api.call('PUT', `/api/servers/${id}`, { ...admin, body: { url: 'https://moved.example' } });
    expect((await put(id, body, '"2"')).status).toBe(412);
  });
});
