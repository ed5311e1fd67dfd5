import { dayOf } from '@switchyard/contract/dates';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { arbitraryEvent } from '../../api/test/arbitrary-events.ts';
import { compareRollups } from '../../api/test/compare-rollups.ts';
import { type EventStoreUnderTest, eventStores, postgres } from '../../api/test/event-stores.ts';
import { sampleEvent } from '../../api/test/sample-event.ts';
import { soon } from '../../api/test/soon.ts';
import { newParameters } from './clickhouse/statement.ts';
import type { NewEvent } from './event-fields.ts';
import type { EventStore } from './event-store.ts';

const offset = '+02:00';
const { signal } = new AbortController();
/** As ingestion decides. */
const systems: Readonly<Record<string, string>> = { '203.0.113.9': '64500', '203.0.113.10': '64501', '2001:db8::1': '4200000000' };
const systemOf = (ip: string): string => systems[ip] ?? '0';
/** Most were stored without a system. */
const event = fc
  .tuple(arbitraryEvent, fc.integer({ min: 0, max: 3 }))
  .map(([row, known]): NewEvent => ({ ...row, asn: known === 0 ? row.asn : '' }));
const batch = fc.uniqueArray(event, { minLength: 20, maxLength: 120, selector: (row) => row.uuid });

async function fillAll(store: EventStore): Promise<number> {
  for (let steps = 0; ; steps += 1) if (!(await store.updateSystems(systemOf, signal))) return steps;
}

/** Counts by system, app, type and day, from the events as they were sent. */
function expectedCounts(rows: readonly NewEvent[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const key = [row.asn === '' ? systemOf(row.ip) : row.asn, row.app_id, row.type, dayOf(row.occurred_at, offset)].join(' ');
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

async function readCounts(store: EventStore): Promise<Map<string, number>> {
  const groups = await store.countGroups({ filter: { scope: 'all' }, by: ['asn', 'app', 'type', 'day'], limit: 100_000 });
  return new Map(Array.from(groups, ({ keys, events }) => [keys.join(' '), events]));
}

describe.each(eventStores)('systems of earlier events on $name', ({ open, runs }) => {
  let stores: EventStoreUnderTest;
  let store: EventStore;

  beforeAll(async () => {
    stores = await open();
  });
  beforeEach(async () => {
    await stores.empty();
    store = stores.openStore(offset, { fillRows: 7 });
  });

  /** Checks every count against the events as they were sent, and a list that is filtered by a system. */
  async function expectFilled(rows: readonly NewEvent[]): Promise<void> {
    expect(await store.countUndecidedSystems()).toEqual({ events: 0, total: rows.length, newestDay: null });
    expect(await readCounts(store)).toEqual(expectedCounts(rows));
    const query = { filter: { scope: 'all', asns: ['64500'] }, page: 1, limit: 1 } as const;
    const found = await store.listEventsByPage({ ...query, sort: { orderBy: 'id', orderDirection: 'desc' } });
    expect(found.total).toBe(rows.filter((row) => (row.asn === '' ? systemOf(row.ip) : row.asn) === '64500').length);
    if (stores.clickhouse === null) await expectExactRollups();
  }

  async function expectExactRollups(): Promise<void> {
    const { expected, stored } = await compareRollups(stores.databases.pools.ops, offset);
    expect(stored).toEqual(expected);
  }

  it('[ASNX-110, ASNX-111, ASNX-112] are decided exactly once by two processes, while batches of the same hours arrive', async () => {
    await fc.assert(
      fc.asyncProperty(batch, batch, async (before, meanwhile) => {
        await stores.empty();
        const rows = [...before, ...meanwhile];
        fc.pre(new Set(rows.map(({ uuid }) => uuid)).size === rows.length);
        await store.insertEvents(before);
        const other = stores.openStore(offset, { fillRows: 11 });
        const half = meanwhile.length / 2;
        await Promise.all([
          fillAll(store),
          fillAll(other),
          ...[meanwhile.slice(0, half), meanwhile.slice(half)].map(async (sent) => store.insertEvents(sent)),
        ]);
        await fillAll(other);
        await expectFilled(rows);
      }),
      { numRuns: runs(4), endOnFailure: true },
    );
  });

  it('[ASNX-111] are undecided up to the day of the server on which an hour ends, and leave no addresses behind', async () => {
    // A quarter past midnight by the server's offset.
    const at = Date.UTC(2026, 10, 20, 18, 30) * 1000;
    store = stores.openStore('+05:45', { fillRows: 7 });
    await store.insertEvents([sampleEvent({ occurred_at: at, ip: '203.0.113.9', asn: '' })]);
    expect((await store.countUndecidedSystems()).newestDay).toBe('2026-11-21');
    await fillAll(store);
    const { engine } = stores.clickhouse ?? {};
    const left = await engine?.lines({ text: 'select ip from asn_of_addresses', parameters: newParameters() });
    expect(left ?? []).toEqual([]);
  });

  it('[ASNX-111] are continued after a step that failed, and progress is exact at any moment', async () => {
    const rows = fc.sample(batch, { numRuns: 1, seed: 5 }).flat();
    await store.insertEvents(rows);
    const undecided = rows.filter(({ asn }) => asn === '');
    expect(await store.countUndecidedSystems()).toEqual({
      events: undecided.length,
      total: rows.length,
      newestDay: dayOf(Math.max(...undecided.map((row) => row.occurred_at)), offset),
    });
    await store.updateSystems(systemOf, signal);
    const { events: left } = await store.countUndecidedSystems();
    expect(left).toBeLessThan(undecided.length);
    const failure = new Error('no registry');
    const fail = (): never => {
      throw failure;
    };
    await expect(store.updateSystems(fail, signal)).rejects.toBe(failure);
    expect(await store.countUndecidedSystems()).toMatchObject({ events: left });
    expect([...(await readCounts(store)).values()].reduce((sum, count) => sum + count, 0)).toBe(rows.length);
    store = stores.openStore(offset, { fillRows: 7 });
    await fillAll(store);
    await expectFilled(rows);
  });
});

describe('systems of earlier events in roll-ups of PostgreSQL', () => {
  it('[ASNX-111, ASNX-112] counts nothing twice when its connection is killed or earlier counts are wrong', async () => {
    const { databases, openStore } = await postgres.open();
    const { ops, ui } = databases.pools;
    const store = openStore(offset, { fillRows: 7 });
    await store.insertEvents(fc.sample(batch, { numRuns: 1, seed: 6 }).flat());
    const compare = async (): Promise<void> => {
      const { expected, stored } = await compareRollups(ops, offset);
      expect(stored).toEqual(expected);
    };
    const blocker = await ui.connect();
    await blocker.query('begin');
    await blocker.query('lock table traffic_asn_days in exclusive mode');
    const killed = expect(store.updateSystems(systemOf, signal)).rejects.toThrow();
    const isWaiting = `from pg_stat_activity where datname = current_database() and wait_event = 'relation' and application_name like '%jobs'`;
    await vi.waitFor(async () => expect((await ops.query(`select pg_terminate_backend(pid) ${isWaiting}`)).rowCount).toBe(1), soon);
    await killed;
    await blocker.query('rollback');
    blocker.release();
    await compare();
    // As a version without the roll-up leaves them: events that are not counted, and counts of dropped events.
    await ops.query(
      `update traffic_asn_days set requests = requests + case when app_id = 1 then 1 else -1 end where asn = '' and (app_id = 1 or app_id = 2 and requests > 1)`,
    );
    await fillAll(store);
    await compare();
    expect((await ops.query(`select from events where asn = ''`)).rowCount).toBe(0);
  });
});
