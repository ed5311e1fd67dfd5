import { alertMessages, windowFilters, type CreateRuleBody, type Incident } from '@switchyard/contract/alerts';
import type { Permission } from '@switchyard/contract/permissions';
import { unknownIdMessage } from '@switchyard/contract/text-fields';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Announcement } from '../../announcement.ts';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
const { db, pools } = databases;
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
let api: TestApi;
let server: Awaited<ReturnType<typeof signInAsServer>>;
let admin: SignedIn;
let announced: Announcement[] = [];

beforeAll(async () => {
  // A quarter past four in the afternoon by the server's offset.
  api = await buildTestApi({
    databases,
    startsAt: new Date('2026-11-20T10:30:00Z'),
    env: { SERVER_UTC_OFFSET: '+05:45', LOG_DIR: '/tmp' },
    announce: async (_tx, announcements) => {
      announced.push(...announcements);
      return new Set(announcements.map(({ uid }) => uid));
    },
  });
  server = await signInAsServer(databases);
  await api.maintain();
  return async () => api.app.close();
});

beforeEach(async () => {
  // As if no console had run before.
  api.wait(2 * minute);
  for (const table of ['incidents', 'alert_rules', 'silences', 'check_domains']) await pools.ops.query(`delete from ${table}`);
  await pools.ops.query('update apps set deleted_at = now()');
  await pools.ops.query('update alert_evaluation set evaluated_at = null, behind_since = null');
  await pools.ops.query('delete from alert_absences');
  await pools.ops.query('update traffic_servers set last_seen_at = $1', [api.now()]);
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  announced = [];
});

const at = (milliseconds: number): Date => new Date(api.now().getTime() + milliseconds);
const wire = (milliseconds: number): string => at(milliseconds).toISOString().slice(0, 19).replace('T', ' ');

async function addRule(fields: Partial<CreateRuleBody> & Pick<CreateRuleBody, 'kind'>, caller = admin): Promise<number> {
  const { status, body } = await api.call('POST', '/api/alerts/rules', { ...caller, body: { name: 'Rule', ...fields } });
  expect(status).toBe(201);
  return body.data.id;
}

async function incidents(query = '', caller = admin): Promise<Incident[]> {
  const { status, body } = await api.call('GET', `/api/incidents?${query}`, caller);
  expect(status).toBe(200);
  return body.data;
}

/** Evaluates the rules after so many milliseconds, once a minute, as the console does. */
async function evaluateAfter(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += minute) {
    api.wait(Math.min(minute, milliseconds - passed));
    await api.evaluateAlerts();
  }
}

async function link(appId: number, fields: object, serverId = server.serverId): Promise<void> {
  await db
    .insertInto('check_domains')
    .values({ app_id: appId, server_id: serverId, ...fields })
    .execute();
}

describe('rules', () => {
  it('[ALERT-001] are there from the start, switched on, without an owner', async () => {
    const fresh = await createTestDatabase();
    const own = await buildTestApi({ databases: fresh.databases });
    const caller = await signInAs(fresh.databases, { role: 'Super Admin' });
    const { body } = await own.call('GET', '/api/alerts/rules', caller);
    await own.app.close();
    expect(body.data.map((rule: { kind: string; threshold: number | null }) => [rule.kind, rule.threshold])).toEqual([
      ['app_silent', 3],
      ['certificate_expiry', 14],
      ['log_disk', 10],
      ['domain_expiry', 30],
      ['job_failed', 1],
      ['link_failed', null],
      ['seal_problem', null],
      ['server_silent', 10],
    ]);
    expect(body.data.every((rule: { is_on: boolean; owner: unknown }) => rule.is_on && rule.owner === null)).toBe(true);
  });

  it('[ALERT-001, ALERT-018] are created, changed and deleted, and each change is audited', async () => {
    const app = await createApp(databases);
    const id = await addRule({ kind: 'error_share', scope: { apps: 'chosen', verticals: [], app_ids: [app.id] } });
    const { body, headers } = await api.call('GET', `/api/alerts/rules/${id}`, admin);
    expect(body.data).toMatchObject({ threshold: 20, severity: 'warning', pending_minutes: 0, is_on: true, channel_ids: null, version: 1 });
    expect(body.data.owner.id).toBe(admin.accountId);
    const put = async (fields: object, more: Record<string, string> = {}) =>
      api.call('PUT', `/api/alerts/rules/${id}`, { headers: { ...admin.headers, ...more }, body: fields });
    const changed = await put({ threshold: 40, pending_minutes: 5 }, { 'if-match': String(headers['etag']) });
    expect(changed.body.data).toMatchObject({ threshold: 40, pending_minutes: 5, scope: { app_ids: [app.id] }, version: 2 });
    expect((await put({ threshold: 50 }, { 'if-match': String(headers['etag']) })).status).toBe(412);
    expect((await put({ threshold: 40 })).body.data.version).toBe(2);
    expect((await api.call('DELETE', `/api/alerts/rules/${id}`, admin)).status).toBe(204);
    expect((await api.call('GET', `/api/alerts/rules/${id}`, admin)).status).toBe(404);
    const { body: trail } = await api.call('GET', `/api/audit?entity=alert_rule&entityId=${id}`, admin);
    expect(trail.data.map((entry: { action: string }) => entry.action)).toEqual(['delete', 'update', 'create']);
    expect(trail.data[1].changes).toEqual([
      { field: 'threshold', from: 20, to: 40 },
      { field: 'pending_minutes', from: 0, to: 5 },
    ]);
  });

  it('[ALERT-002] need a threshold within the range of their kind, and a scope that fits it', async () => {
    const rejected = async (body: object) => {
      const answer = await api.call('POST', '/api/alerts/rules', { ...admin, body: { name: 'Rule', ...body } });
      expect(answer.status).toBe(422);
      return answer.body.errors;
    };
    expect(await rejected({ kind: 'domain_expiry', threshold: 366 })).toEqual({ threshold: [alertMessages.threshold] });
    expect(await rejected({ kind: 'app_silent', threshold: 0 })).toEqual({ threshold: [alertMessages.threshold] });
    expect(await rejected({ kind: 'domain_expiry', scope: { apps: 'chosen' } })).toEqual({ scope: [alertMessages.apps] });
    expect(await rejected({ kind: 'server_silent', scope: { apps: 'verticals', verticals: ['bet'] } })).toEqual({
      scope: [alertMessages.scopeOfKind],
    });
    for (const id of [999_999, 88_913_997_882])
      expect(await rejected({ kind: 'domain_expiry', scope: { apps: 'chosen', app_ids: [id] } })).toHaveProperty('scope');
    await pools.ops.query("insert into alert_rules (name, kind) select 'x', 'link_failed' from generate_series(1, 999)");
    const last = { ...admin, body: { name: 'Last', kind: 'link_failed' } };
    const both = await Promise.all([0, 1].map(async () => api.call('POST', '/api/alerts/rules', last)));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422]);
    expect(await rejected({ kind: 'link_failed' })).toEqual({ name: [alertMessages.tooMany] });
  });
});

