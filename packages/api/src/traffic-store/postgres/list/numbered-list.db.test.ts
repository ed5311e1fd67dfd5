import { formatMicroseconds, offsetMinutes } from '@switchyard/contract/dates';
import { requestSortKeys } from '@switchyard/contract/requests';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Databases } from '../../../database/connect.ts';
import { countedPages } from '../../../database/migrations/0007-counted-pages.ts';
import { daysOfAllApps } from '../../../database/migrations/0014-days-of-all-apps.ts';
import { daysOfApps } from '../../../database/migrations/0015-days-of-apps.ts';
import { createTrafficStore } from '../../traffic-store.ts';
import { asksForNewestOfApp } from './numbered-list.ts';
import type { NewEvent } from '../../event-fields.ts';
import type { EventSort, EventStore } from '../../event-store.ts';
import type { RequestRow } from '@switchyard/contract/requests';
import { arbitraryFilter, fits } from '../../../../test/arbitrary-filters.ts';
import { arbitraryEvent, testEpoch } from '../../../../test/arbitrary-events.ts';
import { createTestDatabase } from '../../../../test/test-database.ts';

let databases: Databases;
let store: EventStore;
const hour = 3_600_000_000;
const day = 24 * hour;

beforeAll(async () => {
  ({ databases } = await createTestDatabase());
});

beforeEach(async () => {
  await databases.pools.ops.query(
    'truncate events, traffic_totals, traffic_all_days, traffic_all_hours, traffic_all_quarters, traffic_app_days, traffic_seen, traffic_days, traffic_day_types, traffic_hours, traffic_breakdown, traffic_calendar',
  );
});

function open(serverOffset: string): void {
  store = createTrafficStore({ pools: databases.pools, serverOffset, retentionDays: 90 }).events;
}

/** 400 requests that arrive in no order of their times, in batches. */
async function fill(seed: number): Promise<NewEvent[]> {
  const rows = fc.sample(arbitraryEvent, { numRuns: 400, seed });
  for (let sent = 0; sent < rows.length; sent += 80) await store.addEvents(rows.slice(sent, sent + 80));
  return rows;
}

const sort: fc.Arbitrary<EventSort> = fc.record({
  orderBy: fc.constantFrom(...requestSortKeys),
  orderDirection: fc.constantFrom('asc' as const, 'desc' as const),
});

/** The order of a numbered list: ties are younger rows first, whatever the direction. */
function inOrder(rows: readonly RequestRow[], { orderBy, orderDirection }: EventSort): RequestRow[] {
  const sign = orderDirection === 'asc' ? 1 : -1;
  const key = (row: RequestRow) => (orderBy === 'type' ? row.type : orderBy === 'id' ? row.id : row.concatenated_date);
  return [...rows].sort((a, b) => (key(a) < key(b) ? -sign : key(a) > key(b) ? sign : b.id - a.id));
}

const offsets = [['+02:00'], ['+05:45'], ['-09:30'], ['+00:00']] as const;

