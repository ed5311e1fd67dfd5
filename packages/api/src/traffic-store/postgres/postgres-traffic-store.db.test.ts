import { dayRange, formatDateTime } from '@switchyard/contract/dates';
import { maximumLimit } from '@switchyard/contract/limits';
import { requestSortKeys } from '@switchyard/contract/requests';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { arbitraryFilter, fits } from '../../../test/arbitrary-filters.ts';
import { arbitraryRequest, testEpoch } from '../../../test/arbitrary-requests.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import type { Databases } from '../../database/connect.ts';
import type { NewRequest, RequestFilter, RequestSort, StoredRequest, TrafficStore } from '../traffic-store.ts';
import { createPostgresTrafficStore } from './create-postgres-traffic-store.ts';

let databases: Databases;
let store: TrafficStore;
const day = 86_400_000_000;
const everything: RequestFilter = { scope: 'all' };
const newestFirst: RequestSort = { orderBy: 'concatenated_date', orderDirection: 'desc' };

type Reading = { lookAhead: number; denseDay: number };

function openStore(
  serverOffset: string,
  { retentionDays = 90, reading }: { retentionDays?: number; reading?: Reading } = {},
): TrafficStore {
  return createPostgresTrafficStore({ pools: databases.pools, serverOffset, retentionDays, ...(reading === undefined ? {} : { reading }) });
}

beforeAll(async () => {
  ({ databases } = await createTestDatabase());
});

beforeEach(async () => {
  await databases.pools.ops.query(
    'truncate events, traffic_totals, traffic_all_days, traffic_all_hours, traffic_all_quarters, traffic_app_days, traffic_seen, traffic_days, traffic_day_types, traffic_hours, traffic_breakdown, traffic_calendar',
  );
  store = openStore('+02:00');
});

/** Requests with their identity made unique, since two equal ones are one. */
const batch = fc.uniqueArray(arbitraryRequest, { minLength: 1, maxLength: 60, selector: (row) => row.uuid });

async function count(table: string): Promise<number> {
  const { rows } = await databases.pools.ops.query<{ n: number }>(
    `select coalesce(sum(${table === 'events' ? '1' : 'requests'}), 0)::integer as n from ${table}`,
  );
  return rows[0]?.n ?? 0;
}

const directCounters = `count(*)::integer as requests, count(*) filter (where type = 'create')::integer as creates,
  count(*) filter (where type = 'create' and flags & 3 = 0)::integer as creates_ok, count(*) filter (where type = 'receive')::integer as receives,
  count(*) filter (where type = 'receive' and flags & 3 = 0)::integer as receives_ok, count(*) filter (where flags & 2 <> 0)::integer as bots,
  count(*) filter (where flags & 3 = 2)::integer as bots_ok`;
const keptCounters = ['requests', 'creates', 'creates_ok', 'receives', 'receives_ok', 'bots', 'bots_ok']
  .map((name) => `${name}::integer`)
  .join(', ');

