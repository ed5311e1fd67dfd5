import type { Incident } from '@switchyard/contract/alerts';
import { bulkMessages } from '@switchyard/contract/bulk';
import { incidentGroup } from '@switchyard/contract/incident-lists';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
const { pools } = databases;
let api: TestApi;
let admin: SignedIn;
let limited: SignedIn;
let apps: { id: number; name: string }[];
let serverId: number;
let rules: Record<'domains' | 'server' | 'disk', number>;

beforeAll(async () => {
  api = await buildTestApi({ databases, startsAt: new Date('2026-11-20T10:30:00Z') });
  ({ serverId } = await signInAsServer(databases));
  apps = await Promise.all(['Delta', 'alpha'].map(async (name) => createApp(databases, { name })));
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  limited = await signInAs(databases, { permissions: ['manager_app_edit'], apps: [apps[0]?.id ?? 0], since: api.now() });
  return async () => api.app.close();
});

beforeEach(async () => {
  for (const table of ['incidents', 'alert_rules', 'silences', 'audit_entries']) await pools.ops.query(`delete from ${table}`);
  const { rows } = await pools.ops.query<{ id: number }>(
    `insert into alert_rules (name, kind, threshold) values ('Domains', 'domain_expiry', 30), ('Server', 'server_silent', 10), ('Disk', 'log_disk', 10)
     returning id`,
  );
  const [domains = 0, server = 0, disk = 0] = rows.map(({ id }) => id);
  rules = { domains, server, disk };
  const [delta, alpha] = apps.map(({ id }) => id);
  const values: readonly (readonly unknown[])[] = [
    [domains, 'Domains', 'domain_expiry', 'warning', delta, delta, null, 5, 'delta expires', -60, null],
    [domains, 'Domains', 'domain_expiry', 'critical', alpha, alpha, null, 1, '100% of alpha', -50, null],
    [server, 'Server', 'server_silent', 'info', serverId, null, serverId, 12, 'silent', -40, null],
    [disk, 'Disk', 'log_disk', 'critical', 0, null, null, null, 'full', -30, null],
    [domains, 'Domains', 'domain_expiry', 'critical', delta, delta, null, 1, 'delta had expired', -90, -80],
  ];
  for (const row of values)
    await pools.ops.query(
      `insert into incidents (rule_id, rule_name, kind, severity, subject_id, app_id, server_id, value, reason, started_at, resolved_at, affected,
         names, is_silenced)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $12::timestamptz + $10 * interval '1 minute', $12::timestamptz + $11 * interval '1 minute', 1,
         '{}', false)`,
      [...row, api.now()],
    );
});

async function incidents(query: string, caller = admin): Promise<{ rows: Incident[]; total: number }> {
  const { status, body } = await api.call('GET', `/api/incidents?${query}`, caller);
  expect(status).toBe(200);
  return { rows: body.data, total: body.pagination.total };
}
const reasons = async (query: string, caller = admin) => (await incidents(query, caller)).rows.map(({ reason }) => reason);
const idOf = async (search: string): Promise<number> => (await incidents(`search=${search}`)).rows[0]?.id ?? 0;
const post = async (act: 'acknowledge' | 'silence', body: object, caller = admin) =>
  api.call('POST', `/api/incidents/${act}`, { ...caller, body });
const entries = async () => (await pools.ops.query('select entity, action, entity_id from audit_entries order by id')).rows;

describe('the list of incidents', () => {
  it('[ALERT-160, ALERT-191] searches texts, rules, apps and servers to the letter, and counts what it finds in scope', async () => {
    expect(await reasons('search=DELTA')).toEqual(['delta expires', 'delta had expired']);
    expect(await reasons('search=100%25')).toEqual(['100% of alpha']);
    expect(await reasons('search=domains&state=firing')).toEqual(['100% of alpha', 'delta expires']);
    expect((await incidents('search=domains&limit=1')).total).toBe(3);
    expect((await incidents('search=domains&limit=1', limited)).total).toBe(2);
    // As other searches do, in the width of Japanese keyboards.
    expect(await reasons(`search=${encodeURIComponent('ｄｅｌｔａ')}&state=firing`)).toEqual(['delta expires']);
  });

  it('[ALERT-160] sorts by severity, subject and value, without a value last', async () => {
    const open = 'state=firing,acknowledged';
    expect(await reasons(`${open}&orderBy=severity`)).toEqual(['full', '100% of alpha', 'delta expires', 'silent']);
    expect((await reasons(`${open}&orderBy=subject&orderDirection=asc`)).slice(0, 2)).toEqual(['100% of alpha', 'delta expires']);
    expect(await reasons(`${open}&orderBy=value`)).toEqual(['silent', 'delta expires', '100% of alpha', 'full']);
  });

  it('[ALERT-161] counts by rule, server and app what the filters choose, the most severe first, in scope', async () => {
    const groups = async (query: string, caller = admin) => {
      const { body } = await api.call('GET', `/api/incidents/groups?${query}`, caller);
      const rows = z.array(incidentGroup).parse(body.data);
      return [body.pagination.total, rows.map(({ total, critical, firing, worst }) => [worst.reason, total, critical, firing])];
    };
    expect(await groups('state=firing')).toEqual([
      3,
      [
        ['100% of alpha', 2, 1, 2],
        ['full', 1, 1, 1],
        ['silent', 1, 0, 1],
      ],
    ]);
    expect(await groups('state=firing', limited)).toEqual([1, [['delta expires', 1, 0, 1]]]);
    expect(await groups('by=app&limit=1')).toEqual([2, [['100% of alpha', 1, 1, 1]]]);
    expect(await groups('by=app&limit=1&page=2')).toEqual([2, [['delta expires', 2, 1, 1]]]);
    expect(await groups('by=server')).toEqual([1, [['silent', 1, 0, 1]]]);
    expect(await groups('by=server', limited)).toEqual([0, []]);
    // The number of one rule as the name of another, which was deleted.
    const before = (await groups(''))[0];
    await pools.ops.query('update incidents set rule_id = null, rule_name = $1 where rule_id = $2', [String(rules.domains), rules.disk]);
    expect((await groups(''))[0]).toBe(before);
  });

  it('[ALERT-164] is downloaded as the filters, or some incidents, or all but some, in scope, and recorded', async () => {
    const file = async (query: string, caller = admin) => {
      const { statusCode, payload } = await api.app.inject({
        method: 'GET',
        url: `/api/incidents/download?${query}`,
        headers: caller.headers,
      });
      expect(statusCode).toBe(200);
      return payload
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',')[1]);
    };
    const id = await idOf('silent');
    expect(await file('state=firing&orderBy=severity')).toEqual(['full', '100% of alpha', 'delta expires', 'silent']);
    expect(await file(`ids=${id}`)).toEqual(['silent']);
    expect(await file(`state=firing&except[]=${id}`)).toEqual(['full', '100% of alpha', 'delta expires']);
    expect(await file('state=firing', limited)).toEqual(['delta expires']);
    expect((await entries()).map(({ entity, action }) => [entity, action])).toEqual(
      Array.from({ length: 4 }, () => ['incident', 'export']),
    );
  });
});