describe('access', () => {
  it('[ALERT-003, ALERT-190, S49] shows rules and incidents of the kinds that an account may see, and of its apps', async () => {
    const [mine, other] = await Promise.all([0, 1].map(() => createApp(databases, { expiration_at: at(day) })));
    const ids = [mine?.id ?? 0, other?.id ?? 0];
    const domains = await addRule({ kind: 'domain_expiry' });
    const foreign = await addRule({ kind: 'domain_expiry', scope: { apps: 'chosen', verticals: [], app_ids: [ids[1] ?? 0] } });
    const both = await addRule({ kind: 'domain_expiry', scope: { apps: 'chosen', verticals: [], app_ids: ids } });
    await addRule({ kind: 'server_silent' });
    await pools.ops.query('update traffic_servers set last_seen_at = $1 where id = $2', [at(-day), server.serverId]);
    await api.evaluateAlerts();
    await evaluateAfter(20 * minute);
    expect(await incidents()).toHaveLength(6);

    const seenBy = async (permissions: readonly Permission[], apps: 'all' | readonly number[] = 'all') => {
      const caller = await signInAs(databases, { permissions, apps, since: api.now() });
      const { body } = await api.call('GET', '/api/alerts/rules', caller);
      const rules = body.data.map((rule: { id: number; open_incidents: number; scope: { app_ids: number[] } }) => [
        rule.id,
        rule.open_incidents,
        rule.scope.app_ids,
      ]);
      const seen = await incidents('', caller);
      const statuses = new Set<number>();
      for (const { id } of await incidents()) statuses.add((await api.call('GET', `/api/incidents/${id}`, caller)).status);
      expect(body.pagination.total).toBe(rules.length);
      const picked = (await api.call('GET', '/api/alerts/rules/list', caller)).body.data;
      expect(picked).toEqual(body.data.map(({ id, name }: { id: number; name: string }) => ({ id, name })));
      return { rules, apps: seen.map(({ app }) => app?.id ?? null), statuses: [...statuses].toSorted((a, b) => a - b), caller };
    };
    const { caller: restricted, ...narrow } = await seenBy(['manager_app_edit'], [ids[0] ?? 0]);
    expect(narrow).toEqual({
      rules: [
        [domains, 1, []],
        [both, 1, [ids[0]]],
      ],
      apps: [ids[0], ids[0]],
      statuses: [200, 404],
    });
    expect(await seenBy(['manager_user_edit'])).toMatchObject({ rules: [], apps: [], statuses: [404] });
    const servers = await seenBy(['manager_settings_server'], []);
    expect([servers.rules.length, servers.apps]).toEqual([1, [null]]);
    expect((await api.call('GET', `/api/alerts/rules/${foreign}`, restricted)).status).toBe(404);
    for (const rule_id of [domains, foreign, both])
      await api.call('POST', '/api/alerts/silences', { ...admin, body: { rule_id, ends_at: at(day).toISOString() } });
    const silences = async (caller: SignedIn) => (await api.call('GET', '/api/alerts/silences', caller)).body.data;
    const rulesOf = (seen: { rule: { id: number } }[]) => seen.map(({ rule }) => rule.id).toSorted((a, b) => a - b);
    expect(rulesOf(await silences(admin))).toEqual([domains, foreign, both]);
    expect(rulesOf(await silences(restricted))).toEqual([domains, both]);
    // Nor silences of kinds that an account may not see, though they are of all apps.
    expect(await silences(servers.caller)).toEqual([]);
  });

  it('[ALERT-004, S49] changes rules and silences only for accounts that see all apps and the kind', async () => {
    const rule = await addRule({ kind: 'domain_expiry' });
    const logs = await addRule({ kind: 'log_disk' });
    const answers = async (caller: SignedIn, kind: string, ruleId: number) => {
      const silence = { kind, ends_at: at(hour).toISOString() };
      const calls = [
        await api.call('POST', '/api/alerts/rules', { ...caller, body: { name: 'Rule', kind } }),
        await api.call('PUT', `/api/alerts/rules/${ruleId}`, { ...caller, body: { name: 'New' } }),
        await api.call('POST', '/api/alerts/rules/preview', { ...caller, body: { kind } }),
        await api.call('POST', '/api/alerts/silences', { ...caller, body: silence }),
        await api.call('DELETE', `/api/alerts/rules/${ruleId}`, caller),
      ];
      return calls.map(({ status, body }) => [status, body?.message].join(' '));
    };
    const permissions: Permission[] = ['manager_app_edit', 'manager_settings_roles'];
    const few = await signInAs(databases, { permissions, apps: [], since: api.now() });
    expect(new Set(await answers(few, 'domain_expiry', rule))).toEqual(new Set([`403 ${alertMessages.allApps}`]));
    const all = await signInAs(databases, { permissions, since: api.now() });
    expect((await answers(all, 'log_disk', logs)).map((text) => text.slice(0, 3))).toEqual(['403', '404', '403', '403', '404']);
    const reader = await signInAs(databases, { permissions: ['manager_app_edit'], since: api.now() });
    expect((await answers(reader, 'domain_expiry', rule)).map((text) => text.slice(0, 3))).toEqual(['403', '403', '403', '403', '403']);
    // A silence of everything needs every kind, and so does its end. A rule that the account does not see is unknown.
    const silence = async (caller: SignedIn, fields: object = {}) =>
      api.call('POST', '/api/alerts/silences', { ...caller, body: { ends_at: at(hour).toISOString(), ...fields } });
    const endOf = async (caller: SignedIn, id: number) => (await api.call('DELETE', `/api/alerts/silences/${id}`, caller)).status;
    const idOf = async (fields: object): Promise<number> => (await silence(admin, fields)).body.data.id;
    expect((await silence(all)).status).toBe(403);
    expect((await silence(all, { rule_id: logs })).body.errors).toEqual({ rule_id: [unknownIdMessage('rule_id', logs)] });
    const [whole, unseen, own] = [await idOf({}), await idOf({ kind: 'log_disk' }), await idOf({ kind: 'domain_expiry' })];
    expect([await endOf(all, whole), await endOf(all, unseen), await endOf(few, own)]).toEqual([403, 404, 403]);
    expect(await endOf(all, own)).toBe(204);
    expect((await answers(all, 'domain_expiry', rule)).map((text) => text.slice(0, 3))).toEqual(['201', '200', '200', '201', '204']);
  });
});

