import { ClickHouseError } from '@clickhouse/client';
import { emptyCounterSet } from '@switchyard/contract/app-statistics';
import type { AppRow } from '@switchyard/contract/apps';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openBreakableProxy, type BreakableProxy } from '../../test/breakable-proxy.ts';
import { buildTestApi, type TestApi } from '../../test/build-test-api.ts';
import { createClickHouseDatabase, isClickHouseAvailable } from '../../test/clickhouse-database.ts';
import { createApp } from '../../test/factories/app.ts';
import { listenForTest, openAnswer } from '../../test/listening-api.ts';
import { signInAs, signInAsServer } from '../../test/sign-in-as.ts';
import { soon } from '../../test/soon.ts';
import { createTestDatabase } from '../../test/test-database.ts';
import { type EngineClient, openEngine } from '@switchyard/traffic-store/clickhouse/engine-client';
import { migrateEngine } from '@switchyard/traffic-store/clickhouse/migrate-engine';
import { type EmbeddedEngine, isEngineInstalled, startEngine } from '@switchyard/traffic-store/clickhouse/start-engine';
import { newParameters } from '@switchyard/traffic-store/clickhouse/statement';

const unavailable = { success: false, message: 'The event store is unavailable, try again' };
const overloaded = { success: false, message: 'The server is busy, try again' };

