import { openDatabases, type Databases } from '../src/database/connect.ts';
import { createEventWrites } from '../src/traffic-store/clickhouse/create-event-writes.ts';
import { openEngine } from '../src/traffic-store/clickhouse/engine-client.ts';
import { ensureTables } from '../src/traffic-store/clickhouse/ensure-tables.ts';
import { createEventWriter } from '../src/traffic-store/clickhouse/write/add-events.ts';
import type { NewEvent } from '../src/traffic-store/event-fields.ts';
import type { EventStore } from '../src/traffic-store/event-store.ts';
import { addEventsStatement, toRecords } from '../src/traffic-store/postgres/write/add-events.ts';
import { createTrafficStore } from '../src/traffic-store/traffic-store.ts';
import { createClickHouseDatabase, isClickHouseAvailable } from './clickhouse-database.ts';
import { createTestDatabase, patience } from './test-database.ts';

type Writes = Pick<EventStore, 'addEvents' | 'followEvents' | 'maintain'>;

/** What tests of writing and following need of an event store in two processes over the same data. */
export type WritingStores = {
  databases: Databases;
  store: Writes;
  /** The store of a second process. */
  other: Writes;
  /** Deletes every event. */
  empty: () => Promise<void>;
  /** Stores rows, whose ids are taken, once the function that it gives is called. */
  storeLater: (rows: readonly NewEvent[]) => Promise<() => Promise<void>>;
  /** The log of batches in PostgreSQL, and a number that a batch of another store may have. */
  log: { table: string; time: string; foreign: number };
  close: () => Promise<void>;
};

const retentionDays = 90;

function openPostgresStore({ pools, listen }: Databases): Writes {
  return createTrafficStore({ pools, listen, serverOffset: '+00:00', retentionDays }).events;
}

async function openOnPostgres(): Promise<WritingStores> {
  const { url, databases } = await createTestDatabase();
  const elsewhere = openDatabases({ url, onError: () => undefined, patience });
  return {
    databases,
    store: openPostgresStore(databases),
    other: openPostgresStore(elsewhere),
    empty: async () => {
      await databases.pools.ops.query(
        'truncate events, traffic_totals, traffic_all_days, traffic_all_hours, traffic_all_quarters, traffic_app_days, traffic_seen, traffic_day_types, traffic_days, traffic_hours, traffic_breakdown',
      );
    },
    storeLater: async (rows) => {
      const client = await databases.pools.ui.connect();
      await client.query('begin');
      await client.query(addEventsStatement, [toRecords(rows), '+00:00']);
      return async () => {
        await client.query('commit');
        client.release();
      };
    },
    log: { table: 'request_batches', time: 'committed_at', foreign: 1_000_000_000_007 },
    close: async () => elsewhere.close(),
  };
}

async function openOnClickHouse(): Promise<WritingStores> {
  const [{ url, databases }, { url: engineUrl }] = await Promise.all([createTestDatabase(), createClickHouseDatabase()]);
  const elsewhere = openDatabases({ url, onError: () => undefined, patience });
  const engine = openEngine({ url: engineUrl, cluster: null, patience });
  await ensureTables(engine, null);
  const open = ({ pools, listen }: Databases): Writes => createEventWrites({ engine, cluster: null, pools, listen, retentionDays });
  return {
    databases,
    store: open(databases),
    other: open(elsewhere),
    empty: async () => engine.command('truncate table events'),
    storeLater: async (rows) => {
      const [begun, allowed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const insert: typeof engine.insert = async (batch) => {
        begun.resolve();
        await allowed.promise;
        await engine.insert(batch);
      };
      const stored = createEventWriter({ engine: { ...engine, insert }, cluster: null, pool: databases.pools.ui })(rows);
      await begun.promise;
      return async () => {
        allowed.resolve();
        await stored;
      };
    },
    log: { table: 'event_batches', time: 'settled_at', foreign: 7 },
    close: async () => {
      await elsewhere.close();
      await engine.close();
    },
  };
}

/** The event stores of this run. */
export const eventStores: readonly { name: string; open: () => Promise<WritingStores> }[] = [
  { name: 'PostgreSQL', open: openOnPostgres },
  ...(isClickHouseAvailable() ? [{ name: 'ClickHouse', open: openOnClickHouse }] : []),
];
