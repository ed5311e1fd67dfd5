import { silentMinutes } from '@switchyard/contract/traffic-servers';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { trafficServerCalls } from '../../../test/traffic-server-calls.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;

beforeAll(async () => {
  api = await buildTestApi({ databases, startsAt: new Date('2026-11-20T10:11:12Z') });
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  return async () => api.app.close();
});

const { put, get, add } = trafficServerCalls(databases, () => ({ api, admin }));

describe('GET servers, servers/{id}', () => {
  it('[API-063][SRV-010][CONST-038] lists newest first, or as asked, nulls last, and turns pages', async () => {
    const fresh = await createTestDatabase();
    const own = await buildTestApi({ databases: fresh.databases, startsAt: api.now() });
    const reader = await signInAs(fresh.databases, { permissions: ['manager_settings_server'], since: own.now() });
    const ids: number[] = [];
    for (const [name, region] of [
      ['b', 'x'],
      ['A', null],
      ['c', 'a'],
    ] as const) {
      const { body } = await own.call('POST', '/api/servers', { ...reader, body: { name, region, url: 'https://e.example' } });
      ids.push(body.data.id);
      own.wait(1000);
    }
    const order = async (query: string) => {
      const { body } = await own.call('GET', `/api/servers?${query}`, reader);
      return body.data.map((row: { id: number }) => ids.indexOf(row.id));
    };
    expect(await order('')).toEqual([2, 1, 0]);
    expect(await order('orderBy=keyName&orderDirection=asc')).toEqual([1, 0, 2]);
    expect(await order('orderBy=keyRegion&orderDirection=asc')).toEqual([2, 0, 1]);
    expect(await order('orderBy=keyRegion&orderDirection=desc')).toEqual([0, 2, 1]);
    expect(await order('orderBy=keyUrl&orderDirection=asc')).toEqual([2, 1, 0]);
    expect(await order('orderBy=keyId&orderDirection=asc')).toEqual([0, 1, 2]);
    expect(await order('orderBy=token_hash&orderDirection=asc')).toEqual([2, 1, 0]);
    const { body } = await own.call('GET', '/api/servers?page=2&limit=2', reader);
    expect(body.pagination).toMatchObject({ total: 3, count: 1, limit: 2, currentPage: 2, totalPages: 2 });
    expect((await own.call('GET', '/api/servers', reader)).body.pagination.limit).toBe(20);
    await own.app.close();
  });

  it('[SRV-024] finds servers by name, url, region and address, and by whether they call and are linked', async () => {
    const fresh = await createTestDatabase();
    const own = await buildTestApi({ databases: fresh.databases, startsAt: api.now() });
    const reader = await signInAs(fresh.databases, { permissions: ['manager_settings_server'], since: own.now() });
    const made: Record<string, number> = {};
    for (const [name, region, url, ip] of [
      ['Zürich 1', 'eu', 'https://one.example', '203.0.113.7'],
      ['quiet', 'us_east', 'https://two.example', null],
      ['spare', null, 'https://three.example', '2001:db8::7'],
    ] as const) {
      const { body } = await own.call('POST', '/api/servers', { ...reader, body: { name, region, url, ip } });
      made[name] = body.data.id;
    }
    const seen = async (name: string, minutesAgo: number) =>
      fresh.databases.pools.ops.query('update traffic_servers set last_seen_at = $2 where id = $1', [
        made[name],
        new Date(own.now().getTime() - minutesAgo * 60_000),
      ]);
    await seen('Zürich 1', silentMinutes - 1);
    await seen('quiet', silentMinutes);
    const app = await createApp(fresh.databases);
    await fresh.databases.pools.ops.query(`insert into check_domains (app_id, server_id, status) values ($1, $2, 'ok')`, [
      app.id,
      made['quiet'],
    ]);
    const found = async (query: string) => {
      const { body } = await own.call('GET', `/api/servers?orderBy=keyId&orderDirection=asc&${query}`, reader);
      expect(body.pagination.total).toBe(body.data.length);
      return body.data.map(({ name }: { name: string }) => name);
    };
    expect(await found('search=zU%CC%88rich')).toEqual(['Zürich 1']);
    expect(await found('search=TWO.example')).toEqual(['quiet']);
    expect(await found('search=us_')).toEqual(['quiet']);
    expect(await found('search=2001:db8')).toEqual(['spare']);
    expect(await found('search=%25')).toEqual([]);
    expect(await found('region=EU')).toEqual(['Zürich 1']);
    expect(await found('silent=1')).toEqual(['quiet', 'spare']);
    expect(await found('silent=0')).toEqual(['Zürich 1']);
    expect(await found('linked=0&search=example')).toEqual(['Zürich 1', 'spare']);
    expect(await found('linked=1&silent=1')).toEqual(['quiet']);
    await own.app.close();
  });

  it('[API-060] answers one server with its etag; deleted and unknown ones are 404', async () => {
    const id = await add();
    const { status, body, headers } = await get(`servers/${id}`);
    expect([status, body.data.id, headers['etag']]).toEqual([200, id, '"v1"']);
    expect((await get('servers/999999999')).status).toBe(404);
  });
});

describe('beyond the specification', () => {
  it('returns when each server was last seen, its events of the last hour, and when its secrets were set', async () => {
    const app = await createApp(databases);
    const server = await signInAsServer(databases);
    const quiet = await add();
    const send = async (ip: string) =>
      api.call('POST', '/api/ingest/events', {
        ...server,
        body: {
          events: [
            { app_id: app.id, type: 'create', date: api.now().toISOString(), ip },
            { app_id: app.id, type: 'x' },
          ],
        },
      });
    const activity = async () => {
      const { body } = await get('servers/activity');
      return body.data.filter(({ id }: { id: number }) => id === server.serverId || id === quiet);
    };
    await send('203.0.113.1');
    await api.maintain();
    api.wait(59 * 60_000);
    await send('203.0.113.2');
    await api.maintain();
    const lastSeen = `2026-11-20 ${api.now().toISOString().slice(11, 19)}`;
    expect(await activity()).toEqual([
      { id: server.serverId, last_seen_at: lastSeen, events_last_hour: 2 },
      { id: quiet, last_seen_at: null, events_last_hour: 0 },
    ]);
    api.wait(30 * 60_000);
    admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
    expect((await activity())[0].events_last_hour).toBe(1);

    await put(quiet, { hash: 'h' });
    const at = api.now().toISOString().slice(0, 19).replace('T', ' ');
    expect((await get(`servers/${quiet}/secrets`)).body.data).toEqual({ token_set_at: null, main_hash_set_at: null, hash_set_at: at });
  });

  it('[SRV-001] rejects callers who may not manage servers', async () => {
    const other = await signInAs(databases, { permissions: ['manager_app_edit', 'manager_settings_asns'], since: api.now() });
    for (const path of ['servers', 'servers/1', 'servers/activity', 'servers/1/dependants', 'servers/1/secrets'])
      expect((await get(path, other)).status).toBe(403);
    expect((await get('servers/list', other)).status).toBe(200);
  });
});
