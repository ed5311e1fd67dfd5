import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { arbitraryEvent, testEpoch } from '../../../../api/test/arbitrary-events.ts';
import { compareRollups, countIn } from '../../../../api/test/compare-rollups.ts';
import { postgres } from '../../../../api/test/event-stores.ts';
import type { EventStore } from '../../event-store.ts';

const { databases, openStore, empty } = await postgres.open();
const { ops } = databases.pools;
const count = async (table: string) => countIn(ops, table);

/** Requests with their identity made unique, since two equal ones are one. */
const batch = fc.uniqueArray(arbitraryEvent, { minLength: 1, maxLength: 60, selector: (row) => row.uuid });
let store: EventStore;
const day = 86_400_000_000;

beforeEach(async () => {
  await empty();
  store = openStore('+02:00');
});

describe('roll-ups', () => {
  it('[ENT-015, ENT-016, ASNX-005] keeps every roll-up equal to a direct count, whatever comes twice, late or together', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 3 }), async (batches) => {
        const before = await count('events');
        const sentBatches = [...batches, ...batches, batches[0] ?? []].map((rows) => rows.map((row) => ({ ...row })));
        const answers = await Promise.all(sentBatches.map((rows) => store.insertEvents(rows)));
        const acceptedCount = answers.reduce((sum, answer) => sum + answer.accepted, 0);
        const duplicates = answers.reduce((sum, answer) => sum + answer.duplicates, 0);
        expect(acceptedCount + duplicates).toBe(sentBatches.flat().length);
        expect((await count('events')) - before).toBe(acceptedCount);
        const { expected, stored } = await compareRollups(ops, '+02:00');
        expect(stored).toEqual(expected);
      }),
      { numRuns: 12 },
    );
  });
});

describe('upkeep', () => {
  it('rebuilds the counters by day when the offset of the server changed', async () => {
    await store.maintain(testEpoch);
    await store.insertEvents(fc.sample(arbitraryEvent, { numRuns: 150, seed: 3 }));
    store = openStore('-05:30');
    await store.maintain(testEpoch);
    const { expected, stored } = await compareRollups(ops, '-05:30');
    expect(stored).toEqual(expected);
  });

  it('makes room for coming weeks while an export reads, and drops past ones when it is done', async () => {
    const rows = fc.sample(arbitraryEvent, { numRuns: 5, seed: 8 });
    await store.insertEvents(rows);
    const later = testEpoch + 400 * day;
    const both = [openStore('+02:00'), openStore('+02:00')];
    const reader = await databases.pools.exports.connect();
    try {
      await reader.query('begin');
      await reader.query('select count(*) from events');
      await Promise.all(both.map((other) => other.maintain(later)));
      expect(await store.insertEvents(rows.map((row) => ({ ...row, occurred_at: later })))).toEqual({ accepted: 5, duplicates: 0 });
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
      .sample(arbitraryEvent, { numRuns: 120, seed: 4 })
      .map((row, index) => ({ ...row, occurred_at: testEpoch - (index % 60) * day }));
    await store.insertEvents(old);
    const totals = await count('traffic_totals');
    store = openStore('+02:00', { retentionDays: 20 });
    await store.maintain(testEpoch);
    const remainingCount = await count('events');
    expect(remainingCount).toBeGreaterThan(0);
    expect(remainingCount).toBeLessThan(old.length);
    expect(await count('traffic_days')).toBe(remainingCount);
    expect(await count('traffic_day_types')).toBe(remainingCount);
    expect(await count('traffic_all_days')).toBe(remainingCount);
    expect(await count('traffic_all_hours')).toBe(remainingCount);
    expect(await count('traffic_all_quarters')).toBe(remainingCount);
    expect(await count('traffic_app_days')).toBe(remainingCount);
    expect(await count('traffic_asn_days')).toBe(remainingCount);
    expect(await count('traffic_breakdown')).toBe(remainingCount);
    expect(await count('traffic_hours')).toBe(remainingCount);
    expect(await count('traffic_totals')).toBe(totals);
    const readSeen = (table: string) =>
      databases.pools.ops.query(`select distinct app_id, country, stream_uid from ${table} order by 1, 2, 3`);
    expect((await readSeen('traffic_seen')).rows).toEqual((await readSeen('events')).rows);
    const { rows } = await databases.pools.ops.query<{ oldest: Date }>('select min(occurred_at) as oldest from events');
    // A week goes only when the whole of it is past.
    expect((rows[0]?.oldest.getTime() ?? 0) * 1000).toBeGreaterThanOrEqual(testEpoch - 27 * day);
  });

  it('[ASNX-005] counts by system the events that an earlier version stored, when it starts', async () => {
    await store.maintain(testEpoch);
    await store.insertEvents(fc.sample(arbitraryEvent, { numRuns: 60, seed: 6 }));
    const direct = await compareRollups(databases.pools.ops, '+02:00');
    expect(direct.stored).toEqual(direct.expected);
    // That version leaves out a whole day, and parts of others.
    await databases.pools.ops.query(`delete from traffic_asn_days where type = 'create' or day = (select min(day) from traffic_asn_days)`);
    await openStore('+02:00').maintain(testEpoch);
    expect((await compareRollups(databases.pools.ops, '+02:00')).stored).toEqual(direct.expected);
  });

  it('[R10] rebuilds the counters of the day that the end of a dropped week cuts', async () => {
    const [template] = fc.sample(arbitraryEvent, { numRuns: 1, seed: 5 });
    if (!template) throw new Error('no sample');
    // Weeks end on Monday 00:00 UTC, which in this offset is two hours after the day has begun.
    const monday = Date.UTC(2026, 8, 21) * 1000;
    const hour = 3_600_000_000;
    const around = [-3 * hour, -hour, -1, 0, hour].map((offset, index) => ({
      ...template,
      uuid: `01936b0e-7c1e-7a52-9f0b-3c5d2e7a9b1${index}`,
      occurred_at: monday + offset,
    }));
    await store.insertEvents(around);
    store = openStore('+02:00', { retentionDays: 20 });
    await store.maintain(monday + 21 * day);
    expect(await count('events')).toBe(2);
    const countTables = [
      'traffic_days',
      'traffic_day_types',
      'traffic_all_days',
      'traffic_app_days',
      'traffic_asn_days',
      'traffic_breakdown',
      'traffic_all_hours',
    ];
    for (const table of countTables) expect([table, await count(table)]).toEqual([table, 2]);
  });
});
