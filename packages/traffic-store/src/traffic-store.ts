import type { CounterSet } from '@switchyard/contract/app-statistics';
import type { Microseconds } from '@switchyard/contract/dates';
import { EventStoreUnavailable } from './event-store-unavailable.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { CounterSpan, EventStore } from './event-store.ts';

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
