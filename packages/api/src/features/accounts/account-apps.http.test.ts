import { beforeAll, describe, expect, it } from 'vitest';
import { newAccountForm, storedAccount, trailOfAccount } from '../../../test/account-form.ts';
import { newAppForm } from '../../../test/app-form.ts';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { soon } from '../../../test/soon.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;
/** Four apps, of which a restricted super admin sees the first two. */
let apps: [number, number, number, number];
let restrictedAdmin: SignedIn;

async function newApp(): Promise<number> {
  return (await api.call('POST', '/api/apps', { ...admin, body: newAppForm() })).body.data.id;
}

beforeAll(async () => {
  api = await buildTestApi({ databases });
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  apps = [await newApp(), await newApp(), await newApp(), await newApp()];
  restrictedAdmin = await signInAs(databases, { role: 'Super Admin', apps: apps.slice(0, 2), since: api.now() });
  return async () => api.app.close();
});

type Kind = 'attach-apps' | 'detach-app' | 'sync-apps';
const change = async (id: number, kind: Kind, appIds: unknown, caller = admin) =>
  api.call(kind === 'detach-app' ? 'DELETE' : 'POST', `/api/users/${id}/${kind}`, { ...caller, body: { appIds } });
const create = async (path: 'users' | 'buyers', fields: Readonly<Record<string, unknown>>, caller = admin) =>
  api.call('POST', `/api/${path}`, {
    ...caller,
    body: newAccountForm({ roles: path === 'users' ? ['App Manager'] : ['Buyer'], ...fields }),
  });
const newId = async (path: 'users' | 'buyers', fields: Readonly<Record<string, unknown>>) => (await create(path, fields)).body.data.id;
const appsOf = ({ body }: { body: { data: { appIds: number[]; hasAllApps: boolean } } }) => [body.data.appIds, body.data.hasAllApps];
const foreign = { success: false, message: 'You cannot grant access to apps you do not have' };
const allApps = { success: false, message: 'You cannot grant access to all apps' };
const versionOf = async (app: number) => (await api.call('GET', `/api/apps/${app}`, admin)).body.data.version;

