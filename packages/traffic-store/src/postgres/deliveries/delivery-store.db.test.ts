import { conversionSortKeys } from '@switchyard/contract/conversions';
import { maximumLimit } from '@switchyard/contract/limits';
import { pushSortKeys } from '@switchyard/contract/pushes';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Databases } from '../../../../api/src/database/connect.ts';
import type { ConversionFilter, DeliveryStore, NewConversion, NewPush, PushFilter } from '../../delivery-store.ts';
import { createTrafficStore } from '../../open-traffic-store.ts';
import { arbitraryConversion, arbitraryPush } from '../../../../api/test/arbitrary-deliveries.ts';
import { testEpoch } from '../../../../api/test/arbitrary-events.ts';
import { createTestDatabase } from '../../../../api/test/test-database.ts';

type Store = DeliveryStore;
let databases: Databases;
let store: Store;
const day = 86_400_000_000;
const apps = [1, 2, 3];
/** Midnight in the offset of the store. */
const midnight = testEpoch + 10 * 3_600_000_000;

function openStore(serverOffset: string, retentionDays = 90): Store {
  return createTrafficStore({ pools: databases.pools, serverOffset, retentionDays }).deliveries;
}

beforeAll(async () => {
  ({ databases } = await createTestDatabase());
});

beforeEach(async () => {
  await databases.pools.ops.query(
    `truncate pushes, push_totals, push_days, push_status_days, push_hours, conversions, conversion_totals, conversion_days,
     conversion_stream_days, conversion_kind_days, conversion_hours, traffic_calendar restart identity`,
  );
  store = openStore('+02:00');
});

async function rowsOf<Row extends object>(text: string): Promise<Row[]> {
  return (await databases.pools.ops.query<Row>(text)).rows;
}

const countedPush = `status in ('sent', 'success')`;

/** Roll-ups beside a direct count of the rows, without rows of zero. */
async function compareCounts(offset: string): Promise<{ stored: unknown[]; expected: unknown[] }> {
  const keys = 'app_id, status_conversion, status, is_send, is_qa';
  const dayOf = (column: string) => `((${column} at time zone 'UTC' + interval '${offset}')::date)::text as day`;
  const hourOf = (column: string) => `date_bin('1 hour', ${column}, timestamptz 'epoch' - interval '${offset}') as hour`;
  const pairs = [
    [
      'select app_id, is_success, stored from push_totals where stored <> 0 order by 1, 2',
      `select app_id, ${countedPush} as is_success, count(*) as stored from pushes group by 1, 2 order by 1, 2`,
    ],
    [
      'select day::text, app_id, is_success, stored from push_days where stored <> 0 order by 1, 2, 3',
      `select ${dayOf('send_at')}, app_id, ${countedPush} as is_success, count(*) as stored from pushes group by 1, 2, 3 order by 1, 2, 3`,
    ],
    [
      `select ${keys}, stored from conversion_totals where stored <> 0 order by 1, 2, 3, 4, 5`,
      `select ${keys}, count(*) as stored from conversions group by ${keys} order by 1, 2, 3, 4, 5`,
    ],
    [
      `select day::text, ${keys}, stored from conversion_days where stored <> 0 order by 1, 2, 3, 4, 5, 6`,
      `select ${dayOf('created_at')}, ${keys}, count(*) as stored from conversions group by day, ${keys} order by 1, 2, 3, 4, 5, 6`,
    ],
    [
      'select day::text, app_id, status, stored from push_status_days where stored <> 0 order by 1, 2, 3',
      `select ${dayOf('send_at')}, app_id, status, count(*) as stored from pushes group by 1, 2, 3 order by 1, 2, 3`,
    ],
    [
      'select day::text, app_id, stream_uid, status, stored, payout::float from conversion_stream_days where stored <> 0 order by 1, 2, 3, 4',
      `select ${dayOf('created_at')}, app_id, coalesce(stream_uid, '') as stream_uid, status, count(*) as stored, coalesce(sum(payout), 0)::float as payout
       from conversions group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    ],
    [
      `select day::text, app_id, stream_uid, status_conversion, status, stored, payout::float from conversion_kind_days where stored <> 0
       order by 1, 2, 3, 4, 5`,
      `select ${dayOf('created_at')}, app_id, coalesce(stream_uid, '') as stream_uid, status_conversion, status, count(*) as stored,
         coalesce(sum(payout), 0)::float as payout
       from conversions group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
    ],
    ...[['push_hours', 'pushes', 'send_at'] as const, ['conversion_hours', 'conversions', 'created_at'] as const].map(
      ([table2, table, time]) =>
        [
          `select hour, app_id, stored from ${table2} where stored <> 0 order by 1, 2`,
          `select ${hourOf(time)}, app_id, count(*) as stored from ${table} group by 1, 2 order by 1, 2`,
        ] as const,
    ),
  ] as const;
  const storedRows: unknown[] = [];
  const expected: unknown[] = [];
  for (const [counted, direct] of pairs) {
    storedRows.push(...(await rowsOf(counted)));
    expected.push(...(await rowsOf(direct)));
  }
  return { stored: storedRows, expected };
}