describe('rules about the console', () => {
  it('[ALERT-015, ALERT-123] count changes of bans, failed jobs and problems of seals, and measure the disk of the logs', async () => {
    const fresh = await createTestDatabase();
    const own = await buildTestApi({ databases: fresh.databases, env: { LOG_DIR: '/tmp' } });
    let caller = await signInAs(fresh.databases, { role: 'Super Admin' });
    const { ops } = fresh.databases.pools;
    await ops.query('delete from alert_rules');
    await own.startJobs();
    await own.stopJobs();
    await ops.query("insert into jobs.job (name, state, completed_on) values ('bulk-runs', 'failed', now()), ('bulk-runs', 'retry', null)");
    await ops.query("insert into jobs.job (name, state, completed_on) values ('bulk-runs', 'failed', now() - interval '61 minutes')");
    await own.call('POST', '/api/black-list', { ...caller, body: { ips: ['203.0.113.9', '203.0.113.10'] } });
    // A download is in the trail, but changes nothing.
    await own.app.inject({ method: 'GET', url: '/api/black-list/entries/download', headers: caller.headers });
    for (const kind of ['ban_list_changed', 'job_failed', 'seal_problem'])
      await own.call('POST', '/api/alerts/rules', { ...caller, body: { name: kind, kind } });
    await own.call('POST', '/api/alerts/rules', { ...caller, body: { name: 'disk', kind: 'log_disk', threshold: 100 } });
    // The running second is not counted, because there may be more in it.
    own.wait(minute);
    await own.evaluateAlerts();
    const found = async (): Promise<unknown[]> =>
      (await own.call('GET', '/api/incidents?state=firing', caller)).body.data.map(({ rule, value }: Incident) => [rule.kind, value]);
    const free = expect.any(Number);
    expect(await found()).toEqual([
      ['log_disk', free],
      ['job_failed', 1],
      ['ban_list_changed', 2],
    ]);
    const { body: bans } = await own.call('GET', '/api/incidents?kind=ban_list_changed', caller);
    const { startDate, endDate } = windowFilters(bans.data[0].window);
    const listed = await own.call('GET', `/api/audit?entity=asn,black_ip&startDate=${startDate}&endDate=${endDate}`, caller);
    expect(listed.body.data.map(({ action }: { action: string }) => action)).toEqual(['export', 'create', 'create']);
    const { body } = await own.call('POST', '/api/alerts/rules/preview', { ...caller, body: { kind: 'job_failed' } });
    expect(body.data).toMatchObject({ threshold: 1, points: [{ value: 1, subject: 'Console' }], firing_total: 1, days: 0 });
    own.wait(hour + minute);
    caller = await signInAs(fresh.databases, { role: 'Super Admin', since: own.now() });
    await own.evaluateAlerts();
    expect(await found()).toEqual([
      ['log_disk', free],
      ['job_failed', 1],
    ]);
    await own.app.close();
  });
});

it('[ALERT-008, ALERT-128] problems of the seals are unknown after a start until all seals were compared', async () => {
  const fresh = await createTestDatabase();
  const { ops } = fresh.databases.pools;
  await ops.query(`delete from alert_rules where kind <> 'seal_problem'`);
  const first = await buildTestApi({ databases: fresh.databases });
  const caller = await signInAs(fresh.databases, { role: 'Super Admin' });
  await first.call('POST', '/api/black-list', { ...caller, body: { ips: ['203.0.113.9'] } });
  await first.maintain();
  await ops.query(`update audit_entries set action = 'other'`);
  await first.maintain();
  await first.evaluateAlerts();
  await first.app.close();
  const second = await buildTestApi({ databases: fresh.databases });
  const states = async () => (await second.call('GET', '/api/incidents', caller)).body.data.map(({ state }: Incident) => state);
  await second.evaluateAlerts();
  expect(await states()).toEqual(['firing']);
  await ops.query('truncate audit_entries, audit_seals');
  await second.maintain();
  await second.evaluateAlerts();
  expect(await states()).toEqual(['resolved']);
  await second.app.close();
});