/** Every roll-up row that a direct count of the events would give, and every one that is there. */
async function compareRollups(offset: string): Promise<{ expected: unknown[]; stored: unknown[] }> {
  const dayOfEvent = `(occurred_at at time zone 'UTC' + interval '${offset}')::date::text as day`;
  const start = (length: string, name: string) =>
    `extract(epoch from date_bin('${length}', occurred_at + interval '${offset}', timestamptz 'epoch') - interval '${offset}')::bigint as ${name}`;
  const plain = { counted: 'count(*)::integer as requests', kept: 'requests::integer as requests' };
  const ids = {
    counted: `${plain.counted}, min(id)::integer as first_id, max(id)::integer as last_id`,
    kept: `${plain.kept}, first_id::integer, last_id::integer`,
  };
  const ends = {
    counted: `${directCounters}, host(min(ip)) as first_ip, host(max(ip)) as last_ip, min(left(lower(client_uid), 8) collate "C") as first_uid,
      max(left(lower(client_uid), 8) collate "C") as last_uid`,
    kept: `${keptCounters}, host(first_ip) as first_ip, host(last_ip) as last_ip, first_uid, last_uid`,
  };
  const asEpoch = (name: string) => `extract(epoch from ${name})::bigint as ${name}`;
  const parts = [
    ['traffic_totals', 'app_id, flags & 8 <> 0 as is_qa', 'app_id, is_qa', { counted: directCounters, kept: keptCounters }],
    ['traffic_hours', `${start('1 hour', 'hour')}, app_id, type, flags`, `${asEpoch('hour')}, app_id, type, flags`, plain],
    ['traffic_all_hours', `${start('1 hour', 'hour')}, type`, `${asEpoch('hour')}, type`, plain],
    ['traffic_all_quarters', `${start('15 minutes', 'quarter')}, type`, `${asEpoch('quarter')}, type`, plain],
    ['traffic_days', `${dayOfEvent}, app_id, type, flags`, 'day::text as day, app_id, type, flags', ids],
    ['traffic_day_types', `${dayOfEvent}, app_id, type`, 'day::text as day, app_id, type', ids],
    ['traffic_app_days', `${dayOfEvent}, app_id`, 'day::text as day, app_id', ends],
    ['traffic_all_days', `${dayOfEvent}, type`, 'day::text as day, type', ids],
    [
      'traffic_breakdown',
      `${dayOfEvent}, app_id, type, country, stream_uid, flags`,
      'day::text as day, app_id, type, country, stream_uid, flags',
      ids,
    ],
  ] as const;
  const expected: unknown[] = [];
  const stored: unknown[] = [];
  for (const [table, bucket, key, { counted, kept }] of parts) {
    const places = key.split(',').map((_, index) => index + 2);
    const order = places.join(', ');
    const direct = await databases.pools.ops.query(
      `select '${table}' as rollup, ${bucket}, ${counted} from events group by ${order} order by ${order}`,
    );
    const found = await databases.pools.ops.query(`select '${table}' as rollup, ${key}, ${kept} from ${table} order by ${order}`);
    expected.push(...direct.rows);
    stored.push(...found.rows);
  }
  const seen = await databases.pools.ops.query(`select app_id, country, stream_uid, max(${dayOfEvent.replace(' as day', '')}) as day
    from events group by 1, 2, 3 order by 1, 2, 3`);
  const known = await databases.pools.ops.query(
    'select app_id, country, stream_uid, day::text as day from traffic_seen order by app_id, country, stream_uid',
  );
  expected.push(...seen.rows);
  stored.push(...known.rows);
  return { expected, stored };
}

/** All pages of a list from its first to its last, by cursor. */
async function walk(
  filter: RequestFilter,
  sort: RequestSort,
  limit: number,
  between: () => Promise<void> = async () => undefined,
): Promise<StoredRequest[][]> {
  const pages: StoredRequest[][] = [];
  let cursor: string | undefined;
  do {
    const page = await store.listRequestsByCursor({ filter, sort, cursor, limit });
    pages.push(page.rows);
    cursor = page.next ?? undefined;
    await between();
  } while (cursor !== undefined);
  return pages;
}

describe('storing', () => {
  it('[ENT-015, ENT-016] keeps every roll-up equal to a direct count, whatever comes twice, late or together', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 3 }), async (batches) => {
        const before = await count('events');
        const sent = [...batches, ...batches, batches[0] ?? []].map((rows) => rows.map((row) => ({ ...row })));
        const answers = await Promise.all(sent.map((rows) => store.addRequests(rows)));
        const accepted = answers.reduce((sum, answer) => sum + answer.accepted, 0);
        const duplicates = answers.reduce((sum, answer) => sum + answer.duplicates, 0);
        expect(accepted + duplicates).toBe(sent.flat().length);
        expect((await count('events')) - before).toBe(accepted);
        const { expected, stored } = await compareRollups('+02:00');
        expect(stored).toEqual(expected);
      }),
      { numRuns: 12 },
    );
  });

  it('[API-003] counts a row that stands twice in one batch once', async () => {
    const [row] = fc.sample(arbitraryRequest, 1);
    if (!row) throw new Error('no sample');
    expect(await store.addRequests([row, { ...row }])).toEqual({ accepted: 1, duplicates: 1 });
    expect(await store.addRequests([row])).toEqual({ accepted: 0, duplicates: 1 });
  });

  it('holds a microsecond, a mapped client uid and JSON as they came', async () => {
    const [row] = fc.sample(arbitraryRequest, 1);
    if (!row) throw new Error('no sample');
    const given = {
      ...row,
      occurredAt: testEpoch + 345_678,
      bodyRequest: { big: 1.5, nested: ['"', '\u2028', { deep: null }] },
      bodyResponse: 'text',
    };
    await store.addRequests([given]);
    const [kept] = (await store.listRequestsByCursor({ filter: everything, sort: newestFirst, cursor: undefined, limit: 10 })).rows;
    expect(kept).toMatchObject({
      concatenated_date: '2026-10-14 12:00:00.345678',
      date: '2026-10-14 12:00:00',
      body_request: given.bodyRequest,
      body_response: 'text',
      has_response: true,
    });
  });
});