describe('listing by page', () => {
  it.each(offsets)('[API-028, EVT-017, EVT-018, CONST-036] makes up the whole sorted list with its exact total at %s', async (offset) => {
    open(offset);
    const rows = await fill(21);
    await fc.assert(
      fc.asyncProperty(arbitraryFilter, sort, fc.integer({ min: 1, max: 130 }), async (filter, order, limit) => {
        const wanted = rows.filter((row) => fits(row, filter));
        const found: RequestRow[] = [];
        for (let page = 1; ; page += 1) {
          const { rows: part, total } = await store.listEventsByPage({ filter, sort: order, page, limit });
          expect(total).toBe(wanted.length);
          expect(part.length).toBe(Math.max(0, Math.min(limit, total - (page - 1) * limit)));
          if (part.length === 0) break;
          found.push(...part);
        }
        expect(new Set(found.map((row) => row.uuid))).toEqual(new Set(wanted.map((row) => row.uuid)));
        expect(found.map((row) => row.id)).toEqual(inOrder(found, order).map((row) => row.id));
        expect(await store.countEvents(filter)).toBe(wanted.length);
      }),
      { numRuns: 40 },
    );
  });

  it('[API-028] gives total and rows of one moment while rows arrive', async () => {
    open('+05:45');
    await fill(22);
    const arrivals = fc.sample(arbitraryEvent, { numRuns: 600, seed: 23 });
    async function arrive(): Promise<void> {
      for (let batch = 0; batch < 2; batch += 1) await store.addEvents(arrivals.splice(0, 5));
    }
    const samples = fc.sample(fc.record({ filter: arbitraryFilter, order: sort, limit: fc.integer({ min: 20, max: 200 }) }), 60);
    const totals = new Set<number>();
    for (const [index, { filter: some, order, limit }] of samples.entries()) {
      const arriving = arrive();
      // Most filters leave so little that nothing of it arrives.
      const filter = index % 2 === 0 ? some : ({ scope: 'all' } as const);
      const all = await store.listEventsByPage({ filter, sort: order, page: 1, limit: 2000 });
      expect(all.rows.length).toBe(all.total);
      const last = await store.listEventsByPage({ filter, sort: order, page: Math.ceil(all.total / limit) || 1, limit });
      expect(last.rows.length).toBeGreaterThanOrEqual(Math.min(last.total, (all.total - 1) % limit));
      totals.add(all.total);
      await arriving;
    }
    expect(arrivals).toEqual([]);
    expect(totals.size).toBeGreaterThan(1);
  });
});

describe('histogram', () => {
  const range = fc.record({
    from: fc.oneof(fc.constantFrom(testEpoch - 5 * day, testEpoch - 1), fc.integer({ min: testEpoch - 11 * day, max: testEpoch })),
    length: fc.constantFrom(1, 17 * 60_000_000, 2 * hour, day, 5 * day - 1, 20 * day),
  });
  const seconds = fc.constantFrom(60, 300, 900, 3600, 10_800, 21_600, 86_400, 604_800);

  it.each(offsets)('[API-028, EVT-017] counts each request once in its bucket and under its type at %s', async (offset) => {
    open(offset);
    const rows = await fill(24);
    const shift = (offsetMinutes(offset) ?? 0) * 60_000_000;
    await fc.assert(
      fc.asyncProperty(arbitraryFilter, range, seconds, async (wanted, { from, length }, bucketSeconds) => {
        const until = from + length;
        const filter = { ...wanted, from, until };
        const expected = new Map<string, number>();
        for (const row of rows.filter((one) => fits(one, filter))) {
          const size = bucketSeconds * 1_000_000;
          const at = Math.floor((row.occurred_at + shift) / size) * size - shift;
          const key = `${formatMicroseconds(at)} ${row.type}`;
          expected.set(key, (expected.get(key) ?? 0) + 1);
        }
        const counted = await store.countByBucket({ filter, from, until, bucketSeconds });
        expect(new Map(counted.map((one) => [`${formatMicroseconds(one.at)} ${one.type}`, one.events]))).toEqual(expected);
        expect(counted.reduce((sum, one) => sum + one.events, 0)).toBe(await store.countEvents(filter));
      }),
      { numRuns: 60 },
    );
  });
});

describe('values that were seen', () => {
  it('[API-027, EVT-016] are those of the requests of one app', async () => {
    open('+02:00');
    const rows = await fill(25);
    const seen = await store.seenValues(2);
    const ofApp = rows.filter((row) => row.app_id === 2);
    expect(new Set(seen.countries)).toEqual(new Set(ofApp.map((row) => row.country).filter((country) => country !== '')));
    expect(new Set(seen.streamUids)).toEqual(new Set(ofApp.map((row) => row.stream_uid).filter((uid) => uid !== '')));
    expect(await store.seenValues(999)).toEqual({ countries: [], streamUids: [] });
  });
});

