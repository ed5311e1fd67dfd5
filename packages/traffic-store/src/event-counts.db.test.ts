import { dayOf, dayRange, formatDateTime, formatMicroseconds } from '@switchyard/contract/dates';
import { maximumLimit } from '@switchyard/contract/limits';
import { exactJson } from '@switchyard/contract/exact-json';
import { bucketLengths, jsonObject, memberOf, requestTypes } from '@switchyard/contract/requests';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { storeArbitraryEvents, testEpoch } from '../../api/test/arbitrary-events.ts';
import { arbitraryFilter, fits } from '../../api/test/arbitrary-filters.ts';
import { countersOf, within } from '../../api/test/counters-of.ts';
import { type EventStoreUnderTest, eventStores } from '../../api/test/event-stores.ts';
import { sampleEvent } from '../../api/test/sample-event.ts';
import type { AppScope } from '@switchyard/contract/app-scope';
import type { NewEvent } from './event-fields.ts';
import { flag, flagsOf } from './event-flags.ts';
import { dimensionOfGroup } from './grouped-counts.ts';
import { namesOf } from './event-fields.ts';
import { readEventSearch } from './event-search.ts';
import type { EventFilter, EventStore, GroupKey, TopField, TypeFigure } from './event-store.ts';
import { bucketStart, day, hour, type Span } from './time-buckets.ts';

const scopes = fc.constantFrom<AppScope>('all', [1], [1, 3], [2, 99], []);
const isSeen = (scope: AppScope, appId: number): boolean => scope === 'all' || scope.includes(appId);

/** Values for which an event counts in the top values of a field. */
function valuesOf(row: NewEvent, field: TopField): readonly string[] {
  const kind = row.error === null ? undefined : memberOf(row.error, 'exception_type');
  const values: Record<TopField, readonly string[]> = {
    app: [String(row.app_id)],
    country: [row.country],
    type: [...(row.type === 'error' ? [] : [row.type]), ...((flagsOf(row) & flag.error) === 0 ? [] : ['error'])],
    stream: [row.stream_uid],
    bot: row.bot === '' ? ['none'] : [...new Set(row.bot.split(' '))],
    'error-kind': [typeof kind === 'string' ? kind : ''],
    asn: [row.asn],
  };
  return values[field];
}

/** The group of an event, computed without a database. */
function groupOf(row: NewEvent, key: GroupKey, offset: string): string {
  const ofDay = row.occurred_at - dayRange(dayOf(row.occurred_at, offset), offset).from;
  const keys: Record<GroupKey, string> = {
    app: String(row.app_id),
    country: row.country,
    stream: row.stream_uid,
    asn: row.asn,
    type: row.type,
    day: dayOf(row.occurred_at, offset),
    hour: String(Math.floor(ofDay / hour)),
    server: row.server_id === null ? '' : String(row.server_id),
  };
  return keys[key];
}

/** Filters of one part each, which arbitrary ones seldom have alone. */
const partFilters: readonly EventFilter[] = [
  { bots: { labels: ['L1'], none: true } },
  { bots: { labels: ['CF', 'L1'], none: false } },
  { botsNot: { labels: [], none: true } },
  { search: readEventSearch('203.0.113.') },
  { search: readEventSearch('::/0') },
  { addressesNot: readEventSearch('::/0').flatMap((search) => (search.kind === 'ip-range' ? [search] : [])) },
  { countriesNot: ['DE'] },
  { streamUidsNot: ['st_1'] },
  { asnsNot: ['13335'] },
  { asns: ['13335', '0'] },
  { servers: [1] },
].map((part) => ({ scope: 'all', ...part }));

