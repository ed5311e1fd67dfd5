import fc from 'fast-check';
import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { arbitraryEvent, testEpoch } from '../../../../api/test/arbitrary-events.ts';
import { openBreakableProxy, type BreakableProxy } from '../../../../api/test/breakable-proxy.ts';
import { createTestEngine, isClickHouseAvailable } from '../../../../api/test/clickhouse-database.ts';
import { sampleEvent } from '../../../../api/test/sample-event.ts';
import { soon } from '../../../../api/test/soon.ts';
import { createTestDatabase, timeoutFactor } from '../../../../api/test/test-database.ts';
import { openDatabases, type Databases } from '../../../../api/src/database/connect.ts';
import type { NewEvent } from '../../event-fields.ts';
import { type EngineClient, openEngine } from '../engine-client.ts';
import { newParameters } from '../statement.ts';
import { createTailSource } from '../tail/tail-source.ts';
import { maintainEvents } from '../upkeep/maintain.ts';
import { createEventWriter } from './add-events.ts';

type Writer = ReturnType<typeof createEventWriter>;
type Insert = EngineClient['insert'];

describe.runIf(isClickHouseAvailable())('events that reach ClickHouse', () => {
  let databases: Databases;
  let elsewhere: Databases;
  let engine: EngineClient;
  /** The engine, reached through the proxy. */
  let remote: EngineClient;
  let proxy: BreakableProxy;
  let write: Writer;
  /** The writer of a second process. */
  let writeElsewhere: Writer;

  beforeAll(async () => {
    const [testDatabase, { url, engine: testEngine }] = await Promise.all([createTestDatabase(), createTestEngine()]);
    engine = testEngine;
    databases = testDatabase.databases;
    elsewhere = openDatabases({ url: testDatabase.url, onError: () => undefined, timeoutFactor });
    proxy = await openBreakableProxy(Number(new URL(url).port));
    const through = Object.assign(new URL(url), { port: String(proxy.port) });
    remote = openEngine({ url: through.href, cluster: null, timeoutFactor });
    write = createEventWriter({ engine, cluster: null, pool: databases.pools.ingest });
    writeElsewhere = createEventWriter({ engine, cluster: null, pool: elsewhere.pools.ingest });
  });
  afterAll(async () => {
    await elsewhere.close();
    await remote.close();
    await proxy.close();
  });
  beforeEach(async () => {
    await engine.command('truncate table events');
    await databases.pools.ops.query('truncate event_batches, event_weeks, event_totals_dropped');
    proxy.resume();
  });

  async function select(text: string): Promise<string[]> {
    return engine.lines({ text, parameters: newParameters() });
  }
  const batch = (count: number): NewEvent[] => Array.from({ length: count }, (_, index) => sampleEvent({ occurred_at: testEpoch + index }));
  const uuids = (rows: readonly NewEvent[]): string[] => rows.map((row) => row.uuid).toSorted();

  /** All events as the store, the ledger and the tail hold them; `open` counts batches that nobody has settled. */
  async function everywhere() {
    const [storedIds, countedRows, ledger] = await Promise.all([
      select('select toString(uuid) as id from events order by id settings optimize_use_projections = 0'),
      select(`select count() from events settings preferred_optimize_projection_name = 'by_total'`),
      databases.pools.ops.query<{ requests: number; open: number; announced: number }>(
        `select coalesce(sum(requests) filter (where state = 'stored'), 0)::integer as requests, count(*) filter (where state = 'open')::integer as open,
         coalesce(max(announced), 0)::bigint as announced from event_batches`,
      ),
    ]);
    const { requests = 0, open = 0, announced = 0 } = ledger.rows[0] ?? {};
    const query = { filter: { scope: 'all' as const }, after: { seq: 0, id: 0 }, isOld: false, until: announced, most: 100_000 };
    const tail = createTailSource({ engine, pool: databases.pools.ui });
    const { places, total } = await tail.findMatches(query);
    return {
      stored: storedIds,
      counted: Number(countedRows[0]),
      ledger: requests,
      tail: total,
      places: new Set(places.map(({ id }) => id)).size,
      open,
    };
  }
  async function expectEverywhere(rows: readonly NewEvent[]): Promise<void> {
    const count = rows.length;
    expect(await everywhere()).toEqual({ stored: uuids(rows), counted: count, ledger: count, tail: count, places: count, open: 0 });
  }

  /** A writer whose inserts of events do something else as well. */
  function writerWith(insert: (batch: Parameters<Insert>[0]) => Promise<void>, client = remote): Writer {
    const changedInsert: Insert = async (insertBatch) =>
      insertBatch.table === 'events' ? insert(insertBatch) : client.insert(insertBatch);
    return createEventWriter({ engine: { ...client, insert: changedInsert }, cluster: null, pool: databases.pools.ingest });
  }
  /** Ends the connections of the first process that hold locks of apps, as a failover of the database does. */
  async function loseConnections(): Promise<void> {
    const lostConnection = await elsewhere.pools.ops.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = 7300215 and objid > 0 and pid <> pg_backend_pid()
       and database = (select oid from pg_database where datname = current_database())`,
    );
    expect(lostConnection.rowCount).toBeGreaterThan(0);
  }
  const failure = async (storing: Promise<unknown>): Promise<unknown> => storing.catch((error: unknown) => error);

  it('[API-003] are stored once, however their batches overlap, in two processes at once', async () => {
    const rounds = fc.array(fc.array(arbitraryEvent, { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(rounds, fc.infiniteStream(fc.nat()), async (groups, random) => {
        await engine.command('truncate table events');
        await databases.pools.ops.query('truncate event_batches');
        const next = (below: number): number => (random.next().value ?? 0) % below;
        const all = groups.flat();
        // Each batch again with a part of the others, one of them in capitals.
        const again = groups.map((rows) => [...rows, ...all.slice(next(all.length))].toSorted(() => next(3) - 1));
        const upperCaseRows = all.slice(0, next(all.length)).map((row) => ({ ...row, uuid: row.uuid.toUpperCase() }));
        const answers = await Promise.all(
          [...groups, ...again, upperCaseRows].map(async (rows, index) => (index % 2 === next(2) ? write : writeElsewhere)(rows)),
        );
        const distinct = [...new Map(all.map((row) => [`${row.app_id} ${row.occurred_at} ${row.uuid}`, row])).values()];
        expect(answers.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(distinct.length);
        expect(answers.reduce((sum, { duplicates }) => sum + duplicates, distinct.length)).toBe(
          [...groups, ...again, upperCaseRows].flat().length,
        );
        await expectEverywhere(distinct);
      }),
      { numRuns: 8, seed: 17, endOnFailure: true },
    );
  });

  it('[API-003] are counted for the first of two callers, and once where a batch names them twice', async () => {
    const [one, two, three] = batch(3);
    if (!one || !two || !three) throw new Error('three rows');
    expect(await write([one, { ...one, uuid: one.uuid.toUpperCase() }, { ...one, country: 'US' }])).toEqual({ accepted: 1, duplicates: 2 });
    // The first is stored alone, so that the others make a group.
    const answers = await Promise.all([write([one]), write([one, two]), write([two, three, three]), write([])]);
    expect(answers).toEqual([
      { accepted: 0, duplicates: 1 },
      { accepted: 1, duplicates: 1 },
      { accepted: 1, duplicates: 2 },
      { accepted: 0, duplicates: 0 },
    ]);
    await expectEverywhere([one, two, three]);
  });

  it('[API-003] are stored although a stored one has a UUID with the same checksum', async () => {
    const [one] = batch(1);
    if (!one) throw new Error('a row');
    const stored = { ...one, uuid: '0190d3a8-0000-7000-8000-00000006d263' };
    const other = { ...one, uuid: '52f240b1-dabb-47f1-8c2b-0e8707746540' };
    expect(await write([stored])).toEqual({ accepted: 1, duplicates: 0 });
    expect(await write([other])).toEqual({ accepted: 1, duplicates: 0 });
    expect(await write([other, stored])).toEqual({ accepted: 0, duplicates: 2 });
    await expectEverywhere([stored, other]);
  });

  it('[ENT-026] are stored as they came, with ids in the order of time that the events of PostgreSQL do not have', async () => {
    const rows = [
      sampleEvent({
        occurred_at: testEpoch,
        ip: '2001:db8::1',
        client_uid: 'Ü\t"\\c',
        body_request: { a: 'x\ny\u0000', b: [1.5, null] },
      }),
      sampleEvent({
        occurred_at: testEpoch + 1,
        ip: '203.0.113.9',
        error: { exception_type: 'Error' },
        body_response: 'text\ttext',
        is_qa: true,
        server_id: 7,
      }),
    ];
    const sequence = await databases.pools.ops.query<{ id: number }>(`select nextval('events_id_seq') as id`);
    await write(rows.toReversed());
    const storedRows = await select('select row from events order by id settings optimize_use_projections = 0');
    const [first] = sequence.rows;
    const values = storedRows.map((line): unknown[] => JSON.parse(line));
    // Columns of later versions follow.
    expect(values.map((row) => row.slice(0, 17))).toEqual(
      rows.map((row, index) => [
        (first?.id ?? 0) + 1 + index,
        row.uuid,
        row.app_id,
        row.type,
        row.occurred_at,
        row.ip,
        row.country,
        row.client_uid,
        row.stream_uid,
        row.bot,
        row.postbacks_domain,
        row.user_agent,
        row.body_request,
        row.body_response,
        row.error,
        row.additional_data,
        row.server_id,
      ]),
    );
    const columns = 'select toString(ip), flags, toUnixTimestamp64Micro(occurred_at), client_uid from events order by id';
    expect(await select(`${columns} settings optimize_use_projections = 0`)).toEqual([
      `2001:db8::1\t4\t${testEpoch}\tÜ\t"\\c`,
      `::ffff:203.0.113.9\t13\t${testEpoch + 1}\t`,
    ]);
  });

  it('[API-003] are rejected alone if the engine rejects them, while others of the same group are stored', async () => {
    const bad = [sampleEvent({ occurred_at: testEpoch, ip: 'no address' })];
    // The first batch of a writer is a group of its own.
    for (const group of [
      [batch(2), bad, batch(3)],
      [bad, batch(4)],
    ]) {
      const writeGroup = createEventWriter({ engine, cluster: null, pool: databases.pools.ingest });
      const answers = await Promise.allSettled([batch(1), ...group].map(async (rows) => writeGroup(rows)));
      expect(answers.map(({ status }) => status === 'rejected')).toEqual([false, ...group.map((rows) => rows === bad)]);
    }
    expect((await everywhere()).counted).toBe(11);
  });

  it('[API-003] are stored by the retry of their sender when the engine could not be reached', async () => {
    const rows = batch(40);
    proxy.refuse();
    const remoteWrite = createEventWriter({ engine: remote, cluster: null, pool: databases.pools.ingest });
    expect(await failure(remoteWrite(rows))).toBeInstanceOf(Error);
    proxy.resume();
    const cut = writerWith(async (insertBatch) => {
      proxy.refuse();
      await remote.insert(insertBatch);
    });
    expect(await failure(cut(rows))).toBeInstanceOf(Error);
    expect(await everywhere()).toMatchObject({ counted: 0, ledger: 0, open: 1 });
    proxy.resume();
    expect(await write(rows)).toEqual({ accepted: 40, duplicates: 0 });
    await expectEverywhere(rows);
  });

  it('[API-003] are stored by the retry of their sender when their look-up failed while their batch was being opened', async () => {
    const rows = batch(3);
    const lines = async (): Promise<never> => Promise.reject(new Error('the look-up failed'));
    const failing = createEventWriter({ engine: { ...engine, lines }, cluster: null, pool: databases.pools.ingest });
    await expect(failing(rows)).rejects.toThrow('the look-up failed');
    expect(await write(rows)).toEqual({ accepted: 3, duplicates: 0 });
    const { rows: states } = await databases.pools.ops.query<{ state: string }>('select state from event_batches order by seq');
    expect(states.map(({ state }) => state)).toEqual(['void', 'stored']);
    await expectEverywhere(rows);
  });

  it('[API-003] are announced and counted once when the answer of their insert was lost', async () => {
    const rows = batch(40);
    const losing = writerWith(async (insertBatch) => {
      proxy.loseAnswers();
      await remote.insert(insertBatch);
    });
    expect(await failure(losing(rows))).toBeInstanceOf(Error);
    expect(await everywhere()).toMatchObject({ counted: 40, ledger: 0, tail: 0, open: 1 });
    proxy.resume();
    const [late] = batch(1);
    if (!late) throw new Error('a row');
    expect(await writeElsewhere([...rows.slice(20), late])).toEqual({ accepted: 1, duplicates: 20 });
    await expectEverywhere([...rows, late]);
  });

  it('[API-003] are announced and counted once when their process ends before the acknowledgement', async () => {
    const rows = batch(40);
    const ending = writerWith(async (insertBatch) => {
      await engine.insert(insertBatch);
      await loseConnections();
    });
    expect(await failure(ending(rows))).toBeInstanceOf(Error);
    expect(await everywhere()).toMatchObject({ counted: 40, ledger: 0, open: 1 });
    // No sender repeats them: upkeep announces them.
    await maintainEvents({ engine, cluster: null, pool: elsewhere.pools.ops }, testEpoch);
    await expectEverywhere(rows);
    expect(await write(rows)).toEqual({ accepted: 0, duplicates: 40 });
    await expectEverywhere(rows);
  });

  it('[API-003] are stored once when their process ends between intent and insert', async () => {
    const rows = batch(40);
    const insertBegun = Promise.withResolvers<void>();
    const ending = writerWith(async () => {
      await loseConnections();
      insertBegun.resolve();
      await new Promise<never>(() => undefined);
    });
    void ending(rows);
    await insertBegun.promise;
    expect(await write(rows)).toEqual({ accepted: 40, duplicates: 0 });
    const { rows: states } = await databases.pools.ops.query<{ state: string }>('select state from event_batches order by seq');
    expect(states.map(({ state }) => state)).toEqual(['void', 'stored']);
    await expectEverywhere(rows);
  });

  it('[API-003] are stored once when their database connection is lost, and their insert arrives after a retry', async () => {
    const rows = batch(40);
    const insertBegun = Promise.withResolvers<void>();
    const slow = writerWith(async (insertBatch) => {
      proxy.hang();
      const insertion = remote.insert(insertBatch);
      insertBegun.resolve();
      await insertion;
    });
    const first = failure(slow(rows));
    await insertBegun.promise;
    await loseConnections();
    const answers = await Promise.all([write(rows), writeElsewhere(rows), writeElsewhere(rows.slice(7))]);
    expect(answers.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(40);
    proxy.resume();
    expect(await first).toMatchObject({ type: 'VIOLATED_CONSTRAINT' });
    await expectEverywhere(rows);
  });

  it('[API-003] are left to their writer by upkeep while it runs', async () => {
    const rows = batch(4);
    const [insertBegun, insertAllowed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = writerWith(async (insertBatch) => {
      insertBegun.resolve();
      await insertAllowed.promise;
      await engine.insert(insertBatch);
    });
    const storing = slow(rows);
    await insertBegun.promise;
    await maintainEvents({ engine, cluster: null, pool: elsewhere.pools.ops }, testEpoch);
    expect(await everywhere()).toMatchObject({ counted: 0, open: 1 });
    insertAllowed.resolve();
    expect(await storing).toEqual({ accepted: 4, duplicates: 0 });
    await expectEverywhere(rows);
  });

  it('[API-003] of the same app wait for each other, in every process', async () => {
    const rows = batch(30);
    const [insertBegun, insertAllowed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = writerWith(async (insertBatch) => {
      insertBegun.resolve();
      await insertAllowed.promise;
      await engine.insert(insertBatch);
    });
    const first = slow(rows);
    await insertBegun.promise;
    const second = writeElsewhere([...rows, sampleEvent({ occurred_at: testEpoch, uuid: randomUUIDv7() })]);
    const waiting = `select 1 from pg_locks where locktype = 'advisory' and classid = 7300215 and not granted
      and database = (select oid from pg_database where datname = current_database())`;
    await vi.waitFor(async () => expect((await databases.pools.ops.query(waiting)).rowCount).toBeGreaterThan(0), soon);
    insertAllowed.resolve();
    expect(await Promise.all([first, second])).toEqual([
      { accepted: 30, duplicates: 0 },
      { accepted: 1, duplicates: 30 },
    ]);
  });
});