describe.runIf(isClickHouseAvailable())('ClickHouse is unavailable while PostgreSQL is available', () => {
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

  it('[OUT-001, API-003] batches get 503 and are stored once when they are sent again', async () => {
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

  it('[OUT-001] what shows events says so, and everything else works', async () => {
    await vi.waitFor(async () => expect((await send(batch(1))).status).toBe(200), soon);
    const [{ id }] = (await get(`/api/apps/${appId}/postbacks`)).body.data;
    proxy.refuse();
    const paths = [
      `/api/apps/${appId}/postbacks`,
      `/api/apps/${appId}/postbacks/histogram`,
      `/api/apps/${appId}/postbacks/filters`,
      `/api/apps/${appId}/postbacks/download`,
      '/api/all-requests',
      '/api/all-requests/histogram',
      '/api/all-requests/top?field=country',
      '/api/apps/download',
      '/api/clients/c-1',
      '/api/reports?groupBy=app',
      `/api/requests/${id}`,
    ];
    for (const path of paths) {
      const { status, headers, body } = await get(path);
      expect([path, status, headers['retry-after'], body]).toEqual([path, 503, '2', unavailable]);
    }
    const others = [
      `/api/apps/${appId}/pushes`,
      `/api/apps/${appId}/conversions`,
      '/api/apps',
      '/api/apps/list',
      `/api/apps/${appId}`,
      '/api/apps/statistics/total',
      `/api/apps/statistics/days?ids=${appId}`,
      '/api/home',
      '/api/search?q=away',
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

  it('[OUT-001] a query that takes longer than it may ends in the engine as well', async () => {
    const mark = randomUUID();
    const impatient = openEngine({ url, cluster: null });
    const endless = `/* ${mark} */ select count() from system.numbers where sleep(0.05) settings max_block_size = 1`;
    const slow = { text: endless, parameters: newParameters() };
    const over = { ...impatient, rows: async () => impatient.rows<never>(slow), lines: async () => impatient.lines(slow) };
    const slowApi = await buildTestApi({ databases: api.databases, engine: { engine: over, cluster: null } });
    onTestFinished(async () => {
      await slowApi.app.close();
      await impatient.close();
    });
    const answer = await slowApi.call('GET', '/api/all-requests', { headers: staff });
    expect([answer.status, answer.body]).toEqual([503, overloaded]);
    // The engine lists a query for a moment after its answer.
    await vi.waitFor(async () => expect(await running(mark)).toBe(0), soon);
  });

  it('[OUT-002] statistics that take too long are no missing ones', async () => {
    const slow = async () => Promise.reject(new ClickHouseError({ message: 'no', code: '159', type: 'TIMEOUT_EXCEEDED' }));
    const slowApi = await buildTestApi({
      databases: api.databases,
      engine: { engine: { ...engine, rows: slow, lines: slow }, cluster: null },
    });
    onTestFinished(() => slowApi.app.close());
    for (const path of ['apps', `apps/${appId}`, 'apps/statistics/total', 'home']) {
      const { status, body } = await slowApi.call('GET', `/api/${path}`, { headers: staff });
      expect([path, status, body]).toEqual([path, 503, overloaded]);
    }
  });

  it('[R7] the query of a download ends when its reader leaves', async () => {
    await send(batch(5));
    const mark = randomUUID();
    const many = { text: `/* ${mark} */ select row from system.numbers cross join events`, parameters: newParameters() };
    const endless = { ...engine, bytes: async (_: unknown, signal: AbortSignal) => engine.bytes(many, signal) };
    const endlessApi = await buildTestApi({ databases: api.databases, engine: { engine: endless, cluster: null } });
    onTestFinished(() => endlessApi.app.close());
    const answer = await openAnswer(`${await listenForTest(endlessApi.app)}/api/apps/${appId}/postbacks/download`, staff);
    expect(answer.statusCode).toBe(200);
    expect(await running(mark)).toBe(1);
    answer.destroy();
    await vi.waitFor(async () => expect(await running(mark)).toBe(0), soon);
  });

  it('[OUT-001] upkeep makes room for coming pushes all the same', async () => {
    api.wait(100 * 86_400_000);
    proxy.refuse();
    await expect(api.maintain()).rejects.toThrow();
    const pushes = [{ id: randomUUID(), app_id: appId, push_id: 'away', send_at: api.now().toISOString() }];
    const { status, body } = await api.call('POST', '/api/ingest/pushes', { headers: server, body: { pushes } });
    expect([status, body.data]).toEqual([200, { accepted: 1, duplicates: 0, rejected: [] }]);
  });
});

describe.runIf(isEngineInstalled())('the embedded ClickHouse fails while the console runs', () => {
  let api: TestApi;
  let embedded: EmbeddedEngine;
  let staff: Record<string, string>;
  let server: Record<string, string>;
  let apps: { busy: number; idle: number };
  let whole: Awaited<ReturnType<typeof readStatistics>>;

  beforeAll(async () => {
    const { databases } = await createTestDatabase();
    const folder = await mkdtemp(join(tmpdir(), 'switchyard-outage-'));
    embedded = await startEngine(folder, { onProblem: () => undefined });
    // Limits as they are for people.
    const engine = openEngine({ url: embedded.url, cluster: null });
    await migrateEngine({ engine, cluster: null });
    // Every hour of the day has a whole hour before it.
    api = await buildTestApi({ databases, engine: { engine, cluster: null }, startsAt: new Date('2026-11-20T10:30:00Z') });
    await api.maintain();
    // The busy app is the older one, so only its figures bring it to the top.
    const [busy, idle] = [await createApp(databases), await createApp(databases)];
    apps = { busy: busy.id, idle: idle.id };
    staff = (await signInAs(databases, { role: 'Super Admin', since: api.now() })).headers;
    server = (await signInAsServer(databases)).headers;
    const [date, send_at] = ['2026-11-20T09:10:00Z', '2026-11-20T09:20:00Z'];
    const events = batchAt(date, 3);
    const pushes = [{ id: randomUUID(), app_id: busy.id, push_id: 'outage', send_at }];
    for (const [kind, rows] of Object.entries({ events, pushes })) expect((await ingest(kind, rows)).status).toBe(200);
    whole = await readStatistics();
    return async () => {
      await api.app.close();
      await engine.close();
      await embedded.stop();
      await rm(folder, { recursive: true, force: true });
    };
  });

  const batchAt = (date: string, length: number) =>
    Array.from({ length }, () => ({ id: randomUUID(), app_id: apps.busy, type: 'create', date, ip: '203.0.113.9' }));
  const ingest = async (kind: string, rows: readonly object[]) =>
    api.call('POST', `/api/ingest/${kind}`, { headers: server, body: { [kind]: rows } });
  const get = async (path: string) => api.call('GET', `/api/${path}`, { headers: staff });
  /** Statistics wherever people see them, counted anew. */
  async function readStatistics() {
    const [list, total, days, home, form] = await Promise.all(
      ['apps?isCache=0', 'apps/statistics/total?isCache=0', `apps/statistics/days?ids=${apps.busy}`, 'home', `apps/${apps.busy}`].map(get),
    );
    const answers = [list, total, days, home, form];
    expect(answers.map((answer) => answer?.status)).toEqual(answers.map(() => 200));
    return {
      rows: list?.body.data.map(({ id, statistics }: AppRow) => [id, statistics]),
      total: total?.body.data.statistics,
      days: days?.body.data.apps,
      traffic: home?.body.data.traffic,
      hasClients: form?.body.data.has_clients,
    };
  }
  /** Waits until everything is counted again. No call fails meanwhile. */
  async function recovered(): Promise<void> {
    const shown: unknown[] = [];
    for (const end = performance.now() + soon.timeout; performance.now() < end && !isDeepStrictEqual(shown.at(-1), whole);)
      shown.push(await readStatistics());
    expect(shown.at(-1)).toEqual(whole);
  }

  const known = (push: number) => ({ ...emptyCounterSet(), push: { all: push, success: 0 } });
  const incomplete = (push: number) => ({
    all: { today: known(push), all_time: known(push) },
    qa: known(0),
    missing: ['create', 'receive', 'bots'],
  });

  it('[OUT-002, OUT-003, OUT-004] hanging: apps and home answer soon with what is known, and say what is missing', async () => {
    expect(whole.rows[1][1]).toMatchObject({ all: { today: { create: { all: 3 }, push: { all: 1 } } } });
    expect(whole.rows[1][1]).not.toHaveProperty('missing');
    process.kill(embedded.pid(), 'SIGSTOP');
    onTestFinished(() => void process.kill(embedded.pid(), 'SIGCONT'));
    const missing = {
      rows: [
        [apps.idle, incomplete(0)],
        [apps.busy, incomplete(1)],
      ],
      total: incomplete(1),
      days: null,
      traffic: { ...whole.traffic, create: null, receive: null },
      hasClients: false,
    };
    // A single statement used to wait for 6.5 s, and home has two.
    const began = performance.now();
    const batch = batchAt('2026-11-20T10:05:00Z', 2);
    const [shown, refused] = await Promise.all([readStatistics(), ingest('events', batch)]);
    expect(shown).toEqual(missing);
    expect([refused.status, refused.body]).toEqual([503, unavailable]);
    expect(performance.now() - began).toBeLessThan(6000);
    const found = performance.now();
    for (let round = 0; round < 5; round += 1) expect(await readStatistics()).toEqual(missing);
    expect(performance.now() - found).toBeLessThan(5000);

    const order = async (sort: string) => (await get(`apps?isCache=0&orderBy=${sort}`)).body.data.map(({ id }: AppRow) => id);
    expect(await order('keyTodayCreate')).toEqual([apps.idle, apps.busy]);
    expect(await order('keyAllPush')).toEqual([apps.busy, apps.idle]);
    const saved = await api.call('PUT', `/api/apps/${apps.busy}`, { headers: staff, body: { whiteUserAgent: 'outage' } });
    expect([saved.status, saved.body.data.white_user_agent]).toEqual([200, 'outage']);
    for (const path of ['apps/download?isCache=0', 'all-requests']) {
      const { status, body } = await get(path);
      expect([path, status, body]).toEqual([path, 503, unavailable]);
    }

    process.kill(embedded.pid(), 'SIGCONT');
    await recovered();
    expect(await order('keyTodayCreate')).toEqual([apps.busy, apps.idle]);
    expect((await ingest('events', batch)).body.data).toMatchObject({ accepted: 2, duplicates: 0 });
    whole = await readStatistics();
  });

  it('[OUT-002] killed: apps and home go on answering until it is there again', async () => {
    process.kill(embedded.pid(), 'SIGKILL');
    await recovered();
  });

  it('[OUT-002] shows figures of the last minutes where the cache is on', async () => {
    const cached = async () => (await get('apps')).body.data.map(({ id, statistics }: AppRow) => [id, statistics]);
    expect(await cached()).toEqual(whole.rows);
    process.kill(embedded.pid(), 'SIGSTOP');
    onTestFinished(() => void process.kill(embedded.pid(), 'SIGCONT'));
    expect(await cached()).toEqual(whole.rows);
    api.wait(301_000);
    expect((await cached())[1]).toEqual([apps.busy, incomplete(1)]);
  });
});