describe('apps of staff', () => {
  it('[API-049] [API-050] [API-051] [AMB-173] [USER-056] are attached, detached and set', async () => {
    const id = await newId('users', {});
    const attachAnswer = await change(id, 'attach-apps', [apps[2], apps[0], apps[2]]);
    expect([attachAnswer.status, ...appsOf(attachAnswer)]).toEqual([200, [apps[0], apps[2]], false]);
    expect(attachAnswer.body.data.apps.map((app: { id: number }) => app.id).toSorted((a: number, b: number) => a - b)).toEqual([
      apps[0],
      apps[2],
    ]);
    expect(appsOf(await change(id, 'attach-apps', [apps[1]]))).toEqual([[apps[0], apps[1], apps[2]], false]);
    expect(appsOf(await change(id, 'detach-app', [apps[1], apps[3]]))).toEqual([[apps[0], apps[2]], false]);
    expect(appsOf(await change(id, 'sync-apps', [apps[3]]))).toEqual([[apps[3]], false]);
    expect((await trailOfAccount(databases, id)).slice(1).map((entry) => [entry.action, entry.changes])).toEqual([
      [
        'attach_apps',
        [
          { field: 'hasAllApps', from: true, to: false },
          { field: 'appIds', from: [], to: [apps[0], apps[2]] },
        ],
      ],
      ['attach_apps', [{ field: 'appIds', from: [apps[0], apps[2]], to: [apps[0], apps[1], apps[2]] }]],
      ['detach_app', [{ field: 'appIds', from: [apps[0], apps[1], apps[2]], to: [apps[0], apps[2]] }]],
      ['sync_apps', [{ field: 'appIds', from: [apps[0], apps[2]], to: [apps[3]] }]],
    ]);
    expect((await api.call('GET', `/api/users/${id}`, admin)).body.data.version).toBe(5);
  });

  it('[USER-057] [S11] an empty set means all apps; taking the last one means none', async () => {
    const id = await newId('users', { appIds: [apps[0]] });
    expect(appsOf(await change(id, 'detach-app', [apps[0]]))).toEqual([[], false]);
    expect(appsOf(await change(id, 'detach-app', [apps[0]]))).toEqual([[], false]);
    expect(appsOf(await change(id, 'sync-apps', []))).toEqual([[], true]);
    expect((await change(id, 'detach-app', [apps[0]])).body).toEqual({
      success: false,
      message: 'The user has access to all apps, choose the apps first',
    });
    expect(appsOf(await api.call('PUT', `/api/users/${id}`, { ...admin, body: { app_ids: [apps[1]] } }))).toEqual([[apps[1]], false]);
    expect(appsOf(await api.call('PUT', `/api/users/${id}`, { ...admin, body: { appIds: [] } }))).toEqual([[], true]);
  });

  it('[S11] archiving the only app of an account leaves it none but that', async () => {
    const app = await newApp();
    const member = await signInAs(databases, { role: 'Admin', apps: [app], since: api.now() });
    await api.call('DELETE', `/api/apps/${app}`, admin);
    expect((await api.call('GET', '/api/apps', member)).body.pagination.total).toBe(0);
    const { body } = await api.call('GET', `/api/users/${member.accountId}`, admin);
    expect(body.data).toMatchObject({ hasAllApps: false, appIds: [app], apps: [{ id: app, deleted_at: expect.any(String) }] });
  });

  it('[API-050, AMB-068] takes the ids of detach-app from the query too; the body wins', async () => {
    const id = await newId('users', { appIds: apps });
    const byQuery = await api.call('DELETE', `/api/users/${id}/detach-app?appIds[]=${apps[0]}&appIds=${apps[1]}`, admin);
    expect(appsOf(byQuery)).toEqual([[apps[2], apps[3]], false]);
    const both = await api.call('DELETE', `/api/users/${id}/detach-app?appIds=${apps[2]}`, { ...admin, body: { appIds: [apps[3]] } });
    expect(appsOf(both)).toEqual([[apps[2]], false]);
    expect((await api.call('DELETE', `/api/users/${id}/detach-app?appIds=x`, admin)).body.errors).toEqual({
      appIds: ['The appIds field contains an invalid value.'],
    });
  });

  it.each([
    ['attach-apps', undefined, 'The appIds field is required.'],
    ['attach-apps', [], 'The appIds field is required.'],
    ['detach-app', undefined, 'The appIds field is required.'],
    ['detach-app', [], 'The appIds field is required.'],
    ['sync-apps', undefined, 'The appIds field is required.'],
    ['sync-apps', 5, 'The appIds field must be of type array.'],
    ['attach-apps', ['5'], 'The appIds field contains an invalid value.'],
    ['attach-apps', [999_999], 'The appIds field contains an unknown id: 999999.'],
    ['detach-app', [999_999], 'The appIds field contains an unknown id: 999999.'],
    ['sync-apps', [999_998, 999_999], 'The appIds field contains an unknown id: 999998.'],
  ] as const)('rejects %s of %j', async (kind, appIds, message) => {
    const id = await newId('users', { appIds: [apps[0]] });
    const answer = await change(id, kind, appIds);
    expect([answer.status, answer.body.errors]).toEqual([422, { appIds: [message] }]);
    expect((await storedAccount(databases, id)).apps).toEqual([{ app_id: apps[0] }]);
  });
});

