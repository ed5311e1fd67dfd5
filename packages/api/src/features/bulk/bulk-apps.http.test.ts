import { bulkChange, type BulkChange } from '@switchyard/contract/bulk';
import { verticalIds } from '@switchyard/contract/apps';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '../../../test/build-test-api.ts';
import { bulkRuns, startBulkConsole, stopBulkConsole } from '../../../test/bulk-runs.ts';
import { createApp } from '../../../test/factories/app.ts';
import { makeApiToken, signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;
const runs = bulkRuns(() => api);

beforeAll(async () => {
  api = await startBulkConsole(databases);
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  return async () => stopBulkConsole(api);
});

const setVertical: BulkChange = { action: 'app.set', params: { vertical: 'casino' } };
const archive: BulkChange = { action: 'app.archive', params: {} };
/** In the order of their ids: they are created side by side. */
async function createApps(count: number, values: Parameters<typeof createApp>[1] = {}) {
  const apps = await Promise.all(Array.from({ length: count }, async () => createApp(databases, values)));
  return apps.toSorted((one, other) => one.id - other.id);
}
const keysOf = (apps: readonly { id: number }[]) => ({ keys: apps.map(({ id }) => id) });

/** Everything that the actions change, without versions and times. */
async function states(ids: readonly number[]): Promise<unknown[]> {
  const { rows } = await databases.pools.ui.query(
    `select id, deleted_at is not null as archived, vertical, proxy_cache_seconds, response_message,
       array(select account_id from app_buyers where app_id = apps.id order by 1) as buyers,
       array(select account_id from app_accounts where app_id = apps.id order by 1) as staff,
       array(select server_id || ' ' || is_only_cf from check_domains where app_id = apps.id order by 1) as links
     from apps where id = any($1) order by id`,
    [ids],
  );
  return rows;
}
async function trailOf(runId: number) {
  const { rows } = await databases.pools.ui.query<{ entity: string; action: string; entity_id: string; actor_id: number }>(
    `select entity, action, entity_id, actor_id, app_id, changes from audit_entries where request_id = $1 order by id`,
    [`bulk-${runId}`],
  );
  return rows;
}

describe('a bulk change of apps', () => {
  it('[BULK-001, BULK-002] is checked without a change, then made with one entry per row that its run links', async () => {
    const [plain, archived, done] = [...(await createApps(2)), ...(await createApps(1, { vertical: 'casino' }))] as const;
    if (!plain || !archived || !done) throw new Error('three apps were created');
    await databases.db.updateTable('apps').set({ deleted_at: new Date() }).where('id', '=', archived.id).execute();
    const target = keysOf([done, archived, plain]);
    const before = await states(target.keys);
    const checked = await runs.check(admin, setVertical, target);
    expect(checked).toMatchObject({ entity: 'app', total: 3, check: { changed: 1, already: 1, denied: 1, conflict: 0, failed: 0 } });
    expect(await states(target.keys)).toEqual(before);
    expect(await trailOf(checked.id)).toEqual([]);
    expect(await runs.rows(checked.id, admin)).toEqual([
      { key: String(plain.id), label: plain.name, check: { result: 'changed', message: null }, result: null, blocked: null },
      {
        key: String(archived.id),
        label: archived.name,
        check: { result: 'denied', message: 'You need to restore the app first to make changes' },
        result: null,
        blocked: null,
      },
      { key: String(done.id), label: done.name, check: { result: 'already', message: null }, result: null, blocked: null },
    ]);
    const finished = await runs.start(admin, checked.id);
    expect(finished).toMatchObject({ state: 'done', result: { changed: 1, already: 1, denied: 1 } });
    expect(await trailOf(checked.id)).toMatchObject([
      {
        entity: 'app',
        action: 'update',
        entity_id: String(plain.id),
        app_id: plain.id,
        actor_id: admin.accountId,
        changes: [{ field: 'vertical', from: 'bet', to: 'casino' }],
      },
    ]);
    expect((await runs.rows(checked.id, admin, 'result=denied')).map(({ key }) => key)).toEqual([String(archived.id)]);
  });

  it('[BULK-001] takes every app that the list shows for the same query string, except some', async () => {
    const apps = (await createApps(3, { vertical: 'finance' })).toSorted((one, other) => one.id - other.id);
    await databases.db
      .updateTable('apps')
      .set({ domain: 'x-filtered.example' })
      .where('id', '=', apps[0]?.id ?? 0)
      .execute();
    await databases.db
      .updateTable('apps')
      .set({ domain: 'y-filtered.example' })
      .where('id', '=', apps[1]?.id ?? 0)
      .execute();
    const checked = await runs.check(admin, setVertical, { filter: 'search=-FILTERED.example&page=3&orderBy=keyId' });
    expect((await runs.rows(checked.id, admin)).map(({ key }) => key)).toEqual([String(apps[0]?.id), String(apps[1]?.id)]);
    const without = await runs.check(admin, setVertical, { filter: 'search=-filtered.example', except: [apps[0]?.id ?? 0] });
    expect((await runs.rows(without.id, admin)).map(({ key }) => key)).toEqual([String(apps[1]?.id)]);
    const answer = async (target: object) => (await runs.post('', admin, { change: setVertical, target })).body;
    expect((await answer({ filter: 'search=nothing-like-it' })).errors).toEqual({ target: ['No rows match.'] });
    expect((await answer({ filter: 'status=lost' })).errors).toEqual({ 'target.filter': ['The selected status is invalid.'] });
  });

  it('[BULK-003, BULK-005] does what its check said, and its undo restores the state, for any change of any apps', async () => {
    const { serverId } = await signInAsServer(databases);
    const buyers = await Promise.all([0, 1].map(async () => (await signInAs(databases, { panel: 'buyer', apps: [] })).accountId));
    const staff = await Promise.all([0, 1].map(async () => (await signInAs(databases, { role: 'Admin', apps: [] })).accountId));
    const some = (of: readonly number[]) => fc.subarray([...of], { minLength: 1 }).map((ids) => ({ ids }));
    const code = fc.record({ code: fc.constantFrom(200 as const, 404 as const, 503 as const) });
    const change: fc.Arbitrary<BulkChange> = fc.oneof(
      fc.constantFrom<BulkChange>(archive, { action: 'app.restore', params: {} }),
      fc.constantFrom(...verticalIds).map((vertical): BulkChange => ({ action: 'app.set', params: { vertical } })),
      code.map((part): BulkChange => ({ action: 'app.set', params: { proxy_cache_seconds: 900, response_message: { create: part } } })),
      fc.boolean().map((isOnlyCF): BulkChange => ({ action: 'app.link', params: { serverId, isOnlyCF } })),
      fc.constant<BulkChange>({ action: 'app.unlink', params: { serverId } }),
      some(buyers).map((params): BulkChange => ({ action: 'app.add_buyers', params })),
      some(buyers).map((params): BulkChange => ({ action: 'app.remove_buyers', params })),
      some(staff).map((params): BulkChange => ({ action: 'app.add_staff', params })),
      some(staff).map((params): BulkChange => ({ action: 'app.remove_staff', params })),
    );
    const apps = await createApps(6);
    const ids = apps.map(({ id }) => id);
    await fc.assert(
      fc.asyncProperty(change, fc.subarray(ids, { minLength: 2 }), change, async (first, keys, second) => {
        // The first change is the state that the second one finds: of some apps only.
        await runs.run(admin, first, { keys: keys.slice(1) });
        const before = await states(ids);
        const checked = await runs.check(admin, second, { keys });
        expect(await states(ids)).toEqual(before);
        const done = await runs.start(admin, checked.id);
        expect(done.result).toEqual(checked.check);
        for (const row of await runs.rows(done.id, admin)) expect(row.result).toEqual(row.check);
        if (done.result.changed > 0) expect(await states(ids)).not.toEqual(before);
        const undone = await runs.undo(admin, done.id);
        expect(undone.result).toEqual({ changed: done.result.changed, already: 0, denied: 0, conflict: 0, failed: 0 });
        expect(await states(ids)).toEqual(before);
      }),
      { numRuns: 6 },
    );
  }, 240_000);

  it.each(['app.add_buyers', 'app.add_staff', 'app.link'] as const)('[BULK-001] denies %s with an id that is none', async (action) => {
    const [app] = await createApps(1);
    const id = 3_000_000_000;
    const params = action === 'app.link' ? { serverId: id, isOnlyCF: false } : { ids: [id] };
    const { check } = await runs.check(admin, bulkChange.parse({ action, params }), keysOf(app ? [app] : []));
    expect(check).toMatchObject({ changed: 0, denied: 1 });
  });

  it('[BULK-003] skips rows that changed since the check, and says so', async () => {
    const [one, other] = await createApps(2);
    const checked = await runs.check(admin, setVertical, keysOf([one ?? { id: 0 }, other ?? { id: 0 }]));
    const put = await api.call('PUT', `/api/apps/${other?.id}`, { ...admin, body: { name: 'Renamed meanwhile' } });
    expect(put.status).toBe(200);
    expect((await runs.start(admin, checked.id)).result).toMatchObject({ changed: 1, conflict: 1 });
    expect((await runs.rows(checked.id, admin, 'result=conflict'))[0]).toMatchObject({
      key: String(other?.id),
      result: { result: 'conflict', message: 'Changed since the check' },
    });
    expect(await states([other?.id ?? 0])).toMatchObject([{ vertical: 'bet' }]);
  });

  it('[BULK-005] undoes the rows that are unchanged since, lists the others, and is not made twice', async () => {
    const [one, other] = await createApps(2);
    const done = await runs.run(admin, setVertical, keysOf([one ?? { id: 0 }, other ?? { id: 0 }]));
    await api.call('PUT', `/api/apps/${other?.id}`, { ...admin, body: { vertical: 'fantasy' } });
    // A check of the undo that nobody starts is in the way of none.
    expect((await runs.post(`/${done.id}/undo`, admin)).status).toBe(201);
    const undone = await runs.undo(admin, done.id);
    expect(undone).toMatchObject({ undo_of: done.id, change: null, result: { changed: 1, conflict: 1 } });
    expect((await runs.rows(undone.id, admin, 'result=conflict'))[0]).toMatchObject({
      key: String(other?.id),
      result: { message: 'Changed since the run' },
    });
    expect(await states([one?.id ?? 0, other?.id ?? 0])).toMatchObject([{ vertical: 'bet' }, { vertical: 'fantasy' }]);
    expect((await runs.post(`/${done.id}/undo`, admin)).status).toBe(409);
    expect((await runs.get(done.id, admin)).undone_by).toBe(undone.id);
  });

  it('[BULK-005] gives the same undo to calls at the same time', async () => {
    const done = await runs.run(admin, setVertical, keysOf(await createApps(2)));
    const undos = await Promise.all([1, 2, 3].map(() => runs.post(`/${done.id}/undo`, admin)));
    expect(undos.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(undos.map(({ body }) => body.data.id)).size).toBe(1);
  });

  it('[BULK-001] starts only once, when it is ready, and cancels only before its end', async () => {
    const apps = await createApps(1);
    const checked = await runs.check(admin, archive, keysOf(apps));
    expect((await runs.post(`/${checked.id}/undo`, admin)).status).toBe(409);
    await runs.start(admin, checked.id);
    expect((await runs.post(`/${checked.id}/start`, admin)).status).toBe(409);
    expect((await runs.post(`/${checked.id}/cancel`, admin)).status).toBe(409);
    const cancelled = await runs.check(admin, { action: 'app.restore', params: {} }, keysOf(apps));
    expect((await runs.post(`/${cancelled.id}/cancel`, admin)).body.data.state).toBe('cancelled');
    expect((await runs.post(`/${cancelled.id}/start`, admin)).status).toBe(409);
    expect(await states(apps.map(({ id }) => id))).toMatchObject([{ archived: true }]);
    const { rows } = await databases.pools.ui.query(
      `select entity_id::int as id, action, entity_label as label, actor_id from audit_entries
       where entity = 'bulk_run' and entity_id = any($1) order by audit_entries.id`,
      [[checked.id, cancelled.id].map(String)],
    );
    const by = { actor_id: admin.accountId };
    expect(rows).toEqual([
      { id: checked.id, action: 'check', label: 'app.archive', ...by },
      { id: checked.id, action: 'start', label: 'app.archive', ...by },
      { id: cancelled.id, action: 'check', label: 'app.restore', ...by },
      { id: cancelled.id, action: 'cancel', label: 'app.restore', ...by },
    ]);
  });
});

describe('access to bulk changes', () => {
  it('[BULK-006] reaches apps in scope alone, and tells foreign apps from none by nothing', async () => {
    const [own, foreign] = await createApps(2);
    const limited = await signInAs(databases, { role: 'Admin', apps: [own?.id ?? 0], since: api.now() });
    const everything = await runs.check(limited, setVertical, { filter: 'status=all' });
    expect([everything.total, (await runs.rows(everything.id, limited)).map(({ key }) => key)]).toEqual([1, [String(own?.id)]]);
    const named = await runs.check(limited, setVertical, { keys: [foreign?.id ?? 0, 999_999_999] });
    expect(await runs.rows(named.id, limited)).toEqual([]);
    // Rows stored while the app was out of scope appear when the scope grows, and the run does not touch them.
    await databases.db.updateTable('accounts').set({ all_apps: true }).where('id', '=', limited.accountId).execute();
    await runs.start(limited, named.id);
    expect(await states([foreign?.id ?? 0])).toMatchObject([{ vertical: 'bet' }]);
    const rows = await runs.rows(named.id, limited);
    expect(rows.map(({ label, result }) => [label, result])).toEqual([
      ['', { result: 'conflict', message: 'Changed since the check' }],
      ['', { result: 'denied', message: 'Not found' }],
    ]);
  });

  it('[BULK-006] shows a run to its owner alone, and none of its apps that left the scope since', async () => {
    const apps = await createApps(2);
    const limited = await signInAs(databases, { role: 'Admin', apps: apps.map(({ id }) => id), since: api.now() });
    const done = await runs.run(limited, setVertical, keysOf(apps));
    for (const path of ['', '/rows']) expect((await api.call('GET', `/api/bulk/runs/${done.id}${path}`, admin)).status).toBe(404);
    for (const path of ['start', 'cancel', 'undo']) expect((await runs.post(`/${done.id}/${path}`, admin)).status).toBe(404);
    await databases.db
      .deleteFrom('app_accounts')
      .where('account_id', '=', limited.accountId)
      .where('app_id', '=', apps[1]?.id ?? 0)
      .execute();
    expect(await runs.get(done.id, limited)).toMatchObject({ total: 1, result: { changed: 1 } });
    expect((await runs.rows(done.id, limited)).map(({ key }) => key)).toEqual([String(apps[0]?.id)]);
  });

  it('[BULK-006] needs the permission of the change itself', async () => {
    const [app] = await createApps(1);
    const editor = await signInAs(databases, { permissions: ['manager_app_edit'], since: api.now() });
    const answer = await runs.post('', editor, { change: archive, target: { keys: [app?.id] } });
    expect([answer.status, answer.body.message]).toEqual([403, 'You have no permission for this action']);
    expect((await runs.run(editor, setVertical, keysOf([app ?? { id: 0 }]))).state).toBe('done');
  });

  it('[BULK-007] needs a recent sign-in to give people access to apps, and for nothing else', async () => {
    const apps = await createApps(1);
    const early = await signInAs(databases, { role: 'Super Admin', since: api.now() });
    const authenticatedAt = new Date(api.now().getTime() - 3_600_000);
    await databases.db.updateTable('sessions').set({ authenticated_at: authenticatedAt }).where('id', '=', early.sessionId).execute();
    const buyer = await signInAs(databases, { panel: 'buyer', apps: [] });
    for (const action of ['app.add_buyers', 'app.remove_buyers', 'app.add_staff', 'app.remove_staff'] as const) {
      const { id } = await runs.check(early, { action, params: { ids: [buyer.accountId] } }, keysOf(apps));
      const answer = await runs.post(`/${id}/start`, early);
      expect([answer.status, answer.body.message]).toEqual([403, 'Confirm that it is you']);
    }
    expect((await runs.run(early, archive, keysOf(apps))).result.changed).toBe(1);
  });

  it('[BULK-006] acts with an API token within its permissions and apps, and stops when it is revoked', async () => {
    const [own, other] = await createApps(2);
    const token = await makeApiToken(databases, { ownerId: admin.accountId, permissions: ['manager_app_edit'], apps: [own?.id ?? 0] });
    expect((await runs.post('', token, { change: archive, target: { keys: [own?.id] } })).status).toBe(403);
    const done = await runs.run(token, setVertical, keysOf([own ?? { id: 0 }, other ?? { id: 0 }]));
    expect(done).toMatchObject({ total: 1, result: { changed: 1 } });
    expect(await trailOf(done.id)).toMatchObject([
      { entity_id: String(own?.id), changes: [{ field: 'via', to: { kind: 'token', id: token.tokenId } }, { field: 'vertical' }] },
    ]);
    const second = await makeApiToken(databases, { ownerId: admin.accountId });
    expect((await api.call('GET', `/api/bulk/runs/${done.id}`, second)).status).toBe(404);
    const { id } = await runs.check(second, archive, keysOf([own ?? { id: 0 }]));
    await databases.pools.ui.query(`update bulk_runs set state = 'running' where id = $1`, [id]);
    await databases.db.deleteFrom('api_tokens').where('id', '=', second.tokenId).execute();
    await databases.pools.ui.query(`update bulk_runs set updated_at = now() - interval '1 hour' where id = $1`, [id]);
    await api.maintain();
    expect(await runs.becomes(id, admin, 'stopped')).toMatchObject({
      problem: 'The sign-in or the token that started the run has ended',
      result: { changed: 0 },
    });
  });
});
