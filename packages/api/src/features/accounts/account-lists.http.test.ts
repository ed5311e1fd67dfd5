import { beforeAll, describe, expect, it } from 'vitest';
import { newAccountForm } from '../../../test/account-form.ts';
import { newAppForm } from '../../../test/app-form.ts';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;
let apps: [number, number];
let buyer: number;
let superBuyer: number;

const create = async (path: string, fields: Readonly<Record<string, unknown>>): Promise<number> =>
  (await api.call('POST', `/api/${path}`, { ...admin, body: newAccountForm(fields) })).body.data.id;
const get = async (path: string, caller: SignedIn = admin) => api.call('GET', `/api/${path}`, caller);
const newApp = async (): Promise<number> => (await api.call('POST', '/api/apps', { ...admin, body: newAppForm() })).body.data.id;

/** Streams of a buyer, each a minute newer than the one before. */
async function addStreams(buyerId: number, app: number, uids: readonly string[], given: object = {}): Promise<void> {
  const values = uids.map((uid, at) => {
    const moment = new Date(Date.UTC(2026, 9, 1, 0, at));
    const rules = JSON.stringify({ country: ['DE', 'AT'] });
    return { uid, app_id: app, buyer_id: buyerId, name: `Stream ${uid}`, rules, created_at: moment, updated_at: moment, ...given };
  });
  await databases.db.insertInto('streams').values(values).execute();
}

beforeAll(async () => {
  api = await buildTestApi({ databases });
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  apps = [await newApp(), await newApp()];
  buyer = await create('buyers', { roles: ['Buyer'], app_ids: [apps[0]] });
  superBuyer = await create('buyers', { roles: ['Super Buyer'] });
  return async () => api.app.close();
});

describe('lists of accounts', () => {
  it('[API-048] [API-052] [AMB-184] hold all of the panel that were not deleted, by id', async () => {
    const deletedId = await create('users', {});
    await api.call('DELETE', `/api/users/${deletedId}`, admin);
    const existingId = await create('users', { roles: ['Admin', 'Log Reviewer'], has_access: false });
    const users = (await get('users')).body.data;
    expect(users.map((one: { id: number }) => one.id)).toEqual([admin.accountId, existingId]);
    const { apps: _apps, ...row } = (await get(`users/${existingId}`)).body.data;
    expect(users[1]).toEqual(row);
    expect(users[1]).toMatchObject({ roles: ['Admin', 'Log Reviewer'], badges: ['A', 'T'], hasAccess: false, isSuperAdmin: false });
    const buyers = (await get('buyers')).body.data;
    expect(buyers.map((one: { id: number }) => one.id)).toEqual([buyer, superBuyer]);
    expect(Object.keys(buyers[0]).toSorted()).toEqual([...Object.keys(row), 'app_ids'].toSorted());
  });

  it('[API-024] [API-023] are there to pick from, in short', async () => {
    const [first] = (await get('users/list')).body.data;
    expect(first).toEqual({ id: admin.accountId, name: expect.any(String), email: admin.email });
    const [pickedBuyer] = (await get('buyers/list')).body.data;
    expect(pickedBuyer).toMatchObject({ id: buyer, role: 'B', has_access: true });
  });
});