describe('who sees some apps only', () => {
  it('[AMB-084] [S10] gives nobody more than the caller sees', async () => {
    const id = await newId('users', { appIds: [apps[0]] });
    expect((await change(id, 'sync-apps', [], restrictedAdmin)).body).toEqual(allApps);
    expect((await api.call('PUT', `/api/users/${id}`, { ...restrictedAdmin, body: { appIds: [] } })).body).toEqual(allApps);
    for (const kind of ['attach-apps', 'detach-app', 'sync-apps'] as const) {
      expect((await change(id, kind, [apps[0], apps[2]], restrictedAdmin)).body).toEqual(foreign);
      expect((await change(id, kind, [999_999], restrictedAdmin)).body).toEqual(foreign);
    }
    expect((await api.call('PUT', `/api/users/${id}`, { ...restrictedAdmin, body: { appIds: [apps[2]] } })).body).toEqual(foreign);
    expect((await storedAccount(databases, id)).apps).toEqual([{ app_id: apps[0] }]);
    expect(appsOf(await change(id, 'sync-apps', [apps[1]], restrictedAdmin))).toEqual([[apps[1]], false]);
  });

  it("[S11] does not widen the caller's own scope", async () => {
    const own = `/api/users/${restrictedAdmin.accountId}`;
    expect((await api.call('PUT', own, { ...restrictedAdmin, body: { appIds: [] } })).body).toEqual(allApps);
    expect((await change(restrictedAdmin.accountId, 'sync-apps', [], restrictedAdmin)).body).toEqual(allApps);
    expect((await change(restrictedAdmin.accountId, 'attach-apps', [apps[3]], restrictedAdmin)).body).toEqual(foreign);
  });

  it('[S11] creates staff with the apps of the caller or fewer', async () => {
    expect(appsOf(await create('users', {}, restrictedAdmin))).toEqual([[apps[0], apps[1]], false]);
    expect(appsOf(await create('users', { appIds: [apps[1]] }, restrictedAdmin))).toEqual([[apps[1]], false]);
    expect((await create('users', { appIds: [] }, restrictedAdmin)).body).toEqual(allApps);
    expect((await create('users', { appIds: [apps[1], apps[2]] }, restrictedAdmin)).body).toEqual(foreign);
    expect((await create('buyers', { app_ids: [apps[2]] }, restrictedAdmin)).body).toEqual(foreign);
    expect((await create('buyers', { app_ids: [] }, restrictedAdmin)).body.data.app_ids).toEqual([]);
  });

  it.each([
    ['all apps', {}],
    ['an app that the caller does not see', () => ({ appIds: [apps[0], apps[2]] })],
  ])('[S10] does not write staff with %s', async (_title, fields) => {
    const id = await newId('users', typeof fields === 'function' ? fields() : fields);
    const before = await storedAccount(databases, id);
    const url = `/api/users/${id}`;
    const answers = [
      await api.call('PUT', url, { ...restrictedAdmin, body: { password: 'An0therPassw0rd' } }),
      await api.call('PUT', `${url}/switch-access`, { ...restrictedAdmin, body: { hasAccess: false } }),
      await change(id, 'sync-apps', [apps[0]], restrictedAdmin),
      await change(id, 'attach-apps', [apps[0]], restrictedAdmin),
      await change(id, 'detach-app', [apps[0]], restrictedAdmin),
      await api.call('DELETE', url, restrictedAdmin),
    ];
    expect(answers.map((answer) => answer.body)).toEqual(answers.map(() => foreign));
    expect(await storedAccount(databases, id)).toEqual(before);
  });

  it('[AMB-171] [S10] keeps the apps of a buyer that the caller does not see, and does not show them', async () => {
    const id = await newId('buyers', { app_ids: [apps[0], apps[2]] });
    const readAnswer = await api.call('GET', `/api/buyers/${id}`, restrictedAdmin);
    expect(readAnswer.body.data).toMatchObject({ appIds: [apps[0]], app_ids: [apps[0]], apps: [{ id: apps[0] }] });
    const buyer = (await api.call('GET', '/api/buyers', restrictedAdmin)).body.data.find((one: { id: number }) => one.id === id);
    expect(buyer).toMatchObject({ appIds: [apps[0]], app_ids: [apps[0]] });
    const saveAnswer = await api.call('PUT', `/api/buyers/${id}`, { ...restrictedAdmin, body: { app_ids: [apps[1]] } });
    expect(saveAnswer.body.data.app_ids).toEqual([apps[1]]);
    expect((await storedAccount(databases, id)).buyerApps.map((row) => row.app_id)).toEqual([apps[1], apps[2]]);
    expect((await change(id, 'sync-apps', [], restrictedAdmin)).body.data.app_ids).toEqual([]);
    expect((await storedAccount(databases, id)).buyerApps.map((row) => row.app_id)).toEqual([apps[2]]);
    expect((await change(id, 'detach-app', [apps[2]], restrictedAdmin)).body).toEqual(foreign);
  });
});

