import { formatMicroseconds, fromDate } from '@switchyard/contract/dates';
import { home, type Home } from '@switchyard/contract/home';
import type { Permission } from '@switchyard/contract/permissions';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, signInAsServer } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
const { db } = databases;
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
let api: TestApi;
let server: Awaited<ReturnType<typeof signInAsServer>>;

beforeAll(async () => {
  // A quarter past four in the afternoon by the server's offset.
  api = await buildTestApi({ databases, startsAt: new Date('2026-11-20T10:30:00Z'), env: { SERVER_UTC_OFFSET: '+05:45' } });
  server = await signInAsServer(databases);
  await api.maintain();
  return async () => api.app.close();
});

const at = (milliseconds: number): Date => new Date(api.now().getTime() + milliseconds);
const wire = (milliseconds: number): string => at(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
const editor: readonly Permission[] = ['manager_app_edit'];

/** The home page of an account made for it. */
async function homeOf(permissions: readonly Permission[], apps: 'all' | readonly number[] = 'all'): Promise<Home> {
  const account = await signInAs(databases, { permissions, apps, since: api.now() });
  const { status, body } = await api.call('GET', '/api/home', account);
  expect(status).toBe(200);
  return home.parse(body.data);
}

async function link(appId: number, fields: object): Promise<number> {
  const values = { app_id: appId, server_id: server.serverId, ...fields };
  const { id } = await db.insertInto('check_domains').values(values).returning('id').executeTakeFirstOrThrow();
  return id;
}

async function ingest(kind: 'events' | 'pushes' | 'conversions', rows: readonly object[]): Promise<void> {
  const answer = await api.call('POST', `/api/ingest/${kind}`, {
    headers: { ...server.headers, 'content-type': 'application/json' },
    body: { [kind]: rows },
  });
  expect([answer.status, answer.body.data?.accepted]).toEqual([200, rows.length]);
}

const events = (appId: number, howMany: number, milliseconds: number, type = 'create') =>
  Array.from({ length: howMany }, () => ({
    id: randomUUID(),
    app_id: appId,
    type,
    ip: '203.0.113.9',
    date: formatMicroseconds(fromDate(at(milliseconds))),
  }));

describe('GET home', () => {
  it('[HOME-001] names domains up to 30 days ahead, overdue first, without archived apps', async () => {
    const [later, limit, over, archivedApp, none] = await Promise.all([
      createApp(databases, { expiration_at: at(30 * day + second) }),
      createApp(databases, { expiration_at: at(30 * day) }),
      createApp(databases, { expiration_at: at(-day) }),
      createApp(databases, { expiration_at: at(day), deleted_at: api.now() }),
      createApp(databases),
    ]);
    const answer = await homeOf(
      editor,
      [later, limit, over, archivedApp, none].map(({ id }) => id),
    );
    expect(answer.expiring_domains).toEqual({
      total: 2,
      rows: [
        { app: { id: over.id, name: over.name, domain: over.domain }, expires_at: wire(-day) },
        { app: { id: limit.id, name: limit.name, domain: limit.domain }, expires_at: wire(30 * day) },
      ],
    });
  });

  it('[HOME-001] shows ten rows of a section and counts all', async () => {
    const apps = await Promise.all(Array.from({ length: 12 }, (_, n) => createApp(databases, { expiration_at: at(n * day) })));
    const answer = await homeOf(
      editor,
      apps.map(({ id }) => id),
    );
    expect(answer.expiring_domains?.total).toBe(12);
    expect(answer.expiring_domains?.rows.map(({ app }) => app.id)).toEqual(apps.slice(0, 10).map(({ id }) => id));
  });

  it('[HOME-001, HOME-002] names certificates up to 30 days ahead and links that failed', async () => {
    const app = await createApp(databases);
    const { id, name, domain } = app;
    const names = { app: { id, name, domain }, server: { id: server.serverId, name: `edge-${server.token.slice(0, 6)}` } };
    const over = await link(id, { ssl_at: at(-second), status: 'ok' });
    const second3 = await signInAsServer(databases);
    const limit = await link(id, {
      server_id: second3.serverId,
      ssl_at: at(30 * day),
      status: 'err_ssl',
      error: 'no',
      updated_at: at(-hour),
    });
    const third = await signInAsServer(databases);
    const add = await link(id, { server_id: third.serverId, ssl_at: at(30 * day + second), status: 'err_add', updated_at: at(-minute) });
    const fourth = await signInAsServer(databases);
    const bind = await link(id, { server_id: fourth.serverId, status: 'err_bind', updated_at: at(-day) });
    const fifth = await signInAsServer(databases);
    await link(id, { server_id: fifth.serverId, status: 'bind' });

    const answer = await homeOf(editor, [id]);
    expect(answer.expiring_certificates?.rows.map((row) => row.id)).toEqual([over, limit]);
    expect(answer.expiring_certificates?.rows[0]).toEqual({ id: over, ...names, expires_at: wire(-second) });
    expect(answer.failed_links?.total).toBe(3);
    expect(answer.failed_links?.rows.map((row) => row.id)).toEqual([add, limit, bind]);
    expect(answer.failed_links?.rows[1]).toMatchObject({ status: 'err_ssl', error: 'no', updated_at: wire(-hour) });
  });

  it('[HOME-003] names servers not seen for ten minutes, and those that never called and could', async () => {
    const fresh = await createTestDatabase();
    const own = await buildTestApi({ databases: fresh.databases, startsAt: api.now() });
    const add = async (name: string, fields: object) => {
      const values = { name, url: 'https://edge.example', created_at: at(-day), ...fields };
      await fresh.databases.db.insertInto('traffic_servers').values(values).execute();
    };
    await add('long ago', { last_seen_at: at(-hour) });
    await add('at the limit', { last_seen_at: at(-10 * minute) });
    await add('just now', { last_seen_at: at(-10 * minute + second) });
    await add('never', { ingest_enabled: true });
    await add('new', { ingest_enabled: true, created_at: at(-10 * minute + second) });
    await add('cannot call', { ingest_enabled: false });
    await add('deleted', { last_seen_at: at(-hour), deleted_at: api.now() });
    const account = await signInAs(fresh.databases, { permissions: ['manager_settings_server'], since: api.now() });
    const { body } = await own.call('GET', '/api/home', account);
    await own.app.close();
    const { unseen_servers: section, ...others } = home.parse(body.data);
    expect(section?.rows.map(({ name, last_seen_at }) => [name, last_seen_at])).toEqual([
      ['at the limit', wire(-10 * minute)],
      ['long ago', wire(-hour)],
      ['never', null],
    ]);
    expect(section?.total).toBe(3);
    expect(Object.values(others)).toEqual([null, null, null, null, null]);
  });

  it('[HOME-004] names apps whose requests stopped, those with the most first', async () => {
    // The three whole hours by the server's offset end a quarter of an hour ago.
    const endedAt = -15 * minute;
    const apps = await Promise.all(Array.from({ length: 7 }, () => createApp(databases)));
    const [stoppedId = 0, more = 0, few = 0, goesOn = 0, sinceThen = 0, otherHours = 0, archivedId = 0] = apps.map(({ id }) => id);
    const yesterday = endedAt - day;
    await ingest('events', [
      ...events(stoppedId, 10, yesterday - 3 * hour, 'track'),
      ...events(stoppedId, 1, endedAt - 3 * hour - second),
      ...events(more, 11, yesterday - second),
      ...events(few, 9, yesterday - hour),
      ...events(goesOn, 20, yesterday - hour),
      ...events(goesOn, 1, endedAt - 3 * hour),
      ...events(sinceThen, 20, yesterday - hour),
      ...events(sinceThen, 1, 0),
      ...events(otherHours, 20, yesterday),
      ...events(otherHours, 20, yesterday - 3 * hour - second),
      ...events(archivedId, 20, yesterday - hour),
    ]);
    await db.updateTable('apps').set({ deleted_at: api.now() }).where('id', '=', archivedId).execute();
    const rows = async (scope: 'all' | number[]) =>
      (await homeOf(editor, scope)).stopped_apps?.rows.map(({ app, requests_yesterday }) => [app.id, requests_yesterday]);
    expect(await rows('all')).toEqual([
      [more, 11],
      [stoppedId, 10],
    ]);
    expect(await rows([stoppedId, few, goesOn, sinceThen, otherHours, archivedId])).toEqual([[stoppedId, 10]]);
  });

  it("[HOME-005, HOME-006] compares whole hours of the server's days, of apps in scope", async () => {
    const fresh = await createTestDatabase();
    const own = {
      ...api,
      ...(await buildTestApi({ databases: fresh.databases, startsAt: api.now(), env: { SERVER_UTC_OFFSET: '+05:45' } })),
    };
    const sender = await signInAsServer(fresh.databases);
    const send = async (kind: string, rows: readonly object[]) => {
      const { body } = await own.call('POST', `/api/ingest/${kind}`, { ...sender, body: { [kind]: rows } });
      expect(body.data.accepted).toBe(rows.length);
    };
    const [mine, other] = await Promise.all([createApp(fresh.databases), createApp(fresh.databases)]);
    const midnight = -16.25 * hour;
    const endedAt = -15 * minute;
    const times = [
      midnight,
      endedAt - second,
      endedAt,
      midnight - second,
      midnight - day,
      endedAt - day - second,
      endedAt - day,
      midnight - day - second,
    ];
    for (const { id, bundle } of [mine, other]) {
      await send('events', [
        ...times.flatMap((time) => events(id, 1, time)),
        ...events(id, 3, midnight, 'receive'),
        ...events(id, 1, 0, 'track'),
      ]);
      const date = (time: number) => formatMicroseconds(fromDate(at(time)));
      await send(
        'pushes',
        times.map((time) => ({
          id: randomUUID(),
          bundle,
          push_id: 'p',
          push_name: 'n',
          push_message: '{}',
          send_at: date(time),
          status: 'sent',
          updated_at: date(0),
        })),
      );
      await send(
        'conversions',
        times.slice(0, 3).map((time) => ({
          id: randomUUID(),
          bundle,
          source: 's',
          status_conversion: 'install',
          status: 'success',
          is_send: true,
          created_at: date(time),
        })),
      );
    }
    const readHome = async (apps: 'all' | number[]) => {
      const account = await signInAs(fresh.databases, { permissions: ['manager_app_statistics'], apps, since: api.now() });
      return home.parse((await own.call('GET', '/api/home', account)).body.data).traffic;
    };
    const once = {
      from: wire(midnight),
      until: wire(endedAt),
      create: { today: 2, yesterday: 2 },
      receive: { today: 3, yesterday: 0 },
      push: { today: 2, yesterday: 2 },
      conversion: { today: 2, yesterday: 0 },
    };
    expect(await readHome([mine.id])).toEqual(once);
    expect(await readHome('all')).toEqual({
      ...once,
      create: { today: 4, yesterday: 4 },
      receive: { today: 6, yesterday: 0 },
      push: { today: 4, yesterday: 4 },
      conversion: { today: 4, yesterday: 0 },
    });
    await own.app.close();
  });

  it('[HOME-005] sums requests, pushes and conversions of any number of apps', async () => {
    const apps = await Promise.all(Array.from({ length: 150 }, () => createApp(databases)));
    const [first, last] = [apps[0], apps.at(-1)];
    const time = -hour;
    const date = formatMicroseconds(fromDate(at(time)));
    for (const [app, howMany] of [
      [first, 2],
      [last, 3],
    ] as const) {
      await ingest('events', [...events(app?.id ?? 0, howMany, time), ...events(app?.id ?? 0, 1, time - day, 'receive')]);
      await ingest(
        'conversions',
        Array.from({ length: howMany }, () => ({
          id: randomUUID(),
          bundle: app?.bundle,
          source: 's',
          status_conversion: 'install',
          status: 'success',
          is_send: true,
          created_at: date,
        })),
      );
    }
    const ids = apps.map(({ id }) => id);
    const figures = async (scope: readonly number[]) => (await homeOf(['manager_app_statistics'], scope)).traffic;
    const none = { today: 0, yesterday: 0 };
    expect(await figures(ids)).toMatchObject({
      create: { today: 5, yesterday: 0 },
      receive: { today: 0, yesterday: 2 },
      push: none,
      conversion: { today: 5, yesterday: 0 },
    });
    expect(await figures(ids.slice(1))).toMatchObject({ create: { today: 3, yesterday: 0 }, conversion: { today: 3, yesterday: 0 } });
  });

  it('[HOME-006] reads each section only for its permission, of own apps alone, and nothing for buyers', async () => {
    const [mine, other] = await Promise.all([0, 1].map(() => createApp(databases, { expiration_at: at(day) })));
    await link(mine?.id ?? 0, { ssl_at: at(day), status: 'err_add' });
    await link(other?.id ?? 0, { ssl_at: at(day), status: 'err_add' });
    const own = await homeOf(editor, [mine?.id ?? 0]);
    expect([own.expiring_domains?.total, own.expiring_certificates?.total, own.failed_links?.total]).toEqual([1, 1, 1]);
    expect([own.unseen_servers, own.traffic]).toEqual([null, null]);
    const none = await homeOf(editor, []);
    expect([none.expiring_domains, none.expiring_certificates, none.failed_links, none.stopped_apps]).toEqual(
      Array.from({ length: 4 }, () => ({ total: 0, rows: [] })),
    );
    const statistics = await homeOf(['manager_app_statistics'], [mine?.id ?? 0]);
    expect(statistics.traffic).not.toBeNull();
    for (const permissions of [['manager_user_edit'], ['manager_settings_asns', 'manager_dev_logs']] as const)
      expect(new Set(Object.values(await homeOf(permissions)))).toEqual(new Set([null]));

    const buyer = await signInAs(databases, { role: 'Super Buyer', panel: 'buyer', apps: [mine?.id ?? 0], since: api.now() });
    const { body } = await api.call('GET', '/api/home', buyer);
    expect(new Set(Object.values(home.parse(body.data)))).toEqual(new Set([null]));
    expect((await api.call('GET', '/api/home')).status).toBe(401);
  });
});
