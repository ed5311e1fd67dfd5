import { dayOf, dayRange, formatDateTime, formatMicroseconds, fromDate } from '@switchyard/contract/dates';
import { costQueryOf } from '@switchyard/contract/report-rules';
import {
  ratioColumn,
  ratioMeasures,
  type Report,
  type ReportGroup,
  reportGroupings,
  type ReportGrouping,
  reportLimits,
  reportMessages,
  reportQuery,
  reportSums,
  type ReportValues,
  writeOwnRatio,
} from '@switchyard/contract/reports';
import { requestTypes } from '@switchyard/contract/requests';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { readCsv } from '../../../test/read-csv.ts';
import { signInAs, signInAsServer } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { toEventCounts } from '@switchyard/traffic-store/grouped-counts';
import { toDeliveryCounts } from '@switchyard/traffic-store/postgres/deliveries/delivery-groups';
import { readReport } from './read-report.ts';

const startsAt = new Date('2026-11-20T12:00:00Z');
const offset = '+02:00';
const day = 86_400_000_000;

type App = { id: number; vertical: string; buyers: number[] };
type Request = {
  app: App;
  type: (typeof requestTypes)[number];
  country: string;
  stream: string;
  asn: string;
  at: number;
  bot: string;
  error: boolean;
  server: number;
};
type Delivery = { app: App; stream: string; at: number; status: string; payout: number };

let api: TestApi;
let serverIds: number[];
let staff: Record<string, string>;
let apps: App[];
let requests: Request[];
let pushes: Delivery[];
let conversions: Delivery[];

beforeAll(async () => {
  const { databases } = await createTestDatabase();
  api = await buildTestApi({ databases, startsAt, env: { SERVER_UTC_OFFSET: offset } });
  await api.maintain();
  staff = (await signInAs(databases, { permissions: ['manager_app_statistics'], since: startsAt })).headers;
  const buyers = [
    (await signInAs(databases, { panel: 'buyer', role: 'Buyer' })).accountId,
    (await signInAs(databases, { panel: 'buyer', role: 'Buyer' })).accountId,
  ];
  apps = [];
  for (const [vertical, own] of [
    ['bet', buyers],
    ['casino', buyers.slice(1)],
    ['bet', []],
  ] as const) {
    const { id } = await createApp(databases, { vertical });
    for (const account_id of own) await databases.db.insertInto('app_buyers').values({ app_id: id, account_id }).execute();
    apps.push({ id, vertical, buyers: [...own] });
  }
  await databases.pools.ops.query(`insert into asns (code, domain, name) values (64500, 'net.example', 'EXAMPLE-NET');
    insert into asn_prefixes (first, last, code) values ('10.2.0.0', '10.2.255.255', 64500), ('10.3.0.0', '10.3.255.255', 64501);
    insert into registry_loads (registry, packaged_version, source, loaded_at, systems, prefixes) values ('asn', '1', 'test', now(), 2, 2)`);
  const addresses: Readonly<Record<string, string>> = { 0: '10.1.2.3', 64500: '10.2.0.1', 64501: '10.3.0.1' };
  const app = fc.constantFrom(...apps);
  const at = fc.integer({ min: fromDate(startsAt) - 40 * day, max: fromDate(startsAt) });
  const stream = fc.constantFrom('', 'st_1', 'st_2');
  const servers = [await signInAsServer(databases), await signInAsServer(databases)] as const;
  serverIds = servers.map((server) => server.serverId);
  requests = fc
    .sample(
      fc.record({
        app,
        type: fc.constantFrom(...requestTypes),
        country: fc.constantFrom('', 'DE', 'US'),
        stream,
        asn: fc.constantFrom('0', '64500', '64501'),
        at,
        bot: fc.constantFrom('', '', 'CF', 'L1'),
        error: fc.boolean(),
      }),
      { numRuns: 300, seed: 1 },
    )
    .map((row, index) => ({ ...row, server: serverIds[index % 3 === 0 ? 1 : 0] ?? 0 }));
  const delivery = (statuses: string[]) =>
    fc.record({ app, stream, at, status: fc.constantFrom(...statuses), payout: fc.constantFrom(0, 1.25, 0.0001, -3) });
  pushes = fc.sample(delivery(['sent', 'pending', 'error']), { numRuns: 100, seed: 2 });
  conversions = fc.sample(delivery(['success', 'error', 'duplicate']), { numRuns: 100, seed: 3 });
  const date = (time: number) => formatMicroseconds(time);
  const eventsOf = (serverId: number) =>
    requests
      .filter(({ server }) => server === serverId)
      .map((row) => ({
        app_id: row.app.id,
        type: row.type,
        country: row.country === '' ? undefined : row.country,
        ip: addresses[row.asn],
        stream_uid: row.stream === '' ? undefined : row.stream,
        date: date(row.at),
        bot: row.bot,
        ...(row.error ? { error: 'boom' } : {}),
      }));
  const pushRows = pushes.map((row, index) => ({ app_id: row.app.id, push_id: `p-${index}`, send_at: date(row.at), status: row.status }));
  const conversionRows = conversions.map((row) => ({
    app_id: row.app.id,
    status_conversion: 'deposit',
    stream_uid: row.stream === '' ? undefined : row.stream,
    status: row.status,
    payout: row.payout,
    created_at: date(row.at),
  }));
  const [first, second] = servers;
  for (const [{ headers }, kind, rows] of [
    [first, 'events', eventsOf(first.serverId)],
    [second, 'events', eventsOf(second.serverId)],
    [first, 'pushes', pushRows],
    [first, 'conversions', conversionRows],
  ] as const) {
    expect((await api.call('POST', `/api/ingest/${kind}`, { headers, body: { [kind]: rows } })).body.data.accepted).toBe(rows.length);
  }
});

