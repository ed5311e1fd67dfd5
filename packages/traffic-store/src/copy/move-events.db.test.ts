import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { arbitraryEvent, testEpoch } from '../../../api/test/arbitrary-events.ts';
import { isClickHouseAvailable } from '../../../api/test/clickhouse-database.ts';
import { answersOf, openMoveScene } from '../../../api/test/move-scene.ts';
import { sampleEvent } from '../../../api/test/sample-event.ts';
import { isDatabaseUnavailable } from '../database-errors.ts';
import { newParameters } from '../clickhouse/statement.ts';
import { listedFields, type NewEvent, positions } from '../event-fields.ts';
import { requireEventHome } from '../event-home.ts';
import { day } from '../time-buckets.ts';
import { openEngineCopy } from './clickhouse-copy.ts';
import { valueOf } from './copied-events.ts';
import { copyEvents, emptyPostgres, moveBack, switchToEngine } from './move-events.ts';
import { openPostgresCopy } from './postgres-copy.ts';

const now = testEpoch + 3 * day;

/** Events of four days, because every day is compared by itself. */
function sampleEvents(numRuns: number, seed: number): NewEvent[] {
  return fc
    .sample(arbitraryEvent, { numRuns, seed })
    .map((row) => ({ ...row, occurred_at: testEpoch + ((row.occurred_at - testEpoch) % (2 * day)) }));
}