describe.each(eventStores)('counts on $name', ({ open, runs }) => {
  let stores: EventStoreUnderTest;
  let rows: NewEvent[];

  beforeAll(async () => {
    stores = await open();
    rows = await storeArbitraryEvents(stores.openStore('+02:00'), 24);
  });

  // ClickHouse counts by days and hours of UTC, which others of these cut.
  describe.each(['+02:00', '+05:45', '-03:30', '+00:00'])('at %s', (offset) => {
    let store: EventStore;

    beforeAll(async () => {
      store = stores.openStore(offset);
      // On PostgreSQL, the counters by day are rebuilt.
      await store.maintain(testEpoch);
    });

    const range = fc.record({
      from: fc.oneof(fc.constantFrom(testEpoch - 5 * day, testEpoch - 1), fc.integer({ min: testEpoch - 11 * day, max: testEpoch })),
      length: fc.constantFrom(1, 17 * 60_000_000, 2 * hour, day, 5 * day - 1, 20 * day),
    });
    const lengths = fc.constantFrom(...bucketLengths);

    it('[API-028, EVT-017] put each request into its bucket of a histogram, under its type', async () => {
      await fc.assert(
        fc.asyncProperty(arbitraryFilter, range, lengths, async (filterOfRows, { from, length }, bucketSeconds) => {
          const filter = { ...filterOfRows, from, until: from + length };
          const expected = new Map<string, number>();
          for (const row of rows.filter((one) => fits(one, filter))) {
            const key = `${formatMicroseconds(bucketStart(row.occurred_at, bucketSeconds * 1_000_000, offset))} ${row.type}`;
            expected.set(key, (expected.get(key) ?? 0) + 1);
          }
          const buckets = await store.countByBucket({ filter: filterOfRows, from, until: from + length, bucketSeconds });
          expect(new Map(buckets.map((one) => [`${formatMicroseconds(one.at)} ${one.type}`, one.events]))).toEqual(expected);
          expect(buckets.reduce((sum, one) => sum + one.events, 0)).toBe(await store.countEvents(filter));
        }),
        { numRuns: runs(60), seed: 25 },
      );
    });

    it('[INV-010, ASNX-004] name the most frequent values of a field, as a count of the rows does', async () => {
      const fields = fc.constantFrom<TopField>('app', 'country', 'type', 'stream', 'bot', 'asn', 'error-kind');
      await fc.assert(
        fc.asyncProperty(arbitraryFilter, fields, fc.constantFrom(2, 10, null), async (filter, field, limit) => {
          const matching = rows.filter((row) => fits(row, filter) && (field !== 'error-kind' || (flagsOf(row) & flag.error) !== 0));
          const counts = new Map<string, number>();
          for (const value of matching.flatMap((row) => valuesOf(row, field))) counts.set(value, (counts.get(value) ?? 0) + 1);
          const topValues = await store.findTopValues({ filter, field, limit });
          expect(topValues.rows).toBe(matching.length);
          expect(topValues.counted).toBe('all');
          expect(topValues.values).toEqual(
            Array.from(counts, ([value, count]) => ({ value, count }))
              .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
              .slice(0, limit ?? undefined),
          );
        }),
        { numRuns: runs(40), seed: 27 },
      );
    });

    it('[REP-002] count requests, successes, bots and types of each group, as a count of the rows does', async () => {
      const keysOf = (keys: readonly GroupKey[]) => fc.uniqueArray(fc.constantFrom(...keys), { maxLength: 3 });
      const anyType = fc.constantFrom(...requestTypes, 'create' as const, 'receive' as const);
      const typeFigures = fc.array(fc.record({ type: anyType, succeeded: fc.boolean() }), { maxLength: 3 });
      const anything = fc.tuple(arbitraryFilter, keysOf(namesOf(dimensionOfGroup)), typeFigures);
      /** Counts of the coarser roll-ups. */
      const usual = fc.tuple(
        arbitraryFilter.map(({ scope, streamUidsNot }) => ({ scope, streamUidsNot })),
        keysOf(['app', 'country', 'stream', 'day', 'hour']),
        fc.constantFrom<TypeFigure[]>(
          (['create', 'receive'] as const).flatMap((type) => [false, true].map((succeeded): TypeFigure => ({ type, succeeded }))),
          [{ type: 'error', succeeded: false }],
        ),
      );
      await fc.assert(
        fc.asyncProperty(fc.oneof(anything, usual), fc.boolean(), async ([wantedFilter, by, types], isOfDays) => {
          // Reports ask for whole days; the store counts any range.
          const days = { from: dayRange('2026-10-09', offset).from, until: dayRange('2026-10-18', offset).until };
          const filter: EventFilter = { ...wantedFilter, ...(isOfDays ? days : {}) };
          const expected = new Map<string, number[]>();
          for (const row of rows.filter((one) => fits(one, filter))) {
            const name = JSON.stringify(by.map((key) => groupOf(row, key, offset)));
            const flags = flagsOf(row);
            const isSuccess = (flags & (flag.error | flag.bot)) === 0;
            const isCounted = [
              true,
              isSuccess,
              (flags & flag.bot) !== 0,
              ...types.map(({ type, succeeded }) => row.type === type && (isSuccess || !succeeded)),
            ];
            expected.set(
              name,
              isCounted.map((isOne, index) => (expected.get(name)?.[index] ?? 0) + Number(isOne)),
            );
          }
          const groups = await store.countGroups({ filter, by, typeFigures: types, limit: 1000 });
          expect(
            new Map(
              Array.from(groups, ({ keys, events, successes, bots }, index) => [
                JSON.stringify(keys),
                [events, successes, bots, ...groups.types.map((column) => column[index])],
              ]),
            ),
          ).toEqual(expected);
          expect(groups).toHaveLength(expected.size);

          // The first groups are those in front of all in this order, with ties, and the rest is what is missing to all.
          const by1 = types.length > 0 ? 0 : 'bots';
          const firstOnes = await store.countGroups({
            filter,
            by,
            typeFigures: types,
            limit: 1000,
            first: { by: by1, direction: isOfDays ? 'desc' : 'asc', count: 3 },
          });
          const { rest } = firstOnes;
          if (rest === undefined) return;
          const ranks = Array.from(expected.values(), (figures) => figures[by1 === 0 ? 3 : 2] ?? 0).toSorted((a, b) =>
            isOfDays ? b - a : a - b,
          );
          const last = ranks[2] ?? (isOfDays ? -Infinity : Infinity);
          const figuresAt = (counts: typeof rest.counts, row: number): number[] => [
            counts.figures.events[row] ?? 0,
            counts.figures.successes[row] ?? 0,
            counts.figures.bots[row] ?? 0,
            ...counts.types.map((column) => column[row] ?? 0),
          ];
          const listed = Array.from(firstOnes, ({ keys }, row) => [JSON.stringify(keys), figuresAt(firstOnes, row)] as const);
          const isFirst = (figures: readonly number[]): boolean => {
            const rank = figures[by1 === 0 ? 3 : 2] ?? 0;
            return isOfDays ? rank >= last : rank <= last;
          };
          expect(new Map(listed)).toEqual(new Map([...expected].filter(([, figures]) => isFirst(figures))));
          const sumsOf = (all: readonly (readonly number[])[]): number[] =>
            Array.from({ length: 3 + types.length }, (_, at) => all.reduce((sum, row) => sum + (row[at] ?? 0), 0));
          expect(rest.groups).toBe(expected.size - listed.length);
          expect(sumsOf([figuresAt(rest.counts, 0), ...listed.map(([, figures]) => figures)])).toEqual(sumsOf([...expected.values()]));
        }),
        {
          numRuns: runs(60) + partFilters.length,
          seed: 28,
          examples: partFilters.map((filter): [[EventFilter, GroupKey[], TypeFigure[]], boolean] => [[filter, ['app'], []], false]),
        },
      );
    });

    it('[HOME-005] sum creates and receives in spans of whole hours', async () => {
      const spans = fc.array(
        fc.tuple(fc.integer({ min: -250, max: 250 }), fc.integer({ min: 0, max: 60 })).map(([start, hours]): Span => {
          const from = bucketStart(testEpoch, hour, offset) + start * hour;
          return { from, until: from + hours * hour };
        }),
        { maxLength: 3 },
      );
      await fc.assert(
        fc.asyncProperty(scopes, spans, async (scope, askedSpans) => {
          const mine = rows.filter((row) => isSeen(scope, row.app_id));
          const ofType = (span: Span, type: string) => mine.filter((row) => row.type === type && within(span, row.occurred_at)).length;
          expect(await store.countEventsBySpan({ scope, spans: askedSpans })).toEqual(
            askedSpans.map((span) => ({ create: ofType(span, 'create'), receive: ofType(span, 'receive') })),
          );
        }),
        { numRuns: runs(40), seed: 11 },
      );
    });

    it('[APPS-022, APPS-023, APPS-024] count each app today in the server offset, all time and QA', async () => {
      for (const now of [testEpoch, testEpoch - 9 * day, testEpoch + 15 * hour]) {
        const today = dayRange(dayOf(now, offset), offset);
        const expected = [1, 2, 3].map(
          (appId) =>
            [
              appId,
              countersOf(
                rows.filter((row) => row.app_id === appId),
                today,
              ),
            ] as const,
        );
        expect(await store.countEventsByApp([1, 2, 3, 9], now)).toEqual(new Map(expected));
      }
    });
  });

  it.each([0, 100_000])(
    '[INV-011] read only the newest requests if no roll-up knows the values, and say so (rare: %i)',
    async (rareSearch) => {
      const newest = rows.toSorted((a, b) => b.occurred_at - a.occurred_at);
      for (const [filter, field] of [
        [{ scope: 'all' }, 'bot'],
        [{ scope: 'all', countriesNot: ['IT'] }, 'asn'],
        [{ scope: 'all', search: readEventSearch('c') }, 'country'],
        [{ scope: 'all', botsNot: { labels: ['CF'], none: false } }, 'type'],
      ] as const satisfies [EventFilter, TopField][]) {
        const matches = newest.filter((row) => fits(row, filter));
        // Not between two rows of one instant.
        const topRows = matches.findIndex((row, index) => index >= 50 && row.occurred_at !== matches[index - 1]?.occurred_at);
        const topValues = await stores
          .openStore('+02:00', { reading: { topRows, rareSearch } })
          .findTopValues({ filter, field, limit: null });
        expect(topValues).toMatchObject({ rows: topRows, counted: 'newest' });
        const counts = Map.groupBy(
          matches.slice(0, topRows).flatMap((row) => valuesOf(row, field)),
          (value) => value,
        );
        expect(new Map(topValues.values.map(({ value, count }) => [value, count]))).toEqual(
          new Map(Array.from(counts, ([value, { length }]) => [value, length])),
        );
      }
      const store = stores.openStore('+02:00', { reading: { topRows: 50 } });
      expect(await store.findTopValues({ filter: { scope: 'all' }, field: 'country', limit: 1 })).toMatchObject({
        rows: 400,
        counted: 'all',
      });
    },
  );

  it('[API-027, EVT-016] name the countries and streams of the requests of one app', async () => {
    const store = stores.openStore('+02:00');
    const seenValues = await store.findSeenValues(2);
    const ofApp = rows.filter((row) => row.app_id === 2);
    expect(new Set(seenValues.countries)).toEqual(new Set(ofApp.map((row) => row.country).filter((country) => country !== '')));
    expect(new Set(seenValues.streamUids)).toEqual(new Set(ofApp.map((row) => row.stream_uid).filter((uid) => uid !== '')));
    expect(seenValues.countries.length + seenValues.streamUids.length).toBe(
      new Set([...seenValues.countries, ...seenValues.streamUids]).size,
    );
    expect(await store.findSeenValues(999)).toEqual({ countries: [], streamUids: [] });
  });

  it('[APPS-022, APPS-023, APPS-024, APPS-025, APPS-026] distinguish success, bots and clients, for one app and for many', async () => {
    const store = stores.openStore('+02:00');
    await store.maintain(testEpoch);
    const today = dayRange('2026-10-14', '+02:00');
    const request = (change: Partial<NewEvent>) =>
      sampleEvent({ app_id: 7, type: 'create', postbacks_domain: 'pb.example', occurred_at: today.from, ...change });
    await store.insertEvents([
      request({}),
      request({ error: { exception_type: 'Error' } }),
      request({ bot: 'L1' }),
      request({ bot: 'CF', is_qa: true }),
      request({ type: 'receive', occurred_at: today.until - 1 }),
      request({ type: 'receive', bot: 'BOT', error: { exception_type: 'Error' }, is_qa: true }),
      request({ occurred_at: today.from - 1 }),
      request({ type: 'track', bot: 'HLL' }),
      request({ app_id: 6, type: 'track' }),
    ]);
    const counters = (await store.countEventsByApp([7, 8], testEpoch)).get(7);
    expect(counters).toEqual({
      today: { create: { all: 4, success: 2 }, receive: { all: 2, success: 1 }, bots: { all: 3, success: 2 } },
      allTime: { create: { all: 5, success: 3 }, receive: { all: 2, success: 1 }, bots: { all: 3, success: 2 } },
      qa: { create: { all: 1, success: 1 }, receive: { all: 1, success: 0 }, bots: { all: 1, success: 0 } },
    });
    expect(formatDateTime(today.from)).toBe('2026-10-13 22:00:00');
    expect(await store.findAppsWithClients([6, 7, 8])).toEqual(new Set([7]));
    const fromId = (first: number) => Array.from({ length: maximumLimit + 1 }, (_, index) => first + index);
    expect(await store.countEventsByApp(fromId(7), testEpoch)).toEqual(new Map([[7, counters]]));
    expect((await store.countEventsByApp(fromId(8), testEpoch)).size).toBe(0);
  });

  it('[INV-010] name exception types as a reader of the error does, of repeated keys the last one', async () => {
    const keys = fc.constantFrom(
      'exception_type',
      'exception_type',
      String.raw`exception\u005ftype`,
      'm',
      String.raw`\\`,
      String.raw`a\ud800`,
    );
    const inner = '{"exception_type":"Inner"}';
    const texts = [
      'A',
      'é'.repeat(300),
      String.raw`Caf\u00e9`,
      String.raw`a\u0000\u0000`,
      String.raw`\ud800x`,
      String.raw`\udc00\ud83d\ude00`,
    ];
    const escapes = [String.raw`\\u0000`, String.raw`\\\ud83d\ud83d\ude00`, String.raw`\"exception_type\":\"B\"`, String.raw`1e400\\`];
    const values = [...texts, ...escapes]
      .map((text) => `"${text}"`)
      .concat('5', 'null', '-1e400', '12345678901234567890123', inner, `[${inner},0.5]`);
    const anError = fc.array(fc.tuple(keys, fc.constantFrom(...values)), { minLength: 1, maxLength: 3 });
    const errors = fc
      .sample(anError, { numRuns: 300, seed: 33 })
      .map((members) => exactJson(`{${members.map(([key, value]) => `"${key}":${value}`).join(',')}}`))
      .map((error) => jsonObject.parse(error));
    const store = stores.openStore('+02:00');
    await store.insertEvents(errors.map((error) => sampleEvent({ app_id: 9, type: 'create', occurred_at: testEpoch, error })));
    const expected = new Map<string, number>();
    for (const error of errors) {
      const kind = memberOf(error, 'exception_type');
      const text = typeof kind === 'string' ? kind.toWellFormed().replaceAll('\0', '\uFFFD') : '';
      const cut = Array.from(text).slice(0, 255).join('');
      expected.set(cut, (expected.get(cut) ?? 0) + 1);
    }
    const { values: found } = await store.findTopValues({ filter: { scope: [9] }, field: 'error-kind', limit: null });
    expect(new Map(found.map(({ value, count }) => [value, count]))).toEqual(expected);
  });
});
