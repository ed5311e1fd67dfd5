import { type CounterSet, emptyCounterSet } from '@switchyard/contract/app-statistics';
import type { Microseconds } from '@switchyard/contract/dates';
import type { DeliveryStore } from './delivery-store.ts';
import type { CounterSpan, EventStore } from './event-store.ts';
import type { Databases } from '../database/connect.ts';
import type { EventStoreSettings } from '../env.ts';
import { EventStoreUnavailable } from '../errors.ts';
import { isEngineFull, isEngineTimeout } from './clickhouse/engine-errors.ts';
import { type EngineStart, openClickHouse } from './clickhouse/open-clickhouse.ts';
import { DroppedWeek } from './clickhouse/write/add-events.ts';
import { requireEventHome } from './event-home.ts';
import { createClickHouseEventStore } from './clickhouse/create-event-store.ts';
import { withEmptyScope } from './empty-scope.ts';
import type { Engine } from './clickhouse/write/settle-batches.ts';
import { createPostgresDeliveryStore } from './postgres/create-delivery-store.ts';
import { createPostgresEventStore, type EventStoreOptions } from './postgres/create-event-store.ts';
import { createBatchWriter } from './postgres/statements.ts';

/** All counters of one app. */
export type TrafficCounters = Record<CounterSpan, CounterSet>;

/** Counters by app id, and whether events are counted in them. */
export type CountedApps = { counters: ReadonlyMap<number, TrafficCounters>; hasEvents: boolean };

/** Result of a read of events, or `instead` while the event store is unavailable. */
export async function eventsOr<Found, Instead>(read: Promise<Found>, instead: Instead): Promise<Found | Instead> {
  return read.catch((error: unknown) => {
    if (error instanceof EventStoreUnavailable) return instead;
    throw error;
  });
}

/** The stores of traffic, and the answers that need both. */
export type TrafficStore = {
  events: EventStore;
  deliveries: DeliveryStore;
  /**
   * Counters by app id; an app without traffic is absent. `today` is the day of `now` in the server's offset. Without events while
   * their store is unavailable.
   */
  countByApp(appIds: readonly number[], now: Microseconds): Promise<CountedApps>;
  /** Which of these apps have clients: a create or receive event, or a conversion. Only the latter while the event store is unavailable. */
  findAppsWithClients(appIds: readonly number[]): Promise<ReadonlySet<number>>;
  /** Makes room for coming days and drops what is past retention; safe to run in several processes at once. */
  maintain(now: Microseconds): Promise<void>;
  /** Whether the event store takes the batches that wait as one group. */
  groupsBatches: boolean;
  /** Whether the database of events answers; null if it is the console's. */
  eventStoreAnswers: (() => Promise<boolean>) | null;
};

const noApps: ReadonlySet<number> = new Set();

/** Meanings of errors of the event store, beside those of the console's database. */
export const eventStoreFaults = {
  isFull: isEngineFull,
  /** Weeks that a process with a faster clock has dropped are past retention here, too, before long. */
  isTimeout: (error: unknown): boolean => isEngineTimeout(error) || error instanceof DroppedWeek,
};

export type TrafficStoreOptions = Omit<EventStoreOptions, 'write'> & {
  /** Where events live; without it in PostgreSQL, as deliveries always do. */
  clickhouse?: Engine | null;
};

/**
 * Opens the stores where the settings say. Events are in PostgreSQL or in ClickHouse, which no caller has to know.
 * @throws StartupError if ClickHouse cannot be used, or the events are elsewhere
 */
export async function openTrafficStore(
  store: EventStoreSettings,
  { databases, ...options }: { databases: Databases; serverOffset: string; retentionDays: number } & EngineStart,
): Promise<TrafficStore & { close: () => Promise<void> }> {
  const { serverOffset, retentionDays } = options;
  const { pools, listen } = databases;
  await requireEventHome(pools.ops, store.kind === 'postgres' ? 'postgres' : 'clickhouse');
  const clickhouse = store.kind === 'postgres' ? null : await openClickHouse(store, databases, options);
  const close = async (): Promise<void> => clickhouse?.close();
  return { ...createTrafficStore({ pools, listen, serverOffset, retentionDays, clickhouse }), close };
}

/** Creates the stores. On PostgreSQL they share the connections for writing. */
export function createTrafficStore({ clickhouse = null, ...options }: TrafficStoreOptions): TrafficStore {
  const write = createBatchWriter(options.pools.ingest);
  const events = withEmptyScope(
    clickhouse === null ? createPostgresEventStore({ ...options, write }) : createClickHouseEventStore({ ...options, ...clickhouse }),
  );
  const deliveries = createPostgresDeliveryStore({ ...options, write });
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