describe('many incidents at once', () => {
  it('[ALERT-162] are acknowledged by filter in scope, with an entry for each, and those that do not fire stay', async () => {
    const target = { filter: 'kind=domain_expiry' };
    expect((await post('acknowledge', { target, note: 'Renewing' }, limited)).body.data).toEqual({ acknowledged: 1 });
    const id = await idOf('expires');
    expect(await entries()).toEqual([{ entity: 'incident', action: 'acknowledge', entity_id: String(id) }]);
    expect((await post('acknowledge', { target: { ...target, except: [await idOf('alpha')] } })).body.data).toEqual({ acknowledged: 0 });
    const { body } = await api.call('GET', `/api/incidents/${id}`, admin);
    expect(body.data.timeline).toMatchObject([{ event: 'acknowledged', note: 'Renewing' }]);
    expect((await post('acknowledge', { target: { filter: '', all: true } })).body.data).toEqual({ acknowledged: 3 });
    expect(await reasons('state=firing')).toEqual([]);
  });

  it('[ALERT-162] reject targets without incidents, those of others, and filters that the list does not know', async () => {
    const foreign = await post('acknowledge', { target: { keys: [await idOf('alpha')] } }, limited);
    expect([foreign.status, foreign.body.errors]).toEqual([422, { target: [bulkMessages.none] }]);
    expect((await post('acknowledge', { target: { filter: '' } })).status).toBe(422);
    expect((await post('acknowledge', { target: { filter: 'apps=1' } })).status).toBe(422);
  });

  it('[ALERT-163] are silenced by one silence for the apps of a rule and one for each server, and nothing else is', async () => {
    const ends_at = new Date(api.now().getTime() + 3_600_000).toISOString();
    const { status, body } = await post('silence', { target: { filter: '', all: true }, note: 'Move', ends_at });
    expect([status, body.data]).toEqual([201, { silences: 3 }]);
    const { body: listed } = await api.call('GET', '/api/alerts/silences', admin);
    const byRule = new Map(
      listed.data.map(({ rule, server, scope }: { rule: { id: number }; server: unknown; scope: unknown }) => [rule.id, { server, scope }]),
    );
    const ids = apps.map(({ id }) => id).toSorted((a, b) => a - b);
    expect(byRule.get(rules.domains)).toEqual({ server: null, scope: { apps: 'chosen', verticals: [], app_ids: ids } });
    expect(byRule.get(rules.server)).toMatchObject({ server: { id: serverId }, scope: { apps: 'all' } });
    expect(byRule.get(rules.disk)).toMatchObject({ server: null, scope: { apps: 'all' } });
    expect(await entries()).toMatchObject(Array.from({ length: 3 }, () => ({ entity: 'silence', action: 'create' })));
  });

  it('[ALERT-163] are silenced only by those who see all apps, with a valid end, and within the number of silences', async () => {
    const ends_at = new Date(api.now().getTime() + 3_600_000).toISOString();
    const target = { filter: 'state=firing' };
    for (const permission of ['manager_app_edit', 'manager_settings_server'] as const) {
      const caller = await signInAs(databases, { permissions: [permission], apps: apps.map(({ id }) => id), since: api.now() });
      expect((await post('silence', { target, ends_at }, caller)).status).toBe(403);
    }
    expect((await post('silence', { target, ends_at: api.now().toISOString() })).body.errors).toHaveProperty('ends_at');
    expect((await post('silence', { target: { filter: 'state=resolved' }, ends_at })).body.errors).toEqual({ target: [bulkMessages.none] });
    await pools.ops.query("insert into silences (note, starts_at, ends_at) select '', $1, $2 from generate_series(1, 198)", [
      api.now(),
      ends_at,
    ]);
    expect((await post('silence', { target, ends_at })).body.errors).toHaveProperty('target');
    expect((await post('silence', { target: { filter: 'kind=log_disk' }, ends_at })).status).toBe(201);
  });
});
