import { grantMessages } from '@switchyard/contract/account-rules';
import { belongingsMessages } from '@switchyard/contract/belongings';
import type { Announcement } from '../../announcement.ts';
import * as schedulesWithoutOwners from '../../database/migrations/0034-schedules-without-owners.ts';
import { viewMessages } from '@switchyard/contract/saved-views';
import { wireDate } from '@switchyard/contract/dates';
import { type Loss, lossLimits } from '@switchyard/contract/losses';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;
const announced: Announcement[] = [];

beforeAll(async () => {
  api = await buildTestApi({
    databases,
    announce: async (_tx, announcements) => {
      announced.push(...announcements);
      return new Set();
    },
  });
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  return async () => api.app.close();
});

const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, { as = admin, body }: { as?: SignedIn; body?: object } = {}) =>
  api.call(method, `/api/${path}`, { ...as, ...(body === undefined ? {} : { body }) });

/** An account to which one thing of each kind belongs. */
async function createOwner() {
  const owner = await signInAs(databases, { role: 'Admin', since: api.now() });
  const id = owner.accountId;
  const insert = async (statement: string, values: unknown[]): Promise<number> =>
    (await databases.pools.ui.query<{ id: number }>(`${statement} returning id`, values)).rows[0]?.id ?? 0;
  const view = async (name: string, sharing: string) =>
    insert(
      `insert into saved_views (owner_id, list, name, query, columns, sharing, created_at, updated_at)
       values ($1, 'reports', $2, '', '{"hidden": [], "widths": {}}', $3, now(), now())`,
      [id, name, sharing],
    );
  const [shared, own] = [await view('Shared', 'everyone'), await view('Own', 'private')];
  await databases.pools.ui.query(
    `insert into default_views (account_id, list, view_id) values ($1, 'reports', $2)
     on conflict (account_id, list) do update set view_id = excluded.view_id`,
    [admin.accountId, shared],
  );
  const tile = `insert into dashboard_tiles (owner_id, view_id, shape, position, created_at, updated_at) values ($1, $2, 'table', 1, now(), now())`;
  const [sharedTile] = [await insert(tile, [id, shared]), await insert(tile, [id, own])];
  await databases.pools.ui.query(`insert into dashboard_tile_roles (tile_id, role_id) values ($1, 2)`, [sharedTile]);
  const schedule = `insert into schedules (owner_id, view_id, name, interval, weekday, month_day, hour, is_on, next_run_at, created_at,
    updated_at) values ($1, $2, 'Morning', 'day', 1, 1, 9, true, now() + interval '1 day', now(), now())`;
  const scheduleId = await insert(schedule, [id, shared]);
  await databases.pools.ui.query('insert into schedule_recipients select $1, unnest($2::int[])', [scheduleId, [id, admin.accountId]]);
  const token = (kind: string) =>
    insert(
      `insert into api_tokens (kind, owner_id, name, permission_ids, all_apps, app_ids, networks, token_hash, ends_with, created_at, expires_at)
       values ($2, $1, $2, '{1}', true, '{}', '{}', sha256($3), 'abcd', now(), now() + interval '1 day')`,
      [id, kind, Buffer.from(`${kind} ${id}`)],
    );
  const [service] = [await token('service'), await token('personal')];
  const rule = await insert(
    `insert into alert_rules (name, kind, severity, threshold, owner_id, created_at, updated_at) values ('Rule', 'server_silent', 'warning', 5, $1, now(), now())`,
    [id],
  );
  const silence = await insert(
    `insert into silences (note, starts_at, ends_at, created_by) values ('Works', now() - interval '1 hour', now() + interval '1 year', $1)`,
    [id],
  );
  return { owner, id, shared, own, sharedTile, scheduleId, service, rule, silence };
}

const ownerOf = async (table: string, id: number): Promise<number | null | undefined> => {
  const { rows } = await databases.pools.ui.query<{ owner: number | null }>(`select owner_id as owner from ${table} where id = $1`, [id]);
  return rows[0]?.owner;
};