describe('the migrations', () => {
  it.each([
    ['traffic_day_types', 'day, app_id, type', countedPages, 50],
    ['traffic_all_days', 'day, type', daysOfAllApps, 20],
    ['traffic_all_hours', 'hour, type', daysOfAllApps, 50],
  ] as const)('count what was stored before in %s, and may run again', async (table, key, migration, least) => {
    open('+02:00');
    await fill(26);
    const kept = async (): Promise<unknown[]> => (await databases.pools.ops.query(`select * from ${table} order by ${key}`)).rows;
    const before = await kept();
    expect(before.length).toBeGreaterThan(least);
    await databases.pools.ops.query(`truncate ${table}`);
    for (let times = 0; times < 2; times += 1) {
      await migration.up(databases.opsDb);
      expect(await kept()).toEqual(before);
    }
  });

  it('count the days of apps, quarters, values and totals of what was stored before', async () => {
    open('+05:45');
    await store.maintain(testEpoch);
    await fill(27);
    const tables = {
      traffic_app_days: 'day, app_id',
      traffic_seen: 'app_id, country, stream_uid',
      traffic_all_quarters: 'quarter, type',
      traffic_totals: 'app_id, is_qa',
    };
    const kept = async (): Promise<unknown[]> => {
      const found: unknown[] = [];
      for (const [table, key] of Object.entries(tables)) {
        const { rows } = await databases.pools.ops.query(`select * from ${table} order by ${key}`);
        expect(rows.length).toBeGreaterThan(5);
        found.push(...rows);
      }
      return found;
    };
    const before = await kept();
    await databases.pools.ops.query(`drop table ${Object.keys(tables).join(', ')};
      create table traffic_totals (app_id integer, type request_type, flags smallint, requests bigint, primary key (app_id, type, flags));
      insert into traffic_totals select app_id, type, flags, count(*) from events group by 1, 2, 3`);
    await databases.opsDb.transaction().execute(async (transaction) => daysOfApps.up(transaction));
    expect(await kept()).toEqual(before);
  });
});

describe('the newest events of an app', () => {
  const firstPage = (appId: number, limit: number) =>
    ({ filter: { scope: [appId] }, sort: { orderBy: 'concatenated_date', orderDirection: 'desc' }, page: 1, limit }) as const;

  it('[API-028] is asked for by the first page of one app without a filter, and by no other', () => {
    const query = firstPage(1, 50);
    expect(asksForNewestOfApp({ ...query, filter: { ...query.filter, types: undefined, search: undefined } })).toBe(true);
    const others = [
      { page: 2 },
      { sort: { orderBy: 'concatenated_date', orderDirection: 'asc' } },
      { sort: { orderBy: 'id', orderDirection: 'desc' } },
      { filter: { scope: 'all' } },
      { filter: { scope: [1, 2] } },
      { filter: { scope: [1], types: ['create'] } },
      { filter: { scope: [1], search: [] } },
      { filter: { scope: [1], from: 0 } },
    ] as const;
    for (const other of others) expect(asksForNewestOfApp({ ...query, ...other })).toBe(false);
  });

  it('[API-028, EVT-017, EVT-018] gives the newest requests of an app with their exact total, of one moment while more arrive', async () => {
    open('+05:45');
    const arrivals = fc.sample(arbitraryEvent, { numRuns: 500, seed: 31 });
    const sent: NewEvent[] = [];
    async function arrive(rows: number): Promise<void> {
      while (rows > 0 && arrivals.length > 0) {
        const batch = arrivals.splice(0, 10);
        await store.addEvents(batch);
        sent.push(...batch);
        rows -= batch.length;
      }
    }
    expect(await store.listEventsByPage(firstPage(1, 50))).toEqual({ rows: [], total: 0 });
    await arrive(200);
    for (const appId of [1, 2, 9]) {
      const stored = sent.filter((row) => row.app_id === appId);
      for (const limit of [1, 7, 20, 50]) {
        const { rows, total } = await store.listEventsByPage(firstPage(appId, limit));
        expect(total).toBe(stored.length);
        const newest = stored.map((row) => row.occurred_at).toSorted((a, b) => b - a);
        expect(rows.map((row) => Date.parse(`${row.concatenated_date.slice(0, 23).replace(' ', 'T')}Z`))).toEqual(
          newest.slice(0, limit).map((at) => Math.floor(at / 1000)),
        );
        const newestFirst = rows.toSorted((a, b) => b.concatenated_date.localeCompare(a.concatenated_date) || b.id - a.id);
        expect(rows).toEqual(newestFirst);
      }
    }
    const arriving = arrive(300);
    while (arrivals.length > 0) {
      const { rows, total } = await store.listEventsByPage(firstPage(1, 2000));
      expect(rows.length).toBe(total);
    }
    await arriving;
  });
});
