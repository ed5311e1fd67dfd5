import { seededRoles, type Permission } from '@switchyard/contract/permissions';
import { viewAsMessages, type BegunView } from '@switchyard/contract/view-as';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { listUnlabelledFields } from '../../../test/field-labels.ts';
import { listenForTest, openAnswer } from '../../../test/listening-api.ts';
import { makeApiToken, signInAs, type Account, type SignedIn } from '../../../test/sign-in-as.ts';
import { soon } from '../../../test/soon.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import type { Databases } from '../../database/connect.ts';

const minute = 60_000;
const roleId = (name: string): number => seededRoles.find((role) => role.name === name)?.id ?? 0;

let databases: Databases;
let api: TestApi;
let apps: readonly number[];
let viewer: SignedIn;

beforeAll(async () => {
  ({ databases } = await createTestDatabase());
  api = await buildTestApi({ databases, env: { SESSION_IDLE_MINUTES: '12' } });
  apps = [(await createApp(databases)).id, (await createApp(databases)).id];
  // Bulk runs are stored, but not worked on.
  await api.startJobs();
  await api.stopJobs();
  return () => api.app.close();
});
beforeEach(async () => {
  viewer = await person({ role: 'Super Admin' });
});

type Headers = { authorization: string };
const person = async (account: Account = {}): Promise<SignedIn> => signInAs(databases, { since: api.now(), ...account });
const begin = async (path: string, { headers }: { headers: Headers } = viewer) => api.call('POST', `/api/${path}/view-as`, { headers });
const stop = async ({ headers }: { headers: Headers } = viewer) => api.call('DELETE', '/api/view-as', { headers });
const read = async (path: string, headers: Headers) => api.call('GET', `/api/${path}`, { headers });

/** Begins a view and gives what it answered, and the header that shows its token. */
async function viewAs(path: string, by: { headers: Headers } = viewer): Promise<BegunView & { headers: Headers }> {
  const { status, body } = await begin(path, by);
  expect([status, body.message]).toEqual([201, undefined]);
  return { ...body.data, headers: { authorization: `Bearer ${body.data.token.accessToken}` } };
}
const stateOf = async ({ headers }: { headers: Headers }): Promise<number> => (await read('sanctum/user', headers)).status;
const entries = async () =>
  databases.db
    .selectFrom('audit_entries')
    .select(['action', 'entity_id', 'entity_label', 'actor_id', 'changes'])
    .where('entity', '=', 'view_as')
    .where('actor_id', '=', viewer.accountId)
    .orderBy('id')
    .execute();