describe('an account that leaves', () => {
  it('[LEAVE-001] says beforehand what hangs on it', async () => {
    const { id, shared, sharedTile, scheduleId, service, rule, silence } = await createOwner();
    expect((await call('GET', `users/${id}/belongings`)).body.data).toEqual({
      views: [{ id: shared, name: 'Shared', default_of: 1, schedules_of_others: 0 }],
      boards: [],
      tiles: [{ id: sharedTile, name: 'Shared' }],
      service_accounts: [{ id: service, name: 'service' }],
      rules: [{ id: rule, name: 'Rule' }],
      schedules: [{ id: scheduleId, name: 'Morning' }],
      silences: [{ id: silence, name: 'Works', ends_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) }],
      private_views: 1,
      private_tiles: 1,
      personal_tokens: 1,
      sessions: 1,
    });
    expect((await call('GET', `buyers/${id}/belongings`)).status).toBe(404);
    const buyer = await signInAs(databases, { panel: 'buyer', apps: [] });
    expect((await call('GET', `buyers/${buyer.accountId}/belongings`)).body.data.views).toEqual([]);
  });

  it('[PERMX-033, LEAVE-001] says it of accounts that do not rank above the caller, without names to callers with few apps', async () => {
    const limited = await signInAs(databases, { permissions: ['manager_user_deactivate'], apps: [], since: api.now() });
    const { id, owner, rule } = await createOwner();
    const { status, body } = await call('GET', `users/${id}/belongings`, { as: limited });
    expect([status, body]).toEqual([403, { success: false, message: grantMessages.permissions }]);
    const { accountId: buyerId } = await signInAs(databases, { panel: 'buyer', apps: [(await createApp(databases)).id] });
    const ofBuyer = await call('GET', `buyers/${buyerId}/belongings`, { as: limited });
    expect([ofBuyer.status, ofBuyer.body.message]).toEqual([403, grantMessages.apps]);
    const { accountId: heirId } = await signInAs(databases, { permissions: [], apps: [], since: api.now() });
    await databases.pools.ui.query('update alert_rules set owner_id = $1 where owner_id = $2', [heirId, owner.accountId]);
    const ofHeir = await call('GET', `users/${heirId}/belongings`, { as: limited });
    expect(ofHeir.body.data.rules).toEqual([{ id: rule, name: null }]);
  });

  it('[LEAVE-002] ends what is not handed over when it is deleted; rules stay without an owner', async () => {
    const { id, shared, own, scheduleId, service, rule, silence } = await createOwner();
    expect((await call('DELETE', `users/${id}`)).status).toBe(204);
    for (const [table, gone] of [
      ['saved_views', shared],
      ['saved_views', own],
      ['schedules', scheduleId],
      ['api_tokens', service],
    ] as const)
      expect([table, await ownerOf(table, gone)]).toEqual([table, undefined]);
    expect(await ownerOf('alert_rules', rule)).toBeNull();
    const { rows } = await databases.pools.ui.query('select ends_at <= now() as ended from silences where id = $1', [silence]);
    expect(rows).toEqual([{ ended: true }]);
    const trail = await databases.pools.ui.query<{ entity: string; action: string }>(
      `select entity, action from audit_entries where actor_id = $1 and action <> 'login' order by id desc limit 9`,
      [admin.accountId],
    );
    expect(new Set(trail.rows.map(({ entity, action }) => `${entity} ${action}`))).toEqual(
      new Set([
        'user delete',
        'saved_view delete',
        'dashboard_tile delete',
        'service_account delete',
        'alert_rule update',
        'schedule delete',
        'silence end',
        'api_token revoke',
      ]),
    );
  });

  it('[LEAVE-107] tells the channels of the rules that its silences muted that these ended', async () => {
    const { id, rule, silence } = await createOwner();
    await createOwner();
    const query = async (text: string, values: unknown[]) => databases.pools.ui.query<{ id: number }>(text, values);
    const [one, other] = [await createApp(databases), await createApp(databases)];
    for (const app of [one, other]) {
      const domains = `insert into alert_rules (name, kind, scope_apps) values ('Domains', 'domain_expiry', 'chosen') returning id`;
      await query(`with rule as (${domains}) insert into alert_rule_apps select id, $1 from rule`, [app.id]);
    }
    const channels = await query(
      `insert into channels (name, kind, is_on, minimum_severity, digest_minutes, per_hour, created_at, updated_at)
      select 'x', 'webhook', true, 'info', 0, 1, now(), now() from generate_series(1, 3) returning id`,
      [],
    );
    const [own, rest, ofApp] = channels.rows.map((channel) => channel.id);
    await query(
      `update alert_rules set is_on = owner_id is not null or scope_apps = 'chosen', severity = 'critical', all_channels = false`,
      [],
    );
    await query(
      `insert into alert_rule_channels select rule.id, case when rule.id = $1 then $3::int when app_id = $2 then $5 else $4 end
      from alert_rules as rule left join alert_rule_apps on rule_id = rule.id`,
      [rule, one.id, own, rest, ofApp],
    );
    await query('update silences set rule_id = $2 where id = $1', [silence, rule]);
    await query(
      `with added as (
        insert into silences (note, rule_id, kind, scope_apps, starts_at, ends_at, created_by) values
        ('', null, null, 'chosen', now() - interval '1 hour', now() + interval '1 year', $1),
        ('Not begun', $2, null, 'all', now() + interval '1 hour', now() + interval '1 year', $1),
        ('Of no rule', null, 'log_disk', 'all', now() - interval '1 hour', now() + interval '1 year', $1) returning id, scope_apps)
      insert into silence_apps select id, $3 from added where scope_apps = 'chosen'`,
      [id, rule, one.id],
    );
    announced.length = 0;
    expect((await call('DELETE', `users/${id}`)).status).toBe(204);
    expect(announced).toMatchObject([
      {
        uid: `silence-${silence}-ended`,
        type: 'silence.ended',
        severity: 'critical',
        title: 'Silence ended: Works',
        path: '/incidents?startTabName=Silences',
        channelIds: [own],
      },
      { title: 'Silence ended: no note', severity: 'critical', channelIds: [ofApp] },
    ]);
    expect(announced[0]?.lines[0]).toMatch(/, who created it, was deleted\. It would have ended on \d\d\.\d\d\.\d{4} \d\d:\d\d UTC\.$/);
    expect((await query('select from silences where created_by = $1 and ends_at > now()', [id])).rows).toEqual([]);
  });

  it('[LEAVE-108, LEAVE-109] tells who loses what it shared the name and why, until they dismiss it', async () => {
    const [colleague, leaving] = [await createOwner(), await createOwner()];
    const query = async (text: string, values: unknown[]) => databases.pools.ui.query(text, values);
    const ownerName = `Anna ${leaving.id}`;
    await query('update accounts set name = $2 where id = $1', [leaving.id, ownerName]);
    await query(`update saved_views set name = name || ' ' || id where owner_id = $1`, [leaving.id]);
    await query('update dashboard_tiles set view_id = $1 where id = $2', [leaving.shared, colleague.sharedTile]);
    await query('delete from dashboard_tile_roles where tile_id = $1', [leaving.sharedTile]);
    const reader = await signInAs(databases, { permissions: ['manager_app_statistics'], since: api.now() });
    const stranger = await signInAs(databases, { permissions: ['manager_user_edit'], since: api.now() });
    const buyer = await signInAs(databases, { panel: 'buyer', since: api.now() });
    expect((await call('DELETE', `users/${leaving.id}`)).status).toBe(204);
    const lossesOf = async (as: SignedIn) =>
      (await call('GET', 'losses', { as })).body.data.filter(({ owner_name: owner }: Loss) => owner === ownerName);
    const view = { list: 'reports', name: `Shared ${leaving.shared}`, was_default: false, owner_name: ownerName };
    expect(await lossesOf(reader)).toEqual([{ ...view, id: expect.any(Number), kind: 'view', lost_at: wireDate(api.now()) }]);
    expect(await lossesOf(admin)).toMatchObject([
      { kind: 'schedule', name: 'Morning' },
      { kind: 'view', was_default: true },
    ]);
    expect(await lossesOf(colleague.owner)).toMatchObject([{ kind: 'tile', name: view.name }, { kind: 'view' }]);
    expect([await lossesOf(stranger), await lossesOf(buyer)]).toEqual([[], []]);

    const [own] = await lossesOf(reader);
    const dismiss = async (as: SignedIn, ids: number[]) => (await call('POST', 'losses/dismiss', { as, body: { ids } })).status;
    expect([await dismiss(stranger, [own.id]), (await lossesOf(reader)).length]).toEqual([204, 1]);
    expect([await dismiss(reader, [own.id]), await lossesOf(reader)]).toEqual([204, []]);

    await query(`update losses set lost_at = lost_at + interval '91 days' where account_id = $1`, [colleague.id]);
    api.wait(91 * 86_400_000);
    admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
    expect((await call('DELETE', `users/${colleague.id}`)).status).toBe(204);
    const { rows } = await query('select from losses where account_id = $1 or owner_name = $2', [colleague.id, ownerName]);
    expect(rows).toEqual([]);
  });

  it('[LEAVE-115] tells those who use what an account shared, and all others only of what few of them lose', async () => {
    const { id } = await createOwner();
    const query = async (text: string, values: unknown[]) => databases.pools.ui.query<{ name: string; readers: number }>(text, values);
    await query(`update accounts set name = 'Leaver' where id = $1`, [id]);
    await query(
      `insert into accounts (panel, name, email, all_apps) select 'user', 'Many ' || n, 'many' || n || '@example.com', true from generate_series(1, 300) n`,
      [],
    );
    onTestFinished(async () => void (await query(`update accounts set deleted_at = now() where name like 'Many %'`, [])));
    await query(
      `insert into saved_views (owner_id, list, name, query, columns, sharing) select $1, 'reports', 'View ' || n, '', '{"hidden": [], "widths": {}}', 'everyone'
       from generate_series(1, 150) n`,
      [id],
    );
    await query(
      `update default_views set view_id = (select max(id) from saved_views where owner_id = $1) where account_id = $2 and list = 'reports'`,
      [id, admin.accountId],
    );
    expect((await call('DELETE', `users/${id}`)).status).toBe(204);
    const { rows } = await query(
      `select name, count(*)::int as readers from losses where owner_name = 'Leaver' and kind = 'view' group by name order by readers desc`,
      [],
    );
    expect(rows[0]?.readers).toBeGreaterThan(300);
    expect(rows.at(-1)).toEqual({ name: 'View 150', readers: 1 });
    expect(rows.reduce((sum, { readers }) => sum + readers, 0)).toBeLessThanOrEqual(lossLimits.noted + 1);
    expect((await call('GET', 'losses')).body.data).toContainEqual(expect.objectContaining({ name: 'View 150', was_default: true }));
  });

  it('[DASH-007, LEAVE-002] names, hands over and ends tiles that keep their own report, too', async () => {
    const { id } = await createOwner();
    const heir = await signInAs(databases, { permissions: ['manager_app_statistics'], since: api.now() });
    const mate = await signInAs(databases, { permissions: ['manager_app_statistics'], since: api.now() });
    const tileOf = async (owner: number): Promise<number> => {
      const { rows } = await databases.pools.ui.query<{ id: number }>(
        `with tile as (insert into dashboard_tiles (owner_id, name, query, shape, position, created_at, updated_at)
           values ($1, 'Own report', '', 'table', 1, now(), now()) returning id)
         insert into dashboard_tile_roles select id, (select role_id from account_roles where account_id = $2 limit 1) from tile
         returning tile_id as id`,
        [owner, mate.accountId],
      );
      return rows[0]?.id ?? 0;
    };
    const tile = await tileOf(id);
    expect((await call('GET', `users/${id}/belongings`)).body.data.tiles).toContainEqual({ id: tile, name: 'Own report' });
    expect((await call('DELETE', `users/${id}`, { body: { handOverTo: { tiles: heir.accountId } } })).status).toBe(204);
    expect(await ownerOf('dashboard_tiles', tile)).toBe(heir.accountId);
    expect((await call('DELETE', `users/${heir.accountId}`)).status).toBe(204);
    expect(await ownerOf('dashboard_tiles', tile)).toBeUndefined();
    expect((await call('GET', 'losses', { as: mate })).body.data).toContainEqual(
      expect.objectContaining({ kind: 'tile', list: 'reports', name: 'Own report' }),
    );
  });

  it('[PERMX-030] gives service accounts to nobody who ranks above the caller, because they act within the rights of their owner', async () => {
    const caller = await signInAs(databases, { role: 'Admin', since: api.now() });
    const { id, service, shared } = await createOwner();
    for (const handOverTo of [admin.accountId, { service_accounts: admin.accountId }]) {
      const field = typeof handOverTo === 'number' ? 'handOverTo' : 'handOverTo.service_accounts';
      const refusal = await call('DELETE', `users/${id}`, { as: caller, body: { handOverTo } });
      expect([refusal.status, refusal.body.errors]).toEqual([422, { [field]: [belongingsMessages.higherOwner] }]);
    }
    expect(await ownerOf('api_tokens', service)).toBe(id);
    const handOverTo = { views: admin.accountId, service_accounts: caller.accountId };
    expect((await call('DELETE', `users/${id}`, { as: caller, body: { handOverTo } })).status).toBe(204);
    expect([await ownerOf('api_tokens', service), await ownerOf('saved_views', shared)]).toEqual([caller.accountId, admin.accountId]);
  });

  it('[PERMX-031] leaves schedules of accounts above the caller alone, and does not name them', async () => {
    const { owner, scheduleId } = await createOwner();
    const limited = await signInAs(databases, { permissions: ['manager_user_deactivate'], apps: [], since: api.now() });
    expect((await call('GET', 'schedules/all', { as: limited })).body.data).toEqual([]);
    expect((await call('DELETE', `schedules/${scheduleId}`, { as: limited })).status).toBe(404);
    expect(await ownerOf('schedules', scheduleId)).toBe(owner.accountId);
    expect((await call('DELETE', `schedules/${scheduleId}`)).status).toBe(204);
  });

  it('[PERMX-037, IDN-137] names schedules of others to callers who see all apps, and private views of others to nobody', async () => {
    const admins = ['manager_user_deactivate', 'manager_app_statistics'] as const;
    const limited = await signInAs(databases, { permissions: admins, apps: [], since: api.now() });
    const { id, own, sharedTile, scheduleId } = await createOwner();
    await databases.pools.ui.query('delete from account_roles where account_id = $1', [id]);
    await databases.pools.ui.query('update accounts set all_apps = false where id = $1', [id]);
    const named = async (as: SignedIn): Promise<unknown> => {
      const all: { id: number; name: string; view: object }[] = (await call('GET', 'schedules/all', { as })).body.data;
      return all.filter((one) => one.id === scheduleId).map(({ name, view }) => [name, view]);
    };
    expect(await named(admin)).toEqual([['Morning', { name: 'Shared', list: 'reports' }]]);
    expect(await named(limited)).toEqual([[null, { name: 'Shared', list: 'reports' }]]);
    await databases.pools.ui.query('update schedules set view_id = $1 where id = $2', [own, scheduleId]);
    await databases.pools.ui.query('update dashboard_tiles set view_id = $1 where id = $2', [own, sharedTile]);
    expect(await named(admin)).toEqual([['Morning', { name: null, list: 'reports' }]]);
    expect((await call('GET', `users/${id}/belongings`)).body.data.tiles).toEqual([{ id: sharedTile, name: null }]);
    expect((await call('DELETE', `users/${id}`)).status).toBe(204);
    expect((await call('GET', `audit?entity=dashboard_tile&entityId=${sharedTile}`)).body.data).toMatchObject([{ entity_label: null }]);
  });

  it('[LEAVE-103] records what ends with its views of others, when it is deleted or a view is', async () => {
    const [leaving, colleague] = [await createOwner(), await createOwner()];
    const { rows } = await databases.pools.ui.query<{ schedule: number; tile: number }>(
      `with schedule as (update schedules set view_id = $1 where id = $2 returning id), tile as (
         update dashboard_tiles set view_id = $1 where id = $3 returning id)
       select schedule.id as schedule, tile.id as tile from schedule, tile`,
      [leaving.shared, colleague.scheduleId, colleague.sharedTile],
    );
    const [moved] = rows;
    expect((await call('DELETE', `users/${leaving.id}`)).status).toBe(204);
    expect(await ownerOf('schedules', colleague.scheduleId)).toBeUndefined();
    const deletions = async () => {
      const trail = await databases.pools.ui.query<{ entity: string; entity_id: string; entity_label: string }>(
        `select entity, entity_id, entity_label from audit_entries
         where action = 'delete' and request_id = (select request_id from audit_entries order by id desc limit 1) order by id`,
      );
      return trail.rows.map(({ entity, entity_id: id, entity_label: label }) => [entity, Number(id), label]);
    };
    expect(await deletions()).toEqual(
      expect.arrayContaining([
        ['schedule', moved?.schedule, 'Morning'],
        ['dashboard_tile', moved?.tile, 'Shared'],
      ]),
    );

    const [owner, other] = [await createOwner(), await createOwner()];
    await databases.pools.ui.query('update schedules set view_id = $1 where id = $2', [owner.shared, other.scheduleId]);
    expect((await call('DELETE', `views/${owner.shared}`, { as: owner.owner })).status).toBe(204);
    expect(await deletions()).toEqual([
      ['saved_view', owner.shared, 'Shared'],
      ['schedule', owner.scheduleId, 'Morning'],
      ['schedule', other.scheduleId, 'Morning'],
      ['dashboard_tile', owner.sharedTile, 'Shared'],
    ]);
  });

  it('[LEAVE-104] the upgrade ends schedules and silences of accounts that were deleted earlier', async () => {
    const [deleted, present] = [await createOwner(), await createOwner()];
    await databases.pools.ui.query('update accounts set deleted_at = now() where id = $1', [deleted.id]);
    await schedulesWithoutOwners.up(databases.db);
    const found = async (table: string, ids: number[]) =>
      (await databases.pools.ui.query<{ id: number }>(`select id from ${table} where id = any($1)`, [ids])).rows.map(({ id }) => id);
    expect(await found('schedules', [deleted.scheduleId, present.scheduleId])).toEqual([present.scheduleId]);
    const silences = [deleted.silence, present.silence];
    expect(await found('(select id from silences where ends_at > now()) as open', silences)).toEqual([present.silence]);
    expect(await found('silences', silences)).toHaveLength(2);
  });

  it('[LEAVE-003] hands over to one account, or to one for each kind, also without being deleted', async () => {
    const [first, second] = [await createOwner(), await createOwner()];
    const heir = await signInAs(databases, { role: 'Admin', since: api.now() });
    for (const handOverTo of [first.id, 987_654, { views: 987_654 }]) {
      const refusal = await call('DELETE', `users/${first.id}`, { body: { handOverTo } });
      const field = typeof handOverTo === 'number' ? 'handOverTo' : 'handOverTo.views';
      expect([refusal.status, refusal.body.errors]).toEqual([422, { [field]: [belongingsMessages.newOwner] }]);
    }
    expect((await call('DELETE', `users/${first.id}`, { body: { handOverTo: heir.accountId } })).status).toBe(204);
    for (const [table, id] of [
      ['saved_views', first.shared],
      ['dashboard_tiles', first.sharedTile],
      ['api_tokens', first.service],
    ] as const)
      expect([table, await ownerOf(table, id)]).toEqual([table, heir.accountId]);
    expect(await ownerOf('alert_rules', first.rule)).toBe(heir.accountId);
    const { status } = await call('PUT', `users/${second.id}/switch-access`, {
      body: { hasAccess: false, handOverTo: { views: heir.accountId, rules: admin.accountId } },
    });
    expect(status).toBe(200);
    expect(await ownerOf('saved_views', second.shared)).toBe(heir.accountId);
    expect(await ownerOf('alert_rules', second.rule)).toBe(admin.accountId);
    expect(await ownerOf('schedules', second.scheduleId)).toBe(second.id);
    const { rows: names } = await databases.pools.ui.query('select name from saved_views where owner_id = $1 order by id', [
      heir.accountId,
    ]);
    expect(names).toEqual([{ name: 'Shared' }, { name: `Shared (${second.shared})` }]);
  });

  it('[LEAVE-114] hands views, boards and tiles over only to accounts that can open their list', async () => {
    const { id, owner, shared } = await createOwner();
    const heir = await signInAs(databases, { permissions: ['manager_dev_docs'], since: api.now() });
    const body = { name: 'Team', query: '', role_ids: [], account_ids: [admin.accountId] };
    expect((await call('POST', 'boards', { as: owner, body })).status).toBe(201);
    for (const kind of ['views', 'boards', 'tiles', null]) {
      const handOverTo = kind === null ? heir.accountId : { [kind]: heir.accountId };
      const rejected = await call('DELETE', `users/${id}`, { body: { handOverTo } });
      const field = kind === null ? 'handOverTo' : `handOverTo.${kind}`;
      expect([rejected.status, rejected.body.errors]).toEqual([
        422,
        { [field]: [belongingsMessages.closedList(['manager_app_statistics'])] },
      ]);
    }
    expect(await ownerOf('saved_views', shared)).toBe(id);
    expect((await call('DELETE', `users/${id}`, { body: { handOverTo: { rules: heir.accountId } } })).status).toBe(204);
  });

  it('[LEAVE-113] gives views that are handed over free names, and records them', async () => {
    const [leaver, heir] = [await createOwner(), await createOwner()];
    const insert = async (owner: number, name: string): Promise<number> => {
      const { rows } = await databases.pools.ui.query<{ id: number }>(
        `insert into saved_views (owner_id, list, name, query, columns, sharing) values ($1, 'reports', $2, '', '{"hidden": [], "widths": {}}', 'everyone') returning id`,
        [owner, name],
      );
      return rows[0]?.id ?? 0;
    };
    const long = await insert(leaver.id, `${'é'.repeat(96)}🙂🙂🙂🙂`);
    await insert(heir.id, `${'É'.repeat(96)}🙂🙂🙂🙂`);
    const [first, second] = [`Shared (${leaver.shared})`, `Shared (${leaver.shared}-2)`];
    await insert(heir.id, first);
    const number = await insert(leaver.id, second);
    expect((await call('DELETE', `users/${leaver.id}`, { body: { handOverTo: { views: heir.id } } })).status).toBe(204);
    const renamed = async (id: number) => {
      const { entity_label: label, changes } = (await call('GET', `audit?entity=saved_view&entityId=${id}`)).body.data[0];
      return [label, changes];
    };
    const owner = { field: 'owner', from: leaver.id, to: heir.id };
    expect(await renamed(leaver.shared)).toEqual([second, [owner, { field: 'name', from: 'Shared', to: second }]]);
    const last = `${second} (${number})`;
    expect(await renamed(number)).toEqual([last, [owner, { field: 'name', from: second, to: last }]]);
    const cut = `${'é'.repeat(96)}🙂🙂🙂🙂`;
    expect((await renamed(long))[0]).toBe(
      `${Array.from(cut)
        .slice(0, 100 - ` (${long})`.length)
        .join('')} (${long})`,
    );
  });

  it('[LEAVE-004] recipients end their mails, administrators see and end all schedules, and paused ones say so', async () => {
    const { id, owner, scheduleId } = await createOwner();
    const recipient = await signInAs(databases, { role: 'Log Reviewer', since: api.now() });
    await databases.pools.ui.query('delete from schedule_recipients where schedule_id = $1', [scheduleId]);
    await databases.pools.ui.query('insert into schedule_recipients values ($1, $2)', [scheduleId, recipient.accountId]);
    const received = (await call('GET', 'schedules/received', { as: recipient })).body.data;
    expect(received).toMatchObject([{ id: scheduleId, name: 'Morning', is_paused: false, recipients: 1, owner: { id } }]);
    expect((await call('GET', 'schedules/all', { as: recipient })).status).toBe(403);
    expect((await call('DELETE', `schedules/${scheduleId}`, { as: recipient })).status).toBe(404);
    expect((await call('DELETE', `schedules/received/${scheduleId}`, { as: owner })).status).toBe(404);
    expect((await call('DELETE', `schedules/received/${scheduleId}`, { as: recipient })).status).toBe(204);
    expect((await call('GET', 'schedules/received', { as: recipient })).body.data).toEqual([]);
    const other = await createOwner();
    await databases.pools.ui.query('insert into schedule_recipients values ($1, $2)', [other.scheduleId, recipient.accountId]);
    expect((await call('DELETE', `users/${recipient.accountId}`)).status).toBe(204);
    await call('PUT', `users/${id}/switch-access`, { body: { hasAccess: false } });
    const all: { id: number }[] = (await call('GET', 'schedules/all')).body.data;
    expect(all.find((schedule) => schedule.id === scheduleId)).toMatchObject({ is_on: false, is_paused: true, recipients: 0 });
    expect(all.find((schedule) => schedule.id === other.scheduleId)).toMatchObject({ is_on: true, recipients: 2 });
    expect((await call('DELETE', `schedules/${scheduleId}`)).status).toBe(204);
  });

  it('[LEAVE-004] a schedule that loses its last recipient with an account, or by itself, goes off, and the trail says so', async () => {
    const { owner, scheduleId } = await createOwner();
    const query = async (text: string, values: unknown[]) => databases.pools.ui.query(text, values);
    const send = async (...ids: number[]) => {
      await query('delete from schedule_recipients where schedule_id = $1', [scheduleId]);
      await query('insert into schedule_recipients select $1, unnest($2::int[])', [scheduleId, ids]);
      await query('update schedules set is_on = true where id = $1', [scheduleId]);
    };
    const isOn = async (): Promise<unknown> => (await call('GET', `schedules/${scheduleId}`, { as: owner })).body.data.is_on;
    const newest = async (): Promise<unknown> => (await call('GET', `audit?entity=schedule&entityId=${scheduleId}`)).body.data[0].changes;
    const signIn = async () => signInAs(databases, { role: 'Log Reviewer', since: api.now() });
    const [first, second, third] = [await signIn(), await signIn(), await signIn()];
    await send(first.accountId, second.accountId);
    expect((await call('DELETE', `users/${first.accountId}`)).status).toBe(204);
    const taken = (from: number[], to: number[]) => ({ field: 'recipient_ids', from, to });
    expect([await isOn(), await newest()]).toEqual([true, [taken([first.accountId, second.accountId], [second.accountId])]]);
    const off = { field: 'is_on', from: true, to: false };
    expect((await call('DELETE', `users/${second.accountId}`)).status).toBe(204);
    expect([await isOn(), await newest()]).toEqual([false, [taken([second.accountId], []), off]]);
    await send(third.accountId);
    expect((await call('DELETE', `schedules/received/${scheduleId}`, { as: third })).status).toBe(204);
    expect([await isOn(), await newest()]).toEqual([false, [taken([third.accountId], []), off]]);
  });

  it('[LEAVE-003] a new owner may change what is shared with roles that they do not hold, and adds none of these', async () => {
    const permissions = ['manager_app_statistics', 'manager_app_view_all'] as const;
    const signIn = async () => signInAs(databases, { permissions, since: api.now() });
    const [leaver, heir, other] = [await signIn(), await signIn(), await signIn()];
    const roleOf = async ({ accountId }: SignedIn): Promise<number> => {
      const { rows } = await databases.pools.ui.query<{ role_id: number }>('select role_id from account_roles where account_id = $1', [
        accountId,
      ]);
      return rows[0]?.role_id ?? 0;
    };
    const [role, foreign] = [await roleOf(leaver), await roleOf(other)];
    const create = async (path: string, body: object) => (await call('POST', path, { as: leaver, body })).body.data;
    const view = await create('views', {
      list: 'reports',
      name: 'Weekly',
      query: 'groupBy=day',
      columns: { hidden: [], widths: {}, shown: [] },
      sharing: 'roles',
      role_ids: [role],
    });
    const board = await create('boards', { name: 'Team', query: '', role_ids: [role], account_ids: [] });
    const tile = await create('dashboard/tiles', { view_id: view.id, shape: 'table', role_ids: [role] });
    expect((await call('DELETE', `users/${leaver.accountId}`, { body: { handOverTo: heir.accountId } })).status).toBe(204);
    const { version } = (await call('GET', 'boards', { as: heir })).body.data.find(({ id }: { id: number }) => id === board.id);
    const change = async (path: string, body: object) => {
      const answer = await call('PUT', path, { as: heir, body });
      return [answer.status, answer.body.errors];
    };
    expect(await change(`views/${view.id}`, { name: 'Weekly report' })).toEqual([200, undefined]);
    expect(await change(`boards/${board.id}`, { query: 'geo=DE', read_version: version })).toEqual([200, undefined]);
    expect(await change(`dashboard/tiles/${tile.id}`, { rows: 7 })).toEqual([200, undefined]);
    const more = [422, { role_ids: [viewMessages.foreignRole] }];
    expect(await change(`views/${view.id}`, { role_ids: [role, foreign] })).toEqual(more);
    expect(await change(`boards/${board.id}`, { role_ids: [role, foreign], read_version: version + 1 })).toEqual(more);
  });

  it('[LEAVE-005] every table that references accounts has its rule', async () => {
    const { rows } = await databases.pools.ui.query<{ column: string }>(`
      select replace(conrelid::regclass::text, '"', '') || '.' || attname as column
      from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any(conkey) and attname <> 'panel'
      where contype = 'f' and confrelid = 'accounts'::regclass order by 1`);
    expect(Object.fromEntries(rows.map(({ column }) => [column, rules[column]]))).toEqual(rules);
  });
});

