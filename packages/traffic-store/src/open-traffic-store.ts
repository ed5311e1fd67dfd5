import { type CounterSet, emptyCounterSet } from '@switchyard/contract/app-statistics';
import type { ConsoleDatabase } from './console-database.ts';
import { usualAttributionDays } from './delivery-place.ts';
import type { EventStoreSettings } from './event-store-settings.ts';
import { createClickHouseEventStore } from './clickhouse/create-event-store.ts';
import { type EngineStart, openClickHouse } from './clickhouse/open-clickhouse.ts';
import type { Engine } from './clickhouse/write/settle-batches.ts';
import { withEmptyScope } from './empty-scope.ts';
import { requireEventHome } from './event-home.ts';
import type { CounterSpan } from './event-store.ts';
import { createPostgresDeliveryStore, type DeliveryStoreOptions } from './postgres/create-delivery-store.ts';
import { createPostgresEventStore, type EventStoreOptions } from './postgres/create-event-store.ts';
import { createBatchWriter } from './postgres/statements.ts';
import { eventsOr, type TrafficCounters, type TrafficStore } from './traffic-store.ts';

const noApps: ReadonlySet<number> = new Set();

export type TrafficStoreOptions = Omit<EventStoreOptions, 'write'> & {
  /** Where events live; without it in PostgreSQL, as deliveries always do. */
  clickhouse?: Engine | null;
  /** How many days before a delivery the event may lie that it is attributed to. */
  attributionDays?: number | undefined;
  checkedRows?: DeliveryStoreOptions['checkedRows'];
};

/**
 * Opens the stores where the settings say. Events are in PostgreSQL or in ClickHouse, which no caller has to know.
 * @throws StartupError if ClickHouse cannot be used, or the events are elsewhere
 */
export async function openTrafficStore(
  store: EventStoreSettings,
  {
    databases,
    ...options
  }: { databases: ConsoleDatabase; serverOffset: string; retentionDays: number; attributionDays?: number } & EngineStart,
): Promise<TrafficStore & { close: () => Promise<void> }> {
  const { serverOffset, retentionDays, attributionDays } = options;
  const { pools, listen } = databases;
  await requireEventHome(pools.ops, store.kind === 'postgres' ? 'postgres' : 'clickhouse');
  const clickhouse = store.kind === 'postgres' ? null : await openClickHouse(store, databases, options);
  const close = async (): Promise<void> => clickhouse?.close();
  return { ...createTrafficStore({ pools, listen, serverOffset, retentionDays, clickhouse, attributionDays }), close };
}

/** Creates the stores. On PostgreSQL they share the connections for writing. */
export function createTrafficStore({
  clickhouse = null,
  attributionDays: days = usualAttributionDays,
  ...options
}: TrafficStoreOptions): TrafficStore {
  const write = createBatchWriter(options.pools.ingest);
  const events = withEmptyScope(
    clickhouse === null ? createPostgresEventStore({ ...options, write }) : createClickHouseEventStore({ ...options, ...clickhouse }),
  );
  const deliveries = createPostgresDeliveryStore({
    ...options,
    write,
    findPlaces: async (asked) => events.findPlaces({ deliveries: asked, days }),
  });
  return {
    events,
    deliveries,
    groupsBatches: clickhouse !== null,
    eventStoreAnswers: clickhouse && (async () => clickhouse.engine.ping()),
    async countByApp(appIds, now) {
      const [ofEvents, ofDeliveries] = await Promise.all([
        eventsOr(events.countEventsByApp(appIds, now), null),
        deliveries.countDeliveriesByApp(appIds, now),
      ]);
      const appIdsWithTraffic = new Set([...(ofEvents?.keys() ?? []), ...ofDeliveries.keys()]);
      const counters = Array.from(appIdsWithTraffic, (appId): [number, TrafficCounters] => {
        const [own, deliveryCounts] = [ofEvents?.get(appId), ofDeliveries.get(appId)];
        const of = (span: CounterSpan): CounterSet => ({ ...emptyCounterSet(), ...own?.[span], ...deliveryCounts?.[span] });
        return [appId, { today: of('today'), allTime: of('allTime'), qa: of('qa') }];
      });
      return { counters: new Map(counters), hasEvents: ofEvents !== null };
    },
    async findAppsWithClients(appIds) {
      const sets = await Promise.all([eventsOr(events.findAppsWithClients(appIds), noApps), deliveries.findAppsWithConversions(appIds)]);
      return new Set(sets.flatMap((ids) => [...ids]));
    },
    async maintain(now) {
      // First, because partitions of coming days must not wait for the event store.
      await deliveries.maintain(now);
      await events.maintain(now);
    },
  };
}