describe('views that begin at once', () => {
  it('[PERMX-026] are answered one by one or with 409, and the session stays', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, async () => begin(`roles/${roleId('Buyer')}`)));
    const begun = answers.filter(({ status }) => status === 201);
    expect(answers.filter(({ status }) => ![201, 409].includes(status))).toEqual([]);
    expect((await entries()).filter(({ action }) => action === 'begin')).toHaveLength(begun.length);
    const states = await Promise.all(
      begun.map(async ({ body }) => stateOf({ headers: { authorization: `Bearer ${body.data.token.accessToken}` } })),
    );
    expect(states.filter((state) => state === 200)).toHaveLength(1);
    expect(await stateOf(viewer)).toBe(200);

    const client = await databases.pools.ops.connect();
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(hashtextextended('view_as', $1))`, [viewer.sessionId]);
    expect(await begin(`roles/${roleId('Buyer')}`)).toMatchObject({ status: 409, body: { message: viewAsMessages.isStarting } });
    await client.query('rollback');
    client.release();
    expect(await begin(`roles/${roleId('Buyer')}`)).toMatchObject({ status: 201 });
  });
});

describe('a view as a role', () => {
  it('[PERMX-020, PERMX-021] shows its role to nobody in particular, within the apps of the viewer', async () => {
    const restricted = await person({
      permissions: ['manager_settings_roles', 'manager_app_edit', 'manager_dev_docs'],
      apps: [apps[0] ?? 0],
    });
    const { user, subject, token, headers } = await viewAs(`roles/${roleId('App Manager')}`, restricted);
    const expected = {
      id: 0,
      name: 'App Manager',
      email: '',
      panel: 'user',
      roles: ['App Manager'],
      badges: ['M'],
      permissions: ['manager_app_edit'],
    };
    expect(user).toEqual({ ...expected, hasAllApps: false, isSuperAdmin: false });
    expect(subject).toEqual({ kind: 'role', id: roleId('App Manager'), name: 'App Manager' });
    expect(token.expiresAt).toBe(api.now().getTime() + 15 * minute);
    expect((await read('sanctum/user', headers)).body.data).toEqual(user);
    expect((await read(`apps/${apps[0]}`, headers)).status).toBe(200);
    expect((await read(`apps/${apps[1]}`, headers)).status).toBe(404);
    expect((await read('docs/mobile', headers)).status).toBe(403);
    expect((await read(`apps/${apps[0]}/postbacks`, headers)).status).toBe(403);
    // The session of the viewer is as before.
    expect((await read('sanctum/user', restricted.headers)).body.data.permissions).toHaveLength(3);
  });

  it('[PERMX-022] answers a write and a download with 403 and the reason, and account security with 403', async () => {
    const { headers } = await viewAs('roles/1');
    const write = await api.call('PUT', `/api/apps/${apps[0]}`, { headers, body: { whiteUserAgent: 'x' } });
    const message = 'Read only: you are viewing as somebody else. Stop viewing to make changes and downloads.';
    expect([write.status, write.body]).toEqual([403, { success: false, message, data: { view_as: 'read_only' } }]);
    const file = await read('apps/download', headers);
    expect([file.status, file.body.message, file.body.data]).toEqual([403, message, { view_as: 'read_only' }]);
    for (const path of ['sanctum/sessions', 'sanctum/second-factors', 'sanctum/tokens', 'sanctum/logout', 'service-accounts', 'tokens']) {
      const { status, body } = await read(path, headers);
      expect([path, status, body.message, body.data]).toEqual([path, 403, 'Not shown while you are viewing as somebody else.', undefined]);
    }
    expect(await stateOf(viewer)).toBe(200);
  });

  it('[PERMX-022] begins no other view, is not made with a token, and tokens of both kinds stay apart', async () => {
    const view = await viewAs('roles/2');
    expect((await begin('roles/3', view)).body.data).toEqual({ view_as: 'read_only' });
    expect((await stop(view)).status).toBe(403);
    const token = await makeApiToken(databases, { ownerId: viewer.accountId });
    expect((await begin('roles/3', token)).status).toBe(403);
    const unknown = { authorization: `Bearer swv_${'x'.repeat(43)}` };
    expect(await stateOf({ headers: unknown })).toBe(401);
    expect((await api.call('POST', '/api/ingest/events', { headers: view.headers, body: {} })).status).toBe(401);
  });

  it('[PERMX-020] needs the permission, a set-up second factor, and a sign-in of the last 15 minutes', async () => {
    const others = ['manager_user_edit', 'manager_app_edit'] as const satisfies readonly Permission[];
    expect((await begin('roles/3', await person({ permissions: others }))).status).toBe(403);
    const due = await person({ permissions: ['manager_settings_roles'], needsFactor: true });
    expect((await begin('roles/3', due)).body.data).toEqual({ second_factor: 'set_up' });
    await databases.db
      .updateTable('sessions')
      .set({ authenticated_at: new Date(api.now().getTime() - 15 * minute) })
      .where('id', '=', viewer.sessionId)
      .execute();
    const late = await begin('roles/3');
    expect([late.status, late.body.message]).toEqual([403, 'Confirm that it is you']);
    expect(await entries()).toEqual([]);
    expect((await begin('roles/999999', await person({ role: 'Admin' }))).status).toBe(404);
  });
});

describe('a view as an account', () => {
  it('[PERMX-021] shows the apps that both see, of staff and of buyers', async () => {
    const wide = await person({ role: 'App Manager', apps });
    const buyer = await person({ panel: 'buyer', role: 'Buyer', apps });
    const restricted = await person({ role: 'Super Admin', apps: [apps[1] ?? 0] });
    const seenBy = async (id: number) => {
      const { headers, user } = await viewAs(`users/${id}`, restricted);
      const list = await read('apps', headers);
      return [user.panel, user.permissions.length, user.hasAllApps, list.status, list.body.data?.map(({ id: app }: { id: number }) => app)];
    };
    expect(await seenBy(wide.accountId)).toEqual(['user', 7, false, 200, [apps[1]]]);
    expect(await seenBy(restricted.accountId)).toEqual(['user', 22, false, 200, [apps[1]]]);
    // Staff hold no permission of buyers, and no call of this API needs one.
    expect(await seenBy(buyer.accountId)).toEqual(['buyer', 0, false, 403, undefined]);
  });

  it('[PERMX-021] is closed to restricted viewers who share no app with it, as if it were unknown', async () => {
    const restricted = await person({ permissions: ['manager_settings_roles'], apps: [apps[0] ?? 0] });
    const outside = await person({ panel: 'buyer', apps: [apps[1] ?? 0] });
    const [foreign, unknown] = [await begin(`users/${outside.accountId}`, restricted), await begin('users/99999999', restricted)];
    expect([foreign.status, foreign.body]).toEqual([404, unknown.body]);
    const none = await person({ apps: [] });
    expect((await begin(`users/${none.accountId}`, restricted)).status).toBe(404);
    const inside = await person({ panel: 'buyer', apps });
    expect((await begin(`users/${inside.accountId}`, restricted)).status).toBe(201);
    expect((await begin(`users/${restricted.accountId}`, restricted)).status).toBe(201);
  });

  it('[PERMX-023] reaches nothing of its own pages, nor of those of the viewer', async () => {
    const viewed = await person({ role: 'Admin' });
    const view = async (by: SignedIn, name: string, sharing: string) =>
      api.call('POST', '/api/views', { headers: by.headers, body: { list: 'apps', name, query: '', sharing } });
    const shared = (await view(viewed, 'Shared', 'everyone')).body.data.id;
    await view(viewed, 'Hers', 'private');
    await view(viewer, 'Mine', 'private');
    await api.call('PUT', '/api/views/default', { headers: viewed.headers, body: { list: 'apps', id: shared } });
    const check = { change: { action: 'app.archive', params: {} }, target: { keys: [apps[0]] } };
    for (const by of [viewed, viewer])
      expect((await api.call('POST', '/api/bulk/runs', { headers: by.headers, body: check })).status).toBe(201);
    const { headers } = await viewAs(`users/${viewed.accountId}`);
    const { views, roles } = (await read('views?list=apps', headers)).body.data;
    expect([views.map(({ name, is_default, is_own }: Record<string, unknown>) => [name, is_default, is_own]), roles]).toEqual([
      [['Shared', false, false]],
      [],
    ]);
    expect((await read('bulk/runs', headers)).body.data).toEqual([]);
    for (const path of ['sessions', 'second-factors', 'tokens', 'invitation'])
      expect((await read(`users/${viewed.accountId}/${path}`, headers)).status).toBe(403);
  });
});

describe('the end of a view', () => {
  it('[PERMX-024] comes with Stop, which the trail names like the begin, and with the next view of the session', async () => {
    const [first, second] = [await viewAs('roles/2'), await viewAs(`users/${viewer.accountId}`)];
    expect([await stateOf(first), await stateOf(second)]).toEqual([401, 200]);
    expect((await stop()).status).toBe(204);
    expect([await stateOf(second), await stateOf(viewer), (await stop()).status]).toEqual([401, 200, 404]);
    const { name } = await databases.db.selectFrom('accounts').select('name').where('id', '=', viewer.accountId).executeTakeFirstOrThrow();
    const trail = await entries();
    expect(trail.map(({ action, entity_label: label }) => [action, label])).toEqual([
      ['begin', 'Admin'],
      ['end', 'Admin'],
      ['begin', name],
      ['end', name],
    ]);
    expect(trail.map(({ entity_id: id }) => id)).toEqual([
      trail[0]?.entity_id,
      trail[0]?.entity_id,
      trail[2]?.entity_id,
      trail[2]?.entity_id,
    ]);
    expect(trail[2]?.changes).toEqual([
      { field: 'kind', from: null, to: 'account' },
      { field: 'viewed_id', from: null, to: viewer.accountId },
      { field: 'expires_at', from: null, to: new Date(second.token.expiresAt).toISOString() },
    ]);
    expect(await listUnlabelledFields(databases)).toEqual([]);
  });

  it.each([
    ['the sign-out of its session', async () => void (await api.call('POST', '/api/sanctum/logout', viewer))],
    [
      'the end of its session by the viewer elsewhere',
      async () => void (await api.call('DELETE', `/api/sanctum/sessions/${viewer.sessionId}`, viewer)),
    ],
    ['the loss of access', async () => set({ has_access: false }, viewer.accountId)],
    ['the deletion of the viewer', async () => set({ deleted_at: api.now() }, viewer.accountId)],
    [
      'the loss of the permission',
      async () =>
        void (await databases.db.updateTable('account_roles').set({ role_id: 3 }).where('account_id', '=', viewer.accountId).execute()),
    ],
    [
      'a second factor that the viewer first has to set up',
      async () => void (await databases.db.updateTable('roles').set({ requires_second_factor: true }).where('id', '=', 1).execute()),
    ],
    ['the end of the time of its session', async () => session({ expires_at: api.now() })],
    ['an idle session', async () => session({ last_used_at: new Date(api.now().getTime() - 12 * minute) })],
    ['the deletion of the account', async () => set({ deleted_at: api.now() })],
  ])('[PERMX-024] comes at once with %s', async (_title, end) => {
    viewed = await person({ role: 'App Manager' });
    const view = await viewAs(`users/${viewed.accountId}`);
    expect(await stateOf(view)).toBe(200);
    await end();
    expect(await stateOf(view)).toBe(401);
    await databases.db.updateTable('roles').set({ requires_second_factor: false }).where('id', '=', 1).execute();
  });
  let viewed: SignedIn;
  const set = async (fields: { has_access?: boolean; deleted_at?: Date }, id = viewed.accountId) =>
    void (await databases.db.updateTable('accounts').set(fields).where('id', '=', id).execute());
  const session = async (fields: { expires_at?: Date; last_used_at?: Date }) =>
    void (await databases.db.updateTable('sessions').set(fields).where('id', '=', viewer.sessionId).execute());

  it('[PERMX-024] comes with the deletion of the role, and a changed role shows at once', async () => {
    const { id } = await databases.db
      .insertInto('roles')
      .values({ panel: 'user', name: 'Trainee', label: 'Trainee', badge: 'T' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { headers } = await viewAs(`roles/${id}`);
    expect((await read('log-viewer/logs/levels', headers)).status).toBe(403);
    await databases.db.insertInto('role_permissions').values({ role_id: id, permission_id: 18 }).execute();
    expect((await read('log-viewer/logs/levels', headers)).status).toBe(200);
    await databases.db.deleteFrom('roles').where('id', '=', id).execute();
    expect(await stateOf({ headers })).toBe(401);
  });

  it('[PERMX-024] comes after 15 minutes, though it is used and its session lives on; it does not keep the session awake', async () => {
    const view = await viewAs('roles/2');
    api.wait(11 * minute);
    expect([await stateOf(view), await stateOf(viewer)]).toEqual([200, 200]);
    api.wait(4 * minute - 1);
    expect(await stateOf(view)).toBe(200);
    api.wait(1);
    expect([await stateOf(view), await stateOf(viewer)]).toEqual([401, 200]);
    expect((await stop()).status).toBe(404);
    await api.maintain();
    await api.maintain();
    expect(await databases.db.selectFrom('view_as_sessions').select('id').execute()).toEqual([]);
    const expiry = [{ field: 'expires_at', from: new Date(view.token.expiresAt).toISOString(), to: null }];
    const [first] = await entries();
    const { rows } = await databases.pools.ops.query(
      "select action, actor_id, entity_label, changes from audit_entries where entity = 'view_as' and entity_id = $1 order by id offset 1",
      [first?.entity_id],
    );
    expect(rows).toEqual([{ action: 'end', actor_id: null, entity_label: 'Admin', changes: expiry }]);
    viewer = await person({ role: 'Super Admin' });
    const second = await viewAs('roles/2');
    api.wait(11 * minute);
    expect(await stateOf(second)).toBe(200);
    api.wait(minute);
    expect([await stateOf(second), await stateOf(viewer)]).toEqual([401, 401]);
  });

  it('[PERMX-024] outlives a restart of the console, and ends in every process at once', async () => {
    const view = await viewAs('roles/2');
    const other = await buildTestApi({ databases, startsAt: api.now() });
    expect((await other.call('GET', '/api/sanctum/user', view)).body.data.roles).toEqual(['Admin']);
    await other.call('DELETE', '/api/view-as', viewer);
    expect(await stateOf(view)).toBe(401);
    await other.app.close();
  });

  it('[PERMX-024] closes its live streams, which count for the viewer', async () => {
    const view = await viewAs('roles/4');
    const answer = await openAnswer(`${await listenForTest(api.app)}/api/all-requests/stream`, view.headers);
    let wire = '';
    answer.on('data', (part) => (wire += String(part)));
    expect(answer.statusCode).toBe(200);
    await vi.waitFor(() => expect(wire).toContain(': ok'), soon);
    await stop();
    await vi.waitFor(() => expect(wire).toContain('event: end\ndata: {"status":401'), soon);
  });
});