describe('evaluations', () => {
  it('[ALERT-019] are made by one process at a time, and not again within the minute', async () => {
    await createApp(databases, { expiration_at: at(day) });
    await addRule({ kind: 'domain_expiry' });
    const release = await databases.takeSharedSlot('alerts', { slots: 1 });
    await api.evaluateAlerts();
    expect(await incidents()).toEqual([]);
    release?.();
    await Promise.all([api.evaluateAlerts(), api.evaluateAlerts(), api.evaluateAlerts()]);
    expect(await incidents()).toHaveLength(1);
    await createApp(databases, { expiration_at: at(day) });
    api.wait(44_000);
    await api.startJobs();
    expect(await incidents()).toHaveLength(1);
    await api.stopJobs();
    api.wait(1000);
    await api.startJobs();
    await api.stopJobs();
    expect(await incidents()).toHaveLength(2);
  });

  it('[ALERT-006, ALERT-009] announce in the transaction that opens the incident', async () => {
    const fresh = await createTestDatabase();
    let isBroken = true;
    const own = await buildTestApi({
      databases: fresh.databases,
      announce: async () => {
        if (isBroken) throw new Error('no channel');
        return new Set();
      },
    });
    await createApp(fresh.databases, { expiration_at: new Date() });
    await expect(own.evaluateAlerts()).rejects.toThrow('no channel');
    const count = async () => (await fresh.databases.pools.ops.query('select from incidents')).rowCount;
    expect(await count()).toBe(0);
    isBroken = false;
    await own.evaluateAlerts();
    expect(await count()).toBe(1);
    await own.app.close();
  });

  it('[ALERT-200] leave kinds unknown whose values cannot be read, and open incidents of the others', async () => {
    const app = await createApp(databases, { expiration_at: at(day) });
    await link(app.id, { status: 'err_ssl' });
    for (const kind of ['payout_drop', 'conversion_drop', 'link_failed', 'domain_expiry'] as const) await addRule({ name: kind, kind });
    const found = async () => (await incidents()).map(({ rule }) => rule.name).toSorted();
    const tables = ['conversion_hours', 'conversion_stream_days', 'check_domains'];
    for (const table of tables) await pools.ops.query(`alter table ${table} rename to ${table}_away`);
    await evaluateAfter(minute);
    for (const table of tables) await pools.ops.query(`alter table ${table}_away rename to ${table}`);
    expect(await found()).toEqual(['domain_expiry']);
    const { body } = await api.call('GET', '/api/alerts/rules', admin);
    const known = body.data.filter((rule: { evaluated_at: string | null }) => rule.evaluated_at !== null);
    expect(known.map((rule: { name: string }) => rule.name)).toEqual(['domain_expiry']);
    expect(api.log().map(({ msg }) => msg)).toContain('Alerts: rules of link_failed could not be evaluated (retried in a minute)');
    await evaluateAfter(minute);
    expect(await found()).toEqual(['domain_expiry', 'link_failed']);
  });
});

describe('open incidents', () => {
  it('[ALERT-134] end once their condition has been over for the time that the rule says', async () => {
    const app = await createApp(databases);
    await link(app.id, { status: 'err_ssl' });
    await addRule({ kind: 'link_failed', hold_minutes: 5 });
    const setLink = async (status: 'ok' | 'err_ssl') =>
      db.updateTable('check_domains').set({ status }).where('app_id', '=', app.id).execute();
    await evaluateAfter(minute);
    await setLink('ok');
    await evaluateAfter(5 * minute);
    // It holds again, so the time begins anew.
    await setLink('err_ssl');
    await evaluateAfter(minute);
    await setLink('ok');
    await evaluateAfter(5 * minute);
    expect((await incidents()).map(({ state }) => state)).toEqual(['firing']);
    await evaluateAfter(minute);
    expect((await incidents()).map(({ state }) => state)).toEqual(['resolved']);
    expect(announced.map(({ type }) => type)).toEqual(['incident.fired', 'incident.resolved']);
  });

  it('[ALERT-135] are announced again after the time that the rule says, until somebody acknowledges them', async () => {
    const app = await createApp(databases, { name: 'Acme' });
    await link(app.id, { status: 'err_ssl' });
    await addRule({ kind: 'link_failed', reminder_minutes: 30 });
    await evaluateAfter(minute);
    await evaluateAfter(65 * minute);
    admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
    const [open] = await incidents();
    expect(announced.map(({ uid, title }) => [uid, title])).toEqual([
      [`incident-${open?.id}-fired`, 'WARNING · Rule: Acme'],
      [`incident-${open?.id}-reminded-1`, 'WARNING · Still open after 30 min · Rule: Acme'],
      [`incident-${open?.id}-reminded-2`, 'WARNING · Still open after 1 h · Rule: Acme'],
    ]);
    const waiting = `insert into channel_messages (channel_id, uid, type, severity, title, lines, path, data, happened_at, next_attempt_at, created_at)
      select id, $1, 'incident.reminded', 'warning', 'Still open', '{}', '/', '{}', now(), now(), now() from channels limit 1`;
    await api.call('POST', '/api/channels', {
      ...admin,
      body: { name: 'Duty', target: { kind: 'webhook', url: 'https://hooks.example.com' } },
    });
    for (const uid of [`incident-${open?.id}-reminded-2`, 'incident-0-reminded-2']) await pools.ops.query(waiting, [uid]);
    await api.call('POST', `/api/incidents/${open?.id}/acknowledge`, { ...admin, body: {} });
    const { rows } = await pools.ops.query('select state from channel_messages order by id');
    expect(rows).toEqual([{ state: 'dropped' }, { state: 'pending' }]);
    await evaluateAfter(35 * minute);
    expect(announced).toHaveLength(3);
  });

  it('[ALERT-136] leave their rule with the time of its last evaluation that knew values', async () => {
    const id = await addRule({ kind: 'link_failed' });
    const evaluatedAt = async () => (await api.call('GET', `/api/alerts/rules/${id}`, admin)).body.data.evaluated_at;
    expect(await evaluatedAt()).toBeNull();
    await evaluateAfter(minute);
    const known = wire(0);
    expect(await evaluatedAt()).toBe(known);
    await pools.ops.query('update alert_rules set unknown_since = $1', [api.now()]);
    api.wait(minute);
    expect(await evaluatedAt()).toBe(known);
    await api.evaluateAlerts();
    expect(await evaluatedAt()).toBe(wire(0));
    await api.call('PUT', `/api/alerts/rules/${id}`, { ...admin, body: { is_on: false } });
    expect(await evaluatedAt()).toBeNull();
  });
});

