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

async function addIncident(fields: Readonly<Record<string, unknown>>): Promise<void> {
  const values = {
    rule_name: 'Domains',
    kind: 'domain_expiry',
    severity: 'warning',
    subject_id: 0,
    affected: 1,
    names: [],
    reason: 'It expires.',
  };
  const row = { ...values, is_silenced: false, started_at: api.now(), ...fields };
  const columns = Object.keys(row);
  await databases.pools.ops.query(
    `insert into incidents (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  );
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
  it('[HOME-001] shows open incidents by rule: firing ones first, then by severity and number, and counts all', async () => {
    const { id } = await createApp(databases);
    for (const [name, fields] of [
      ['old info', { severity: 'info' }],
      ['old warning', {}],
      ['acknowledged', { severity: 'critical', acknowledged_at: api.now() }],
      ['resolved', { severity: 'critical', resolved_at: api.now() }],
      ['critical', { severity: 'critical' }],
      ...Array.from({ length: 8 }, (_, n) => [`warning ${n}`, {}] as const),
    ] as const) {
      await addIncident({ rule_name: name, app_id: id, ...fields });
    }
    await addIncident({ rule_name: 'warning 0', app_id: id, severity: 'critical', acknowledged_at: api.now(), started_at: at(-day) });
    const { incidents } = await homeOf(['manager_app_edit'], [id]);
    expect([incidents?.total, incidents?.rules]).toEqual([13, 12]);
    expect(incidents?.rows.map(({ worst }) => worst.rule.name)).toEqual(['critical', 'warning 0', 'warning 7', 'warning 6', 'warning 5']);
    const [first, next] = incidents?.rows ?? [];
    expect(first).toMatchObject({ total: 1, critical: 1, firing: 1 });
    expect(first?.worst).toMatchObject({ severity: 'critical', state: 'firing', app: { id }, reason: 'It expires.' });
    expect(next).toMatchObject({ total: 2, critical: 1, firing: 1, since: wire(-day), worst: { severity: 'warning' } });
    await db.updateTable('apps').set({ deleted_at: api.now() }).where('id', '=', id).execute();
  });

  it('[HOME-003] shows incidents as soon as the console has started', async () => {
    const fresh = await createTestDatabase();
    const own = await buildTestApi({ databases: fresh.databases, startsAt: api.now() });
    const { name } = await createApp(fresh.databases, { expiration_at: at(day) });
    await signInAsServer(fresh.databases);
    await fresh.databases.pools.ops.query('update traffic_servers set last_seen_at = $1', [at(-day)]);
    const account = await signInAs(fresh.databases, { role: 'Super Admin', since: api.now() });
    await own.startJobs();
    await own.stopJobs();
    const { body } = await own.call('GET', '/api/home', account);
    await own.app.close();
    // The server may have called while no console ran.
    expect(
      home
        .parse(body.data)
        .incidents?.rows.map(({ worst }) => worst)
        .filter(({ rule }) => rule.kind !== 'log_disk'),
    ).toMatchObject([{ rule: { name: 'Domain expires', kind: 'domain_expiry' }, app: { name }, value: 1 }]);
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

  it('[HOME-006] reads each part only for its permission, of own apps alone, and nothing for buyers', async () => {
    const [mine, other] = await Promise.all([0, 1].map(() => createApp(databases)));
    for (const app of [mine, other]) await addIncident({ app_id: app?.id ?? 0 });
    await addIncident({ rule_name: 'Disk', kind: 'log_disk', app_id: null });
    const names = ({ incidents }: Home) => incidents && [incidents.total, incidents.rows.map(({ worst }) => worst.app?.id ?? null)];
    const own = await homeOf(editor, [mine?.id ?? 0]);
    expect([names(own), own.traffic]).toEqual([[1, [mine?.id]], null]);
    expect(names(await homeOf(editor, []))).toEqual([0, []]);
    expect(names(await homeOf(['manager_dev_logs'], []))).toEqual([1, [null]]);
    expect((await homeOf(['manager_app_statistics'], [mine?.id ?? 0])).traffic).not.toBeNull();
    expect(await homeOf(['manager_user_edit'])).toEqual({ incidents: null, unheard_rules: 0, traffic: null });

    const buyer = await signInAs(databases, { role: 'Super Buyer', panel: 'buyer', apps: [mine?.id ?? 0], since: api.now() });
    const { body } = await api.call('GET', '/api/home', buyer);
    expect(home.parse(body.data)).toEqual({ incidents: null, unheard_rules: 0, traffic: null });
    expect((await api.call('GET', '/api/home')).status).toBe(401);
  });
});