describe.runIf(isClickHouseAvailable())('moving events between the stores', async () => {
  if (!isClickHouseAvailable()) return;
  const scene = await openMoveScene({ now, serverOffset: '+02:00', retentionDays: 30 });
  const { databases, engine, postgres, clickhouse, options, takeDays, compareRollups } = scene;
  const pool = databases.pools.ops;

  beforeEach(async () => {
    await scene.emptyBoth();
    takeDays();
  });

  async function expectEqualStores(): Promise<void> {
    expect(await answersOf(clickhouse, now)).toEqual(await answersOf(postgres, now));
  }

  it('[API-028] copies every event although copies are killed at random points', async () => {
    const random = fc.sample(fc.record({ after: fc.nat(12), isInserted: fc.boolean() }), { numRuns: 4, seed: 11 });
    for (const [round, { after, isInserted }] of random.entries()) {
      await postgres.insertEvents(sampleEvents(120, 20 + round));
      let inserts = 0;
      const failing: typeof engine.insert = async (batch) => {
        if (batch.table === 'events' && (inserts += 1) > after) {
          if (isInserted) await engine.insert(batch);
          throw new Error('killed');
        }
        await engine.insert(batch);
      };
      await copyEvents(options({ ...engine, insert: failing })).catch((error: unknown) => expect(error).toEqual(new Error('killed')));
    }
    await copyEvents(options());
    await expectEqualStores();
    takeDays();
    await copyEvents(options());
    const days = takeDays();
    expect(days.length).toBeGreaterThan(3);
    expect(days.filter(({ copiedEvents }) => copiedEvents > 0)).toEqual([]);
  });

  it('[API-028] rejects an insert of a killed copy that arrives when the next copy runs', async () => {
    await postgres.insertEvents(sampleEvents(50, 3));
    const late: Parameters<typeof engine.insert>[0][] = [];
    const losingInsert: typeof engine.insert = async (batch) => {
      if (batch.table !== 'events') return engine.insert(batch);
      late.push(batch);
      throw new Error('killed');
    };
    await expect(copyEvents(options({ ...engine, insert: losingInsert }))).rejects.toThrow('killed');
    await copyEvents(options());
    expect(late).toHaveLength(1);
    for (const batch of late) await expect(engine.insert(batch)).rejects.toThrow(/not_void/);
    await expectEqualStores();
  });

  it('[API-028] names the day of events that only ClickHouse holds, and deletes nothing', async () => {
    const [first, second] = [sampleEvent({ occurred_at: testEpoch }), sampleEvent({ occurred_at: testEpoch + 1 })];
    await postgres.insertEvents([first, second]);
    await copyEvents(options());
    await pool.query('delete from events where uuid = $1', [second.uuid]);
    await expect(copyEvents(options())).rejects.toThrow(/^Events of 2026-10-14: ClickHouse holds 1 that PostgreSQL does not/);
    expect(await clickhouse.countEvents({ scope: 'all' })).toBe(2);
    await expect(switchToEngine(options())).rejects.toThrow(/2026-10-14/);
    await expect(requireEventHome(pool, 'postgres')).resolves.toBeUndefined();
  });

  it('[API-028] names the day of an event that only ClickHouse holds though PostgreSQL has none of that day', async () => {
    const midnight = Math.floor(testEpoch / day) * day + 3 * day;
    const [first, last] = [sampleEvent({ occurred_at: testEpoch }), sampleEvent({ occurred_at: midnight })];
    await postgres.insertEvents([first, last]);
    await copyEvents(options());
    await pool.query('delete from events where uuid = $1', [last.uuid]);
    await expect(copyEvents(options())).rejects.toThrow(/^Events of 2026-10-17: ClickHouse holds 1 that PostgreSQL does not/);
  });

  it('[API-028] tells apart events that differ in nothing but a flag', async () => {
    await postgres.insertEvents([sampleEvent({ occurred_at: testEpoch, is_qa: true })]);
    await copyEvents(options());
    await engine.command('alter table events update flags = 0 where true settings mutations_sync = 2');
    await expect(copyEvents(options())).rejects.toThrow(/PostgreSQL and ClickHouse hold different events with the same ids/);
  });

  it('[API-028] compares and copies no events after the last id that is known to be visible', async () => {
    await postgres.insertEvents(sampleEvents(30, 8));
    await copyEvents(options());
    const { rows } = await pool.query<{ id: number }>('select id from events order by id');
    const ids = rows.map(({ id }) => id);
    const range = { from: testEpoch - 10 * day, until: testEpoch + 10 * day, lastId: ids[9] ?? 0 };
    for (const copy of [openPostgresCopy(databases, '+02:00'), openEngineCopy({ engine, cluster: null }, pool, 0)]) {
      expect(await copy.ids(range)).toEqual(new Set(ids.slice(0, 10)));
      const sums = [...(await copy.sums(range, 'hour')).values()].map((text) => Number(text.split(' ')[0]));
      expect(sums.reduce((sum, events) => sum + events, 0)).toBe(10);
      const readIds: unknown[] = [];
      for await (const block of copy.read(range)) readIds.push(...block.map((event) => valueOf('id', event)));
      expect(new Set(readIds)).toEqual(new Set(ids.slice(0, 10)));
    }
  });

  it('[API-028] switches under load: an accepted event is stored once, however often its batch is sent', async () => {
    await postgres.insertEvents(sampleEvents(200, 5));
    const switchDone = Promise.withResolvers<void>();
    let acceptedCount = 200;
    let rejectedCount = 0;
    /** Stores a batch in the store that a console has open: PostgreSQL, and after a rejection ClickHouse. */
    async function send(rows: readonly NewEvent[]): Promise<void> {
      const outcome = await postgres.insertEvents(rows).catch(async (error: unknown) => {
        if (!isDatabaseUnavailable(error)) throw error;
        rejectedCount += 1;
        await switchDone.promise;
        return clickhouse.insertEvents(rows);
      });
      acceptedCount += outcome.accepted;
    }
    const sentEvents: NewEvent[] = [];
    const senders = Array.from({ length: 3 }, async (_, sender) => {
      for (let round = 0; rejectedCount < 3; round += 1) {
        const rows = sampleEvents(25, 1000 * (sender + 1) + round);
        sentEvents.push(...rows);
        await send(rows);
        // As a server does that did not get the answer.
        if (round % 3 === 0) await send(rows.slice(5));
      }
    });
    await switchToEngine(options());
    switchDone.resolve();
    await Promise.all(senders);
    expect(rejectedCount).toBeGreaterThan(2);
    const expected = new Set([...sampleEvents(200, 5), ...sentEvents].map((row) => `${row.app_id} ${row.occurred_at} ${row.uuid}`)).size;
    expect(acceptedCount).toBe(expected);
    expect(await clickhouse.countEvents({ scope: 'all' })).toBe(expected);
    expect((await clickhouse.insertEvents(sentEvents.slice(0, 500))).accepted).toBe(0);
    await expect(postgres.insertEvents(sampleEvents(1, 9))).rejects.toThrow('events are not stored in postgres any more');
  });

  it('[API-028] changes nothing when a switch fails in its last step', async () => {
    await postgres.insertEvents(sampleEvents(60, 6));
    const brokenEngine = {
      ...engine,
      lines: async (statement: Parameters<typeof engine.lines>[0]) => {
        if (statement.text.includes('_partition_value')) throw new Error('killed');
        return engine.lines(statement);
      },
    };
    await expect(switchToEngine(options(brokenEngine))).rejects.toThrow('killed');
    expect(await postgres.insertEvents(sampleEvents(10, 7))).toMatchObject({ accepted: 10 });
    await expect(requireEventHome(pool, 'postgres')).resolves.toBeUndefined();
  });

  it('[API-028] moves back with the events that came meanwhile, counted as if they had never left', async () => {
    await postgres.insertEvents(sampleEvents(80, 31));
    await switchToEngine(options());
    await clickhouse.insertEvents(sampleEvents(80, 32));
    await moveBack(options());
    await expectEqualStores();
    expect(await postgres.countEvents({ scope: 'all' })).toBe(160);
    const { expected, stored } = await compareRollups('+02:00');
    expect(stored).toEqual(expected);
    await expect(clickhouse.insertEvents(sampleEvents(1, 33))).rejects.toThrow('events are not stored in clickhouse any more');
    await postgres.insertEvents(sampleEvents(20, 34));
    await switchToEngine(options());
    expect(await clickhouse.countEvents({ scope: 'all' })).toBe(180);
  });

  it('[API-028, INV-006] moves back rows that ClickHouse stored before a column was', async () => {
    await postgres.insertEvents(sampleEvents(40, 35));
    await switchToEngine(options());
    await emptyPostgres(options());
    const cutRow = `concat(substring(row, 1, length(row) - position(reverse(row), ',')), ']')`;
    // The first version had the fields up to this one.
    for (let place = listedFields.length - 1; place > positions.additional_data; place -= 1)
      await engine.command(`alter table events update row = ${cutRow} where true settings mutations_sync = 2`);
    const [listedEvent] = (
      await clickhouse.listEventsByCursor({ filter: { scope: 'all' }, sort: {}, cursor: undefined, limit: 1, origin: true })
    ).rows;
    expect(listedEvent).toMatchObject({ server_id: null });
    await clickhouse.insertEvents(sampleEvents(10, 36));
    await moveBack(options());
    await expectEqualStores();
    expect(await postgres.countEvents({ scope: 'all' })).toBe(50);
  });

  it('[API-028] keeps the all-time totals of dropped events, there and back', async () => {
    const rows = sampleEvents(120, 41).map((row, index) => ({ ...row, occurred_at: now - (index % 6) * 10 * day }));
    await postgres.insertEvents(rows);
    await postgres.maintain(now);
    const before = await postgres.countEventsByApp([1, 2, 3], now);
    expect(await postgres.countEvents({ scope: 'all' })).toBeLessThan(100);
    await switchToEngine(options());
    expect(await clickhouse.countEventsByApp([1, 2, 3], now)).toEqual(before);
    await scene.openClickHouse(14).maintain(now);
    expect(await clickhouse.countEventsByApp([1, 2, 3], now)).toEqual(before);
    await moveBack(options());
    expect(await postgres.countEventsByApp([1, 2, 3], now)).toEqual(before);
    await expectEqualStores();
    await switchToEngine(options());
    expect(await clickhouse.countEventsByApp([1, 2, 3], now)).toEqual(before);
    await scene.openClickHouse(14).maintain(now);
    expect(await clickhouse.countEventsByApp([1, 2, 3], now)).toEqual(before);
  });

  it('[API-028] empties PostgreSQL only when ClickHouse holds all of it', async () => {
    await postgres.insertEvents(sampleEvents(80, 51));
    await expect(emptyPostgres(options())).rejects.toThrow('Events: they are in PostgreSQL already');
    await switchToEngine(options());
    await clickhouse.insertEvents(sampleEvents(20, 52));
    await engine.command(`alter table events delete where app_id = 1 settings mutations_sync = 2`);
    await expect(emptyPostgres(options())).rejects.toThrow(/PostgreSQL and ClickHouse do not agree \(nothing was deleted\)/);
    expect(await postgres.countEvents({ scope: 'all' })).toBe(80);
  });

  it('[API-028] gives new events ids and batches that none has when PostgreSQL was restored from before', async () => {
    await clickhouse.insertEvents(sampleEvents(30, 71));
    await pool.query(`select setval('events_id_seq', 1), setval('event_batches_seq', 1)`);
    await scene.openClickHouse(90).maintain(now);
    await clickhouse.insertEvents(sampleEvents(30, 72));
    const { rows } = await clickhouse.listEventsByCursor({ filter: { scope: 'all' }, sort: {}, cursor: undefined, limit: 100 });
    expect(new Set(rows.map(({ id }) => id)).size).toBe(60);
    const newestBatch = await pool.query<{ seq: number }>('select max(seq) as seq from event_batches');
    const [storedBatches] = await engine.rows<{ batches: number; newest: number }>({
      text: 'select uniqExact(batch) as batches, max(batch) as newest from events',
      parameters: newParameters(),
    });
    expect(storedBatches).toEqual({ batches: 2, newest: newestBatch.rows[0]?.seq });
  });

  it('[API-028] starts a console only where its events are', async () => {
    await postgres.insertEvents(sampleEvents(5, 61));
    await expect(requireEventHome(pool, 'clickhouse')).rejects.toThrow(/switchyard events copy --switch/);
    await switchToEngine(options());
    await expect(requireEventHome(pool, 'clickhouse')).resolves.toBeUndefined();
    await expect(requireEventHome(pool, 'postgres')).rejects.toThrow(/switchyard events copy --back/);
    await emptyPostgres(options());
    await moveBack(options());
    expect(await postgres.countEvents({ scope: 'all' })).toBe(5);
    await scene.emptyBoth();
    await requireEventHome(pool, 'clickhouse');
    await expect(postgres.insertEvents(sampleEvents(1, 62))).rejects.toThrow('not stored in postgres');
  });
});
