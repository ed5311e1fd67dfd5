import { kindMeasures, writeKindMeasure } from '@switchyard/contract/kind-measures';
import { type Report, writeOwnRatio } from '@switchyard/contract/reports';
import fc from 'fast-check';
import type pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTrafficStore } from '@switchyard/traffic-store/open-traffic-store';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { startsAt } from '../../../test/event-ingestion.ts';
import { eventStores } from '../../../test/event-stores.ts';
import { createApp } from '../../../test/factories/app.ts';
import { readCsv } from '../../../test/read-csv.ts';
import { signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';

/** Texts of servers, some of which look like something else. */
const kinds = ['deposit', 'install', 'a,b', ' lead ', '50%', 'x/y*1000', 'none', '=1+1', 'Ünï:code', 'k'.repeat(64)];
const days = ['2026-11-18', '2026-11-19', '2026-11-20'];

describe.each(eventStores)('reports of kinds of conversions on $name', ({ open }) => {
  let api: TestApi;
  let staff: SignedIn;
  let reader: SignedIn;
  let ops: pg.Pool;
  let apps: number[];
  let creates: { app: number; day: string; country: string }[];

  beforeAll(async () => {
    const { databases, clickhouse } = await open();
    ops = databases.pools.ops;
    api = await buildTestApi({
      databases,
      startsAt,
      env: { ASN_FILL_PERCENT: '0', CURRENCY: 'EUR' },
      ...(clickhouse && { engine: clickhouse }),
    });
    await api.maintain();
    apps = [(await createApp(databases)).id, (await createApp(databases)).id];
    staff = await signInAs(databases, { role: 'Super Admin', since: startsAt });
    reader = await signInAs(databases, { permissions: ['manager_app_statistics'], apps: apps.slice(1), since: startsAt });
    const { headers } = await signInAsServer(databases);
    const send = async (kind: 'events' | 'conversions', rows: object[]) => {
      const answer = await api.call('POST', `/api/ingest/${kind}`, { headers, body: { [kind]: rows } });
      expect(answer.body.data.accepted).toBe(rows.length);
    };
    const sample = <Value>(values: fc.Arbitrary<Value>, numRuns: number, seed: number) => fc.sample(values, { numRuns, seed });
    const place = { app: fc.constantFrom(...apps), day: fc.constantFrom(...days) };
    creates = sample(fc.record({ ...place, country: fc.constantFrom('DE', 'FR') }), 60, 1);
    await send(
      'events',
      creates.map(({ app, day, country }, index) => ({
        app_id: app,
        type: 'create',
        date: `${day}T05:00:00Z`,
        client_uid: `c-${index}`,
        ip: '203.0.113.1',
        country,
      })),
    );
    const conversion = fc.record({
      app_id: place.app,
      created_at: place.day.map((day) => `${day} 06:00:00`),
      client_uid: fc.constantFrom(...creates.map((_, index) => `c-${index}`), 'unseen', null),
      stream_uid: fc.constantFrom('st_1', 'st_2', null),
      status_conversion: fc.constantFrom(...kinds, 'deposit', 'install'),
      status: fc.constantFrom('success', 'success', 'error', 'duplicate', 'held'),
      payout: fc.constantFrom(null, '0.0001', '12.5', '-3'),
    });
    await send('conversions', sample(conversion, 300, 2));
    const { deliveries } = createTrafficStore({
      pools: databases.pools,
      serverOffset: '+00:00',
      retentionDays: 90,
      clickhouse: clickhouse ?? null,
    });
    while (await deliveries.updatePlaces(Date.now() * 1000));
    return async () => api.app.close();
  });

  const address = (query: Record<string, readonly string[]>): string => {
    const search = new URLSearchParams({ startDate: days[0] ?? '', endDate: days[2] ?? '', limit: '1000' });
    for (const [name, values] of Object.entries(query)) for (const value of values) search.append(`${name}[]`, value);
    return search.toString();
  };
  const read = async (query: Record<string, readonly string[]>, caller = staff): Promise<Report> => {
    const { status, body } = await api.call('GET', `/api/reports?${address(query)}`, caller);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.data;
  };

  type Counted = { keys: string[]; all: number; valid: number; payout: string; validPayout: string };
  const keySql = {
    app: 'app_id::text',
    stream: `coalesce(nullif(stream_uid, ''), 'none')`,
    day: `created_at::date::text`,
    country: `coalesce(country, 'none')`,
    status_conversion: 'status_conversion',
  } as const;
  type Key = keyof typeof keySql;

  /** Counts of conversions by SQL on their rows. */
  async function count(by: readonly Key[], { filter, kind }: { filter: string; kind: string | null }): Promise<Counted[]> {
    const valid = `status not in ('duplicate', 'error')`;
    const { rows } = await ops.query<Counted>(
      `select array[${by.map((key) => keySql[key]).join(', ')}]::text[] as keys, count(*)::integer as all,
         (count(*) filter (where ${valid}))::integer as valid, coalesce(sum(payout), 0)::text as payout,
         coalesce(sum(payout) filter (where ${valid}), 0)::text as "validPayout"
       from conversions left join conversion_places using (id) where ${filter} and ($1::text is null or status_conversion = $1) group by 1`,
      [kind],
    );
    return rows;
  }

  /** What a report shows of a count: an absent group has zeros. */
  const figuresOf = (counted: Counted | undefined) => [
    counted?.all ?? 0,
    counted?.valid ?? 0,
    Number(counted?.payout ?? 0),
    Number(counted?.validPayout ?? 0),
  ];

  it('[REP-060, REP-061, CONV-115] equal SQL on the rows by any groups and filters, of any kind, duplicates, errors and nulls', async () => {
    const groupings = fc.uniqueArray(fc.constantFrom<Key>('app', 'stream', 'day', 'country', 'status_conversion'), {
      minLength: 1,
      maxLength: 2,
    });
    const some = fc.option(fc.subarray([...kinds, 'unknown'], { minLength: 1, maxLength: 4 }), { nil: undefined });
    const places = fc.constantFrom<[Record<string, string[]>, string]>(
      [{}, 'true'],
      [{ geo: ['DE'] }, `country = 'DE'`],
      [{ geoNot: ['DE', 'none'] }, `country <> 'DE'`],
      [{ streamUid: ['st_1'] }, `stream_uid = 'st_1'`],
    );
    await fc.assert(
      fc.asyncProperty(groupings, some, some, places, fc.constantFrom(...kinds, 'unknown'), async (by, only, not, [own, place], kind) => {
        const list = (values: readonly string[]) => values.map((value) => `'${value}'`).join();
        const filter = [
          place,
          ...(only === undefined ? [] : [`status_conversion in (${list(only)})`]),
          ...(not === undefined ? [] : [`status_conversion not in (${list(not)})`]),
        ].join(' and ');
        const sums = ['conversions', 'conversions_valid', 'payout', 'payout_valid'];
        const ofKind = (['conversions_of', 'conversions_valid_of', 'payout_of', 'payout_valid_of'] as const).map((name) =>
          writeKindMeasure(name, kind),
        );
        const report = await read({
          ...own,
          groupBy: by,
          measure: [...sums, ...ofKind],
          ...(only !== undefined && { statusConversion: only }),
          ...(not !== undefined && { statusConversionNot: not }),
        });
        expect(report.columns).toEqual([...sums, ...ofKind]);
        expect([report.source, report.currency]).toEqual(['roll-ups', 'EUR']);
        const [all, one] = [await count(by, { filter, kind: null }), await count(by, { filter, kind })];
        const find = (rows: Counted[], keys: string[]) => rows.find((row) => row.keys.join('|') === keys.join('|'));
        const shown = report.groups.map((group) => ({ keys: group.keys.map(({ value }) => value), values: Object.values(group.current) }));
        expect(shown.map(({ keys }) => keys.join('|')).toSorted()).toEqual(all.map(({ keys }) => keys.join('|')).toSorted());
        for (const { keys, values } of shown) {
          expect(values.map(Number)).toEqual([...figuresOf(find(all, keys)), ...figuresOf(find(one, keys))]);
        }
        const [total, totalOfKind] = [await count([], { filter, kind: null }), await count([], { filter, kind })];
        expect(Object.values(report.totals.current).map(Number)).toEqual([...figuresOf(total[0]), ...figuresOf(totalOfKind[0])]);
      }),
      { numRuns: 60, seed: 3 },
    );
  });

  it('[REP-062, REP-063] divides what is neither a duplicate nor an error, unless these are asked for, and what own ratios name', async () => {
    for (const kind of ['deposit', 'x/y*1000', 'a,b']) {
      const ratios = (['create_to', 'payout_per_create_of', 'payout_per_thousand_of'] as const).map((name) => writeKindMeasure(name, kind));
      const own = { name: 'All', part: writeKindMeasure('conversions_of', kind), whole: 'create', times: 1_000 } as const;
      const query = {
        groupBy: ['country'],
        measure: ['create_to_conversion', 'payout_per_create', ...ratios],
        ratio: [writeOwnRatio(own), writeOwnRatio({ ...own, name: 'Of', part: own.part, whole: own.part, times: 1 })],
      };
      for (const invalid of [false, true]) {
        const report = await read({ ...query, ...(invalid && { invalid: ['1'] }) });
        for (const country of ['DE', 'FR', null]) {
          const filter = country === null ? 'true' : `country = '${country}'`;
          const [all] = await count([], { filter, kind: null });
          const [one] = await count([], { filter, kind });
          const wholes = creates.filter((row) => country === null || row.country === country).length;
          const values = (country === null ? report.totals : report.groups.find(({ keys }) => keys[0]?.value === country))?.current;
          const counted = (row: Counted | undefined) =>
            invalid ? [row?.all, Number(row?.payout)] : [row?.valid, Number(row?.validPayout)];
          const [conversions = 0, payout = 0] = counted(all);
          const [ofKind = 0, payoutOfKind = 0] = counted(one);
          const expected = [
            conversions / wholes,
            payout / wholes,
            ofKind / wholes,
            payoutOfKind / wholes,
            (payoutOfKind * 1_000) / wholes,
            ((one?.all ?? 0) * 1_000) / wholes,
            1,
          ];
          for (const [at, value] of Object.values(values ?? {}).entries()) expect(value).toBeCloseTo(expected[at] ?? NaN, 9);
          expect(Object.keys(values ?? {})).toEqual([...query.measure, 'ratio:All', 'ratio:Of']);
        }
      }
    }
  });

  it('[REP-060] knows no requests and pushes by kind', async () => {
    const measure = ['requests', 'create', 'pushes', 'conversions', 'create_to_conversion'];
    for (const query of [{ groupBy: ['status_conversion'] }, { statusConversion: ['deposit'] }, { statusConversionNot: ['deposit'] }]) {
      const { totals } = await read({ ...query, measure });
      expect(totals.current).toMatchObject({ requests: null, create: null, pushes: null, create_to_conversion: null });
      expect(totals.current['conversions']).toBeGreaterThan(10);
    }
    // They do not order the groups either.
    const numbers = (await read({ groupBy: ['status_conversion'] })).groups.map(({ current }) => Number(current['conversions']));
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
    expect(new Set(numbers).size).toBeGreaterThan(3);
    const { pivot } = await read({ groupBy: ['day', 'status_conversion'], top: ['2'], pivot: ['1'] });
    expect(pivot?.keys.map(({ value }) => value)).toEqual(['install', 'deposit', '']);
  });

  it('[REP-060] counts apps in the scope of the reader alone, also in its file, whose texts of others are guarded', async () => {
    const { rows } = await ops.query<{ kind: string; n: string }>(
      'select status_conversion as kind, count(*)::text as n from conversions where app_id = $1 group by 1',
      [apps[1]],
    );
    const query = { groupBy: ['status_conversion'], measure: ['conversions', writeKindMeasure('conversions_of', '=1+1')] };
    const { groups } = await read(query, reader);
    expect(groups.map(({ keys, current }) => `${keys[0]?.value} ${current['conversions']}`).toSorted()).toEqual(
      rows.map(({ kind, n }) => `${kind} ${n}`).toSorted(),
    );
    const { body } = await api.call('GET', `/api/reports/download?${address({ ...query, limit: [] })}`, reader);
    const [header, ...lines] = readCsv(body);
    expect(lines.pop()?.[0]).toBe('(total)');
    expect(header).toEqual(['status_conversion', 'conversions', 'conversions_of:=1+1']);
    const guarded = (kind: string) => (kind.startsWith('=') ? `'${kind}` : kind);
    expect(lines.map(([kind, n]) => `${kind} ${n}`).toSorted()).toEqual(rows.map(({ kind, n }) => `${guarded(kind)} ${n}`).toSorted());
  });

  it('[REP-061] rejects measures of no kind and of no such name', async () => {
    for (const measure of [
      ...kindMeasures.map((name) => `${name}:`),
      'bots_of:deposit',
      'conversions_of',
      'conversions_of:%',
      'conversions_of:%41',
      'conversions_of:\0',
    ]) {
      const { status, body } = await api.call('GET', `/api/reports?${new URLSearchParams({ measure }).toString()}`, staff);
      expect([measure, status, Object.keys(body.errors ?? {})]).toEqual([measure, 422, ['measure']]);
    }
  });
});
