import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;

beforeAll(async () => {
  api = await buildTestApi({ databases, startsAt: new Date('2026-11-20T10:11:12Z') });
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  return async () => api.app.close();
});

const archive = async (id: number | string, caller = admin) => api.call('DELETE', `/api/apps/${id}`, caller);
const restore = async (id: number | string, caller = admin) => api.call('PUT', `/api/apps/${id}/restore`, caller);
const findRow = async (id: number) =>
  databases.db.selectFrom('apps').select(['deleted_at', 'version', 'updated_at']).where('id', '=', id).executeTakeFirstOrThrow();
const trail = async (id: number) =>
  databases.db
    .selectFrom('audit_entries')
    .selectAll()
    .where('entity', '=', 'app')
    .where('entity_id', '=', String(id))
    .orderBy('id')
    .execute();

describe('archiving and restoring an app', () => {
  it('[APPS-044][APPS-056][API-016] DELETE apps/{id} sets deleted_at and raises the version', async () => {
    const app = await createApp(databases);
    const answer = await archive(app.id);
    expect([answer.status, answer.body]).toEqual([204, null]);
    expect(await findRow(app.id)).toEqual({ deleted_at: api.now(), version: 2, updated_at: api.now() });
  });

  it('[APPS-045][API-017] PUT apps/{id}/restore clears deleted_at and returns the version', async () => {
    const app = await createApp(databases, { deleted_at: new Date() });
    const answer = await restore(app.id);
    expect([answer.status, answer.body]).toEqual([200, { success: true, data: { id: app.id, deleted_at: null, version: 2 } }]);
    expect(await findRow(app.id)).toMatchObject({ deleted_at: null, version: 2 });
  });

  it('[APPS-046] shows in the list at once, cached or not', async () => {
    const app = await createApp(databases);
    const listIds = async (status: string) => {
      const answer = await api.call('GET', `/api/apps?status=${status}&isCache=1&search=${app.bundle}`, admin);
      return answer.body.pagination.total;
    };
    expect([await listIds('active'), await listIds('deleted')]).toEqual([1, 0]);
    await archive(app.id);
    expect([await listIds('active'), await listIds('deleted')]).toEqual([0, 1]);
    await restore(app.id);
    expect([await listIds('active'), await listIds('deleted')]).toEqual([1, 0]);
  });

  it('[APPS-044][APPS-045] answers a repeated call with success and leaves date, version and trail as they are', async () => {
    const app = await createApp(databases);
    await archive(app.id);
    const archivedRow = await findRow(app.id);
    api.wait(60_000);
    expect((await archive(app.id)).status).toBe(204);
    expect(await findRow(app.id)).toEqual(archivedRow);
    await restore(app.id);
    const restoring = await restore(app.id);
    expect(restoring.body.data.version).toBe(3);
    expect((await trail(app.id)).map((entry) => entry.action)).toEqual(['archive', 'restore']);
  });

  it('[APPS-044] archives once when asked twenty times at once', async () => {
    const app = await createApp(databases);
    const answers = await Promise.all(Array.from({ length: 20 }, async () => archive(app.id)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([204]));
    expect((await findRow(app.id)).version).toBe(2);
    expect(await trail(app.id)).toHaveLength(1);
  });

  it('writes who did what from where into the trail', async () => {
    const app = await createApp(databases, { name: 'Acme Bet' });
    await api.call('DELETE', `/api/apps/${app.id}`, { headers: { ...admin.headers, 'x-request-id': 'request-4711' }, ip: '198.51.100.4' });
    expect((await trail(app.id))[0]).toMatchObject({
      actor_id: admin.accountId,
      action: 'archive',
      entity_label: 'Acme Bet',
      app_id: app.id,
      ip: '198.51.100.4',
      request_id: 'request-4711',
      changes: [{ field: 'deleted_at', from: null, to: expect.stringMatching(/^2026-11-20 \d\d:\d\d:\d\d$/) }],
    });
  });

  it('keeps neither the change nor its entry when the entry cannot be written', async () => {
    const app = await createApp(databases);
    const { pools } = databases;
    await pools.ui.query(`alter table audit_entries add constraint broken check (entity_id <> '${app.id}')`);
    expect((await archive(app.id)).status).toBe(500);
    await pools.ui.query('alter table audit_entries drop constraint broken');
    expect(await findRow(app.id)).toMatchObject({ deleted_at: null, version: 1 });
    expect(await trail(app.id)).toEqual([]);
  });

  it('[APPS-040][PERM-019] needs manager_app_delete', async () => {
    const app = await createApp(databases);
    const caller = await signInAs(databases, {
      permissions: ['manager_app_edit', 'manager_app_create', 'manager_app_statistics'],
      since: api.now(),
    });
    for (const answer of [await archive(app.id, caller), await restore(app.id, caller)]) {
      expect([answer.status, answer.body]).toEqual([403, { success: false, message: 'You have no permission for this action' }]);
    }
    const deleter = await signInAs(databases, { permissions: ['manager_app_delete'], since: api.now() });
    expect((await archive(app.id, deleter)).status).toBe(204);
  });

  it('answers 404 for an app outside the scope, changing nothing, and for none at all', async () => {
    const [own, foreign] = [await createApp(databases), await createApp(databases)];
    const caller = await signInAs(databases, { role: 'Admin', apps: [own.id], since: api.now() });
    for (const answer of [await archive(foreign.id, caller), await restore(foreign.id, caller), await archive(999_999_999)]) {
      expect([answer.status, answer.body]).toEqual([404, { success: false, message: 'Not found' }]);
    }
    expect(await findRow(foreign.id)).toMatchObject({ deleted_at: null, version: 1 });
    expect((await archive(own.id, caller)).status).toBe(204);
    for (const odd of ['0', '-1', '1.5', 'abc', '1e3', '12345678901']) expect((await archive(odd)).status).toBe(404);
  });
});