const call = async (query: string, headers = staff) => api.call('GET', `/api/reports?${query}`, { headers });
async function read(query: string, headers = staff): Promise<Report> {
  const { status, body } = await call(query, headers);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

/** The keys of the groups that a row belongs to, computed without a database. */
function keysOf(row: Omit<Delivery, 'status' | 'payout'> & Partial<Request>, groupings: readonly ReportGrouping[]): string[] {
  const name = dayOf(row.at, offset);
  const ofDay = row.at - dayRange(name, offset).from;
  const weekday = (new Date(name).getUTCDay() + 6) % 7;
  const values: Record<ReportGrouping, string[]> = {
    app: [String(row.app.id)],
    vertical: [row.app.vertical],
    buyer: row.app.buyers.length === 0 ? [''] : row.app.buyers.map(String),
    country: [row.country || 'none'],
    stream: [row.stream || 'none'],
    asn: [row.asn || 'none'],
    type: [row.type ?? ''],
    day: [name],
    week: [new Date(Date.parse(name) - (weekday * day) / 1000).toISOString().slice(0, 10)],
    month: [name.slice(0, 7)],
    weekday: [String(weekday + 1)],
    hour: [String(Math.floor(ofDay / (day / 24)))],
    date_hour: [formatDateTime(row.at + 2 * (day / 24)).slice(0, 'YYYY-MM-DD HH'.length)],
    server: [String(row.server ?? '')],
    status_conversion: [],
  };
  return groupings
    .reduce<string[][]>((prefixes, grouping) => prefixes.flatMap((keys) => values[grouping].map((value) => [...keys, value])), [[]])
    .map((keys) => keys.join('|'));
}

const isError = (row: Request): boolean => row.error || row.type === 'error';
const succeeds = (row: Request): boolean => !isError(row) && row.bot !== 'L1';

describe('a report', () => {
  const groupings = fc.uniqueArray(fc.constantFrom(...reportGroupings.filter((one) => one !== 'status_conversion')), {
    minLength: 1,
    maxLength: 2,
  });
  const rarely = (query: string) => fc.constantFrom('', '', '', query);

  it('[REP-001, REP-040, ASNX-010] sums requests by any groups, filters and days, as a count of the rows does', async () => {
    const filters = fc.record({
      geo: rarely('&geo=DE'),
      geoNot: rarely('&geoNot=US'),
      stream: rarely('&streamUid=st_1,st_2'),
      streamNot: rarely('&streamUidNot=st_2'),
      asn: rarely('&asn=64500,0'),
      asnNot: rarely('&asnNot=64501'),
      bot: rarely('&bot=L1,none'),
      botNot: rarely('&botNot=none'),
      search: rarely('&search=10.2.0.0/15'),
      ipNot: rarely('&ipNot=10.3.0.0/16'),
      server: rarely(`&serverId=${serverIds[1]},999999999`),
      type: rarely('&type=create,error'),
      typeNot: rarely('&typeNot=track'),
      app: rarely(`&appId=${apps[0]?.id},${apps[1]?.id}`),
      vertical: rarely('&vertical=bet'),
      buyer: rarely(`&buyerId=${apps[1]?.buyers[0]}`),
    });
    await fc.assert(
      fc.asyncProperty(
        groupings,
        filters,
        fc.integer({ min: 0, max: 39 }),
        fc.integer({ min: 0, max: 39 }),
        async (groupBy, geoFilters, a, b) => {
          const oldest = groupBy.includes('date_hour') ? Math.min(a, b) + reportLimits.hourlyDays - 1 : Infinity;
          const agos = [Math.min(Math.max(a, b), oldest), Math.min(a, b)];
          const [first, last] = agos.map((ago) => dayOf(fromDate(startsAt) - ago * day, offset));
          const measures = 'requests,requests_success,bots,create,token_success';
          const address = `measure=${measures}&groupBy=${groupBy.join()}&startDate=${first}&endDate=${last}&limit=1000${Object.values(geoFilters).join('')}`;
          const report = await read(address);
          const matching = requests.filter(
            (row) =>
              dayOf(row.at, offset) >= (first ?? '') &&
              dayOf(row.at, offset) <= (last ?? '') &&
              (geoFilters.geo === '' || row.country === 'DE') &&
              (geoFilters.geoNot === '' || row.country !== 'US') &&
              (geoFilters.stream === '' || row.stream !== '') &&
              (geoFilters.streamNot === '' || row.stream !== 'st_2') &&
              (geoFilters.asn === '' || row.asn !== '64501') &&
              (geoFilters.asnNot === '' || row.asn !== '64501') &&
              (geoFilters.bot === '' || row.bot !== 'CF') &&
              (geoFilters.botNot === '' || row.bot !== '') &&
              (geoFilters.search === '' || row.asn !== '0') &&
              (geoFilters.ipNot === '' || row.asn !== '64501') &&
              (geoFilters.server === '' || row.server === serverIds[1]) &&
              (geoFilters.type === '' || row.type === 'create' || isError(row)) &&
              (geoFilters.typeNot === '' || row.type !== 'track') &&
              (geoFilters.app === '' || row.app !== apps[2]) &&
              (geoFilters.vertical === '' || row.app.vertical === 'bet') &&
              (geoFilters.buyer === '' || row.app.buyers.some((id) => id === apps[1]?.buyers[0])),
          );
          const sums = (rows: readonly Request[]): ReportValues => ({
            requests: rows.length,
            requests_success: rows.filter(succeeds).length,
            bots: rows.filter((row) => row.bot === 'L1').length,
            create: rows.filter((row) => row.type === 'create').length,
            token_success: rows.filter((row) => row.type === 'token' && succeeds(row)).length,
          });
          const expected = Map.groupBy(
            matching.flatMap((row) => keysOf(row, groupBy).map((key) => ({ key, row }))),
            ({ key }) => key,
          );
          expect(new Map(report.groups.map(({ keys, current }) => [keys.map(({ value }) => value).join('|'), current]))).toEqual(
            new Map(Array.from(expected, ([key, rows]) => [key, sums(rows.map(({ row }) => row))])),
          );
          expect(report.total_groups).toBe(expected.size);
          expect(report.totals.current).toEqual(sums(matching));
          // The first groups are those of the whole report, with its totals.
          const order = `ratio=x:create/requests&orderBy=${['create', 'requests', 'key', 'bots', 'ratio:x'][a % 5]}&orderDirection=${b % 2 === 0 ? 'asc' : 'desc'}`;
          const ordered = await read(`${address}&${order}`);
          expect(await read(`${address.replace('limit=1000', 'limit=2')}&${order}`)).toEqual({
            ...ordered,
            groups: ordered.groups.slice(0, 2),
          });
        },
      ),
      { numRuns: 50, seed: 4 },
    );
  });

  it('[REP-004] sums pushes and conversions by status with exact payouts where they know the groups', async () => {
    const groupingsWithoutServer = fc.uniqueArray(
      fc.constantFrom<ReportGrouping>('app', 'vertical', 'buyer', 'stream', 'day', 'month', 'weekday', 'hour'),
      {
        minLength: 1,
        maxLength: 2,
      },
    );
    await fc.assert(
      fc.asyncProperty(groupingsWithoutServer, async (groupBy) => {
        const measures = 'pushes,pushes_success,pushes_by_status,conversions,conversions_by_status,payout';
        const report = await read(`measure=${measures}&groupBy=${groupBy.join()}&startDate=2026-10-01&limit=1000`);
        const hasPushes = !groupBy.includes('stream');
        const sums = (ofPushes: readonly Delivery[], ofConversions: readonly Delivery[]): ReportValues => {
          const of = (rows: readonly Delivery[], status: string) => rows.filter((row) => row.status === status).length;
          const statuses = (kind: string, rows: readonly Delivery[], names: string[]) =>
            names.map((name) => [`${kind}:${name}`, of(rows, name)]);
          return {
            pushes: hasPushes ? ofPushes.length : null,
            pushes_success: hasPushes ? of(ofPushes, 'sent') : null,
            ...(hasPushes ? Object.fromEntries(statuses('pushes', ofPushes, ['sent', 'pending', 'error'])) : { pushes_by_status: null }),
            conversions: ofConversions.length,
            ...Object.fromEntries(statuses('conversions', ofConversions, ['success', 'error', 'duplicate'])),
            payout: String(ofConversions.reduce((sum, { payout }) => sum + Math.round(payout * 10_000), 0) / 10_000),
          };
        };
        const groupRows = (rows: readonly Delivery[]) =>
          Map.groupBy(
            rows.flatMap((row) => keysOf(row, groupBy).map((key) => ({ key, row }))),
            ({ key }) => key,
          );
        const [ofPushes, ofConversions] = [groupRows(hasPushes ? pushes : []), groupRows(conversions)];
        const rowsOf = (groups: ReturnType<typeof groupRows>, key: string) => (groups.get(key) ?? []).map(({ row }) => row);
        const keys = new Set([...ofPushes.keys(), ...ofConversions.keys()]);
        expect(new Map(report.groups.map((group) => [group.keys.map(({ value }) => value).join('|'), group.current]))).toEqual(
          new Map(Array.from(keys, (key) => [key, sums(rowsOf(ofPushes, key), rowsOf(ofConversions, key))])),
        );
        expect(report.totals.current).toEqual(sums(pushes, conversions));
      }),
      { numRuns: 15, seed: 5 },
    );
    for (const [query, count] of [
      ['groupBy=type', requests.length],
      ['ipNot=203.0.113.9', requests.length],
      ['search=203.0.113.9', 0],
    ] as const) {
      const { totals } = await read(`measure=payout,conversions,pushes,requests&${query}&startDate=2026-10-01`);
      expect(totals.current).toEqual({ payout: null, conversions: null, pushes: null, requests: count });
    }
    const { groups, source } = await read('measure=requests&groupBy=asn&orderBy=key&startDate=2026-10-01');
    expect(groups.map(({ keys }) => keys)).toEqual([
      [{ value: '0', name: null }],
      [{ value: '64500', name: 'EXAMPLE-NET' }],
      [{ value: '64501', name: null }],
    ]);
    expect([source, (await read('groupBy=asn,country')).source]).toEqual(['roll-ups', 'events']);
  });

  it('[REP-022, REP-023] divides sums, also those of totals and of the compared period, and names ratios of fewer than 30', async () => {
    const builtIn = Object.entries(ratioMeasures);
    const own = { name: 'Paid, all', part: 'payout', whole: 'conversions', times: 1_000 } as const;
    const named = { ...own, name: 'Paid per thousand' };
    const sums = reportSums.join();
    for (const groupBy of ['day', 'app,month', 'stream', 'country', 'buyer,type']) {
      const report = await read(
        `measure=${sums},${Object.keys(ratioMeasures).join()}&ratio=${encodeURIComponent(writeOwnRatio(named))}&groupBy=${groupBy}` +
          '&startDate=2026-10-25&compare=previous&limit=1000',
      );
      expect(report.columns.at(-1)).toBe('ratio:Paid per thousand');
      for (const { current, compared, few } of [...report.groups, report.totals]) {
        const expectedFew = new Set<string>();
        for (const [column, { part, whole, times }] of [...builtIn, [ratioColumn(named.name), named] as const]) {
          for (const side of [current, compared ?? {}]) {
            const [above, below] = [side[part] ?? null, side[whole] ?? null];
            const expected = above === null || below === null || below === 0 ? null : (Number(above) * times) / Number(below);
            expect(side[column], `${groupBy} ${column}`).toBe(expected);
            if (expected !== null && Number(below) < 30) expectedFew.add(column);
          }
        }
        expect(new Set(few)).toEqual(expectedFew);
      }
    }
    for (const ratio of [
      'x',
      'x:requests',
      'x:requests/payout',
      'x:bot_share/requests',
      'x:nothing/requests',
      ':bots/requests',
      writeOwnRatio(own),
    ])
      expect((await call(`ratio=${encodeURIComponent(ratio)}`)).status, ratio).toBe(422);
    const twice = await call(`ratio=${encodeURIComponent('x:bots/requests,x:create/requests')}`);
    expect([twice.status, twice.body.errors]).toEqual([422, { ratio: [reportMessages.ratio] }]);
  });

  it('[REP-024] orders by the change of a column, absolute or in percent, those without a change last and ties by key', async () => {
    const query = 'groupBy=app,hour&measure=conversions,success_share,payout&days=7&compare=week&least=1&limit=1000';
    for (const by of ['change', 'percent'] as const) {
      for (const column of ['conversions', 'success_share', 'payout']) {
        for (const direction of ['asc', 'desc']) {
          const { groups, total_groups: all } = await read(`${query}&orderBy=${by}:${column}&orderDirection=${direction}`);
          const numberOf = (value: string | number | null | undefined): number | null => (value == null ? null : Number(value));
          const ranks = groups.map(({ current, compared }) => {
            const [now, before] = [numberOf(current[column]), numberOf(compared?.[column])];
            if (now === null || before === null) return Infinity;
            const change = now - before;
            const own = by === 'change' || change === 0 ? change : before === 0 ? Math.sign(change) * 1e308 : change / Math.abs(before);
            return direction === 'asc' ? own : -own;
          });
          expect(groups.length).toBe(all);
          expect(ranks, `${by} ${column} ${direction}`).toEqual(ranks.toSorted((a, b) => a - b));
          const part = await read(`${query.replace('1000', '7')}&orderBy=${by}:${column}&orderDirection=${direction}`);
          expect(part.groups).toEqual(groups.slice(0, 7));
        }
      }
    }
    // Without a comparison nothing changed.
    const plain = await read('groupBy=app&measure=requests&days=7&orderBy=change:requests');
    expect(plain.groups).toEqual((await read('groupBy=app&measure=requests&days=7')).groups);
  });

  it('[REP-059] puts groups of less than the least volume last where they are ordered by a ratio or by change in percent', async () => {
    const query = 'groupBy=app,country&measure=success_share,requests,payout&startDate=2026-10-20&compare=previous&limit=1000';
    const isSmall = (
      { current, compared }: Pick<ReportGroup, 'current' | 'compared'>,
      least: number,
      column: string,
      isOfBoth = true,
    ): boolean => {
      const counts = (isOfBoth ? [current, compared ?? {}] : [current]).map((side) => Number(side['requests'] ?? 0));
      return column === 'requests'
        ? Math.max(...counts) > 0 && Math.max(...counts) < least
        : counts.some((count) => count > 0 && count < least);
    };
    for (const orderBy of ['success_share', 'percent:success_share', 'change:success_share', 'percent:requests']) {
      const column = orderBy.slice(orderBy.indexOf(':') + 1);
      for (const direction of ['asc', 'desc']) {
        const order = `orderBy=${orderBy}&orderDirection=${direction}`;
        const all = await read(`${query}&${order}&least=1`);
        for (const least of [15, 20]) {
          const { groups } = await read(`${query}&${order}&least=${least}`);
          const isOfBoth = orderBy.includes(':');
          const small = groups.filter((group) => isSmall(group, least, column, isOfBoth));
          expect(small.length, `${order} ${least}`).toBeGreaterThan(0);
          expect(groups.slice(groups.length - small.length)).toEqual(small);
          const texts = (rows: readonly ReportGroup[]) => rows.map(({ keys }) => keys.map(({ value }) => value).join());
          const large = all.groups.filter((group) => !isSmall(group, least, column, isOfBoth));
          expect(texts(groups.slice(0, large.length))).toEqual(texts(large));
          for (const { few, few_current: fewNow = [], ...group } of groups) {
            expect(few.includes('success_share')).toBe(isSmall(group, least, 'success_share'));
            expect(fewNow.includes('success_share')).toBe(isSmall(group, least, 'success_share', false));
          }
        }
        expect((await read(`${query}&${order}`)).groups).toEqual((await read(`${query}&${order}&least=30`)).groups);
        // The whole report is smaller.
        const keys = ({ groups }: Report) => groups.map((group) => group.keys);
        expect(keys(await read(`${query}&${order}&least=100000`))).toEqual(keys(all));
      }
    }
    const byPayout = `${query}&orderBy=percent:payout&orderDirection=desc`;
    expect((await read(`${byPayout}&least=1000`)).groups.map(({ keys }) => keys)).toEqual(
      (await read(`${byPayout}&least=1`)).groups.map(({ keys }) => keys),
    );
  });

  it('[REP-020] compares the running day with the same hours by every group, and days that are over whole', async () => {
    const compare = 'measure=requests,pushes,conversions,payout&startDate=2026-11-01&endDate=2026-11-20&compare=previous';
    const shift = 20 * day;
    const [first, until] = [dayRange('2026-10-12', offset).from, fromDate(startsAt) - shift];
    const within = <Row extends { at: number }>(rows: readonly Row[]) => rows.filter(({ at }) => at >= first && at < until);
    const sums = {
      requests: within(requests).length,
      pushes: within(pushes).length,
      conversions: within(conversions).length,
      payout: String(within(conversions).reduce((sum, { payout }) => sum + Math.round(payout * 10_000), 0) / 10_000),
    };
    const wholeDays = requests.filter(({ at }) => at >= first && dayOf(at, offset) <= '2026-10-31');
    expect(sums.requests).toBeLessThan(wholeDays.length);
    for (const groupBy of ['day', 'app', 'hour', 'vertical', 'month']) {
      expect((await read(`${compare}&groupBy=${groupBy}`)).totals.compared, groupBy).toEqual(sums);
    }
    for (const groupBy of ['country', 'type', 'server']) {
      expect((await read(`${compare}&groupBy=${groupBy}`)).totals.compared?.requests, groupBy).toBe(sums.requests);
    }
    expect((await read(`${compare}&groupBy=stream`)).totals.compared).toMatchObject({ ...sums, pushes: null });
    const over = await read('measure=requests&startDate=2026-11-18&endDate=2026-11-19&compare=week');
    const whole = requests.filter(({ at }) => ['2026-11-11', '2026-11-12'].includes(dayOf(at, offset)));
    expect([over.compared_until, over.totals.compared]).toEqual([null, { requests: whole.length }]);
  });

  it.each(['app', 'hour', 'country'])('[REP-020] compares no hours at midnight, when none of the day is over, by %s', async (groupBy) => {
    const now = new Date(dayRange('2026-11-20', offset).from / 1000);
    const midnight = await buildTestApi({ databases: api.databases, startsAt: now, env: { SERVER_UTC_OFFSET: offset } });
    onTestFinished(async () => midnight.app.close());
    const { headers } = await signInAs(api.databases, { permissions: ['manager_app_statistics'], since: now });
    const query = `measure=requests,pushes,conversions,payout&groupBy=${groupBy}&days=1&compare=previous`;
    const { status, body } = await midnight.call('GET', `/api/reports?${query}`, { headers });
    expect([status, body.data?.totals.compared]).toEqual([200, { requests: 0, pushes: 0, conversions: 0, payout: '0' }]);
  });

  it.each([
    ['previous', '2026-11-13', '2026-11-16'],
    ['week', '2026-11-10', '2026-11-13'],
    ['month', '2026-10-17', '2026-10-20'],
  ])('[REP-003, REP-020] is shown beside the days of the %s period', async (compare, from, to) => {
    const report = await read(`measure=requests&groupBy=day&startDate=2026-11-17&endDate=2026-11-20&compare=${compare}`);
    expect([report.compared_from, report.compared_to]).toEqual([from, to]);
    const shift = (Date.parse('2026-11-17') - Date.parse(from)) * 1000;
    // Today ends at noon so far, and so does the day beside it.
    const until = fromDate(startsAt) - shift;
    expect(report.compared_until).toBe(formatDateTime(until));
    const rows = requests.filter((row) => dayOf(row.at, offset) >= from && row.at < until);
    expect(report.totals.compared).toEqual({ requests: rows.length });
    for (const { keys, compared } of report.groups) {
      const rowsOfDay = rows.filter((row) => dayOf(row.at + shift, offset) === keys[0]?.value);
      expect(compared).toEqual({ requests: rowsOfDay.length });
    }
  });

  it.each([
    ['2026-10-31', '2026-09-30'],
    ['2026-03-31', '2026-02-28'],
    ['2024-03-30', '2024-02-29'],
    ['2026-01-31', '2025-12-31'],
  ])('[REP-003] compares %s with %s, the last day of a shorter month', async (startDate, from) => {
    const { compared_from, compared_to } = await read(`measure=requests&startDate=${startDate}&endDate=${startDate}&compare=month`);
    expect([compared_from, compared_to]).toEqual([from, from]);
  });

  it('[REP-055, REP-056] of the last whole month is compared with the whole month before, whose longer end counts in totals and months', async () => {
    const { databases } = api;
    const now = new Date('2026-12-10T12:00:00Z');
    const later = await buildTestApi({ databases, startsAt: now, env: { SERVER_UTC_OFFSET: offset } });
    onTestFinished(async () => later.app.close());
    const { headers } = await signInAs(databases, { permissions: ['manager_app_statistics'], since: now });
    const readBy = async (groupBy: string, compare = 'previous'): Promise<Report> => {
      const query = `groupBy=${groupBy}&measure=requests,conversions&period=last_month&compare=${compare}`;
      return (await later.call('GET', `/api/reports?${query}`, { headers })).body.data;
    };
    const in31 = (rows: readonly { at: number }[]) => rows.filter(({ at }) => dayOf(at, offset).startsWith('2026-10')).length;
    const byDay = await readBy('day');
    expect(byDay).toMatchObject({ from: '2026-11-01', to: '2026-11-30', compared_from: '2026-10-01', compared_to: '2026-10-31' });
    expect(byDay.totals.compared).toEqual({ requests: in31(requests), conversions: in31(conversions) });
    const last = requests.filter(({ at }) => dayOf(at, offset) === '2026-10-31').length;
    expect(last).toBeGreaterThan(0);
    expect(byDay.groups.every(({ keys }) => (keys[0]?.value ?? '') <= '2026-11-30')).toBe(true);
    const shown = byDay.groups.map(({ compared }) => Number(compared?.['requests'] ?? 0));
    expect(shown.reduce((sum, one) => sum + one, 0)).toBe(in31(requests) - last);
    const byMonth = await readBy('month', 'month');
    expect(byMonth.groups.map(({ keys, compared }) => [keys[0]?.value, compared?.['requests']])).toEqual([['2026-11', in31(requests)]]);
  });

  it('[REP-005] contains only apps in scope, by name', async () => {
    const [own, other] = apps;
    const limitedReader = await signInAs(api.databases, {
      permissions: ['manager_app_statistics'],
      apps: own === undefined ? [] : [own.id],
      since: startsAt,
    });
    const mine = requests.filter((row) => row.app === own);
    const report = await read('groupBy=app,buyer&measure=requests&startDate=2026-10-01', limitedReader.headers);
    expect(report.groups.map(({ keys, current }) => [keys[0]?.value, keys[0]?.name === null, keys[1]?.value, current['requests']])).toEqual(
      (own?.buyers ?? []).map((buyer) => [String(own?.id), false, String(buyer), mine.length]),
    );
    // Two buyers see the same app, which the total counts once.
    expect(report.totals.current).toEqual({ requests: mine.length });
    expect((await read(`appId=${other?.id}&startDate=2026-10-01`, limitedReader.headers)).total_groups).toBe(0);
    const without = await signInAs(api.databases, { permissions: ['manager_app_all_requests'], since: startsAt });
    expect((await call('', without.headers)).status).toBe(403);
  });

  it('[REP-005] names no stream of an app outside the scope, though requests of an own app have its uid', async () => {
    const [own, other] = apps;
    const { headers } = await signInAsServer(api.databases);
    const common = { buyer_id: own?.buyers[0], created_at: '2026-11-01 10:00:00', updated_at: '2026-11-01 10:00:00' };
    const streams = [
      { app_id: own?.id, uid: 'st_1', name: 'Own stream', ...common },
      { app_id: other?.id, uid: 'st_2', name: 'Other stream', ...common },
    ];
    expect((await api.call('POST', '/api/ingest/streams', { headers, body: { streams } })).body.data.accepted).toBe(2);
    // Other tests expect streams without names.
    onTestFinished(async () => void (await api.databases.pools.ops.query('delete from streams')));
    const namesFor = async (caller = staff) => {
      const { groups } = await read(`groupBy=stream&measure=requests&appId=${own?.id}&days=30`, caller);
      return new Map(groups.map(({ keys: [key] }) => [key?.value, key?.name] as const));
    };
    const limitedReader = await signInAs(api.databases, {
      permissions: ['manager_app_statistics'],
      apps: own === undefined ? [] : [own.id],
      since: startsAt,
    });
    const names = { none: null, st_1: 'Own stream', st_2: 'Other stream' };
    expect(Object.fromEntries(await namesFor())).toEqual(names);
    expect(Object.fromEntries(await namesFor(limitedReader.headers))).toEqual({ ...names, st_2: null });
  });

  it.each([
    ['success_share', 'desc'],
    ['success_share', 'asc'],
    ['key', 'desc'],
    ['key', 'asc'],
  ])('[REP-006] shows the first groups by %s, %s, those without a value last and ties by key', async (orderBy, direction) => {
    const query = `groupBy=app,hour&measure=success_share&days=7&compare=week&least=1&orderBy=${orderBy}&orderDirection=${direction}`;
    const { groups, total_groups: all } = await read(`${query}&limit=1000`);
    const sign = direction === 'asc' ? 1 : -1;
    const ranks = groups.map((group) => {
      const share = group.current['success_share'] ?? null;
      const place = group.keys.reduce((sum, { value }) => sum * 1000 + Number(value), 0);
      return { group, place, rank: orderBy === 'key' ? sign * place : share === null ? 9 : sign * Number(share) };
    });
    const orderedGroups = ranks.toSorted((a, b) => a.rank - b.rank || a.place - b.place).map(({ group }) => group);
    expect(new Set(ranks.map(({ rank }) => rank)).size).toBeGreaterThan(orderBy === 'key' ? 20 : 3);
    expect(ranks.some(({ group }) => group.current['success_share'] === null)).toBe(true);
    expect([groups, all]).toEqual([orderedGroups, orderedGroups.length]);
    expect((await read(`${query}&limit=20`)).groups).toEqual(orderedGroups.slice(0, 20));
  });

  it('[REP-006, REP-018] marks what retention cut, and says what it is counted from', async () => {
    const old = await read('groupBy=day&startDate=2026-08-01&compare=previous&measure=requests');
    expect(old).toMatchObject({ complete_from: '2026-08-18', is_complete: false, compared_is_complete: false });
    expect((await read('groupBy=day')).is_complete).toBe(true);
    expect((await read('groupBy=country,stream&measure=requests')).source).toBe('events');
    expect((await read('groupBy=stream')).source).toBe('roll-ups');
    const byServer = await read('groupBy=server&measure=requests');
    expect([byServer.source, byServer.groups[0]?.keys]).toEqual(['events', [{ value: String(serverIds[0]), name: expect.any(String) }]]);
    expect((await read('')).from).toBe('2026-11-14');
    expect((await read('days=30')).from).toBe('2026-10-22');
    expect((await read(`days=${reportLimits.days}`)).from).toBe('2024-02-25');
    expect(await read('days=3&endDate=2026-11-10')).toMatchObject({ from: '2026-11-08', to: '2026-11-10' });
    expect((await read('days=3&startDate=2026-11-01')).from).toBe('2026-11-01');
  });

  it('[REP-007] is a file with all of its groups', async () => {
    const query = 'groupBy=stream,day&measure=requests,payout&startDate=2026-10-01&compare=week&orderBy=requests';
    const { status, body, headers } = await api.call('GET', `/api/reports/download?${query}`, { headers: staff });
    expect([status, headers['content-disposition']]).toEqual([200, 'attachment; filename="report.csv"']);
    const { groups, totals } = await read(`${query}&limit=1000`);
    const [header, ...rows] = readCsv(body);
    const valuesOf = ({ current, compared }: Pick<typeof totals, 'current' | 'compared'>): string[] =>
      [current, compared].flatMap((values) => [String(values?.['requests']), String(values?.['payout'])]);
    expect(rows.pop()).toEqual(['(total)', '', '', ...valuesOf(totals)]);
    expect(header).toEqual(['stream', 'stream_name', 'day', 'requests', 'payout', 'requests_compared', 'payout_compared']);
    expect(rows).toEqual(
      groups.map(({ keys: [stream, name], current, compared }) => [stream?.value, '', name?.value, ...valuesOf({ current, compared })]),
    );
    const entry = await api.databases.db
      .selectFrom('audit_entries')
      .select(['entity', 'action', 'entity_label'])
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
    expect(entry).toEqual([{ entity: 'report', action: 'export', entity_label: 'stream, day' }]);
  });

  it('[REP-028, REP-029, REP-032] turns a flat report into a pivot with the same figures, as JSON and as CSV, and others whose ratios divide sums', async () => {
    const sums = 'requests,requests_success,bots,conversions,payout';
    const query = `groupBy=app,stream&measure=${sums},success_share,payout_per_thousand&invalid=1&startDate=2026-10-20&compare=previous`;
    const flat = await read(`${query}&limit=1000`);
    const whole = await read(`${query}&pivot=1`);
    expect(whole).toMatchObject({ total_groups: apps.length, columns: flat.columns, totals: flat.totals });
    const cells = whole.groups.flatMap(({ keys: [row], cells: ofRow }) =>
      (ofRow ?? []).flatMap((cell, at) => (cell === null ? [] : [{ keys: [row, whole.pivot?.keys[at]], ...cell }])),
    );
    const byKeys = (groups: readonly { keys: unknown[] }[]) => new Map(groups.map((group) => [JSON.stringify(group.keys), group]));
    expect(byKeys(cells)).toEqual(byKeys(flat.groups));
    for (const [at, grouping] of (['app', 'stream'] as const).entries()) {
      const { groups } = await read(`${query.replace('app,stream', grouping)}&limit=1000`);
      const totals = at === 0 ? whole.groups : whole.pivot?.keys.map((key, column) => ({ keys: [key], ...whole.totals.cells?.[column] }));
      const withoutCells = (totals ?? []).map((total) => ({ ...total, cells: undefined }));
      expect(byKeys(withoutCells)).toEqual(byKeys(groups));
    }

    const { groups, totals, pivot } = await read(`${query}&pivot=1&top=1`);
    expect(groups.map(({ keys }) => keys[0]?.merged)).toEqual([undefined, apps.length - 1]);
    expect(pivot?.keys.map(({ merged }) => merged)).toEqual([undefined, 2]);
    for (const cell of [totals, ...groups].flatMap((row) => [row, ...(row.cells ?? [])])) {
      const { requests: all, requests_success: successes, payout, success_share, payout_per_thousand } = cell?.current ?? {};
      expect(success_share).toBe(Number(successes) / Number(all));
      expect(payout_per_thousand).toBe((Number(payout) * 1_000) / Number(all));
    }
    for (const sum of sums.split(',')) {
      for (const side of ['current', 'compared'] as const) {
        const added = groups.reduce((all, group) => all + Math.round(Number(group[side]?.[sum]) * 10_000), 0);
        expect(added, `${sum} ${side}`).toBe(Math.round(Number(flat.totals[side]?.[sum]) * 10_000));
      }
    }

    const { body } = await api.call('GET', `/api/reports/download?${query}&pivot=1&top=1`, { headers: staff });
    const [header, ...rows] = readCsv(body);
    const names = [...flat.columns, ...flat.columns.map((column) => `${column}_compared`)];
    const columnNames = [pivot?.keys[0]?.value === '' ? '(none)' : pivot?.keys[0]?.value, '(others)'];
    expect(header).toEqual(['app', 'app_name', ...names, ...columnNames.flatMap((key) => names.map((name) => `${key}: ${name}`))]);
    const texts = (row: Pick<ReportGroup, 'current' | 'compared'> | null) =>
      [row?.current, row?.compared].flatMap((values) => flat.columns.map((column) => String(values?.[column] ?? '')));
    expect(rows).toEqual(
      [
        ...groups.map((group) => ({ ...group, key: group.keys[0] })),
        { ...totals, key: { value: '(total)', name: '', merged: undefined } },
      ].map(({ key, cells: ofRow, ...row }) => [
        key?.merged === undefined ? key?.value : '(others)',
        key?.name ?? '',
        ...texts(row),
        ...(ofRow ?? []).flatMap((cell) => texts(cell ?? pivot?.empty ?? null)),
      ]),
    );
  });

  it('[REP-027, REP-030, REP-031] counts an app once for all other buyers, and hours of days in a row, the latest of too many columns', async () => {
    const query = 'groupBy=buyer&measure=requests&startDate=2026-10-01&orderBy=requests';
    const shared = apps.slice(0, 2).flatMap(({ buyers }) => buyers);
    const { groups } = await read(`${query}&top=1`);
    const [first, others] = groups;
    const shownBuyer = Number(first?.keys[0]?.value);
    const ofOthers = requests.filter(({ app }) => app.buyers.length === 0 || app.buyers.some((buyer) => buyer !== shownBuyer));
    expect([shared.includes(shownBuyer), groups.length, others?.keys]).toEqual([true, 2, [{ value: '', name: null, merged: 2 }]]);
    expect(others?.current).toEqual({ requests: ofOthers.length });

    const hourly = await read('groupBy=app,date_hour&measure=requests&days=31&pivot=1');
    const keys = hourly.pivot?.keys.slice(0, -1).map(({ value }) => value) ?? [];
    expect([keys.length, keys[0], keys.at(-1)]).toEqual([reportLimits.pivotColumns, '2026-11-16 20', '2026-11-20 23']);
    const earlier = requests.filter(
      (row) => row.at >= dayRange('2026-10-21', offset).from && row.at < dayRange('2026-11-16', offset).from + (day / 24) * 20,
    );
    expect(hourly.totals.cells?.at(-1)?.current).toEqual({ requests: earlier.length });
    const weekdays = await read('groupBy=weekday,hour&measure=requests&days=7&pivot=1&compare=month');
    expect(weekdays.groups.map((group) => group.keys[0]?.value)).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    expect(weekdays.pivot?.keys.map(({ value }) => Number(value))).toEqual(Array.from({ length: 24 }, (_, hour) => hour));
    const file = await api.call('GET', '/api/reports/download?groupBy=app,hour&measure=requests,success_share&days=2&pivot=1', {
      headers: staff,
    });
    const turned = await read('groupBy=app,hour&measure=requests,success_share&days=2&pivot=1');
    expect(turned.groups.some(({ cells = [] }) => cells.includes(null))).toBe(true);
    expect(
      readCsv(file.body)
        .slice(1, -1)
        .map((row) => row.slice(4)),
    ).toEqual(
      turned.groups.map(({ cells = [] }) =>
        cells.flatMap((cell) => (cell === null ? ['0', ''] : [cell.current['requests'], cell.current['success_share'] ?? ''].map(String))),
      ),
    );
    const weekAgo = await read('groupBy=date_hour&measure=requests&days=2&endDate=2026-11-12&compare=week&limit=1000');
    for (const {
      keys: [hour],
      compared,
    } of weekAgo.groups) {
      const rows = requests.filter(({ at }) => formatDateTime(at + 7 * day + 2 * (day / 24)).slice(0, 13) === hour?.value);
      expect(compared).toEqual({ requests: rows.length });
    }
    // In the order of keys, the largest are shown.
    const byApp = await read('groupBy=app&measure=requests&startDate=2026-10-01');
    const [largest] = byApp.groups;
    const byKey = await read('groupBy=app,month&measure=requests&startDate=2026-10-01&orderBy=key&top=1&pivot=1');
    expect(byKey.groups[0]?.keys).toEqual(largest?.keys);
    const mondays = requests.filter(({ at }) => dayOf(at, offset) === '2026-10-19');
    expect(weekdays.groups[0]?.compared).toEqual({ requests: mondays.length });
  });

  /** The report of stores that count these groups, by streams. */
  const readCounts = async (
    measure: string[],
    groups: { events: readonly string[]; conversions: readonly { key?: string; status?: string; stored?: number }[] },
    limit = 1,
    layout = {},
  ) =>
    readReport(
      {
        db: api.databases.db,
        eventStore: {
          countGroups: async () =>
            toEventCounts({ key_0: groups.events, requests: groups.events.map((key) => 1 + (Number(key) % 97)) }, { by: ['stream'] }),
        },
        deliveryStore: {
          countPushGroups: async () => toDeliveryCounts({ status: [], stored: [], payout: [] }, []),
          countConversionGroups: async () =>
            toDeliveryCounts(
              {
                key_0: groups.conversions.map(({ key = '' }) => key),
                status: groups.conversions.map(({ status = 'success' }) => status),
                stored: groups.conversions.map(({ stored = 1 }) => stored),
                payout: groups.conversions.map(() => '1'),
              },
              ['stream'],
            ),
        },
        serverOffset: offset,
        retentionDays: 90,
      },
      { query: reportQuery.parse({ groupBy: ['stream'], measure, ...layout }), scope: 'all', now: fromDate(startsAt), limit },
    );

  it('[REP-001] has as many groups as the limit at most, of requests and conversions together', async () => {
    const keysFrom = (first: number) => Array.from({ length: 60_000 }, (_, at) => String(first + at));
    const readOf = async (firstConversion: number) =>
      readCounts(['requests', 'conversions'], { events: keysFrom(0), conversions: keysFrom(firstConversion).map((key) => ({ key })) });
    expect((await readOf(40_000)).total_groups).toBe(reportLimits.groups);
    const tooMany = { errors: { groupBy: [reportMessages.groups] } };
    await expect(readOf(40_001)).rejects.toMatchObject(tooMany);
    // The store left rows out, so what they add up to is not known.
    const groupsOverLimit = Array.from({ length: reportLimits.groups + 1 }, () => '');
    await expect(readCounts(['requests'], { events: groupsOverLimit, conversions: [] })).rejects.toMatchObject(tooMany);
  });

  it.each([
    'measure=requests,create,requests_success&ratio=x:create/requests',
    'measure=requests,create,conversions,payout&ratio=x:create/requests',
  ])('[REP-006] has the first groups of the whole report with its totals, in any order: %s', async (measures) => {
    const query = `${measures}&groupBy=app,stream&startDate=2026-10-01`;
    for (const column of ['requests', 'create', 'ratio:x', 'payout', 'key']) {
      for (const direction of ['asc', 'desc']) {
        const order = `orderBy=${column}&orderDirection=${direction}`;
        const whole = await read(`${query}&${order}&limit=1000`);
        expect(whole.groups).toHaveLength(whole.total_groups);
        expect(await read(`${query}&${order}&limit=1`), order).toEqual({ ...whole, groups: whole.groups.slice(0, 1) });
      }
    }
  });

  it('[REP-006] has the first of many groups in their order', async () => {
    const events = Array.from({ length: 3000 }, (_, at) => String((at * 7919) % 3000));
    const sortedKeys = events.toSorted((a, b) => (Number(b) % 97) - (Number(a) % 97) || Number(a) - Number(b));
    for (const limit of [1, 40, 2999, 3000]) {
      const { groups } = await readCounts(['requests'], { events, conversions: [] }, limit);
      expect(groups.map(({ keys: [key] }) => key?.value)).toEqual(sortedKeys.slice(0, limit));
    }
  });

  it('[REP-030] returns as many rows of a pivot as have 20,000 cells', async () => {
    const events = Array.from({ length: 1000 }, (_, at) => String(at));
    const layout = { groupBy: ['stream', 'hour'], pivot: ['1'] };
    const { groups, pivot, total_groups: all } = await readCounts(['requests'], { events, conversions: [] }, 1000, layout);
    // The store knows no hours here, so there is a column of others.
    expect([groups.length, pivot?.keys.length, all]).toEqual([reportLimits.pivotCells / 25, 25, 1000]);
  });

  it('[REP-004] has a column for each of the most frequent statuses', async () => {
    const statuses = Array.from({ length: reportLimits.statuses + 2 }, (_, at) => ({ status: `s${at}`, stored: 1 + at }));
    const { columns } = await readCounts(['conversions_by_status'], { events: [], conversions: statuses });
    expect(columns).toEqual(
      statuses
        .slice(2)
        .map(({ status }) => `conversions:${status}`)
        .toReversed(),
    );
  });

  it('[REP-008] gives up at the statement limit of lists, and says that the server is busy', async () => {
    const { ops } = api.databases.pools;
    const holder = await ops.connect();
    try {
      await holder.query('begin; lock table push_status_days in access exclusive mode');
      const answer = call('groupBy=day&measure=pushes');
      const waiting = async (): Promise<{ pid: number; pool: string } | undefined> => {
        const { rows } = await holder.query<{ pid: number; pool: string }>(
          `select pid, application_name as pool from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows[0];
      };
      const { pid, pool } = await vi.waitUntil(waiting, { timeout: 20_000 });
      // Its connections have the limit; what ends the statement here is what the limit does.
      expect(pool).toBe('switchyard ui');
      await holder.query('select pg_cancel_backend($1)', [pid]);
      const { status, body } = await answer;
      expect([status, body.message]).toEqual([503, 'The server is busy, try again']);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
  });

  it('[REP-042] cancels the statements on events, pushes and conversions when the reader of a report or its file disconnects', async () => {
    const holder = await api.databases.pools.ops.connect();
    const waiting = async (): Promise<number> => {
      const { rows } = await holder.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and application_name = 'switchyard ui'`,
      );
      return rows.length;
    };
    try {
      const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
      await holder.query('begin; lock table events, pushes, conversions in access exclusive mode');
      for (const path of [
        'reports?groupBy=server',
        'reports/download?groupBy=server',
        'reports?groupBy=hour&measure=pushes',
        'reports?groupBy=hour&measure=payout',
      ]) {
        const reader = new AbortController();
        const answer = fetch(`${url}/api/${path}`, { headers: staff, signal: reader.signal }).catch((error: unknown) => error);
        await vi.waitUntil(async () => (await waiting()) === 1, { timeout: 20_000 });
        reader.abort();
        await answer;
        await vi.waitUntil(async () => (await waiting()) === 0, { timeout: 20_000 });
      }
    } finally {
      await holder.query('rollback');
      holder.release();
    }
  });

  it('[REP-050] counts what traffic servers delivered, also in its file', async () => {
    const [, second] = serverIds;
    const query = `groupBy=server&serverId=${second}&measure=requests,pushes,conversions&startDate=2026-10-01`;
    const { groups, totals, source } = await read(query);
    const delivered = requests.filter((row) => row.server === second && dayOf(row.at, offset) >= '2026-10-01').length;
    // None of them has a client.
    const values = { requests: delivered, pushes: 0, conversions: 0 };
    expect(groups.map(({ keys, current }) => [keys, current])).toEqual([
      [[{ value: String(second), name: expect.stringMatching(/^edge-/) }], values],
    ]);
    expect([totals.current, source]).toEqual([values, 'events']);
    const { body } = await api.call('GET', `/api/reports/download?${query.replace('groupBy=server', 'groupBy=month')}`, { headers: staff });
    const sums = readCsv(body).slice(1, -1);
    expect([sums.reduce((sum, [, count]) => sum + Number(count), 0), sums[0]?.slice(2)]).toEqual([delivered, ['0', '0']]);
    expect((await call('serverId=0')).status).toBe(422);
  });

  it('[REP-041] costs the requests of its apps and days, in the scope of the caller', async () => {
    const [first, second, third] = apps.map(({ id }) => id);
    const reader = await signInAs(api.databases, {
      permissions: ['manager_app_statistics'],
      apps: [second ?? 0, third ?? 0],
      since: startsAt,
    });
    const cost = costQueryOf(
      reportQuery.parse({
        groupBy: ['server'],
        serverId: ['999999999'],
        bot: ['L1'],
        geo: ['DE'],
        startDate: ['2026-10-01'],
        appId: [`${first},${second}`],
      }),
    );
    const parameters = Object.entries(cost).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${String(value)}`]));
    const { totals, source } = await read(parameters.join('&'), reader.headers);
    expect(source).toBe('roll-ups');
    expect(totals.current).toEqual({
      requests: requests.filter((row) => row.app === apps[1] && dayOf(row.at, offset) >= '2026-10-01').length,
    });
  });

  it.each([
    ['groupBy=day,app,type', { groupBy: ['Group by at most 2 fields.'] }],
    ['groupBy=password', { groupBy: ['The selected groupBy is invalid.'] }],
    ['startDate=2026-11-20&endDate=2026-11-19', { startDate: ['The startDate must not be after endDate.'] }],
    ['startDate=2020-01-01', { startDate: ['Choose at most 1,000 days.'] }],
    ['endDate=9999-12-31', { endDate: [reportMessages.years] }],
    ['startDate=0001-01-01&endDate=0001-01-02&compare=previous', { startDate: [reportMessages.years] }],
    ['groupBy=app,date_hour&days=32', { startDate: [reportMessages.hourlyDays] }],
    ['pivot=maybe', { pivot: ['The selected pivot is invalid.'] }],
    ['startDate=2026-11-20T10:00:00Z', { startDate: ['Invalid date string format'] }],
  ])('[REP-001] rejects %s', async (query, errors) => {
    const { status, body } = await call(query);
    expect([status, body.errors]).toEqual([422, errors]);
  });
});
