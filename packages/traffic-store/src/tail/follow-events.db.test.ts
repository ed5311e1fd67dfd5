import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { testEpoch } from '../../../api/test/arbitrary-events.ts';
import { type EventStoreUnderTest, eventStores } from '../../../api/test/event-stores.ts';
import { sampleEvent } from '../../../api/test/sample-event.ts';
import { soon } from '../../../api/test/soon.ts';
import { writeTailPosition } from '../event-cursor.ts';
import type { NewEvent } from '../event-fields.ts';
import type { EventFilter, EventStore, TailFrame } from '../event-store.ts';

const everything: EventFilter = { scope: 'all' };

function rows(count: number, change: Partial<NewEvent> = {}): NewEvent[] {
  return Array.from({ length: count }, (_, index) =>
    sampleEvent({ occurred_at: testEpoch + index, client_uid: 'c-1', country: 'DE', ...change }),
  );
}

type Reader = { events: TailFrame[]; uuids: () => string[]; stop: () => void };

/** Follows until the test ends, and stores the events. */
async function follow(
  from: EventStore,
  { filter = everything, after }: { filter?: EventFilter; after?: string | undefined } = {},
): Promise<Reader> {
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const events: TailFrame[] = [];
  const frames = await from.followEvents({ filter: () => filter, after, signal: over.signal });
  void (async () => {
    for await (const event of frames) if (event.kind !== 'start') events.push(event);
  })().catch(() => undefined);
  return { events, uuids: () => uuidsOf(events), stop: () => over.abort() };
}

function uuidsOf(events: readonly TailFrame[]): string[] {
  return events.flatMap((event) => (event.kind === 'rows' ? event.rows.map((row) => row.uuid) : []));
}

const uuids = (all: readonly NewEvent[]) => all.map((row) => row.uuid);