describe('previews', () => {
  it('[ALERT-132] name the rules that a rule repeats: other ones of the same kind, apps and condition', async () => {
    const scope = { apps: 'verticals', verticals: ['bet'] };
    const id = await addRule({ kind: 'domain_expiry', threshold: 10, scope: { apps: 'verticals', verticals: ['bet'], app_ids: [] } });
    const repeatsOf = async (body: object) =>
      (await api.call('POST', '/api/alerts/rules/preview', { ...admin, body: { kind: 'domain_expiry', threshold: 10, scope, ...body } }))
        .body.data.repeats;
    expect(await repeatsOf({})).toEqual([{ id, name: 'Rule' }]);
    for (const other of [
      { threshold: 11 },
      { pending_minutes: 1 },
      { scope: { apps: 'all' } },
      { kind: 'certificate_expiry' },
      { rule_id: id },
    ])
      expect([other, await repeatsOf(other)]).toEqual([other, []]);
  });

  it('[ALERT-013] show the worst current value and what would fire now, where the past is unknown', async () => {
    const [soon, later] = await Promise.all([
      createApp(databases, { expiration_at: at(3 * day) }),
      createApp(databases, { expiration_at: at(20 * day) }),
    ]);
    const preview = async (body: object) => (await api.call('POST', '/api/alerts/rules/preview', { ...admin, body })).body.data;
    expect(await preview({ kind: 'domain_expiry', threshold: 10 })).toEqual({
      repeats: [],
      threshold: 10,
      points: [{ at: wire(0), value: 3, subject: soon.name }],
      firings: [{ subject: soon.name, from: wire(0), until: null }],
      firing_total: 1,
      days: 0,
      subjects: [
        { id: soon.id, name: soon.name, value: 3, fires: true },
        { id: later.id, name: later.name, value: 20, fires: false },
      ],
      subject_total: 2,
    });
    expect(await preview({ kind: 'domain_expiry', threshold: 2 })).toMatchObject({ points: [{ value: 3 }], firings: [] });
    expect(await preview({ kind: 'link_failed' })).toMatchObject({ points: [], firing_total: 0 });
  });
});