describe('listing by cursor', () => {
  it.each([
    ['the rows next in order', { lookAhead: 2000, denseDay: 4 }],
    ['the apps and days that the roll-ups name', { lookAhead: 3, denseDay: 400, rareSearch: 1, mostMatches: 300 }],
    ['both', { lookAhead: 3, denseDay: 0.3, rareSearch: 5, mostMatches: 20 }],
    ['the days that the roll-ups name', { lookAhead: 0, denseDay: 0, rareSearch: 0, mostMatches: 4 }],
    ['ever shorter stretches of time', { lookAhead: 1, denseDay: 4, rareSearch: 1, mostMatches: 1 }],
  ])('[REQ-024, API-083] walks exactly the matching rows, each once, in order, forth and back: from %s', async (_, reading) => {
    store = openStore('+02:00', { reading });
    const rows = fc.sample(arbitraryRequest, { numRuns: 400, seed: 11 });
    for (let sent = 0; sent < rows.length; sent += 80) await store.addRequests(rows.slice(sent, sent + 80));
    const sort = fc.record({
      orderBy: fc.constantFrom(...requestSortKeys),
      orderDirection: fc.constantFrom('asc' as const, 'desc' as const),
    });
    await fc.assert(
      fc.asyncProperty(arbitraryFilter, sort, fc.integer({ min: 1, max: 90 }), async (wanted, order, limit) => {
        const pages = await walk(wanted, order, limit);
        const found = pages.flat();
        expect(new Set(found.map((row) => row.uuid))).toEqual(new Set(rows.filter((row) => fits(row, wanted)).map((row) => row.uuid)));
        expect(found.map((row) => row.id)).toEqual(sorted(found, order).map((row) => row.id));

        let page = await store.listRequestsByCursor({ filter: wanted, sort: order, cursor: undefined, limit });
        expect(page.previous).toBeNull();
        while (page.next !== null) page = await store.listRequestsByCursor({ filter: wanted, sort: order, cursor: page.next, limit });
        const back: StoredRequest[][] = [page.rows];
        while (page.previous !== null) {
          page = await store.listRequestsByCursor({ filter: wanted, sort: order, cursor: page.previous, limit });
          back.unshift(page.rows);
        }
        expect(back.flat().map((row) => row.id)).toEqual(found.map((row) => row.id));
      }),
      { numRuns: 40 },
    );
  });

  function sorted(rows: readonly StoredRequest[], { orderBy, orderDirection }: RequestSort): StoredRequest[] {
    const sign = orderDirection === 'asc' ? 1 : -1;
    const key = (row: StoredRequest): string => (orderBy === 'id' ? '' : orderBy === 'type' ? row.type : row.concatenated_date);
    return [...rows].sort((a, b) => sign * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.id - b.id));
  }

  it('[REQ-024] neither repeats nor loses a row while new ones arrive', async () => {
    const [first, later] = [fc.sample(arbitraryRequest, { numRuns: 200, seed: 5 }), fc.sample(arbitraryRequest, { numRuns: 200, seed: 6 })];
    await store.addRequests(first);
    const arrivals = [...later];
    const pages = await walk(everything, newestFirst, 17, async () => {
      await store.addRequests(arrivals.splice(0, 20));
    });
    const seen = pages.flat().map((row) => row.uuid);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(first.map((row) => row.uuid)));
  });
});