/** What happens to the rows of each table when the account in this column is deleted. Accounts keep their row, so nothing is cascaded. */
const rules: Readonly<Record<string, string>> = {
  'account_links.account_id': 'ends: links of accounts without access do not work',
  'account_roles.account_id': 'stays, for the history',
  'alert_rules.owner_id': 'handed over, or stays without an owner',
  'api_tokens.owner_id': 'service accounts are handed over or end; personal tokens end',
  'app_accounts.account_id': 'stays, for the history',
  'app_buyers.account_id': 'stays; deleted buyers are not shown',
  'audit_entries.actor_id': 'stays: the trail names who acted',
  'bulk_runs.account_id': 'stops, and is deleted after 30 days',
  'board_accounts.account_id': 'ends',
  'board_layouts.account_id': 'ends',
  'boards.owner_id': 'shared ones are handed over or end; private ones end',
  'dashboard_tiles.owner_id': 'shared ones are handed over or end; private ones end',
  'default_views.account_id': 'stays, unused',
  'incident_events.actor_id': 'stays: the timeline names who acted',
  'incidents.acknowledged_by': 'stays: the incident names who acted',
  'losses.account_id': 'ends',
  'known_addresses.account_id': 'deleted after 30 days',
  'recovery_codes.account_id': 'stays, unused',
  'saved_views.owner_id': 'shared ones are handed over or end; private ones end',
  'schedule_mails.account_id': 'pending ones are denied',
  'schedule_recipients.account_id': 'ends',
  'schedules.owner_id': 'ends',
  'second_factors.account_id': 'stays, unused',
  'sessions.account_id': 'ends',
  'sign_in_challenges.account_id': 'expires',
  'silences.created_by': 'ends',
  'streams.buyer_id': 'stays: streams belong to their app',
  'switched_off_mails.account_id': 'stays, unused',
  'view_as_sessions.account_id': 'expires',
};
