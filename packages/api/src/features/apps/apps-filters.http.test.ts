import type { Permission } from '@switchyard/contract/permissions';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '../../../test/build-test-api.ts';
import { bulkRuns, startBulkConsole, stopBulkConsole } from '../../../test/bulk-runs.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
const hour = 3_600_000;
let api: TestApi;
let admin: SignedIn;
let buyer: SignedIn;
const apps: Record<string, number> = {};
const servers: number[] = [];

beforeAll(async () => {
  api = await startBulkConsole(databases);
  await api.maintain();
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  const at = (hours: number): Date => new Date(api.now().getTime() + hours * hour);
  const add = async (name: string, expires: number | null, vertical = 'bet') => {
    const app = await createApp(databases, { name, vertical, expiration_at: expires === null ? null : at(expires) });
    apps[name] = app.id;
  };
  await add('steady', 400, 'casino');
  await add('falling', -1);
  await add('quiet', 167);
  await add('fresh', null, 'finance');
  const server = await signInAsServer(databases);
  const { rows } = await databases.pools.ops.query<{ id: number }>(
    `insert into traffic_servers (name, url, deleted_at) select name, '', case name when 'gone' then now() end
     from unnest('{first,second,gone}'::text[]) as given (name) returning id`,
  );
  servers.push(...rows.map(({ id }) => id));
  const link = async (name: string, place: number, isBound: boolean, certificate: number | null) =>
    databases.pools.ops.query(`insert into check_domains (app_id, server_id, is_bind, ssl_at, status) values ($1, $2, $3, $4, 'ok')`, [
      apps[name],
      servers[place],
      isBound,
      certificate === null ? null : at(certificate),
    ]);
  await link('steady', 0, true, 1000);
  await link('falling', 0, true, 1000);
  await link('falling', 1, false, -1);
  await link('quiet', 1, true, null);
  await link('fresh', 2, true, 1000);
  buyer = await signInAs(databases, { role: 'Buyer', panel: 'buyer', apps: [apps['quiet'] ?? 0, apps['fresh'] ?? 0] });

  const events = (name: string, hours: number, count: number) =>
    Array.from({ length: count }, () => ({ app_id: apps[name], type: 'create', ip: '203.0.113.9', date: at(hours).toISOString() }));
  const body = {
    events: [
      ...[1, 2, 3, 4, 5, 6, 7].flatMap((days) => [...events('steady', -24 * days - 1, 2), ...events('falling', -24 * days - 1, 3)]),
      ...events('steady', -1, 1),
      ...events('falling', -23, 1),
      ...events('quiet', -25, 1),
    ],
  };
  expect((await api.call('POST', '/api/ingest/events', { ...server, body })).status).toBe(200);
  return async () => stopBulkConsole(api);
});

const found = async (query: string, caller = admin): Promise<string[]> => {
  const { status, body } = await api.call('GET', `/api/apps?orderBy=keyName&orderDirection=asc&${query}`, caller);
  expect(status).toBe(200);
  return body.data.map(({ name }: { name: string }) => name);
};
const [steady, falling, quiet, fresh] = ['steady', 'falling', 'quiet', 'fresh'];

describe('filters of the apps list', () => {
  it('[APPS-058] chooses apps by vertical, buyer, server, and the state of their domain', async () => {
    expect(await found('vertical=casino,finance')).toEqual([fresh, steady]);
    expect(await found(`buyerId=${buyer.accountId}`)).toEqual([fresh, quiet]);
    expect(await found(`serverId=${servers[1]}`)).toEqual([falling, quiet]);
    expect(await found(`serverId=${servers[2]}`)).toEqual([]);
    expect(await found(`serverId=${servers[0]}&vertical=bet`)).toEqual([falling]);
    expect(await found('domainState=expired')).toEqual([falling]);
    expect(await found('domainState=expiring')).toEqual([quiet]);
    expect(await found('domainState=no_certificate')).toEqual([falling, quiet]);
    expect(await found('domainState=not_bound')).toEqual([falling, fresh]);
    expect(await found('domainState=expiring,expired')).toEqual([falling, quiet]);
    await databases.pools.ops.query('update accounts set deleted_at = now() where id = $1', [buyer.accountId]);
    expect(await found(`buyerId=${buyer.accountId}`)).toEqual([]);
    await databases.pools.ops.query('update accounts set deleted_at = null where id = $1', [buyer.accountId]);
    const wrong = await api.call('GET', '/api/apps?vertical=poker&domainState=gone&traffic=much&buyerId=x', admin);
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['vertical', 'buyerId', 'domainState', 'traffic']]);
  });

  it('[APPS-059] chooses apps without a request in 24 hours, and those with fewer than half of the daily mean before', async () => {
    expect(await found('traffic=none')).toEqual([fresh, quiet]);
    expect(await found('traffic=falling')).toEqual([falling, quiet]);
    expect(await found('traffic=falling&orderBy=keyTodayCreate')).toHaveLength(2);
    const file = await api.app.inject({ url: '/api/apps/download?traffic=none&orderBy=keyName', headers: admin.headers });
    expect(file.body.split('\n').flatMap((line) => line.split(',')[1] ?? [])).toEqual(['name', quiet, fresh]);
    const total = await api.call('GET', `/api/apps/statistics/total?serverId=${servers[1]}`, admin);
    expect(total.body.data.users_count).toBe(1);
  });

  it('[APPS-060] is limited to the apps in scope, and needs the permission to see what it chooses by', async () => {
    const limited = await signInAs(databases, { permissions: ['manager_app_statistics'], apps: [apps['quiet'] ?? 0], since: api.now() });
    expect(await found('traffic=none', limited)).toEqual([quiet]);
    expect(await found(`buyerId=${buyer.accountId}&domainState=expiring,not_bound`, limited)).toEqual([quiet]);
    const caller = async (permission: Permission) => signInAs(databases, { permissions: [permission], since: api.now() });
    const statusOf = async (query: string, permission: Permission) =>
      (await api.call('GET', `/api/apps?${query}`, await caller(permission))).status;
    expect(await statusOf('traffic=none', 'manager_app_requests')).toBe(403);
    expect(await statusOf(`buyerId=${buyer.accountId}`, 'manager_app_requests')).toBe(403);
    expect(await statusOf(`buyerId=${buyer.accountId}`, 'manager_app_edit')).toBe(200);
    expect(await statusOf('serverId=1&vertical=bet&domainState=expired', 'manager_app_requests')).toBe(200);
  });

  it('[APPS-061, BULK-020] is known to bulk targets and saved views', async () => {
    const runs = bulkRuns(() => api);
    const change = { action: 'app.set', params: { vertical: 'casino' } } as const;
    const target = { filter: `traffic=none&vertical=bet&serverId=${servers[1]}&buyerId=${buyer.accountId}&domainState=expiring` };
    const { id } = await runs.check(admin, change, target);
    expect((await runs.rows(id, admin)).map(({ label }) => label)).toEqual([quiet]);
    const editor = await signInAs(databases, { permissions: ['manager_app_edit'], since: api.now() });
    expect((await runs.post('', editor, { change, target: { filter: 'traffic=none' } })).status).toBe(403);
    const view = { list: 'apps', name: 'Silent', query: 'traffic=none&domainState=not_bound&vertical=bet&buyerId=1&serverId=1' };
    expect((await api.call('POST', '/api/views', { ...admin, body: view })).status).toBe(201);
  });
});