const substring = (value: string | null, part: string | undefined) =>
  part === undefined || (value ?? '').toLowerCase().includes(part.toLowerCase());
const within = (at: number, { from, until }: { from?: number | undefined; until?: number | undefined }) =>
  (from === undefined || at >= from) && (until === undefined || at < until);

/** Sorted as api 0.6 says: by the value, missing ones last; ties by id, newest first. */
function sortRows<Row extends { id: number }>(
  rows: readonly Row[],
  key: ((row: Row) => string | null) | null,
  isAscending: boolean,
): number[] {
  const sign = isAscending ? 1 : -1;
  return [...rows]
    .sort((a, b) => {
      if (key === null) return sign * (a.id - b.id);
      const [leftKey, right] = [key(a), key(b)];
      if (leftKey === right) return b.id - a.id;
      if (leftKey === null || right === null) return leftKey === null ? 1 : -1;
      return sign * Buffer.compare(Buffer.from(leftKey), Buffer.from(right));
    })
    .map((row) => row.id);
}

/** The filter of most readers: its first page is found in a way of its own. */
const noFilter = fc.record({ appId: fc.constantFrom(1, 2, 9) });

describe('pushes', () => {
  const batches = fc.array(fc.array(arbitraryPush('few'), { minLength: 1, maxLength: 25 }), { minLength: 1, maxLength: 4 });

  it('[ENT-016, AMB-077] have the values of their newest row and are counted exactly, whatever comes twice, late or together', async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (sentBatches) => {
        await databases.pools.ops.query('truncate pushes, push_totals, push_days, push_status_days, push_hours');
        const all = [...sentBatches, ...sentBatches.toReversed()];
        const answers = await Promise.all(all.map((rows) => store.insertPushes(rows)));
        for (const [index, answer] of answers.entries()) expect(answer.accepted + answer.duplicates).toBe(all[index]?.length);

        const newest = new Map<string, number>();
        for (const push of sentBatches.flat()) {
          const key = `${push.appId} ${push.uuid}`;
          newest.set(key, Math.max(newest.get(key) ?? 0, push.updatedAt));
        }
        const storedPushes = await rowsOf<{ key: string; at: number; push_name: string }>(
          `select app_id || ' ' || uuid as key, (extract(epoch from updated_at) * 1000000)::bigint as at, push_name from pushes`,
        );
        expect(new Map(storedPushes.map((row) => [row.key, row.at]))).toEqual(newest);
        for (const row of storedPushes) expect(row.push_name).toBe(`as of ${row.at}`);
        const { stored, expected } = await compareCounts('+02:00');
        expect(stored).toEqual(expected);
        const totals = await Promise.all(
          apps.map(async (appId) => {
            const { total } = await store.listPushes({ filter: { appId }, orderBy: 'keyId', orderDirection: 'desc', page: 1, limit: 1 });
            return total;
          }),
        );
        expect(totals.reduce((sum, total) => sum + total, 0)).toBe(newest.size);
      }),
      { numRuns: 15 },
    );
  });

  it('count the rows of one batch one after the other, and keep what no newer row may replace', async () => {
    const [push] = fc.sample(arbitraryPush('few'), 1);
    if (!push) throw new Error('no sample');
    const version = (updatedAt: number, change: Partial<NewPush> = {}): NewPush => ({ ...push, appId: 1, updatedAt, ...change });
    const first = version(testEpoch + 2, { pushId: 'p-1', uid: 'u-1', status: 'pending', sendAt: midnight });
    const newer = version(testEpoch + 3, { pushId: 'p-2', uid: 'u-2', status: 'sent', sendAt: midnight - 1, message: 'new' });
    expect(await store.insertPushes([first, version(testEpoch + 1), first, newer, first])).toEqual({ accepted: 2, duplicates: 3 });
    expect(await store.insertPushes([newer, version(testEpoch + 4, { status: 'error', sendAt: midnight })])).toEqual({
      accepted: 1,
      duplicates: 1,
    });
    const { rows } = await store.listPushes({ filter: { appId: 1 }, orderBy: 'keyId', orderDirection: 'desc', page: 1, limit: 5 });
    expect(rows).toMatchObject([{ push_id: 'p-1', uid: 'u-1', status: 'error', send_at: '2026-10-14 22:00:00' }]);
    const { today, allTime, qa } = (await store.countDeliveriesByApp([1], midnight)).get(1) ?? {};
    expect([today?.push, allTime?.push, qa?.push]).toEqual([
      { all: 1, success: 0 },
      { all: 1, success: 0 },
      { all: 0, success: 0 },
    ]);
    expect((await store.countDeliveriesByApp([1], midnight - 1)).get(1)?.today.push).toEqual({ all: 0, success: 0 });
  });

  it('[PUSH-002] are found by a part of their campaign, of few campaigns and of many', async () => {
    const [push] = fc.sample(arbitraryPush('many'), { numRuns: 1, seed: 3 });
    if (!push) throw new Error('no sample');
    const ofCampaigns = (first: number, count: number) =>
      Array.from({ length: count }, (_, n) => {
        const number = String(first + n).padStart(4, '0');
        return { ...push, appId: 1, uuid: `01936b0e-7c1e-7a52-9f0b-00000000${number}`, campaignUid: n === 0 ? null : `Sale-${number}` };
      });
    const countOf = async (campaignUid: string) => {
      const query = { orderBy: 'keyId', orderDirection: 'desc', page: 1, limit: 1000 } as const;
      const { rows, total } = await store.listPushes({ filter: { appId: 1, campaignUid }, ...query });
      expect(rows).toHaveLength(total);
      return total;
    };
    await store.insertPushes(ofCampaigns(0, 501));
    expect([await countOf('sale-0'), await countOf('LE-001'), await countOf('sale-1')]).toEqual([500, 10, 0]);
    await store.insertPushes(ofCampaigns(1000, 3));
    expect([await countOf('sale-0'), await countOf('LE-001'), await countOf('sale-1')]).toEqual([500, 10, 2]);
  });

  it('[PUSH-002, PUSH-006, PUSH-013, PUSH-014, PUSH-015, PUSH-018, API-030] are listed by any filter, sort and page as a plain list would be', async () => {
    const pushes = fc.sample(arbitraryPush('many'), { numRuns: 300, seed: 21 });
    for (let from = 0; from < pushes.length; from += 100) await store.insertPushes(pushes.slice(from, from + 100));
    const ids = new Map((await rowsOf<{ uuid: string; id: number }>('select uuid, id from pushes')).map((row) => [row.uuid, row.id]));
    const rows = pushes.map((push) => ({ ...push, id: ids.get(push.uuid) ?? 0 }));
    const filter: fc.Arbitrary<PushFilter> = fc.oneof(
      noFilter,
      fc.record({
        appId: fc.constantFrom(1, 2, 9),
        uid: fc.constantFrom(undefined, undefined, undefined, 'u', '_', '%', '\\', 'ü', '1'),
        campaignUid: fc.constantFrom(undefined, undefined, 'pc-', 'PC_', 'ü-7', 'ü'),
        pushId: fc.constantFrom(undefined, undefined, 'P-10', '7', '0%', '9'.repeat(30)),
        from: fc.constantFrom(undefined, undefined, midnight, midnight - 3 * day, testEpoch),
        until: fc.constantFrom(undefined, undefined, midnight + day, testEpoch + 1),
      }),
    );
    const keys = { keyId: null, keyCampaign: 'campaignUid', keySendAt: 'sendAt', keyStatus: 'status' } as const;
    const direction = fc.constantFrom('asc' as const, 'desc' as const);
    const limit = fc.integer({ min: 1, max: 40 });
    await fc.assert(
      fc.asyncProperty(filter, fc.constantFrom(...pushSortKeys), direction, limit, async (wantedFilter, orderBy, orderDirection, size) => {
        const matching = rows.filter(
          (row) =>
            row.appId === wantedFilter.appId &&
            substring(row.uid, wantedFilter.uid) &&
            substring(row.campaignUid, wantedFilter.campaignUid) &&
            (substring(row.pushId, wantedFilter.pushId) || String(row.id) === wantedFilter.pushId) &&
            within(row.sendAt, wantedFilter),
        );
        const key = keys[orderBy];
        const value = key === null ? null : (row: NewPush) => (row[key] === null ? null : String(row[key]));
        const expected = sortRows(matching, value, orderDirection === 'asc');
        const pages = Math.ceil(expected.length / size) + 1;
        for (let page = 1; page <= pages; page += 1) {
          const listPage = await store.listPushes({ filter: wantedFilter, orderBy, orderDirection, page, limit: size });
          expect(listPage.total).toBe(expected.length);
          expect(listPage.rows.map((row) => row.id)).toEqual(expected.slice((page - 1) * size, page * size));
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('conversions', () => {
  const batches = fc.array(fc.array(arbitraryConversion('few'), { minLength: 1, maxLength: 25 }), { minLength: 1, maxLength: 4 });

  it('[ENT-016, AMB-107] are kept and counted once, whatever comes twice or together', async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (sentBatches) => {
        await databases.pools.ops.query(
          'truncate conversions, conversion_totals, conversion_days, conversion_stream_days, conversion_kind_days, conversion_hours',
        );
        const all = [...sentBatches, ...sentBatches.toReversed()];
        const answers = await Promise.all(all.map((rows) => store.insertConversions(rows)));
        const acceptedCount = answers.reduce((sum, answer) => sum + answer.accepted, 0);
        expect(acceptedCount).toBe(new Set(sentBatches.flat().map((row) => `${row.appId} ${row.uuid} ${row.createdAt}`)).size);
        expect(acceptedCount + answers.reduce((sum, answer) => sum + answer.duplicates, 0)).toBe(all.flat().length);
        const { stored, expected } = await compareCounts('+02:00');
        expect(stored).toEqual(expected);
        expect(await store.findAppsWithConversions(apps)).toEqual(new Set(sentBatches.flat().map((row) => row.appId)));
      }),
      { numRuns: 15 },
    );
  });

  it('[CONV-002, CONV-003, CONV-006, CONV-007, CONV-009, CONV-016, CONV-024, API-031] are listed by any filter, sort and page as a plain list would be', async () => {
    const conversions = fc.sample(arbitraryConversion('many'), { numRuns: 300, seed: 22 });
    for (let from = 0; from < conversions.length; from += 100) await store.insertConversions(conversions.slice(from, from + 100));
    const ids = new Map((await rowsOf<{ uuid: string; id: number }>('select uuid, id from conversions')).map((row) => [row.uuid, row.id]));
    const rows = conversions.map((row) => ({ ...row, id: ids.get(row.uuid) ?? 0 }));
    const filter: fc.Arbitrary<ConversionFilter> = fc.oneof(
      noFilter,
      fc.record({
        appId: fc.constantFrom(1, 2, 9),
        streamUid: fc.constantFrom(undefined, undefined, 'st_1', 'ST'),
        clientUid: fc.constantFrom(undefined, undefined, 'u', '%', 'Ü'),
        statusConversion: fc.constantFrom(undefined, 'deposit', 'none'),
        status: fc.constantFrom(undefined, 'success', 'SUCCESS'),
        isSend: fc.constantFrom(undefined, true, false),
        from: fc.constantFrom(undefined, undefined, midnight, testEpoch),
        until: fc.constantFrom(undefined, undefined, midnight + day, testEpoch + 1),
      }),
    );
    const keys = { keyId: null, keyClient: 'clientUid', keyStatus: 'status' } as const;
    const direction = fc.constantFrom('asc' as const, 'desc' as const);
    const limit = fc.integer({ min: 1, max: 40 });
    await fc.assert(
      fc.asyncProperty(
        filter,
        fc.constantFrom(...conversionSortKeys),
        direction,
        limit,
        async (wantedFilter, orderBy, orderDirection, size) => {
          const matching = rows.filter(
            (row) =>
              row.appId === wantedFilter.appId &&
              substring(row.streamUid, wantedFilter.streamUid) &&
              substring(row.clientUid, wantedFilter.clientUid) &&
              (wantedFilter.statusConversion ?? row.statusConversion) === row.statusConversion &&
              (wantedFilter.status ?? row.status) === row.status &&
              (wantedFilter.isSend ?? row.isSend) === row.isSend &&
              within(row.createdAt, wantedFilter),
          );
          const key = keys[orderBy];
          const expected = sortRows(matching, key === null ? null : (row: NewConversion) => row[key], orderDirection === 'asc');
          const pages = Math.ceil(expected.length / size) + 1;
          for (let page = 1; page <= pages; page += 1) {
            const listPage = await store.listConversions({ filter: wantedFilter, orderBy, orderDirection, page, limit: size });
            expect(listPage.total).toBe(expected.length);
            expect(listPage.rows.map((row) => row.id)).toEqual(expected.slice((page - 1) * size, page * size));
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('upkeep', () => {
  it('rebuilds the counters by day when the offset of the server changed', async () => {
    await store.maintain(testEpoch);
    await store.insertPushes(fc.sample(arbitraryPush('many'), { numRuns: 80, seed: 3 }));
    await store.insertConversions(fc.sample(arbitraryConversion('many'), { numRuns: 80, seed: 3 }));
    store = openStore('-05:30');
    await store.maintain(testEpoch);
    const { stored, expected } = await compareCounts('-05:30');
    expect(stored).toEqual(expected);
  });

  it('[CONV-114] counts by kind what an earlier version stored, day by day, and again what it stores beside this one', async () => {
    await store.maintain(testEpoch);
    const [first = [], second = []] = [5, 6].map((seed) => fc.sample(arbitraryConversion('many'), { numRuns: 80, seed }));
    await store.insertConversions(first);
    const { rows: days } = await databases.pools.ops.query('select distinct day from conversion_kind_days');
    // An earlier version knows no counts by kind.
    await databases.pools.ops.query('truncate conversion_kind_days');
    // What another process counted already stays.
    expect(await openStore('+02:00').updateKindCounts()).toBe(true);
    let steps = 1;
    while (await store.updateKindCounts()) steps += 1;
    expect(steps).toBe(days.length);
    const afterFirst = await compareCounts('+02:00');
    expect(afterFirst.stored).toEqual(afterFirst.expected);

    // Batches that arrive during the recount are counted once.
    await databases.pools.ops.query('truncate conversion_kind_days');
    const parts = Array.from({ length: 8 }, (_, part) => second.filter((_row, at) => at % 8 === part));
    await Promise.all([
      ...parts.map(async (rows) => store.insertConversions(rows)),
      ...[store, openStore('+02:00')].map(async (one) => {
        while (await one.updateKindCounts());
      }),
    ]);
    while (await store.updateKindCounts());
    const meanwhile = await compareCounts('+02:00');
    expect(meanwhile.stored).toEqual(meanwhile.expected);

    await databases.pools.ops.query(`delete from conversion_kind_days where status_conversion = 'deposit'`);
    await databases.pools.ops.query(`update conversion_kind_days set stored = stored + 1 where status = 'held'`);
    while (await store.updateKindCounts());
    const afterSecond = await compareCounts('+02:00');
    expect(afterSecond.stored).toEqual(afterSecond.expected);
    expect(await store.updateKindCounts()).toBe(false);
  });

  it('drops what is past retention, from several processes at once, and keeps what was counted of all time', async () => {
    const pushes = fc.sample(arbitraryPush('many'), { numRuns: 120, seed: 4 });
    const conversions = fc.sample(arbitraryConversion('many'), { numRuns: 120, seed: 4 });
    await store.insertPushes(pushes);
    await store.insertConversions(conversions);
    const before = await store.countDeliveriesByApp(apps, testEpoch);
    const both = [openStore('+02:00', 3), openStore('+02:00', 3)];
    await Promise.all(both.map((other) => other.maintain(testEpoch + 2 * day)));
    const oldest = testEpoch - day;
    expect(await rowsOf('select 1 from pushes')).toHaveLength(pushes.filter((push) => push.sendAt >= oldest).length);
    expect(await rowsOf('select 1 from conversions')).toHaveLength(conversions.filter((row) => row.createdAt >= oldest).length);
    expect((await rowsOf('select 1 from pushes')).length).toBeLessThan(pushes.length);
    const { stored, expected } = await compareCounts('+02:00');
    expect(stored).toEqual(expected);
    const after = await store.countDeliveriesByApp(apps, testEpoch);
    // More apps than a page has are asked for in another way.
    const others = Array.from({ length: maximumLimit }, (_, id) => id + 1000);
    expect(await store.countDeliveriesByApp([...apps, ...others], testEpoch)).toEqual(after);
    expect((await store.countDeliveriesByApp(others, testEpoch)).size).toBe(0);
    for (const appId of apps) expect(after.get(appId)?.allTime).toEqual(before.get(appId)?.allTime);
  });
});
