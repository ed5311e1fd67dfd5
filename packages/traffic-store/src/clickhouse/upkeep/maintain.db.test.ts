import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testEpoch } from '../../../../api/test/arbitrary-events.ts';
import { createTestEngine, isClickHouseAvailable } from '../../../../api/test/clickhouse-database.ts';
import { sampleEvent } from '../../../../api/test/sample-event.ts';
import { soon } from '../../../../api/test/soon.ts';
import { createTestDatabase } from '../../../../api/test/test-database.ts';
import type { Databases } from '../../../../api/src/database/connect.ts';
import { day, week, weekOf } from '../../time-buckets.ts';
import { createClickHouseEventStore } from '../create-event-store.ts';
import type { EngineClient } from '../engine-client.ts';
import { projections } from '../schema.ts';
import { newParameters } from '../statement.ts';
import { DroppedWeek } from '../engine-errors.ts';
import { createEventWriter } from '../write/add-events.ts';
import { maintainEvents } from './maintain.ts';

describe.runIf(isClickHouseAvailable())('upkeep of events on ClickHouse', () => {
  let databases: Databases;
  let engine: EngineClient;
  const cluster = null;
  const monday = weekOf(testEpoch);
  /** Retention ends within the week before the last: of five weeks the first three are past. */
  const oldest = monday - week + 2 * day;
  const rows = Array.from({ length: 35 }, (_, index) =>
    sampleEvent({
      occurred_at: monday - 4 * week + index * day,
      app_id: 1 + (index % 2),
      type: index % 3 === 0 ? 'create' : 'receive',
      bot: index % 5 === 0 ? 'CF' : '',
      is_qa: index % 7 === 0,
      error: index % 4 === 0 ? { exception_type: 'Error' } : null,
    }),
  );

  beforeAll(async () => {
    [{ databases }, { engine }] = await Promise.all([createTestDatabase(), createTestEngine()]);
  });
  beforeEach(async () => {
    await engine.command('truncate table events');
    await databases.pools.ops.query('truncate event_batches, event_weeks, event_totals_dropped');
    await write(rows);
  });

  const write = async (some: typeof rows, by = engine) => createEventWriter({ engine: by, cluster, pool: databases.pools.ingest })(some);
  const maintain = async (by = engine) => maintainEvents({ engine: by, cluster, pool: databases.pools.ops }, oldest);
  const counters = async () =>
    createClickHouseEventStore({ engine, cluster, pools: databases.pools, serverOffset: '+00:00', retentionDays: 90 }).countEventsByApp(
      [1, 2, 3],
      testEpoch,
    );
  async function storedWeeks(): Promise<string[]> {
    return engine.lines({ text: 'select distinct toMonday(occurred_at) as week from events order by week', parameters: newParameters() });
  }
  async function droppedWeeks(): Promise<string[]> {
    const weeks = await databases.pools.ops.query<{ dropped: string }>(
      `select week || ' ' || state as dropped from event_weeks order by week`,
    );
    return weeks.rows.map(({ dropped }) => dropped);
  }

  it('[R10] drops the weeks that are past, in several processes at once, and keeps what counts all time', async () => {
    const before = await counters();
    expect(before.get(1)?.allTime.create.all).toBeGreaterThan(0);
    await Promise.all([maintain(), maintainEvents({ engine, cluster, pool: databases.pools.ui }, oldest)]);
    await maintain();
    expect(await storedWeeks()).toEqual(['2026-10-05', '2026-10-12']);
    expect(await droppedWeeks()).toEqual(['2026-09-14 dropped', '2026-09-21 dropped', '2026-09-28 dropped']);
    expect(await counters()).toEqual(before);
    await write([sampleEvent({ occurred_at: testEpoch, app_id: 1 })]);
    expect((await counters()).get(1)?.allTime.create.all).toBe((before.get(1)?.allTime.create.all ?? 0) + 1);
  });

  it('[R10] counts nothing twice while a week is being dropped, and goes on after a failure', async () => {
    const before = await counters();
    const failing: EngineClient = { ...engine, command: async () => Promise.reject(new Error('the engine is away')) };
    await expect(maintain(failing)).rejects.toThrow('the engine is away');
    expect(await droppedWeeks()).toEqual(['2026-09-14 dropping']);
    expect(await storedWeeks()).toHaveLength(5);
    expect(await counters()).toEqual(before);
    await maintain();
    expect(await droppedWeeks()).toHaveLength(3);
    expect(await storedWeeks()).toHaveLength(2);
    expect(await counters()).toEqual(before);
  });

  it('[R10, DATA-004] drops nothing while a writer runs, and rejects rows of a dropped week and no others', async () => {
    const [insertBegun, insertAllowed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow: EngineClient = {
      ...engine,
      insert: async (batch) => {
        insertBegun.resolve();
        await insertAllowed.promise;
        await engine.insert(batch);
      },
    };
    const late = sampleEvent({ occurred_at: monday - 4 * week, app_id: 3 });
    const storing = write([late], slow);
    await insertBegun.promise;
    await maintain();
    expect(await storedWeeks()).toHaveLength(5);
    insertAllowed.resolve();
    expect(await storing).toEqual({ accepted: 1, duplicates: 0 });
    await maintain();
    expect(await storedWeeks()).toHaveLength(2);
    expect((await counters()).get(3)?.allTime.create.all).toBe(1);
    await expect(write([late])).rejects.toThrow(DroppedWeek);
    expect(await storedWeeks()).toHaveLength(2);
    // Batches that wait for the first one are stored as a group.
    const writer = createEventWriter({ engine, cluster, pool: databases.pools.ingest });
    const recent = [1, 2, 3].map((app_id) => sampleEvent({ occurred_at: monday, app_id }));
    const [first, second, third] = recent.map((event) => [event]);
    const group = await Promise.allSettled([writer(first ?? []), writer([late]), writer(second ?? []), writer(third ?? [])]);
    expect(group.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  });

  it('[R10] neither sums up nor drops a week while a batch of it is open, and counts its events once it is settled', async () => {
    const cutOff: EngineClient = {
      ...engine,
      insert: async (batch) => {
        await engine.insert(batch);
        throw new Error('the connection was lost');
      },
    };
    const late = sampleEvent({ occurred_at: monday - 4 * week, app_id: 3 });
    await expect(write([late], cutOff)).rejects.toThrow('the connection was lost');
    // The lock of the app: another writer is about to settle the batch, so upkeep leaves it alone.
    const holder = await databases.pools.ui.connect();
    try {
      await holder.query('select pg_advisory_lock(7300215, 4)');
      await maintain();
      expect([await droppedWeeks(), (await storedWeeks()).length]).toEqual([[], 5]);
    } finally {
      await holder.query('select pg_advisory_unlock_all()');
      holder.release();
    }
    await maintain();
    expect([(await droppedWeeks()).length, (await storedWeeks()).length]).toEqual([3, 2]);
    expect((await counters()).get(3)?.allTime.create.all).toBe(1);
  });

  it('[R10] makes the projections of parts that were not merged, once, and of younger ones later', async () => {
    const ask = async (text: string) => engine.lines({ text, parameters: newParameters() });
    const incomplete = `select name from system.parts where database = currentDatabase() and table = 'events' and active and name not in (
      select parent_name from system.projection_parts where database = currentDatabase() and table = 'events' and active
      group by parent_name having count() = ${projections.length})`;
    const isDone = `select distinct is_done from system.mutations where database = currentDatabase() and table = 'events'`;
    expect(await ask(incomplete)).toHaveLength(5);
    await maintain();
    expect(await ask(incomplete)).toHaveLength(2);
    const repair = async () => maintainEvents({ engine, cluster, pool: databases.pools.ops, mergeMinutes: 0 }, oldest);
    await repair();
    await expect.poll(async () => ask(isDone), soon).toEqual(['1']);
    expect(await ask(incomplete)).toEqual([]);
    const countMutations = async () => ask(`select count() from system.mutations where database = currentDatabase()`);
    const before = await countMutations();
    await repair();
    expect(await countMutations()).toEqual(before);
  });

  it('[R10] forgets batches after an hour, but neither the newest nor open ones', async () => {
    await write([sampleEvent({ occurred_at: testEpoch })]);
    await databases.pools.ops.query(`update event_batches set settled_at = settled_at - interval '2 hours'`);
    const failing: EngineClient = { ...engine, insert: async () => Promise.reject(new Error('the engine is away')) };
    await expect(write([sampleEvent({ occurred_at: testEpoch })], failing)).rejects.toThrow('the engine is away');
    await maintain();
    const { rows: remainingBatches } = await databases.pools.ops.query<{ state: string }>('select state from event_batches order by seq');
    expect(remainingBatches.map(({ state }) => state)).toEqual(['stored', 'void']);
  });
});
