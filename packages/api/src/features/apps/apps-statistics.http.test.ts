import { counterNames, statistics, type CounterSet, type Statistics } from '@switchyard/contract/app-statistics';
import { formatMicroseconds, fromDate } from '@switchyard/contract/dates';
import { botLabel } from '@switchyard/contract/requests';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildTestApi, type TestApi, eventsAreInPostgres } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
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

/** What the stored events themselves say, row by row. */
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
    const found = await of(bundle);
    expect(found.qa.create).toEqual({ all: 1, success: 1 });
    expect(found.qa.receive).toEqual({ all: 1, success: 1 });
    expect(found.all.all_time?.create).toEqual({ all: 2, success: 2 });
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

      for (const [status, chosen] of [
        ['active', apps.slice(0, 5)],
        ['deleted', apps.slice(5)],
        ['all', apps],
      ] as const) {
        const answer = await api.call('GET', `/api/apps?status=${status}&search=summed&isCache=0&limit=200`, admin);
        const rows = z.array(z.object({ users_count: z.int(), statistics })).parse(answer.body.data);
        expect(rows).toHaveLength(chosen.length);
        const shown = await sum(`status=${status}&search=summed`);
        expect(shown.users_count).toBe(rows.reduce((users, row) => users + row.users_count, 0));
        const sets: ((from: Statistics) => CounterSet | null)[] = [(s) => s.all.today, (s) => s.all.all_time, (s) => s.qa];
        for (const set of sets) {
          for (const name of counterNames) {
            for (const figure of ['all', 'success'] as const) {
              expect(set(shown.statistics)?.[name][figure]).toBe(
                rows.reduce((all, row) => all + (set(row.statistics)?.[name][figure] ?? NaN), 0),
              );
            }
          }
        }
        expect(shown.statistics.all.all_time).toEqual(
          await countDirectly(
            chosen.map((app) => app.id),
            null,
          ),
        );
        expect(shown.statistics.all.today).toEqual(
          await countDirectly(
            chosen.map((app) => app.id),
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
