import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openBreakableProxy, type BreakableProxy } from '../../test/breakable-proxy.ts';
import { buildTestApi, type TestApi } from '../../test/build-test-api.ts';
import { createClickHouseDatabase, isClickHouseAvailable } from '../../test/clickhouse-database.ts';
import { createApp } from '../../test/factories/app.ts';
import { listenForTest, openAnswer } from '../../test/listening-api.ts';
import { signInAs, signInAsServer } from '../../test/sign-in-as.ts';
import { soon } from '../../test/soon.ts';
import { createTestDatabase } from '../../test/test-database.ts';
import { type EngineClient, openEngine } from '../traffic-store/clickhouse/engine-client.ts';
import { migrateEngine } from '../traffic-store/clickhouse/migrate-engine.ts';
import { newParameters } from '../traffic-store/clickhouse/statement.ts';

const unavailable = { success: false, message: 'Database is unavailable, try again' };

describe.runIf(isClickHouseAvailable())('ClickHouse is away while PostgreSQL is there', () => {
  let api: TestApi;
  let appId: number;
  let url: string;
  let engine: EngineClient;
  let proxy: BreakableProxy;
  let staff: Record<string, string>;
  let server: Record<string, string>;

  beforeAll(async () => {
    const [{ databases }, clickhouse] = await Promise.all([createTestDatabase(), createClickHouseDatabase()]);
    ({ url } = clickhouse);
    proxy = await openBreakableProxy(Number(new URL(url).port));
    engine = openEngine({ url, cluster: null });
    // Limits as they are for people, because a test waits for one of them.
    const remote = openEngine({ url: Object.assign(new URL(url), { port: String(proxy.port) }).href, cluster: null });
    await migrateEngine({ engine, cluster: null });
    api = await buildTestApi({ databases, engine: { engine: remote, cluster: null } });
    await api.maintain();
    appId = (await createApp(databases, { bundle: 'com.away' })).id;
    staff = (await signInAs(databases, { role: 'Super Admin' })).headers;
    server = (await signInAsServer(databases)).headers;
    return async () => {
      await api.app.close();
      await Promise.all([engine.close(), remote.close()]);
      await proxy.close();
    };
  });
  beforeEach(() => proxy.resume());

  const batch = (count: number) =>
    Array.from({ length: count }, () => ({
      id: randomUUID(),
      app_id: appId,
      type: 'create',
      date: api.now().toISOString(),
      ip: '203.0.113.9',
    }));
  const send = (events: unknown) => api.call('POST', '/api/ingest/events', { headers: server, body: { events } });
  const get = (path: string) => api.call('GET', path, { headers: staff });
  const storeUp = async (): Promise<string | undefined> => /^event_store_up (\d)$/m.exec(String((await get('/metrics')).body))?.[1];
  /** How many queries with this mark run in the engine. */
  async function running(mark: string): Promise<number> {
    const text = `select count() from system.processes where query like '%${mark}%' and query not like '%system.processes%'`;
    return Number((await engine.lines({ text, parameters: newParameters() }))[0]);
  }

  it('[ERR-012, API-003] batches get 503 and are stored once when they are sent again', async () => {
    const events = batch(5);
    proxy.refuse();
    const rejection = await send(events);
    expect([rejection.status, rejection.headers['retry-after'], rejection.body]).toEqual([503, '2', unavailable]);
    proxy.resume();
    // As a sender does: a connection that was cut meanwhile costs another 503.
    await vi.waitFor(async () => expect((await send(events)).status).toBe(200), soon);
    expect((await send(events)).body.data).toMatchObject({ accepted: 0, duplicates: 5 });
    expect((await get(`/api/apps/${appId}/postbacks`)).body.pagination.total).toBe(5);
  });

  it('[ERR-012] what shows or counts events says so, and everything else works', async () => {
    proxy.refuse();
    const paths = [
      `/api/apps/${appId}/postbacks`,
      `/api/apps/${appId}/postbacks/histogram`,
      `/api/apps/${appId}/postbacks/filters`,
      `/api/apps/${appId}/postbacks/download`,
      '/api/all-requests',
      '/api/all-requests/histogram',
      '/api/apps',
      '/api/home',
    ];
    for (const path of paths) {
      const { status, headers, body } = await get(path);
      expect([path, status, headers['retry-after'], body]).toEqual([path, 503, '2', unavailable]);
    }
    const others = [
      `/api/apps/${appId}/pushes`,
      `/api/apps/${appId}/conversions`,
      '/api/apps/list',
      '/api/users',
      '/api/audit',
      '/api/servers',
      '/api/log-viewer/logs',
      '/readyz',
    ];
    for (const path of others) expect([path, (await get(path)).status]).toEqual([path, 200]);
    expect(await storeUp()).toBe('0');
    proxy.resume();
    expect(await storeUp()).toBe('1');
    for (const path of paths) expect([path, (await get(path)).status]).toEqual([path, 200]);
  });

  it('[ERR-012] a list does not wait for an engine that hangs', async () => {
    proxy.hang();
    const answer = await get('/api/all-requests');
    expect([answer.status, answer.body]).toEqual([503, unavailable]);
    proxy.resume();
    expect((await get('/api/all-requests')).status).toBe(200);
  });

  it('[ERR-012] a query that takes longer than it may ends in the engine as well', async () => {
    const mark = randomUUID();
    // The limit in the engine ends before the one of the client; a busy machine needs most of a second between them.
    const impatient = openEngine({ url, cluster: null, timeoutFactor: 0.5 });
    const endless = `/* ${mark} */ select count() from system.numbers where sleep(0.05) settings max_block_size = 1`;
    const slow = { text: endless, parameters: newParameters() };
    const over = { ...impatient, rows: async () => impatient.rows<never>(slow), lines: async () => impatient.lines(slow) };
    const slowApi = await buildTestApi({ databases: api.databases, engine: { engine: over, cluster: null } });
    onTestFinished(async () => {
      await slowApi.app.close();
      await impatient.close();
    });
    const answer = await slowApi.call('GET', '/api/all-requests', { headers: staff });
    expect([answer.status, answer.body]).toEqual([503, { success: false, message: 'The server is busy, try again' }]);
    // The engine lists a query for a moment after its answer.
    await vi.waitFor(async () => expect(await running(mark)).toBe(0), soon);
  });

  it('[R7] the query of a download ends when its reader leaves', async () => {
    await send(batch(5));
    const mark = randomUUID();
    const many = { text: `/* ${mark} */ select row from system.numbers cross join events`, parameters: newParameters() };
    const endless = { ...engine, stream: async (_: unknown, signal: AbortSignal) => engine.stream(many, signal) };
    const endlessApi = await buildTestApi({ databases: api.databases, engine: { engine: endless, cluster: null } });
    onTestFinished(() => endlessApi.app.close());
    const answer = await openAnswer(`${await listenForTest(endlessApi.app)}/api/apps/${appId}/postbacks/download`, staff);
    expect(answer.statusCode).toBe(200);
    expect(await running(mark)).toBe(1);
    answer.destroy();
    await vi.waitFor(async () => expect(await running(mark)).toBe(0), soon);
  });

  it('[ERR-012] upkeep makes room for coming pushes all the same', async () => {
    api.wait(100 * 86_400_000);
    proxy.refuse();
    await expect(api.maintain()).rejects.toThrow();
    const pushes = [{ id: randomUUID(), app_id: appId, push_id: 'away', send_at: api.now().toISOString() }];
    const { status, body } = await api.call('POST', '/api/ingest/pushes', { headers: server, body: { pushes } });
    expect([status, body.data]).toEqual([200, { accepted: 1, duplicates: 0, rejected: [] }]);
  });
});
