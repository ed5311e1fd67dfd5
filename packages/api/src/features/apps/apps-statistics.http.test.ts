import { counterNames, statistics, type CounterSet, type Statistics } from '@switchyard/contract/app-statistics';
import { formatMicroseconds, fromDate } from '@switchyard/contract/dates';
import { botLabel } from '@switchyard/contract/requests';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildTestApi, type TestApi, eventsAreInPostgres } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { readCsv } from '../../../test/read-csv.ts';
import { signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { createLiveTraffic } from '@switchyard/demo/simulator-live';
import type { EventRow } from '@switchyard/demo/ingest-rows';

const { databases } = await createTestDatabase();
const hour = 3_600_000;
let api: TestApi;
let admin: SignedIn;
let server: Awaited<ReturnType<typeof signInAsServer>>;

beforeAll(async () => {
  // A quarter past midnight in the server's offset, so that yesterday is near.
  api = await buildTestApi({ databases, startsAt: new Date('2026-11-20T22:15:00Z'), env: { SERVER_UTC_OFFSET: '+02:00' } });
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  server = await signInAsServer(databases);
  await api.maintain();
  return async () => api.app.close();
});

async function ingest(events: readonly (Partial<EventRow> & Pick<EventRow, 'type'>)[], bundle?: string) {
  const date = formatMicroseconds(fromDate(api.now()));
  const rows = events.map((event) => ({ date, ip: '203.0.113.9', ...(bundle === undefined ? {} : { bundle }), ...event }));
  const answer = await api.call('POST', '/api/ingest/events', {
    headers: { ...server.headers, 'content-type': 'application/json' },
    body: { events: rows },
  });
  expect([answer.status, answer.body.data?.rejected]).toEqual([200, []]);
}

async function of(bundle: string, query = 'isCache=0', caller = admin): Promise<Statistics> {
  const answer = await api.call('GET', `/api/apps?status=all&search=${bundle}&${query}`, caller);
  return statistics.parse(answer.body.data[0]?.statistics);
}
const total = z.object({ success: z.literal(true), data: z.object({ users_count: z.int(), statistics }) });
async function sum(query = 'isCache=0', caller = admin) {
  return total.parse((await api.call('GET', `/api/apps/statistics/total?${query}`, caller)).body).data;
}
const ago = (milliseconds: number) => formatMicroseconds(fromDate(api.now()) - milliseconds * 1000);

/** Counts of the stored events themselves, row by row. */
async function countDirectly(appIds: number[], since: string | null) {
  const { rows } = await databases.pools.ui.query<{ type: string; bot: string; error: boolean }>(
    'select type, bot, error is not null as error from events where app_id = any($1) and ($2::timestamptz is null or occurred_at >= $2)',
    [appIds, since],
  );
  const none = { all: 0, success: 0 };
  const ofType = (type: string) => {
    const own = rows.filter((row) => row.type === type);
    return { all: own.length, success: own.filter((row) => !row.error && !blocked(row)).length };
  };
  const bots = rows.filter(blocked);
  return {
    create: ofType('create'),
    receive: ofType('receive'),
    push: none,
    conversion: none,
    bots: { all: bots.length, success: bots.filter((row) => !row.error).length },
  };
}

function blocked(row: { bot: string }): boolean {
  return row.bot.split(' ').some((label) => label !== '' && botLabel(label).blocks);
}

const hasClients = async (bundle: string) => (await api.call('GET', `/api/apps?search=${bundle}`, admin)).body.data[0].has_clients;

describe('statistics of an app', () => {
  it("[APPS-022][APPS-023][ENT-015][ENT-016][ENT-017] counts creates and receives of the server's day, in all and successful", async () => {
    const { bundle } = await createApp(databases);
    await ingest(
      [
        { type: 'create' },
        { type: 'create', bot: 'CF' },
        { type: 'create', error: 'broken' },
        { type: 'create', bot: 'L1' },
        { type: 'create', date: ago(20 * 60_000) },
        { type: 'receive' },
        { type: 'track' },
        { type: 'static' },
      ],
      bundle,
    );
    const { all } = await of(bundle);
    expect(all.today.create).toEqual({ all: 4, success: 2 });
    expect(all.today.receive).toEqual({ all: 1, success: 1 });
    expect(all.all_time?.create).toEqual({ all: 5, success: 3 });
  });

  it('[APPS-026] counts the requests of bots, whatever their type, and those of them without error', async () => {
    const { bundle } = await createApp(databases);
    await ingest(
      [
        { type: 'create', bot: 'BOT' },
        { type: 'static', bot: 'HLL VLA' },
        { type: 'create', bot: 'ORG', error: 'x' },
        { type: 'create', bot: 'CF' },
      ],
      bundle,
    );
    expect((await of(bundle)).all.today.bots).toEqual({ all: 3, success: 2 });
  });

  it('[APPS-024][APPS-025] counts the traffic of testers of all time apart, and in all as well', async () => {
    const { bundle } = await createApp(databases);
    await ingest(
      [
        { type: 'create', is_qa: true },
        { type: 'receive', is_qa: true, date: ago(30 * hour) },
        { type: 'create', is_qa: false },
      ],
      bundle,
    );
    const figures = await of(bundle);
    expect(figures.qa.create).toEqual({ all: 1, success: 1 });
    expect(figures.qa.receive).toEqual({ all: 1, success: 1 });
    expect(figures.all.all_time?.create).toEqual({ all: 2, success: 2 });
  });

  it('[ENT-012] knows whether an app has clients', async () => {
    const [app, other] = [await createApp(databases), await createApp(databases)];
    await ingest([{ type: 'static' }, { type: 'track' }], app.bundle);
    expect(await hasClients(app.bundle)).toBe(false);
    await ingest([{ type: 'receive' }], app.bundle);
    expect([await hasClients(app.bundle), await hasClients(other.bundle)]).toEqual([true, false]);
  });
});

describe('the Cache toggle', () => {
  it('[APPS-008] isCache 0 counts now; isCache 1 may lag, by five minutes at most, and sees what isCache 0 renewed', async () => {
    const { bundle } = await createApp(databases);
    const creates = async (query: string) => (await of(bundle, query)).all.today.create.all;
    expect(await creates('isCache=1')).toBe(0);
    await ingest([{ type: 'create' }], bundle);
    expect(await creates('isCache=1')).toBe(0);
    expect(await creates('')).toBe(0);
    expect(await creates('isCache=0')).toBe(1);
    expect(await creates('isCache=1')).toBe(1);
    await ingest([{ type: 'create' }], bundle);
    api.wait(301_000);
    expect(await creates('isCache=1')).toBe(2);
  });

  it('[APPS-008] isCache 0 counts now, too, where the list is sorted by what is no counter', async () => {
    const { bundle } = await createApp(databases);
    await of(bundle, 'isCache=1');
    await ingest([{ type: 'create' }], bundle);
    expect((await of(bundle, 'orderBy=keyUsers&isCache=0')).all.today.create.all).toBe(1);
  });

  it('[APPS-034] shares what it keeps between the list and the TOTAL row', async () => {
    const { bundle } = await createApp(databases);
    await of(bundle, 'isCache=1');
    await ingest([{ type: 'create' }], bundle);
    expect((await sum(`search=${bundle}&isCache=1`)).statistics.all.today.create.all).toBe(0);
    expect((await sum(`search=${bundle}&isCache=0`)).statistics.all.today.create.all).toBe(1);
    expect((await of(bundle, 'isCache=1')).all.today.create.all).toBe(1);
  });

  it('[APPS-007] takes 1, 0, true and false', async () => {
    for (const value of ['1', '0', 'true', 'false', ''])
      expect((await api.call('GET', `/api/apps?isCache=${value}`, admin)).status).toBe(200);
    expect((await api.call('GET', '/api/apps/statistics/total?isCache=2', admin)).status).toBe(422);
  });
});

describe('GET apps/statistics/total', () => {
  it.runIf(eventsAreInPostgres)(
    '[APPS-033][APPS-034][API-012] sums over every app that matches, not only a page, and equals a direct count of the events',
    async () => {
      const apps = [];
      for (let nth = 0; nth < 6; nth++)
        apps.push(await createApp(databases, { name: `Summed ${nth}`, deleted_at: nth === 5 ? new Date() : null }));
      await signInAs(databases, { panel: 'buyer', role: 'Buyer', apps: apps.slice(0, 4).map((app) => app.id) });
      await signInAs(databases, { panel: 'buyer', role: 'Buyer', apps: [apps[0]?.id ?? 0, apps[5]?.id ?? 0] });
      const traffic = createLiveTraffic({
        seed: 'sums',
        apps: apps.map(({ bundle, domain }) => ({ bundle, domain, weight: 1, streams: [] })),
      });
      const until = fromDate(api.now());
      await ingest(traffic.rows(1_500, until - 3 * hour * 1000, until));

      for (const [status, chosenApps] of [
        ['active', apps.slice(0, 5)],
        ['deleted', apps.slice(5)],
        ['all', apps],
      ] as const) {
        const answer = await api.call('GET', `/api/apps?status=${status}&search=summed&isCache=0&limit=200`, admin);
        const rows = z.array(z.object({ users_count: z.int(), statistics })).parse(answer.body.data);
        expect(rows).toHaveLength(chosenApps.length);
        const sums = await sum(`status=${status}&search=summed`);
        expect(sums.users_count).toBe(rows.reduce((users, row) => users + row.users_count, 0));
        const sets: ((from: Statistics) => CounterSet | null)[] = [(s) => s.all.today, (s) => s.all.all_time, (s) => s.qa];
        for (const set of sets) {
          for (const name of counterNames) {
            for (const figure of ['all', 'success'] as const) {
              expect(set(sums.statistics)?.[name][figure]).toBe(
                rows.reduce((all, row) => all + (set(row.statistics)?.[name][figure] ?? NaN), 0),
              );
            }
          }
        }
        expect(sums.statistics.all.all_time).toEqual(
          await countDirectly(
            chosenApps.map((app) => app.id),
            null,
          ),
        );
        expect(sums.statistics.all.today).toEqual(
          await countDirectly(
            chosenApps.map((app) => app.id),
            '2026-11-20T22:00:00Z',
          ),
        );
      }
      expect((await sum('search=summed')).users_count).toBe(5);
    },
  );

  it('holds the apps of a restricted account only', async () => {
    const [own, foreign] = [await createApp(databases), await createApp(databases)];
    await ingest([{ type: 'create' }], own.bundle);
    await ingest([{ type: 'create' }, { type: 'create' }], foreign.bundle);
    const caller = await signInAs(databases, { role: 'Admin', apps: [own.id], since: api.now() });
    expect((await sum('isCache=0', caller)).statistics.all.all_time?.create.all).toBe(1);
    const nobody = await signInAs(databases, { role: 'Admin', apps: [], since: api.now() });
    expect(await sum('isCache=0', nobody)).toMatchObject({ users_count: 0, statistics: { all: { all_time: { create: { all: 0 } } } } });
  });

  it('[APPS-033][PERM-024] needs manager_app_statistics', async () => {
    const without = await signInAs(databases, {
      permissions: ['manager_app_edit', 'manager_app_delete', 'manager_app_requests'],
      since: api.now(),
    });
    expect((await api.call('GET', '/api/apps/statistics/total', without)).status).toBe(403);
    const only = await signInAs(databases, { permissions: ['manager_app_statistics'], since: api.now() });
    expect((await api.call('GET', '/api/apps/statistics/total', only)).status).toBe(200);
  });
});

describe('the list in the order of its statistics', () => {
  const names = ['=Ordered 0', 'Ordered 1', 'Ordered 2', 'Ordered 3', 'Ordered 4', 'Ordered 5', 'Ordered 6'];
  const filter = 'search=ordered&status=all';
  type Figures = { id: number; users_count: number | null; statistics: Statistics };
  /** The value that each key sorts by, read from the rows. */
  const values: Readonly<Record<string, (row: Figures) => number | null | undefined>> = {
    keyTodayCreate: (row) => row.statistics.all.today.create.all,
    keyTodayReceive: (row) => row.statistics.all.today.receive.all,
    keyQaCreate: (row) => row.statistics.qa.create.all,
    keyQaReceive: (row) => row.statistics.qa.receive.all,
    keyBots: (row) => row.statistics.all.today.bots.all,
    keyAllCreate: (row) => row.statistics.all.all_time?.create.all,
    keyAllReceive: (row) => row.statistics.all.all_time?.receive.all,
    keyAllPush: (row) => row.statistics.all.all_time?.push.all,
    keyAllConversion: (row) => row.statistics.all.all_time?.conversion.all,
    keyUsers: (row) => row.users_count,
  };
  let ids: number[];

  beforeAll(async () => {
    ids = [];
    for (const name of names) ids.push((await createApp(databases, { name, deleted_at: name.endsWith('4') ? new Date() : null })).id);
    // The last app has no traffic at all.
    const busy = ids.slice(0, -1);
    const days = fc.integer({ min: 0, max: 7 });
    const rows = fc.sample(
      fc.record({
        app_id: fc.constantFrom(...busy),
        type: fc.constantFrom('create' as const, 'receive' as const, 'static' as const),
        is_qa: fc.boolean(),
        bot: fc.constantFrom('', 'L1'),
        date: days.map((past) => ago(past * 24 * hour)),
      }),
      { numRuns: 60, seed: 5 },
    );
    await ingest(rows);
    const at = ago(hour);
    const delivery = { app_id: ids[1], status: 'success' };
    for (const [kind, sentRows] of [
      ['pushes', [0, 1, 2].map((nth) => ({ app_id: ids[nth % 2], push_id: `p-${nth}`, send_at: at, status: 'sent' }))],
      ['conversions', [{ ...delivery, status_conversion: 'deposit', created_at: at }]],
    ] as const) {
      const answer = await api.call('POST', `/api/ingest/${kind}`, { headers: server.headers, body: { [kind]: sentRows } });
      expect(answer.body.data.accepted).toBe(sentRows.length);
    }
    await signInAs(databases, { panel: 'buyer', role: 'Buyer', apps: ids.slice(2, 4) });
  });

  const list = async (query: string, caller = admin): Promise<(Figures & { name: string })[]> =>
    (await api.call('GET', `/api/apps?${filter}&${query}`, caller)).body.data;

  it.each(Object.entries(values))('[LIST-001] sorts by %s over all pages, ties newest first', async (orderBy, valueOf) => {
    const allRows = await list('isCache=0&limit=200');
    expect(allRows).toHaveLength(7);
    for (const [orderDirection, sign, limit] of [
      ['asc', 1, 2],
      ['desc', -1, 3],
    ] as const) {
      const expected = allRows.toSorted((a, b) => sign * ((valueOf(a) ?? 0) - (valueOf(b) ?? 0)) || b.id - a.id).map(({ id }) => id);
      const pages: number[] = [];
      for (let number = 1; number * limit < 7 + limit; number++) {
        const { body } = await api.call(
          'GET',
          `/api/apps?${filter}&orderBy=${orderBy}&orderDirection=${orderDirection}&limit=${limit}&page=${number}`,
          admin,
        );
        expect(body.pagination.total).toBe(7);
        pages.push(...body.data.map(({ id }: { id: number }) => id));
      }
      expect(pages).toEqual(expected);
    }
    const allValues = new Set(allRows.map(valueOf));
    expect(allValues.size).toBeGreaterThan(1);
  });

  it('[LIST-001] recalculates what it sorts by without the cache, and shows what it sorted by', async () => {
    await list('');
    await ingest(Array.from({ length: 200 }, () => ({ type: 'create' as const, app_id: ids[6] })));
    expect((await list('orderBy=keyTodayCreate'))[0]?.id).not.toBe(ids[6]);
    const [first] = await list('orderBy=keyTodayCreate&isCache=0');
    expect([first?.id, first?.statistics.all.today.create.all]).toEqual([ids[6], 200]);
  });

  it('[LIST-001] has the apps in scope only', async () => {
    const caller = await signInAs(databases, { role: 'Admin', apps: ids.slice(1, 3), since: api.now() });
    const sortedRows = await list('orderBy=keyAllPush&orderDirection=asc', caller);
    expect(sortedRows.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
  });

  it('[LIST-002] gives the default order for statistics that the caller may not see', async () => {
    const caller = await signInAs(databases, { permissions: ['manager_app_edit'], since: api.now() });
    const byDefault = (await list('', caller)).map(({ id }) => id);
    for (const orderBy of ['keyUsers', 'keyAllPush', 'keyAllCreate'])
      expect((await list(`orderBy=${orderBy}&orderDirection=asc`, caller)).map(({ id }) => id)).toEqual(byDefault);
    expect((await list('orderBy=keyTodayCreate', caller)).map(({ id }) => id)).not.toEqual(byDefault);
  });

  it('[LIST-003] counts the requests of the last seven server days, of the apps in scope', async () => {
    const days = async (appIds: readonly number[], caller = admin) =>
      (await api.call('GET', `/api/apps/statistics/days?ids=${appIds.join(',')}`, caller)).body.data;
    const all = await days([...ids, 999_999]);
    expect(all.days).toEqual(['15', '16', '17', '18', '19', '20', '21'].map((date) => `2026-11-${date}`));
    const expected = await Promise.all(
      ids.map(async (id) => ({
        id,
        requests: await Promise.all(
          all.days.map(async (date: string) => {
            const { body } = await api.call('GET', `/api/reports?appId=${id}&startDate=${date}&endDate=${date}&measure=requests`, admin);
            return body.data.totals.current.requests;
          }),
        ),
      })),
    );
    expect(all.apps).toEqual(expected.filter(({ requests }) => requests.some((count) => count > 0)));
    expect(all.apps.length).toBeGreaterThan(4);

    const restrictedAdmin = await signInAs(databases, { role: 'Admin', apps: [ids[1] ?? 0], since: api.now() });
    expect((await days(ids, restrictedAdmin)).apps).toEqual(expected.slice(1, 2));
    expect((await days([])).apps).toEqual([]);
    const many = Array.from({ length: 201 }, (_, nth) => nth + 1).join(',');
    expect((await api.call('GET', `/api/apps/statistics/days?ids=${many}`, admin)).status).toBe(422);
    const without = await signInAs(databases, { permissions: ['manager_app_edit'], since: api.now() });
    expect((await api.call('GET', '/api/apps/statistics/days?ids=1', without)).status).toBe(403);
  });

  it('[LIST-005] writes the list as CSV: filters, order, figures, no formulas, and an entry in the trail', async () => {
    const read = async (query: string, caller = admin) => {
      const answer = await api.app.inject({ url: `/api/apps/download?${filter}&${query}`, headers: caller.headers });
      expect([answer.statusCode, answer.headers['content-disposition']]).toEqual([200, 'attachment; filename="apps.csv"']);
      const [header = [], ...lines] = readCsv(answer.body);
      return lines.map((cells) => new Map(header.map((name, index) => [name, cells[index]])));
    };
    const rows = await list('orderBy=keyAllCreate&isCache=0');
    const lines = await read('orderBy=keyAllCreate&isCache=0');
    expect(lines.map((line) => Number(line.get('id')))).toEqual(rows.map(({ id }) => id));
    expect(lines.map((line) => line.get('name'))).toContain("'=Ordered 0");
    for (const [nth, { statistics: rowStatistics, users_count: users }] of rows.entries()) {
      const line = lines[nth] ?? new Map();
      const { today, all_time: allTime } = rowStatistics.all;
      expect(Number(line.get('users'))).toBe(users);
      expect([line.get('today_create'), line.get('today_create_success')]).toEqual([today.create.all, today.create.success].map(String));
      expect([line.get('qa_receive'), line.get('all_push'), line.get('all_conversion_success')]).toEqual(
        [rowStatistics.qa.receive.all, allTime?.push.all, allTime?.conversion.success].map(String),
      );
    }
    const trail = await api.call('GET', '/api/audit?action=export&entity=app_list', admin);
    expect(trail.body.data[0]).toMatchObject({ entity: 'app_list', action: 'export', entity_id: null, actor: { id: admin.accountId } });

    const caller = await signInAs(databases, { permissions: ['manager_app_edit'], apps: ids.slice(0, 2), since: api.now() });
    const own = await read('', caller);
    expect(own.map((line) => [line.get('id'), line.get('users'), line.get('all_create')])).toEqual(
      [ids[1], ids[0]].map((id) => [`${id}`, '', '']),
    );
    expect(await read('search=nothing-like-it')).toEqual([]);
  });
});
