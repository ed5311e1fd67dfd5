import { openDatabases, type Databases } from '../src/database/connect.ts';
import * as clickhouseTail from '@switchyard/traffic-store/clickhouse/tail/tail-source';
import { createEventWriter } from '@switchyard/traffic-store/clickhouse/write/add-events';
import { newParameters } from '@switchyard/traffic-store/clickhouse/statement';
import type { NewEvent } from '@switchyard/traffic-store/event-fields';
import type { EventStore } from '@switchyard/traffic-store/event-store';
import * as postgresTail from '@switchyard/traffic-store/postgres/tail/tail-source';
import { addEventsStatement, toRecords } from '@switchyard/traffic-store/postgres/write/add-events';
import { createTailHead, type TailHead, type TailSource } from '@switchyard/traffic-store/tail/follow-events';
import { createTrafficStore, type TrafficStoreOptions } from '@switchyard/traffic-store/open-traffic-store';
import { afterFile } from './after-file.ts';
import { createTestEngine, isClickHouseAvailable } from './clickhouse-database.ts';
import { createTestDatabase, timeoutFactor } from './test-database.ts';

type StoreOptions = Partial<Pick<TrafficStoreOptions, 'retentionDays' | 'sortable' | 'reading' | 'fillRows'>>;

/** An event store over databases of the test file's own, which are dropped when the file is done. */
export type EventStoreUnderTest = {
  databases: Databases;
  /** Options with which `buildTestApi` opens the store. */
  clickhouse: TrafficStoreOptions['clickhouse'];
  openStore: (serverOffset: string, options?: StoreOptions) => EventStore;
  /** The store of a second process. */
  other: EventStore;
  /** Deletes every event. */
  empty: () => Promise<void>;
  /** How many events are stored, counted one by one. */
  count: () => Promise<number>;
  /** Stores rows, whose ids are taken, once the function that it gives is called. */
  storeLater: (rows: readonly NewEvent[]) => Promise<() => Promise<void>>;
  /** Sources of a live stream: the rows of batches, and the number of the newest one. */
  openTail: () => { source: TailSource; head: TailHead };
  /** The log of batches in PostgreSQL, and a number that a batch of another store may have. */
  log: { table: string; time: string; foreign: number };
};

const everyTable =
  'events, traffic_totals, traffic_all_days, traffic_all_hours, traffic_all_quarters, traffic_app_days, traffic_seen, traffic_days, traffic_day_types, traffic_country_days, traffic_stream_days, traffic_asn_days, traffic_hours, traffic_breakdown, traffic_calendar';

/** Two processes over the same databases. */
async function openProcesses(clickhouse: TrafficStoreOptions['clickhouse']) {
  const { url, databases } = await createTestDatabase();
  const elsewhere = openDatabases({ url, onError: () => undefined, timeoutFactor });
  afterFile(async () => elsewhere.close());
  const openIn =
    ({ pools, listen }: Databases): EventStoreUnderTest['openStore'] =>
    (serverOffset, options) =>
      createTrafficStore({ pools, listen, serverOffset, retentionDays: 90, clickhouse: clickhouse ?? null, ...options }).events;
  return { databases, clickhouse, openStore: openIn(databases), other: openIn(elsewhere)('+00:00') };
}

async function openOnPostgres(): Promise<EventStoreUnderTest> {
  const processes = await openProcesses(null);
  const { ops, ui } = processes.databases.pools;
  return {
    ...processes,
    empty: async () => {
      await ops.query(`truncate ${everyTable}`);
    },
    count: async () => (await ops.query('select from events')).rowCount ?? 0,
    storeLater: async (rows) => {
      const client = await ui.connect();
      await client.query('begin');
      await client.query(addEventsStatement, [toRecords(rows), '+00:00']);
      return async () => {
        await client.query('commit');
        client.release();
      };
    },
    openTail: () => ({
      source: postgresTail.createTailSource(ui),
      head: createTailHead({ pool: ui, listen: processes.databases.listen, log: postgresTail.tailLog }),
    }),
    log: { table: 'request_batches', time: 'committed_at', foreign: 1_000_000_000_007 },
  };
}

async function openOnClickHouse(): Promise<EventStoreUnderTest> {
  const { engine } = await createTestEngine();
  const processes = await openProcesses({ engine, cluster: null });
  const { ops, ui } = processes.databases.pools;
  return {
    ...processes,
    empty: async () => {
      await engine.command('truncate table events');
      await ops.query('truncate event_weeks, event_totals_dropped');
    },
    count: async () => (await engine.lines({ text: 'select id from events', parameters: newParameters() })).length,
    storeLater: async (rows) => {
      const [insertBegun, insertAllowed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const insert: typeof engine.insert = async (batch) => {
        insertBegun.resolve();
        await insertAllowed.promise;
        await engine.insert(batch);
      };
      const storing = createEventWriter({ engine: { ...engine, insert }, cluster: null, pool: ui })(rows);
      await insertBegun.promise;
      return async () => {
        insertAllowed.resolve();
        await storing;
      };
    },
    openTail: () => ({
      source: clickhouseTail.createTailSource({ engine, pool: ui }),
      head: createTailHead({ pool: ui, listen: processes.databases.listen, log: clickhouseTail.tailLog }),
    }),
    log: { table: 'event_batches', time: 'settled_at', foreign: 7 },
  };
}

/** A store of the run: how it is opened, and what tests have to know of it. */
type TestedStore = {
  name: string;
  open: () => Promise<EventStoreUnderTest>;
  /** Number of random cases to run: a statement of ClickHouse takes several times as long. */
  runs: (all: number) => number;
  /** Offsets of the server that change how pages are read: the hours of ClickHouse are those of UTC in any. */
  offsets: readonly string[];
  /** Thresholds low enough that every way of reading is taken, by what is then read. */
  readings: readonly (readonly [reads: string, reading: NonNullable<StoreOptions['reading']>])[];
};

/** The store that every run has. */
export const postgres: TestedStore = {
  name: 'PostgreSQL',
  open: openOnPostgres,
  runs: (all) => all,
  offsets: ['+02:00', '+05:45', '-09:30', '+00:00'],
  readings: [
    ['the rows next in order', { lookAhead: 2000, denseDay: 4 }],
    ['the apps and days that the roll-ups name', { lookAhead: 3, denseDay: 400, rareSearch: 1, mostMatches: 300 }],
    ['both', { lookAhead: 3, denseDay: 0.3, rareSearch: 5, mostMatches: 20 }],
    ['the days that the roll-ups name', { lookAhead: 0, denseDay: 0, rareSearch: 0, mostMatches: 4 }],
    ['ever shorter stretches of time', { lookAhead: 1, denseDay: 4, rareSearch: 1, mostMatches: 1 }],
  ],
};

const clickhouse: TestedStore = {
  name: 'ClickHouse',
  open: openOnClickHouse,
  runs: (all) => Math.ceil(all / 4),
  offsets: ['+02:00'],
  readings: [
    ['the projections of a search', { rareSearch: 2000 }],
    ['the events by time', { rareSearch: 1 }],
  ],
};

/** The event stores of this run. */
export const eventStores: readonly TestedStore[] = isClickHouseAvailable() ? [postgres, clickhouse] : [postgres];