describe.each(eventStores)('requests as they are stored on $name', ({ open }) => {
  let stores: EventStoreUnderTest;
  let databases: EventStoreUnderTest['databases'];
  let store: EventStore;
  let other: EventStore;

  beforeAll(async () => {
    stores = await open();
    ({ databases, other } = stores);
    store = stores.openStore('+00:00');
    await store.maintain(testEpoch);
  });
  beforeEach(async () => stores.empty());

  /** Number of connections that listen for new requests, of all processes. */
  async function listening(): Promise<number | null> {
    const connections = await databases.pools.ops.query(
      `select 1 from pg_stat_activity where application_name = 'switchyard process' and datname = current_database()`,
    );
    return connections.rowCount;
  }

  it('[API-029, API-083] reach the followers of every process, each row once, oldest first, within two seconds of the commit', async () => {
    const early = rows(3);
    await store.insertEvents(early);
    const readers = await Promise.all([follow(store), follow(other), follow(other, { filter: { scope: [2], countries: ['US'] } })]);
    const later = rows(4);
    const foreign = rows(2, { app_id: 2, country: 'US' });
    await store.insertEvents([...later, ...rows(1, { app_id: 2, occurred_at: testEpoch + 9 })]);
    await other.insertEvents(foreign);
    // A clock that stops with the machine: this many polls of the database, 20 ms apart, take two seconds at least.
    let looks = 0;
    await vi.waitFor(async () => {
      looks += 1;
      await databases.pools.ops.query('select 1');
      expect(readers.map((reader) => reader.uuids().length)).toEqual([7, 7, 2]);
    }, soon);
    expect(looks).toBeLessThan(2000 / soon.interval);
    expect(readers[0].uuids().slice(0, 4)).toEqual(uuids(later));
    expect(readers[1].uuids()).toEqual(readers[0].uuids());
    expect(readers[2].uuids()).toEqual(uuids(foreign));
    expect(readers[0].events.every((event) => event.kind === 'rows')).toBe(true);
  });

  it('[API-083] come in the order of commits: a smaller id that is committed later is neither lost nor sent twice', async () => {
    const reader = await follow(other);
    const first = rows(2);
    // Of another app and type, since batches that share one wait for each other's counters.
    const second = rows(2, { type: 'track', app_id: 2 });
    const commit = await stores.storeLater(first);
    await store.insertEvents(second);
    await vi.waitFor(() => expect(reader.uuids()).toEqual(uuids(second)), soon);
    const [event] = reader.events;
    await commit();
    await vi.waitFor(() => expect(reader.uuids()).toEqual(uuids([...second, ...first])), soon);
    const resumedReader = await follow(store, { after: event?.id });
    await vi.waitFor(() => expect(resumedReader.uuids()).toEqual(uuids(first)), soon);
    const duplicate = await store.insertEvents(first);
    expect(duplicate).toEqual({ accepted: 0, duplicates: 2 });
    const last = rows(1);
    await store.insertEvents(last);
    await vi.waitFor(() => expect(reader.uuids()).toEqual(uuids([...second, ...first, ...last])), soon);
  });

  it('[API-083] are sent exactly once to a reader who resumes from the id of any event, with batches of many senders', async () => {
    const reader = await follow(store);
    const batches = Array.from({ length: 8 }, (_, index) => rows(1 + ((index * 37) % 90), { app_id: 1 + (index % 3) }));
    await Promise.all(batches.map(async (batch, index) => (index % 2 === 0 ? store : other).insertEvents(batch)));
    const total = batches.flat().length;
    await vi.waitFor(() => expect(reader.uuids()).toHaveLength(total), soon);
    expect(new Set(reader.uuids())).toEqual(new Set(uuids(batches.flat())));
    for (const [index, event] of reader.events.entries()) {
      const rest = uuidsOf(reader.events.slice(index + 1));
      const resumedReader = await follow(other, { after: event.id });
      await vi.waitFor(() => expect(resumedReader.uuids()).toEqual(rest), soon);
      resumedReader.stop();
    }
  });

  it('[API-083] come in frames of at most 500 rows, after each of which one may go on', async () => {
    const reader = await follow(store);
    const batch = rows(1200);
    await store.insertEvents(batch);
    await vi.waitFor(() => expect(reader.uuids()).toHaveLength(1200), soon);
    expect(reader.events.map((event) => (event.kind === 'rows' ? event.rows.length : event))).toEqual([500, 500, 200]);
    const resumedReader = await follow(other, { after: reader.events[0]?.id });
    await vi.waitFor(() => expect(resumedReader.uuids()).toEqual(uuids(batch.slice(500))), soon);
  });

  it('[API-083] with large bodies come in smaller frames, so that memory stays bounded', async () => {
    const reader = await follow(store);
    const batch = rows(60, { body_request: 'x'.repeat(250_000) });
    await store.insertEvents(batch);
    await vi.waitFor(() => expect(reader.uuids()).toEqual(uuids(batch)), soon);
    const sizes = reader.events.map((event) => (event.kind === 'rows' ? event.rows.length : 0));
    expect(Math.max(...sizes)).toBe(15);
  });

  it('[API-083] that are too many within a second are left out and counted, newest kept', async () => {
    const reader = await follow(store);
    const batch = rows(3500);
    await store.insertEvents(batch);
    await vi.waitFor(() => expect(reader.uuids()).toEqual(uuids(batch.slice(1500))), soon);
    expect(reader.events[0]).toMatchObject({ kind: 'gap', skipped: 1500 });
    const resumedReader = await follow(store, { after: reader.events[0]?.id });
    await vi.waitFor(() => expect(resumedReader.uuids()).toHaveLength(2000), soon);
    const next = rows(1);
    await store.insertEvents(next);
    await vi.waitFor(() => expect([reader.events.at(-1)?.kind, reader.uuids().at(-1)]).toEqual(['rows', next[0]?.uuid]), soon);
  });

  it('[API-083] get the whole allowance of a later second, even if the second before used its own up', async () => {
    const reader = await follow(store);
    // The first begins a second, which the others nearly fill.
    const [first, others] = [rows(1), rows(1990)];
    await store.insertEvents(first);
    await vi.waitFor(() => expect(reader.uuids()).toEqual(uuids(first)), soon);
    await store.insertEvents(others);
    await vi.waitFor(() => expect(reader.uuids()).toHaveLength(1991), soon);
    const storedAt = performance.now();
    await vi.waitFor(() => expect(performance.now() - storedAt).toBeGreaterThan(1000), soon);
    const next = rows(50);
    await store.insertEvents(next);
    await vi.waitFor(() => expect(reader.uuids()).toEqual(uuids([...first, ...others, ...next])), soon);
    expect(reader.events.every((event) => event.kind === 'rows')).toBe(true);
  });

  it('[API-083] are sent again back to 10,000 rows and 10 minutes; older ones are a gap', async () => {
    const newReader = await follow(store);
    await store.insertEvents(rows(1));
    await vi.waitFor(() => expect(newReader.events).toHaveLength(1), soon);
    const after = newReader.events[0]?.id;
    newReader.stop();
    for (let batch = 0; batch < 3; batch += 1) await store.insertEvents(rows(3400));
    const many = await follow(store, { after });
    await vi.waitFor(() => expect(many.uuids()).toHaveLength(10_000), soon);
    expect(many.events[0]).toMatchObject({ kind: 'gap', skipped: 200 });
    many.stop();

    await databases.pools.ops.query(`update ${stores.log.table} set ${stores.log.time} = ${stores.log.time} - interval '11 minutes'`);
    const fresh = rows(2);
    await store.insertEvents(fresh);
    const late = await follow(store, { after });
    await vi.waitFor(() => expect(late.uuids()).toEqual(uuids(fresh)), soon);
    expect(late.events[0]).toMatchObject({ kind: 'gap', skipped: null });

    await databases.pools.ops.query(`update ${stores.log.table} set ${stores.log.time} = ${stores.log.time} - interval '2 hours'`);
    await store.maintain(testEpoch);
    const { rows: keptRows } = await databases.pools.ops.query(`select 1 from ${stores.log.table}`);
    expect(keptRows).toHaveLength(1);
    const lostReader = await follow(store, { after });
    await vi.waitFor(() => expect(lostReader.events).toMatchObject([{ kind: 'gap', skipped: null }]), soon);
  });

  it('[API-083] begin now, with a gap of unknown size, for an id that nobody gave out', async () => {
    await store.insertEvents(rows(1));
    const ahead = writeTailPosition({ seq: Number.MAX_SAFE_INTEGER - 1, id: 45 });
    for (const after of ['nonsense', ahead, '%00', 'x'.repeat(300)]) {
      const reader = await follow(store, { after });
      await vi.waitFor(() => expect(reader.events).toMatchObject([{ kind: 'gap', skipped: null }]), soon);
    }
  });

  it('[API-083] begin with a gap of unknown size for an id of the other store, from before events moved', async () => {
    await store.insertEvents(rows(1));
    const reader = await follow(store, { after: writeTailPosition({ seq: stores.log.foreign, id: 3 }) });
    await vi.waitFor(() => expect(reader.events[0]).toMatchObject({ kind: 'gap', skipped: null }), soon);
    const next = rows(2);
    await store.insertEvents(next);
    await vi.waitFor(() => expect(reader.uuids().slice(-2)).toEqual(uuids(next)), soon);
  });

  it('[API-083] go on when the connection that hears of them breaks', async () => {
    const reader = await follow(other);
    await vi.waitFor(async () => expect(await listening()).toBeGreaterThan(0), soon);
    const endedConnections = await databases.pools.ops.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'switchyard process' and datname = current_database()`,
    );
    expect(endedConnections.rowCount).toBeGreaterThan(0);
    const batch = rows(2);
    await store.insertEvents(batch);
    await vi.waitFor(() => expect(reader.uuids()).toEqual(uuids(batch)), soon);
  });

  it('[API-083] share the one connection of their process', async () => {
    const readers = await Promise.all([follow(store), follow(other), follow(other)]);
    await vi.waitFor(async () => expect(await listening()).toBe(2), soon);
    for (const reader of readers) reader.stop();
    await follow(other);
    expect(await listening()).toBe(2);
  });
});