describe('incidents', () => {
  it('[ALERT-005, ALERT-014, ALERT-125] are one for each app, with the servers of its links, and end when the cause does', async () => {
    const app = await createApp(databases, { expiration_at: at(30 * day) });
    await createApp(databases, { expiration_at: at(30 * day + 1000) });
    const other = await signInAsServer(databases);
    await link(app.id, { ssl_at: at(day), status: 'err_ssl' });
    await link(app.id, { ssl_at: at(2 * day), status: 'err_bind' }, other.serverId);
    await addRule({ kind: 'domain_expiry', severity: 'info' });
    await addRule({ kind: 'certificate_expiry' });
    await addRule({ kind: 'link_failed' });
    await api.evaluateAlerts();
    await api.evaluateAlerts();
    const found = await incidents();
    expect(found.map(({ rule, app: of, affected, value, state }) => [rule.kind, of?.id, affected, value, state])).toEqual([
      ['domain_expiry', app.id, 1, 30, 'firing'],
      ['link_failed', app.id, 2, null, 'firing'],
      ['certificate_expiry', app.id, 2, 1, 'firing'],
    ]);
    expect(found[2]?.names).toHaveLength(2);
    expect(found[2]?.reason).toBe(`The certificate of ${app.domain} on ${found[2]?.names[0]} expires on 21.11.2026. 1 more of this app.`);
    expect(found[0]?.reason).toBe(`The domain ${app.domain} expires on 20.12.2026.`);
    expect(announced.map(({ uid, type, title }) => [uid, type, title])).toContainEqual([
      `incident-${found[0]?.id}-fired`,
      'incident.fired',
      `INFO · Rule: ${app.name}`,
    ]);
    expect(announced).toHaveLength(3);

    await db.deleteFrom('check_domains').where('server_id', '=', other.serverId).execute();
    await db
      .updateTable('apps')
      .set({ expiration_at: at(60 * day) })
      .where('id', '=', app.id)
      .execute();
    await api.evaluateAlerts();
    const details = await api.call('GET', `/api/incidents/${found[0]?.id}`, admin);
    expect(details.body.data).toMatchObject({ state: 'resolved', resolved_at: wire(0) });
    expect(details.body.data.timeline.map((one: { event: string }) => one.event)).toEqual(['fired', 'announced', 'resolved']);
    expect((await incidents('kind=link_failed'))[0]).toMatchObject({ state: 'firing', affected: 1 });
    expect(announced.at(-1)).toMatchObject({
      lines: [
        'The domain does not expire within 30 days.',
        expect.stringContaining('It lasted less than 1 min'),
        `Before: ${found[0]?.reason}`,
      ],
      uid: `incident-${found[0]?.id}-resolved`,
      title: `Resolved after less than 1 min · Rule: ${app.name}`,
    });
    await db.updateTable('apps').set({ deleted_at: api.now() }).where('id', '=', app.id).execute();
    await api.evaluateAlerts();
    expect(await incidents('state=firing,acknowledged')).toEqual([]);
  });

  it('[ALERT-008, ALERT-014] report servers that did not call, but not those that could not reach the console', async () => {
    await addRule({ kind: 'server_silent' });
    await pools.ops.query('update traffic_servers set last_seen_at = $1 where id = $2', [at(-day), server.serverId]);
    await api.evaluateAlerts();
    await evaluateAfter(8 * minute);
    expect(await incidents()).toEqual([]);
    await pools.ops.query('update traffic_servers set last_seen_at = $1 where id <> $2', [at(0), server.serverId]);
    await evaluateAfter(4 * minute);
    expect((await incidents()).map(({ server: of, value }) => [of?.id, value])).toEqual([[server.serverId, 12]]);
    // A night without a console neither ends the incident nor adds the others.
    api.wait(8 * hour);
    admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
    await api.evaluateAlerts();
    expect((await incidents()).map(({ state }) => state)).toEqual(['firing']);
    await pools.ops.query('update traffic_servers set last_seen_at = $1', [at(0)]);
    await api.evaluateAlerts();
    expect((await incidents()).map(({ state }) => state)).toEqual(['resolved']);
  });

  it('[ALERT-120] are not opened by a stop of the console, however short the period of their rule', async () => {
    await addRule({ kind: 'server_silent', threshold: 2 });
    await addRule({ kind: 'domain_expiry', name: 'Pending', pending_minutes: 3 });
    await createApp(databases, { expiration_at: at(day) });
    const allCall = async () => pools.ops.query('update traffic_servers set last_seen_at = $1', [at(0)]);
    await allCall();
    await api.evaluateAlerts();
    await evaluateAfter(minute);
    api.wait(3 * minute);
    await api.evaluateAlerts();
    expect(await incidents()).toEqual([]);
    await allCall();
    await evaluateAfter(minute);
    expect((await incidents()).map(({ rule }) => rule.name)).toEqual(['Pending']);
    await evaluateAfter(2 * minute);
    expect(new Set((await incidents()).map(({ rule }) => rule.kind))).toEqual(new Set(['domain_expiry', 'server_silent']));
  });

  it('[ALERT-010] are announced when their silence ends, if they still fire', async () => {
    const app = await createApp(databases, { expiration_at: at(day) });
    const rule = await addRule({ kind: 'domain_expiry' });
    const silence = { note: 'Move', scope: { apps: 'chosen', app_ids: [app.id] }, kind: 'domain_expiry', ends_at: at(hour).toISOString() };
    const { body } = await api.call('POST', '/api/alerts/silences', { ...admin, body: silence });
    await api.evaluateAlerts();
    const [incident] = await incidents();
    expect([incident?.is_silenced, announced.length]).toEqual([true, 0]);
    const { body: list } = await api.call('GET', '/api/alerts/silences', admin);
    expect(list.data).toEqual([body.data]);
    api.wait(minute);
    expect((await api.call('DELETE', `/api/alerts/silences/${body.data.id}`, admin)).status).toBe(204);
    expect((await api.call('DELETE', `/api/alerts/silences/${body.data.id}`, admin)).status).toBe(404);
    await api.evaluateAlerts();
    await api.evaluateAlerts();
    expect(announced.map(({ uid }) => uid)).toEqual([`incident-${incident?.id}-fired`]);
    const { body: details } = await api.call('GET', `/api/incidents/${incident?.id}`, admin);
    expect(details.data.timeline.map((one: { event: string }) => one.event)).toEqual(['fired', 'silenced', 'announced']);
    // An incident that ends before anybody was informed ends without a message.
    await api.call('POST', '/api/alerts/silences', { ...admin, body: { rule_id: rule, ends_at: at(hour).toISOString() } });
    await createApp(databases, { expiration_at: at(day) });
    await api.evaluateAlerts();
    await db.updateTable('apps').set({ expiration_at: null }).execute();
    await api.evaluateAlerts();
    expect(announced.map(({ type }) => type)).toEqual(['incident.fired', 'incident.resolved']);
    const { body: trail } = await api.call('GET', '/api/audit?entity=silence', admin);
    expect(trail.data.map((entry: { action: string }) => entry.action).slice(0, 3)).toEqual(['create', 'end', 'create']);
  });

  it('[ALERT-180] are silenced at weekly times alone, and announced between them', async () => {
    await createApp(databases, { expiration_at: at(day) });
    const rule_id = await addRule({ kind: 'domain_expiry' });
    const local = (milliseconds: number): Date => at(milliseconds + 5.75 * hour);
    const clockOf = (time: Date): string => time.toISOString().slice(11, 16);
    const weekday = ((local(0).getUTCDay() + 6) % 7) + 1;
    const weekly = { weekdays: [weekday, weekday], from: clockOf(local(0)), until: clockOf(local(30 * minute)) };
    const create = async (fields: object) => api.call('POST', '/api/alerts/silences', { ...admin, body: { rule_id, ...fields } });
    const created = await create({ ends_at: at(200 * day).toISOString(), weekly });
    expect(created.body.data.weekly).toEqual({ ...weekly, weekdays: [weekday] });
    expect((await create({ ends_at: at(400 * day).toISOString(), weekly })).status).toBe(422);
    expect((await create({ ends_at: at(hour).toISOString(), weekly: { ...weekly, from: '24:00' } })).status).toBe(422);
    await api.evaluateAlerts();
    expect([(await incidents())[0]?.is_silenced, announced.length]).toEqual([true, 0]);
    api.wait(31 * minute);
    await api.evaluateAlerts();
    expect([(await incidents())[0]?.is_silenced, announced.length]).toEqual([false, 1]);
  });

  it('[ALERT-010] are silenced for at most 90 days, and only by silences that cover something', async () => {
    const rejected = async (body: object) => (await api.call('POST', '/api/alerts/silences', { ...admin, body })).body.errors;
    const ends_at = at(hour).toISOString();
    for (const ends of [at(-1).toISOString(), at(91 * day).toISOString()])
      expect(await rejected({ ends_at: ends })).toEqual({ ends_at: [alertMessages.silenceEnd] });
    expect(await rejected({ starts_at: at(2 * hour).toISOString(), ends_at })).toEqual({ ends_at: [alertMessages.silenceEnd] });
    expect(await rejected({ kind: 'link_failed', server_id: server.serverId, ends_at })).toEqual({
      server_id: [alertMessages.nothingCovered],
    });
    expect(await rejected({ kind: 'log_disk', scope: { apps: 'verticals', verticals: ['bet'] }, ends_at })).toEqual({
      scope: [alertMessages.scopeOfKind],
    });
    expect(await rejected({ rule_id: 999, ends_at })).toHaveProperty('rule_id');
    expect(await rejected({ server_id: 999, ends_at })).toHaveProperty('server_id');
    const { serverId } = await signInAsServer(databases);
    await pools.ops.query('update traffic_servers set deleted_at = now() where id = $1', [serverId]);
    expect(await rejected({ server_id: serverId, ends_at })).toHaveProperty('server_id');
    await pools.ops.query(`insert into silences (note, starts_at, ends_at) select 'x', now(), $1 from generate_series(1, 200)`, [at(hour)]);
    expect(await rejected({ ends_at })).toEqual({ note: [alertMessages.tooManySilences] });
  });

  it('[ALERT-010] are silenced by what a silence names alone: a rule, a server, a kind', async () => {
    const other = await signInAsServer(databases);
    const app = await createApp(databases, { expiration_at: at(day) });
    await link(app.id, { status: 'err_ssl' });
    const silenced = await addRule({ kind: 'domain_expiry', name: 'Silenced' });
    await addRule({ kind: 'domain_expiry', name: 'Audible' });
    const failed = await addRule({ kind: 'link_failed', name: 'Links' });
    await addRule({ kind: 'server_silent', name: 'Servers' });
    for (const fields of [{ rule_id: silenced }, { server_id: server.serverId }, { kind: 'certificate_expiry' }])
      await api.call('POST', '/api/alerts/silences', { ...admin, body: { ends_at: at(day).toISOString(), ...fields } });
    await pools.ops.query('update traffic_servers set last_seen_at = $1 where id = any($2)', [at(-day), [server.serverId, other.serverId]]);
    await api.evaluateAlerts();
    await evaluateAfter(20 * minute);
    const found = (await incidents()).flatMap(({ rule, server: of, is_silenced: isSilenced }) =>
      of === null || of.id === server.serverId || of.id === other.serverId ? [`${rule.name} ${of?.id ?? ''} ${String(isSilenced)}`] : [],
    );
    expect(new Set(found)).toEqual(
      new Set(['Silenced  true', 'Audible  false', 'Links  false', `Servers ${server.serverId} true`, `Servers ${other.serverId} false`]),
    );
    const namesOf = async (query: string) => (await incidents(query)).map(({ rule }) => rule.name);
    expect([await namesOf(`ruleId=${failed}`), await namesOf(`serverId=${other.serverId}`)]).toEqual([['Links'], ['Servers']]);
  });

  it('[ALERT-009, ALERT-011] are acknowledged once, with a note, and announce only their end from then on', async () => {
    const app = await createApp(databases, { expiration_at: at(day) });
    await addRule({ kind: 'domain_expiry' });
    await api.evaluateAlerts();
    const [{ id } = { id: 0 }] = await incidents();
    const reader = await signInAs(databases, { permissions: ['manager_app_requests'], apps: [app.id], since: api.now() });
    const acknowledge = async (caller: SignedIn) =>
      api.call('POST', `/api/incidents/${id}/acknowledge`, { ...caller, body: { note: 'Renewing' } });
    const blind = await signInAs(databases, { permissions: ['manager_app_requests'], apps: [], since: api.now() });
    expect((await acknowledge(blind)).status).toBe(404);
    // Sees incidents of other kinds, of all apps.
    const elsewhere = await signInAs(databases, { permissions: ['manager_settings_server'], since: api.now() });
    expect((await acknowledge(elsewhere)).status).toBe(404);
    const { body } = await acknowledge(reader);
    expect(body.data).toMatchObject({ state: 'acknowledged', acknowledged_by: { id: reader.accountId } });
    expect(body.data.timeline.at(-1)).toMatchObject({ event: 'acknowledged', note: 'Renewing', actor: { id: reader.accountId } });
    expect((await acknowledge(admin)).status).toBe(409);
    await db.updateTable('apps').set({ expiration_at: null }).execute();
    await api.evaluateAlerts();
    expect(announced.map(({ type }) => type)).toEqual(['incident.fired', 'incident.resolved']);
    expect((await acknowledge(admin)).status).toBe(409);
  });

  it('[ALERT-012, ALERT-125] end when their rule is switched off or deleted', async () => {
    await createApp(databases, { expiration_at: at(day) });
    const [off, deleted] = [
      await addRule({ kind: 'domain_expiry', name: 'Off' }),
      await addRule({ kind: 'domain_expiry', name: 'Deleted' }),
    ];
    await api.evaluateAlerts();
    await api.call('PUT', `/api/alerts/rules/${off}`, { ...admin, body: { is_on: false } });
    await api.call('DELETE', `/api/alerts/rules/${deleted}`, admin);
    await api.evaluateAlerts();
    expect((await incidents()).map(({ rule, state }) => [rule.name, rule.id, state])).toEqual([
      ['Deleted', null, 'resolved'],
      ['Off', off, 'resolved'],
    ]);
    expect(announced.map(({ type }) => type)).toEqual(['incident.fired', 'incident.fired', 'incident.resolved', 'incident.resolved']);
    expect(announced.at(-1)?.lines[0]).toBe('The rule was switched off or deleted.');
  });

  it('[ALERT-007] fire when their condition has held for the pending period', async () => {
    await createApp(databases, { expiration_at: at(day) });
    await addRule({ kind: 'domain_expiry', pending_minutes: 10 });
    await api.evaluateAlerts();
    await evaluateAfter(8 * minute);
    expect(await incidents()).toEqual([]);
    await evaluateAfter(2 * minute);
    expect(await incidents()).toHaveLength(1);
  });

  it('[ALERT-016, ALERT-017] are listed by pages and filters, and deleted 90 days after their end', async () => {
    const app = await createApp(databases);
    await pools.ops.query(
      `insert into incidents (rule_name, kind, severity, subject_id, app_id, affected, names, reason, is_silenced, started_at, resolved_at)
       select 'r' || n, 'domain_expiry', case when n % 2 = 0 then 'critical' else 'info' end, $1, $1, 1, '{}', 'x', false, $2,
         case when n <= 3 then $2::timestamptz end from generate_series(1, 7) as n`,
      [app.id, at(0)],
    );
    const names = (rows: readonly Incident[]) => rows.map(({ rule }) => rule.name).join(' ');
    const { body } = await api.call('GET', '/api/incidents?limit=3', admin);
    expect(names(body.data)).toBe('r7 r6 r5');
    const last = await api.call('GET', '/api/incidents?limit=3&page=3', admin);
    expect([names(last.body.data), last.body.pagination.total]).toEqual(['r1', 7]);
    expect(names(await incidents('state=resolved&severity=critical'))).toBe('r2');
    expect(names(await incidents(`appId=${app.id}&kind=link_failed`))).toBe('');
    // An id that no column can hold.
    for (const filter of ['appId', 'serverId', 'ruleId']) expect(names(await incidents(`${filter}=398147770101`))).toBe('');
    await pools.ops.query("insert into silences (note, starts_at, ends_at) values ('old', $1, $1), ('new', $1, $2)", [at(0), at(hour)]);
    api.wait(90 * day + minute);
    await api.maintain();
    expect((await pools.ops.query('select note from silences')).rows).toEqual([{ note: 'new' }]);
    expect(names(await incidents('', await signInAs(databases, { role: 'Super Admin', since: api.now() })))).toBe('r7 r6 r5 r4');
  });

  it('[ALERT-121] are counted however many came since, and news are those above an id', async () => {
    const app = await createApp(databases);
    const news = async (query: string, caller = admin) => (await api.call('GET', `/api/incidents/news?${query}`, caller)).body.data;
    const insert = async (severity: string, count: number, isSilenced = false) =>
      pools.ops.query(
        `insert into incidents (rule_name, kind, severity, subject_id, app_id, affected, names, reason, is_silenced, started_at)
         select $1 || n, 'domain_expiry', $1, $2, $2, 1, '{}', 'x', $4, $5 from generate_series(1, $3::int) n`,
        [severity, app.id, count, isSilenced, at(0)],
      );
    await insert('critical', 3);
    const { newest, ...counted } = await news('');
    expect(counted).toEqual({ critical: 3, waiting: 0, rows: [] });
    await insert('critical', 1, true);
    await insert('warning', 260);
    const later = await news(`after=${newest}`);
    expect([later.critical, later.newest, later.rows.length]).toEqual([3, newest + 261, 20]);
    expect(later.rows[0]).toMatchObject({ id: newest + 261, severity: 'warning', app: { id: app.id } });
    expect((await news(`after=${newest + 260}`)).rows).toHaveLength(1);
    const elsewhere = await signInAs(databases, { permissions: ['manager_app_requests'], apps: [], since: api.now() });
    expect(await news('after=0', elsewhere)).toEqual({ critical: 0, waiting: 0, newest: 0, rows: [] });
  });

  it('[ALERT-122] that wait for a later evaluation are counted for those who may see their apps', async () => {
    const [own] = await Promise.all(Array.from({ length: 502 }, async () => createApp(databases, { expiration_at: at(day) })));
    const limited = await signInAs(databases, { permissions: ['manager_app_requests'], apps: [own?.id ?? 0], since: api.now() });
    const waiting = async (caller = admin) => (await api.call('GET', '/api/incidents/news', caller)).body.data.waiting;
    await addRule({ kind: 'domain_expiry', name: 'Pending', pending_minutes: 30 });
    await addRule({ kind: 'domain_expiry' });
    await api.evaluateAlerts();
    expect(await waiting()).toBe(2);
    expect(await waiting(limited)).toBe((await incidents('', limited)).length === 0 ? 1 : 0);
    await evaluateAfter(minute);
    expect(await waiting()).toBe(0);
  });
});
