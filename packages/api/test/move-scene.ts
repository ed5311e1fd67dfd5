import { openEngine, type EngineClient } from '@switchyard/traffic-store/clickhouse/engine-client';
import { migrateEngine } from '@switchyard/traffic-store/clickhouse/migrate-engine';
import type { CopiedDay } from '@switchyard/traffic-store/copy/copy-days';
import type { MoveOptions } from '@switchyard/traffic-store/copy/move-events';
import type { EventFilter, EventStore } from '@switchyard/traffic-store/event-store';
import { createTrafficStore } from '@switchyard/traffic-store/open-traffic-store';
import { compareRollups } from './compare-rollups.ts';
import { postgres } from './event-stores.ts';
import { createClickHouseDatabase } from './clickhouse-database.ts';
import { timeoutFactor } from './test-database.ts';

type StoreReader = Pick<EventStore, 'listEventsByCursor' | 'listEventsByPage' | 'countEventsByApp' | 'findSeenValues' | 'countEvents'>;

/** A PostgreSQL and a ClickHouse of the test file's own, with the event stores over them and what moves events between. */
export async function openMoveScene({ now, serverOffset, retentionDays }: Pick<MoveOptions, 'now' | 'serverOffset' | 'retentionDays'>) {
  const [traffic, { url }] = await Promise.all([postgres.open(), createClickHouseDatabase()]);
  const { databases } = traffic;
  const engine = openEngine({ url, cluster: null, timeoutFactor });
  await migrateEngine({ engine, cluster: null });
  const copiedDays: CopiedDay[] = [];
  const open = (days: number): EventStore =>
    createTrafficStore({ pools: databases.pools, serverOffset, retentionDays: days, clickhouse: { engine, cluster: null } }).events;

  return {
    ...traffic,
    compareRollups: async (offset: string) => compareRollups(databases.pools.ops, offset),
    engine,
    postgres: traffic.openStore(serverOffset, { retentionDays }),
    clickhouse: open(retentionDays),
    /** ClickHouse with another retention. */
    openClickHouse: open,
    /** Lines that a move reported since the last call. */
    takeDays: () => copiedDays.splice(0),
    options: (client: EngineClient = engine): MoveOptions => ({
      databases,
      engine: { engine: client, cluster: null },
      serverOffset,
      retentionDays,
      now,
      onDay: (day) => copiedDays.push(day),
    }),
    async emptyBoth(): Promise<void> {
      await traffic.empty();
      await databases.pools.ops.query(`truncate event_weeks, event_totals_dropped, event_batches`);
      await databases.pools.ops.query(`update event_home set store = null`);
      await engine.command('truncate table events');
    },
  };
}

/** All that a store answers about its events: the same for two stores of the same events. */
export async function answersOf(store: StoreReader, now: number): Promise<unknown> {
  const appIds = [1, 2, 3];
  const filters: EventFilter[] = [
    { scope: 'all' },
    { scope: [2], types: ['error'] },
    { scope: [1], countries: ['DE'] },
    { scope: 'all', asns: ['13335'] },
  ];
  const answers: unknown[] = [];
  for (const filter of filters) {
    for (const orderBy of ['concatenated_date', 'id'] as const) {
      const { rows } = await store.listEventsByCursor({
        filter,
        sort: { orderBy, orderDirection: 'desc' },
        cursor: undefined,
        limit: 10_000,
        origin: true,
      });
      answers.push(rows);
    }
    answers.push(await store.countEvents(filter));
  }
  answers.push(
    (
      await store.listEventsByPage({
        filter: { scope: 'all' },
        sort: { orderBy: 'concatenated_date', orderDirection: 'asc' },
        page: 2,
        limit: 7,
      })
    ).rows,
  );
  const counters = await store.countEventsByApp(appIds, now);
  answers.push(appIds.map((id) => counters.get(id)));
  const seenValues = await store.findSeenValues(1);
  answers.push(seenValues.countries.toSorted(), seenValues.streamUids.toSorted());
  return answers;
}