/** Whether any statement on this database waits for a lock. */
async function isAnyoneWaiting(): Promise<boolean> {
  const { rows } = await databases.pools.ops.query(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length > 0;
}

describe('apps of buyers', () => {
  it('[API-055] [AMB-171] [AMB-182] [BUY-020] change by PUT and by the calls of staff, in the form of buyers', async () => {
    const id = await newId('buyers', { app_ids: apps });
    const putAnswer = await api.call('PUT', `/api/buyers/${id}`, { ...admin, body: { app_ids: [apps[0], apps[1]] } });
    expect(putAnswer.body.data).toMatchObject({ appIds: [apps[0], apps[1]], app_ids: [apps[0], apps[1]], hasAllApps: false });
    expect((await change(id, 'detach-app', [apps[0]])).body.data.app_ids).toEqual([apps[1]]);
    expect((await change(id, 'attach-apps', [apps[3]])).body.data.app_ids).toEqual([apps[1], apps[3]]);
    const emptiedAccount = (await change(id, 'sync-apps', [])).body.data;
    expect([emptiedAccount.app_ids, emptiedAccount.hasAllApps]).toEqual([[], false]);
    expect((await trailOfAccount(databases, id)).map((entry) => `${entry.entity} ${entry.action}`)).toEqual([
      'buyer create',
      'buyer update',
      'buyer detach_app',
      'buyer attach_apps',
      'buyer sync_apps',
    ]);
  });

  it('[ENT-005] raise the version of each app that gains or loses the buyer, and of no other (api 0.9)', async () => {
    const id = await newId('buyers', { app_ids: [apps[0], apps[1]] });
    const before = await Promise.all(apps.map(versionOf));
    await api.call('PUT', `/api/buyers/${id}`, { ...admin, body: { app_ids: [apps[1], apps[2]] } });
    const after = await Promise.all(apps.map(versionOf));
    expect(after.map((version, at) => version - (before[at] ?? 0))).toEqual([1, 0, 1, 0]);
    expect((await api.call('GET', `/api/buyers/${id}`, admin)).body.data.version).toBe(2);
  });

  it('[ENT-005] raise the version of each app of a buyer who is deleted (api 0.9)', async () => {
    const id = await newId('buyers', { app_ids: [apps[0], apps[2]] });
    const before = await Promise.all(apps.map(versionOf));
    expect((await api.call('DELETE', `/api/buyers/${id}`, admin)).status).toBe(204);
    const after = await Promise.all(apps.map(versionOf));
    expect(after.map((version, at) => version - (before[at] ?? 0))).toEqual([1, 0, 1, 0]);
    const headers = { ...admin.headers, 'if-match': `"v${before[0]}"` };
    expect((await api.call('PUT', `/api/apps/${apps[0]}`, { headers, body: { userIds: [id] } })).status).toBe(412);
  });

  it('are set once more when the account got an app while its turn was waited for (api 0.9)', async () => {
    const id = await newId('buyers', { app_ids: [apps[0]] });
    const before = await Promise.all(apps.map(versionOf));
    const transfer = await databases.db.transaction().execute(async (tx) => {
      await tx.selectFrom('accounts').select('id').where('id', '=', id).forNoKeyUpdate().execute();
      await tx.insertInto('app_buyers').values({ app_id: apps[3], account_id: id }).execute();
      const saveCall = api.call('PUT', `/api/buyers/${id}`, { ...admin, body: { app_ids: [apps[1]] } });
      await expect.poll(async () => isAnyoneWaiting(), soon).toBe(true);
      return { put: saveCall };
    });
    expect((await transfer.put).body.data.app_ids).toEqual([apps[1]]);
    const after = await Promise.all(apps.map(versionOf));
    expect(after.map((version, at) => version - (before[at] ?? 0))).toEqual([1, 1, 0, 1]);
  });

  it('never wait in a circle with saves of the apps themselves, and lose nothing', async () => {
    const buyers = [await newId('buyers', {}), await newId('buyers', {}), await newId('buyers', {})];
    const insist: TestApi['call'] = async (...request) => {
      const answer = await api.call(...request);
      return answer.status === 503 ? insist(...request) : answer;
    };
    for (let round = 0; round < 4; round += 1) {
      const answers = await Promise.all([
        ...apps.map(async (app, at) =>
          insist('PUT', `/api/apps/${app}`, { ...admin, body: { userIds: (round + at) % 2 === 0 ? buyers : buyers.slice(1) } }),
        ),
        ...buyers.map(async (id, at) =>
          insist('PUT', `/api/buyers/${id}`, { ...admin, body: { app_ids: (round + at) % 2 === 0 ? apps : apps.slice(2) } }),
        ),
      ]);
      expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
    }
    const faults = api.log().filter((line) => line['level'] === 50 || line['level'] === 'error');
    expect(faults).toEqual([]);
  });
});
