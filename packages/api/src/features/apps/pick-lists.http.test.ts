import { beforeAll, describe, expect, it } from 'vitest';
import { newAppForm } from '../../../test/app-form.ts';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;

beforeAll(async () => {
  api = await buildTestApi({ databases });
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  return async () => api.app.close();
});

const list = async (path: string, caller = admin) => (await api.call('GET', `/api/${path}`, caller)).body;

describe('lists to pick from', () => {
  it('[API-022] apps/list holds the active apps in the scope, by name', async () => {
    const [b, a, archivedApp] = [
      await createApp(databases, { name: 'beta', bundle: 'com.b', domain: 'b.example' }),
      await createApp(databases, { name: 'Alpha', bundle: 'com.a', domain: 'a.example' }),
      await createApp(databases, { name: 'aaa', deleted_at: new Date() }),
    ];
    const alpha = { id: a.id, name: 'Alpha', bundle: 'com.a', domain: 'a.example', label: 'Alpha (com.a)' };
    const beta = { id: b.id, name: 'beta', bundle: 'com.b', domain: 'b.example', label: 'beta (com.b)' };
    expect(await list('apps/list')).toEqual({ success: true, data: [alpha, beta] });
    const restrictedAdmin = await signInAs(databases, { role: 'Admin', apps: [b.id, archivedApp.id] });
    expect((await list('apps/list', restrictedAdmin)).data).toEqual([beta]);
  });

  it('[API-023][UACC-001][UACC-004][UACC-009] buyers/list holds the buyers that were not deleted, with their badges', async () => {
    const buyers = [
      await signInAs(databases, { role: 'Super Buyer', panel: 'buyer', hasAccess: false }),
      await signInAs(databases, { role: 'Buyer', panel: 'buyer' }),
      await signInAs(databases, { role: 'Buyer', panel: 'buyer' }),
    ];
    const [first, second, deletedId] = buyers.map((each) => each.accountId);
    if (first === undefined || second === undefined || deletedId === undefined) throw new Error('three buyers were made');
    await databases.db.insertInto('account_roles').values({ account_id: second, role_id: 6, panel: 'buyer' }).execute();
    await databases.db.updateTable('accounts').set({ deleted_at: new Date() }).where('id', '=', deletedId).execute();
    const shownBuyers = (await list('buyers/list')).data;
    expect(shownBuyers).toEqual([
      { id: first, name: expect.any(String), email: buyers[0]?.email, role: 'SB', has_access: false },
      { id: second, name: expect.any(String), email: buyers[1]?.email, role: 'B, QA', has_access: true },
    ]);
    const app = await api.call('POST', '/api/apps', { ...admin, body: newAppForm({ userIds: [second, first] }) });
    expect(app.body.data.buyers).toEqual(shownBuyers);
  });

  it('[API-025][ENT-014] servers/list holds the servers that were not deleted, by name, and none of their secrets', async () => {
    const server = { url: 'https://edge.example', region: null, ip: null, token_hash: null, main_hash_sealed: null, hash_sealed: null };
    await databases.db
      .insertInto('traffic_servers')
      .values([
        { ...server, name: 'edge-b', ip: '203.0.113.20', deleted_at: null },
        { ...server, name: 'Edge-a', deleted_at: null },
        { ...server, name: 'aaa', deleted_at: new Date() },
      ])
      .execute();
    expect((await list('servers/list')).data).toEqual([
      { id: expect.any(Number), name: 'Edge-a', ip: null },
      { id: expect.any(Number), name: 'edge-b', ip: '203.0.113.20' },
    ]);
  });
});
