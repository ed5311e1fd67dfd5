import { belongingsMessages } from '@switchyard/contract/belongings';
import type { BulkChange } from '@switchyard/contract/bulk';
import { permissionId, seededRoles, superAdminRoleId } from '@switchyard/contract/permissions';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '../../../test/build-test-api.ts';
import { bulkRuns, startBulkConsole, stopBulkConsole } from '../../../test/bulk-runs.ts';
import { createApp } from '../../../test/factories/app.ts';
import { makeApiToken, signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
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

const roleId = (name: string) => seededRoles.find((role) => role.name === name)?.id ?? 0;
const endSessions: BulkChange = { action: 'account.end_sessions', params: {} };
const deny: BulkChange = { action: 'account.set_access', params: { hasAccess: false } };
const addApps = (...ids: number[]): BulkChange => ({ action: 'account.add_apps', params: { ids } });
const removeApps = (...ids: number[]): BulkChange => ({ action: 'account.remove_apps', params: { ids } });
const addRoles = (...ids: number[]): BulkChange => ({ action: 'account.add_roles', params: { ids } });
const removeRoles = (...ids: number[]): BulkChange => ({ action: 'account.remove_roles', params: { ids } });
const keysOf = (...accounts: readonly SignedIn[]) => ({ keys: accounts.map(({ accountId }) => accountId) });

/** Everything that the actions change and restore, without versions, times and sessions. */
async function states(ids: readonly number[]): Promise<unknown[]> {
  const { rows } = await databases.pools.ui.query(
    `select id, has_access, all_apps,
       array(select role_id from account_roles where account_id = accounts.id order by 1) as roles,
       array(select app_id from app_accounts where account_id = accounts.id order by 1) as apps,
       array(select app_id from app_buyers where account_id = accounts.id order by 1) as bought
     from accounts where id = any($1) order by id`,
    [ids],
  );
  return rows;
}
async function entriesOf(runId: number) {
  const { rows } = await databases.pools.ui.query<{ entity: string; action: string; entity_id: string }>(
    `select entity, action, entity_id from audit_entries where request_id = $1 order by id`,
    [`bulk-${runId}`],
  );
  return rows;
}
async function resultsOf(runId: number, caller: { headers: { authorization: string } }) {
  return (await runs.rows(runId, caller)).map(({ key, result }) => [Number(key), result?.result, result?.message]);
}

describe('a bulk change of accounts', () => {
  it('[BULK-036] hands over what accounts share when access is denied, and denies the row of the new owner', async () => {
    const [one, other, heir] = [await signInAs(databases), await signInAs(databases), await signInAs(databases)];
    const { rows } = await databases.pools.ui.query<{ id: number }>(
      `insert into alert_rules (name, kind, severity, threshold, owner_id, created_at, updated_at)
       select 'Rule', 'server_silent', 'warning', 5, owner_id, now(), now() from unnest($1::int[]) as owner_id returning id`,
      [[one.accountId, other.accountId]],
    );
    const change: BulkChange = { action: 'account.set_access', params: { hasAccess: false, handOverTo: heir.accountId } };
    const run = await runs.run(admin, change, keysOf(one, other, heir));
    expect(await resultsOf(run.id, admin)).toEqual([
      [one.accountId, 'changed', null],
      [other.accountId, 'changed', null],
      [heir.accountId, 'denied', belongingsMessages.newOwner],
    ]);
    const owned = await databases.pools.ui.query('select from alert_rules where owner_id = $1 and id = any($2)', [
      heir.accountId,
      rows.map(({ id }) => id),
    ]);
    expect(owned.rows).toHaveLength(2);
  });

  it('[LEAVE-111] says before access is denied what hangs on all accounts that will change, also before an undo', async () => {
    const staff = async () => signInAs(databases, { permissions: [] });
    const [one, other, without, deleted] = [await staff(), await staff(), await staff(), await staff()];
    const [above, reader] = [await signInAs(databases, { role: 'Super Admin' }), await signInAs(databases)];
    const caller = await signInAs(databases, { permissions: ['manager_user_deactivate'], since: api.now() });
    const ids = [one, other, above].map(({ accountId }) => accountId);
    await databases.pools.ui.query('update accounts set has_access = false where id = $1', [without.accountId]);
    const insert = async (statement: string) => databases.pools.ui.query(statement, [[...ids, without.accountId]]);
    await insert(
      `with views as (
         insert into saved_views (owner_id, list, name, query, columns, sharing, created_at, updated_at)
         select owner_id, 'reports', kind || ' ' || number, '', '{}', kind, now(), now() from unnest($1::int[]) as owner_id,
           unnest(array['everyone', 'private']) as kind, generate_series(1, 2) as number returning id, owner_id, name),
       tiles as (
         insert into dashboard_tiles (owner_id, view_id, shape, position, created_at, updated_at)
         select owner_id, id, 'table', 1, now(), now() from views where name like '% 1' returning id),
       shared as (insert into dashboard_tile_roles (tile_id, role_id) select id, 2 from tiles),
       schedules as (
         insert into schedules (owner_id, view_id, name, interval, weekday, month_day, hour, is_on, next_run_at, created_at, updated_at)
         select owner_id, id, 'Morning', 'day', 1, 1, 9, true, now(), now(), now() from views where name = 'private 2'),
       rules as (
         insert into alert_rules (name, kind, severity, threshold, owner_id, created_at, updated_at)
         select 'Rule', 'server_silent', 'warning', 5, owner_id, now(), now() from unnest($1::int[]) as owner_id),
       silences as (
         insert into silences (note, starts_at, ends_at, created_by)
         select note, now() - interval '2 days', now() + ends, owner_id from unnest($1::int[]) as owner_id,
           (values ('', interval '1 day'), ('Works', interval '1 day'), ('Ended', interval '-1 day')) as given (note, ends))
       insert into api_tokens (kind, owner_id, name, permission_ids, all_apps, app_ids, networks, token_hash, ends_with, created_at, expires_at)
         select kind, owner_id, kind, '{1}', true, '{}', '{}', sha256((kind || owner_id)::bytea), 'abcd', now(), now()
         from unnest($1::int[]) as owner_id, unnest(array['service', 'personal']) as kind`,
    );
    // A reader opens lists with two of the views; an account of the run and a deleted one count for none.
    await databases.pools.ui.query('update accounts set deleted_at = now() where id = $1', [deleted.accountId]);
    const open = `insert into default_views (account_id, list, view_id) select $1, $4, id from saved_views where owner_id = $2 and name = $3`;
    await databases.pools.ui.query(open, [reader.accountId, one.accountId, 'everyone 1', 'reports']);
    await databases.pools.ui.query(open, [reader.accountId, other.accountId, 'everyone 1', 'apps']);
    await databases.pools.ui.query(open, [other.accountId, one.accountId, 'everyone 1', 'reports']);
    await databases.pools.ui.query(open, [deleted.accountId, one.accountId, 'everyone 1', 'reports']);

    const belongings = async (id: number, as = caller) => api.call('GET', `/api/bulk/runs/${id}/belongings`, as);
    const run = await runs.check(caller, deny, keysOf(one, other, above, without));
    expect(run.check).toMatchObject({ changed: 2, denied: 1, already: 1 });
    const expected = {
      views: { count: 4, names: ['everyone 1', 'everyone 2', 'everyone 1'], default_of: 1 },
      boards: { count: 0, names: [] },
      tiles: { count: 4, names: ['everyone 1', 'everyone 1'] },
      service_accounts: { count: 2, names: ['service', 'service'] },
      rules: { count: 2, names: ['Rule', 'Rule'] },
      schedules: { count: 2, names: ['Morning', 'Morning'] },
      silences: { count: 4, names: ['Works', 'Works'] },
      personal_tokens: 2,
    };
    expect((await belongings(run.id)).body.data).toEqual(expected);
    expect((await belongings(run.id, admin)).status).toBe(404);
    const grant: BulkChange = { action: 'account.set_access', params: { hasAccess: true } };
    expect((await belongings((await runs.check(caller, grant, keysOf(without))).id)).body.data).toBeNull();

    const granted = await runs.run(admin, grant, keysOf(without));
    const undo = await runs.becomes((await runs.post(`/${granted.id}/undo`, admin)).body.data.id, admin, 'ready');
    expect((await belongings(undo.id, admin)).body.data).toMatchObject({ views: { count: 2, default_of: 0 }, personal_tokens: 1 });

    await databases.pools.ui.query(
      'insert into account_roles (account_id, role_id, panel) select account_id, $2, panel from account_roles where account_id = $1',
      [other.accountId, superAdminRoleId],
    );
    expect((await belongings(run.id)).body.data).toMatchObject({ views: { count: 2 }, personal_tokens: 1 });
    await databases.pools.ui.query('update accounts set all_apps = false where id = any($1)', [[caller.accountId, one.accountId]]);
    expect((await belongings(run.id)).body.data).toMatchObject({ views: { count: 2, names: [], default_of: 2 }, silences: { names: [] } });
    await databases.pools.ui.query(
      `delete from role_permissions where permission_id = $2 and role_id in (select role_id from account_roles where account_id = $1)`,
      [caller.accountId, permissionId('manager_user_deactivate')],
    );
    expect((await belongings(run.id)).status).toBe(403);
  });

  it('[BULK-003, BULK-005, BULK-008] does what its check said, and its undo restores the state, for any change of both panels', async () => {
    const apps = [(await createApp(databases)).id, (await createApp(databases)).id];
    const accounts = [
      await signInAs(databases, { role: 'Admin' }),
      await signInAs(databases, { role: 'Log Reviewer', apps: apps.slice(0, 1) }),
      await signInAs(databases, { role: 'Log Reviewer', apps: [] }),
      await signInAs(databases, { role: 'Buyer', panel: 'buyer', apps: apps.slice(1) }),
      await signInAs(databases, { role: 'Buyer', panel: 'buyer', apps: [] }),
    ];
    const ids = accounts.map(({ accountId }) => accountId);
    const someApps = fc.subarray(apps, { minLength: 1 });
    const someRoles = fc.subarray([roleId('Admin'), roleId('Log Reviewer'), roleId('Buyer')], { minLength: 1 });
    const change = fc.oneof(
      fc.boolean().map((hasAccess): BulkChange => ({ action: 'account.set_access', params: { hasAccess } })),
      someApps.map((of) => addApps(...of)),
      someApps.map((of) => removeApps(...of)),
      someRoles.map((of) => addRoles(...of)),
      someRoles.map((of) => removeRoles(...of)),
    );
    await fc.assert(
      fc.asyncProperty(change, fc.subarray(ids, { minLength: 2 }), change, async (first, keys, second) => {
        await runs.run(admin, first, { keys: keys.slice(1) });
        const before = await states(ids);
        const checked = await runs.check(admin, second, { keys });
        expect(await states(ids)).toEqual(before);
        const done = await runs.start(admin, checked.id);
        expect(done.result).toEqual(checked.check);
        for (const row of await runs.rows(done.id, admin)) expect(row.result).toEqual(row.check);
        if (done.result.changed > 0) expect(await states(ids)).not.toEqual(before);
        expect(await entriesOf(done.id)).toHaveLength(done.result.changed);
        const undone = await runs.undo(admin, done.id);
        expect(undone.result).toEqual({ changed: done.result.changed, already: 0, denied: 0, conflict: 0, failed: 0 });
        expect(await states(ids)).toEqual(before);
      }),
      { numRuns: 8 },
    );
  }, 240_000);

  it('[BULK-011] ends all sessions but that of the run, with an entry for each, and cannot be undone', async () => {
    const [user, buyer, absent] = [
      await signInAs(databases, { role: 'Log Reviewer', since: api.now() }),
      await signInAs(databases, { panel: 'buyer', apps: [], since: api.now() }),
      await signInAs(databases, { role: 'Log Reviewer', since: new Date('2020-01-01') }),
    ];
    const target = keysOf(user, buyer, absent, admin);
    const checked = await runs.check(admin, endSessions, target);
    expect((await api.call('GET', '/api/time', user)).status).toBe(200);
    const done = await runs.start(admin, checked.id);
    expect(done).toMatchObject({ state: 'done', check: { changed: 2, already: 2 }, result: { changed: 2, already: 2 } });
    expect((await api.call('GET', '/api/time', user)).status).toBe(401);
    expect((await api.call('GET', '/api/time', admin)).status).toBe(200);
    expect(await entriesOf(done.id)).toEqual(
      [user, buyer].map(({ sessionId }) => ({ entity: 'session', action: 'end', entity_id: String(sessionId) })),
    );
    const undone = await runs.undo(admin, done.id);
    expect(undone.result).toEqual({ changed: 0, already: 0, denied: 2, conflict: 0, failed: 0 });
    expect((await resultsOf(undone.id, admin))[0]).toEqual([user.accountId, 'denied', 'This change cannot be undone']);
  });

  it('[BULK-001, BULK-011] takes the accounts of a panel that its list shows for the same filters', async () => {
    const [one, other, buyer] = [
      await signInAs(databases, { role: 'Log Reviewer', email: 'one@filtered.example' }),
      await signInAs(databases, { role: 'Admin', email: 'other@filtered.example', hasAccess: false }),
      await signInAs(databases, { role: 'Buyer', panel: 'buyer', apps: [], email: 'buyer@filtered.example' }),
    ];
    const chosen = async (filter: string) =>
      (await runs.rows((await runs.check(admin, deny, { filter })).id, admin)).map(({ key }) => +key);
    expect(await chosen('panel=user&search=FILTERED.example&page=2&orderBy=keyName')).toEqual([one.accountId, other.accountId]);
    expect(await chosen('panel=user&search=filtered.example&access=granted')).toEqual([one.accountId]);
    expect(await chosen('panel=user&search=filtered.example&role=Admin')).toEqual([other.accountId]);
    expect(await chosen('panel=buyer&search=filtered.example')).toEqual([buyer.accountId]);
    const errorsOf = async (filter: string) => (await runs.post('', admin, { change: deny, target: { filter } })).body.errors;
    expect(await errorsOf('search=filtered.example')).toEqual({ 'target.filter': ['The panel field is required.'] });
    expect(await errorsOf('panel=user&secondFactor=none')).toEqual({
      'target.filter': ['Accounts cannot be chosen by their second factor.'],
    });
  });
});

describe('a bulk change of accounts by a caller who may not', () => {
  it('[BULK-006, BULK-011] gives and takes only what the caller holds, neither from oneself nor from those above', async () => {
    const caller = await signInAs(databases, { permissions: ['manager_user_edit', 'manager_user_deactivate'], since: api.now() });
    const plain = await signInAs(databases);
    const target = keysOf(plain, admin);
    const above = 'Only a super admin can change a super admin';
    for (const change of [addRoles(roleId('Admin')), removeRoles(roleId('Admin')), endSessions]) {
      const { id } = await runs.run(caller, change, keysOf(admin));
      expect(await resultsOf(id, caller)).toEqual([[admin.accountId, 'denied', above]]);
    }
    const before = await states(target.keys);
    const granted = await runs.run(caller, addRoles(roleId('Admin')), target);
    expect(await resultsOf(granted.id, caller)).toContainEqual([plain.accountId, 'denied', 'You cannot grant permissions you do not have']);
    expect(await states(target.keys)).toEqual(before);
    const own = await runs.run(admin, addRoles(roleId('Log Reviewer')), keysOf(admin));
    expect(await resultsOf(own.id, admin)).toEqual([[admin.accountId, 'denied', 'You cannot change your own roles']]);
    const last = await runs.run(admin, removeRoles(roleId('Log Reviewer')), keysOf(await signInAs(databases, { role: 'Log Reviewer' })));
    expect((await resultsOf(last.id, admin))[0]?.slice(1)).toEqual(['denied', '*Choose at least one role']);
  });

  it('[BULK-007, BULK-011] needs a recent sign-in for roles and apps, and none to end sessions', async () => {
    const early = await signInAs(databases, { role: 'Super Admin', since: api.now() });
    const authenticatedAt = new Date(api.now().getTime() - 3_600_000);
    await databases.db.updateTable('sessions').set({ authenticated_at: authenticatedAt }).where('id', '=', early.sessionId).execute();
    const user = await signInAs(databases, { role: 'Log Reviewer', apps: [], since: api.now() });
    const app = await createApp(databases);
    for (const change of [addRoles(roleId('Admin')), removeRoles(roleId('Admin')), addApps(app.id), removeApps(app.id)]) {
      const { id } = await runs.check(early, change, keysOf(user));
      const answer = await runs.post(`/${id}/start`, early);
      expect([answer.status, answer.body.message]).toEqual([403, 'Confirm that it is you']);
    }
    expect((await runs.run(early, endSessions, keysOf(user))).result.changed).toBe(1);
    const fresh = await signInAs(databases, { role: 'Super Admin', since: api.now() });
    const done = await runs.run(fresh, deny, keysOf(user));
    await databases.db.updateTable('sessions').set({ authenticated_at: authenticatedAt }).where('id', '=', fresh.sessionId).execute();
    const undo = await runs.post(`/${done.id}/undo`, fresh);
    await runs.becomes(undo.body.data.id, fresh, 'ready');
    expect((await runs.post(`/${undo.body.data.id}/start`, fresh)).status).toBe(403);
  });

  it('[BULK-006, BULK-011] loses rights between the check and the run', async () => {
    const app = await createApp(databases);
    const user = await signInAs(databases, { role: 'Buyer', panel: 'buyer', apps: [] });
    const both = ['manager_user_edit', 'manager_user_deactivate'] as const;
    const [unpermitted, restricted] = [
      await signInAs(databases, { permissions: both, since: api.now() }),
      await signInAs(databases, { role: 'Admin', since: api.now() }),
    ];
    const checks = [
      await runs.check(unpermitted, addApps(app.id), keysOf(user)),
      await runs.check(restricted, addApps(app.id), keysOf(user)),
    ];
    await databases.pools.ui.query(
      `delete from role_permissions where permission_id = $2 and role_id in (select role_id from account_roles where account_id = $1)`,
      [unpermitted.accountId, permissionId('manager_user_edit')],
    );
    await databases.db.updateTable('accounts').set({ all_apps: false }).where('id', '=', restricted.accountId).execute();
    const problem = 'You no longer have the permission for this change';
    expect(await runs.start(unpermitted, checks[0]?.id ?? 0)).toMatchObject({ state: 'stopped', problem, result: { changed: 0 } });
    expect(await runs.start(restricted, checks[1]?.id ?? 0)).toMatchObject({ state: 'done', result: { changed: 0, denied: 1 } });
    expect(await states([user.accountId])).toMatchObject([{ bought: [] }]);
  });

  it('[BULK-006, BULK-011] does not end sessions by an API token, and changes roles within those of the token', async () => {
    const token = await makeApiToken(databases, { ownerId: admin.accountId });
    const plain = await signInAs(databases);
    const answer = await runs.post('', token, { change: endSessions, target: keysOf(plain) });
    expect([answer.status, answer.body.message]).toEqual([403, 'API tokens cannot make this call. Sign in to make it']);
    const weak = await makeApiToken(databases, { ownerId: admin.accountId, permissions: ['manager_user_edit'] });
    expect((await runs.post('', weak, { change: deny, target: keysOf(plain) })).status).toBe(403);
    const done = await runs.run(weak, addRoles(roleId('Admin')), keysOf(plain));
    expect((await resultsOf(done.id, weak))[0]?.[1]).toBe('denied');
  });

  it('[BULK-006, BULK-011] answers a restricted caller alike for apps that accounts have and for those that they do not have', async () => {
    const [own, foreign, unrelated] = [await createApp(databases), await createApp(databases), await createApp(databases)];
    const caller = await signInAs(databases, { role: 'Admin', apps: [own.id], since: api.now() });
    const [shared, free] = [
      await signInAs(databases, { role: 'Buyer', panel: 'buyer', apps: [own.id, foreign.id] }),
      await signInAs(databases, { role: 'Buyer', panel: 'buyer', apps: [own.id] }),
    ];
    const target = keysOf(shared, free);
    const before = await states(target.keys);
    const missing = unrelated.id + 10_000;
    for (const make of [addApps, removeApps]) {
      const answers = [];
      for (const app of [foreign.id, unrelated.id, missing])
        answers.push((await resultsOf((await runs.run(caller, make(app), target)).id, caller)).map(([, ...result]) => result));
      const denied = ['denied', 'You cannot grant access to apps you do not have'];
      expect(answers).toEqual([0, 1, 2].map(() => [denied, denied]));
    }
    expect(await states(target.keys)).toEqual(before);
    const removed = await runs.run(caller, removeApps(own.id), target);
    expect(removed.result.changed).toBe(2);
    expect((await runs.undo(caller, removed.id)).result.changed).toBe(2);
    expect(await states(target.keys)).toEqual(before);
    // Of the buyer with apps of another team neither the roles nor the sessions.
    for (const change of [deny, endSessions]) {
      const { id } = await runs.run(caller, change, keysOf(shared));
      expect((await resultsOf(id, caller))[0]?.[1]).toBe('denied');
    }
  });
});

it('[BULK-050] rows are listed only with a permission for accounts, and the run stays with its counts', async () => {
  const target = await signInAs(databases, { permissions: ['manager_app_edit'], since: api.now() });
  const caller = await signInAs(databases, { permissions: ['manager_user_edit', 'manager_app_edit'], since: api.now() });
  const done = await runs.run(caller, addApps((await createApp(databases)).id), keysOf(target));
  expect(await runs.rows(done.id, caller)).toMatchObject([{ key: String(target.accountId), label: expect.stringMatching(/./) }]);
  await databases.pools.ui.query(
    `delete from role_permissions where permission_id = $2 and role_id in (select role_id from account_roles where account_id = $1)`,
    [caller.accountId, permissionId('manager_user_edit')],
  );
  expect((await api.call('GET', '/api/users', caller)).status).toBe(403);
  expect(await runs.rows(done.id, caller)).toEqual([]);
  expect(await runs.get(done.id, caller)).toMatchObject({ state: 'done', result: done.result });
});