describe('upkeep', () => {
  it('cuts days anew when the offset of the server changed', async () => {
    await store.maintain(testEpoch);
    await store.addRequests(fc.sample(arbitraryRequest, { numRuns: 150, seed: 3 }));
    store = openStore('-05:30');
    await store.maintain(testEpoch);
    const { expected, stored } = await compareRollups('-05:30');
    expect(stored).toEqual(expected);
  });

  it('makes room for coming weeks while an export reads, and drops past ones when it is done', async () => {
    const rows = fc.sample(arbitraryRequest, { numRuns: 5, seed: 8 });
    await store.addRequests(rows);
    const later = testEpoch + 400 * day;
    const both = [openStore('+02:00'), openStore('+02:00')];
    const reader = await databases.pools.exports.connect();
    try {
      await reader.query('begin');
      await reader.query('select count(*) from events');
      await Promise.all(both.map((other) => other.maintain(later)));
      expect(await store.addRequests(rows.map((row) => ({ ...row, occurredAt: later })))).toEqual({ accepted: 5, duplicates: 0 });
      expect(await count('events')).toBe(10);
    } finally {
      await reader.query('rollback');
      reader.release();
    }
    await Promise.all(both.map((other) => other.maintain(later)));
    expect(await count('events')).toBe(5);
    expect(await count('traffic_days')).toBe(5);
  });

  it('drops weeks past retention with their counts, and keeps all-time totals', async () => {
    const old = fc
      .sample(arbitraryRequest, { numRuns: 120, seed: 4 })
      .map((row, index) => ({ ...row, occurredAt: testEpoch - (index % 60) * day }));
    await store.addRequests(old);
    const totals = await count('traffic_totals');
    store = openStore('+02:00', { retentionDays: 20 });
    await store.maintain(testEpoch);
    const left = await count('events');
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(old.length);
    expect(await count('traffic_days')).toBe(left);
    expect(await count('traffic_day_types')).toBe(left);
    expect(await count('traffic_all_days')).toBe(left);
    expect(await count('traffic_all_hours')).toBe(left);
    expect(await count('traffic_all_quarters')).toBe(left);
    expect(await count('traffic_app_days')).toBe(left);
    expect(await count('traffic_breakdown')).toBe(left);
    expect(await count('traffic_hours')).toBe(left);
    expect(await count('traffic_totals')).toBe(totals);
    const seen = (table: string) => databases.pools.ops.query(`select distinct app_id, country, stream_uid from ${table} order by 1, 2, 3`);
    expect((await seen('traffic_seen')).rows).toEqual((await seen('events')).rows);
    const { rows } = await databases.pools.ops.query<{ oldest: Date }>('select min(occurred_at) as oldest from events');
    // A week goes only when the whole of it is past.
    expect((rows[0]?.oldest.getTime() ?? 0) * 1000).toBeGreaterThanOrEqual(testEpoch - 27 * day);
  });

  it('[APPS-022, APPS-023, APPS-024, APPS-025, APPS-026] counts today in the server offset, all time, QA and bots', async () => {
    const [template] = fc.sample(arbitraryRequest, 1);
    if (!template) throw new Error('no sample');
    const today = dayRange('2026-10-14', '+02:00');
    let made = 0;
    const request = (change: Partial<NewRequest>): NewRequest => ({
      ...template,
      appId: 7,
      type: 'create',
      error: null,
      bot: '',
      isQa: false,
      postbacksDomain: 'pb.example',
      uuid: `01936b0e-7c1e-7a52-9f0b-${String((made += 1)).padStart(12, '0')}`,
      occurredAt: today.from,
      ...change,
    });
    await store.addRequests([
      request({}),
      request({ error: { exception_type: 'Error' } }),
      request({ bot: 'L1' }),
      request({ bot: 'CF', isQa: true }),
      request({ type: 'receive', occurredAt: today.until - 1 }),
      request({ type: 'receive', bot: 'BOT', error: { exception_type: 'Error' }, isQa: true }),
      request({ occurredAt: today.from - 1 }),
      request({ type: 'track', bot: 'HLL' }),
    ]);
    const counters = (await store.countersByApp([7, 8], testEpoch)).get(7);
    expect(counters?.today).toMatchObject({
      create: { all: 4, success: 2 },
      receive: { all: 2, success: 1 },
      bots: { all: 3, success: 2 },
    });
    expect(counters?.allTime).toMatchObject({
      create: { all: 5, success: 3 },
      receive: { all: 2, success: 1 },
      bots: { all: 3, success: 2 },
    });
    expect(counters?.qa).toMatchObject({ create: { all: 1, success: 1 }, receive: { all: 1, success: 0 }, bots: { all: 1, success: 0 } });
    expect(formatDateTime(today.from)).toBe('2026-10-13 22:00:00');
    expect(await store.appsWithClients([7, 8])).toEqual(new Set([7]));
    const ofMany = await store.countersByApp(
      Array.from({ length: maximumLimit + 1 }, (_, id) => id),
      testEpoch,
    );
    expect(ofMany).toEqual(new Map([[7, counters]]));
    expect(
      (
        await store.countersByApp(
          Array.from({ length: maximumLimit + 1 }, (_, id) => id + 8),
          testEpoch,
        )
      ).size,
    ).toBe(0);
  });
});