describe("a buyer's streams", () => {
  it('[API-058] [BUY-023] [BUY-035] [AMB-190] [PERM-057] are those of the buyer, and of all buyers for a super buyer', async () => {
    const uids = Array.from({ length: 23 }, (_, at) => `st_${String(at).padStart(2, '0')}`);
    await addStreams(buyer, apps[0], uids, { offer: 'https://offer.example/x?a=1', level_cloaking: 'organic' });
    await addStreams(buyer, apps[0], ['gone'], { deleted_at: new Date() });
    await addStreams(superBuyer, apps[1], ['st_sb']);
    const first = (await get(`buyers/${buyer}/streams/list`)).body;
    const { bundle } = (await get(`apps/${apps[0]}`)).body.data;
    expect(first.data[0]).toEqual({
      uid: 'st_22',
      name: 'Stream st_22',
      bundle,
      rules: { country: ['DE', 'AT'] },
      offer: 'https://offer.example/x?a=1',
      level_cloaking: 'organic',
      created_at: '2026-10-01 00:22:00',
      updated_at: '2026-10-01 00:22:00',
    });
    expect(first.pagination).toMatchObject({ total: 23, count: 20, limit: 20, currentPage: 1, totalPages: 2 });
    const second = (await get(`buyers/${buyer}/streams/list?page=2`)).body;
    expect(second.data.map((row: { uid: string }) => row.uid)).toEqual(['st_02', 'st_01', 'st_00']);
    expect((await get(`buyers/${buyer}/streams/list?page=9&limit=5`)).body).toMatchObject({
      data: [],
      pagination: { total: 23, currentPage: 9, totalPages: 5 },
    });
    const all = (await get(`buyers/${superBuyer}/streams/list?limit=200`)).body;
    expect([all.pagination.total, all.data.at(-1).uid, all.data.some((row: { uid: string }) => row.uid === 'st_sb')]).toEqual([
      24,
      'st_00',
      true,
    ]);
  });

  it('[S10] hold those of the own apps only for who does not see all', async () => {
    const restrictedAdmin = await signInAs(databases, { role: 'Admin', apps: [apps[1]], since: api.now() });
    expect((await get(`buyers/${superBuyer}/streams/list`, restrictedAdmin)).body.pagination.total).toBe(1);
    expect((await get(`buyers/${buyer}/streams/list`, restrictedAdmin)).body).toMatchObject({ data: [], pagination: { total: 0 } });
  });

  it('are of buyers only', async () => {
    expect((await get(`buyers/${admin.accountId}/streams/list`)).status).toBe(404);
    expect((await get('buyers/999999999/streams/list')).status).toBe(404);
  });
});

describe('what an account may do and where it is signed in', () => {
  it('[PERM-002] lists each permission with the roles that grant it', async () => {
    const id = await create('users', { roles: ['App Manager', 'Log Reviewer'] });
    const { body } = await get(`users/${id}/permissions`);
    expect(body.data.find((one: { label: string }) => one.label === 'manager_app_edit')).toEqual({
      id: 3,
      label: 'manager_app_edit',
      description: 'Edit apps',
      roles: ['App Manager', 'Log Reviewer'],
    });
    expect(body.data.find((one: { label: string }) => one.label === 'manager_app_all_requests').roles).toEqual(['Log Reviewer']);
    const { body: signedIn } = await get('sanctum/user');
    const own = (await get(`users/${admin.accountId}/permissions`)).body.data;
    expect(own.map((one: { label: string }) => one.label)).toEqual(signedIn.data.permissions);
    expect((await get(`users/${buyer}/permissions`)).body.data[0].roles).toEqual(['Buyer']);
    expect((await get('users/999999999/permissions')).status).toBe(404);
  });

  it('[S6] returns live sessions and the last activity, of an account of either panel', async () => {
    const nobody = await create('users', {});
    expect((await get(`users/${nobody}/sessions`)).body.data).toEqual({ last_active_at: null, sessions: [] });
    const since = new Date(api.now().getTime() - 120_000);
    const person = await signInAs(databases, { role: 'Admin', since });
    await signInAs(databases, { role: 'Admin', since: new Date(since.getTime() - 7_200_000) });
    const { body } = await get(`users/${person.accountId}/sessions`);
    expect(body.data.sessions).toEqual([
      {
        id: person.sessionId,
        created_at: expect.any(String),
        last_used_at: body.data.last_active_at,
        expires_at: expect.any(String),
        ip: null,
        user_agent: null,
        current: false,
      },
    ]);
    const own = (await get(`users/${admin.accountId}/sessions`)).body.data;
    expect(own.sessions.map((session: { current: boolean }) => session.current)).toEqual([true]);
    expect((await get('users/999999999/sessions')).status).toBe(404);
  });
});
