import type { Microseconds } from '@switchyard/contract/dates';
import { ingestLimits } from '@switchyard/contract/limits';
import type { EventStore } from '../event-store.ts';
import { day } from '../time-buckets.ts';
import type { TopReading } from '../top-fields.ts';
import type { Listen } from '../console-database.ts';
import { exportEvents } from './export/export-events.ts';
import { listByCursor } from '../list/cursor-pages.ts';
import { readInOrder, type ReadingPlan } from './list/cursor-list.ts';
import { countByApp, findAppsWithClients, findSeenValues, countEventsBySpan } from './list/event-counts.ts';
import { findPlaces } from './list/find-places.ts';
import { findEvent, findOldestId } from './list/find-event.ts';
import { countGroups } from './list/event-groups.ts';
import { countByBucket } from './list/histogram.ts';
import { asksForNewestOfApp, countMatches, listByPage, listNewestOfApp } from './list/numbered-list.ts';
import { getEventSummary } from './list/summarise-events.ts';
import { recountDays, recountMissedSystems } from './rollups.ts';
import { type PostgresStoreOptions, sortableRows } from './statements.ts';
import { createFollow, createTailHead } from '../tail/follow-events.ts';
import { createListEventsAfter } from '../tail/read-events-after.ts';
import { findTopValues } from './list/top-values.ts';
import { createTailSource, forgetOldBatches, tailLog } from './tail/tail-source.ts';
import { recountOnNewOffset } from './upkeep/calendar.ts';
import { countUndecidedSystems, createSystemsFill } from './upkeep/fill-systems.ts';
import { createPartitions } from './upkeep/partitions.ts';
import { insertEvents } from './write/add-events.ts';

export type EventStoreOptions = PostgresStoreOptions & {
  /** Without it live streams poll once a second. */
  listen?: Listen | undefined;
  /** Measured defaults; tests set them low so that every way of reading is taken. */
  reading?: (Partial<Omit<ReadingPlan, 'offset'>> & TopReading) | undefined;
  /** Events whose systems are filled in at once; the default is measured. */
  fillRows?: number | undefined;
};

/** The event store on PostgreSQL (docs/decisions/0004-traffic-store.md). */
export function createPostgresEventStore(options: EventStoreOptions): EventStore {
  const { pools, listen, serverOffset, retentionDays, write } = options;
  const plan: ReadingPlan = { offset: serverOffset, lookAhead: 1000, denseDay: 4, rareSearch: 500, mostMatches: 2000, ...options.reading };
  const partitions = createPartitions(pools.ops, serverOffset);
  const exportPlan = { offset: serverOffset, sortable: options.sortable ?? sortableRows };
  const tail = { source: createTailSource(pools.ui), head: createTailHead({ pool: pools.ui, listen, log: tailLog }) };

  // The last console that is upgraded starts after all events of the version before.
  let isRepaired = false;
  return {
    async insertEvents(rows) {
      await partitions.ensure(rows.map((row) => row.occurred_at));
      return write(rows, async () => insertEvents(pools.ingest, rows, serverOffset));
    },
    listEventsByCursor: async (query) => listByCursor(query, async (reading) => readInOrder(pools.ui, plan, reading)),
    listEventsByPage: async (query) => (asksForNewestOfApp(query) ? listNewestOfApp : listByPage)(pools.ui, serverOffset, query),
    findEvent: async (query) => findEvent(pools.ui, serverOffset, query),
    findOldestId: async () => findOldestId(pools.ui),
    countEvents: async (filter) => countMatches(pools.ui, serverOffset, filter),
    countByBucket: async (query) => countByBucket(pools.ui, serverOffset, query),
    countGroups: async (query) => countGroups(pools, serverOffset, query),
    findTopValues: async (query) => findTopValues(pools.ui, { offset: serverOffset, topRows: options.reading?.topRows }, query),
    exportEvents: async (query) => exportEvents(pools, exportPlan, query),
    followEvents: createFollow(tail),
    listEventsAfter: createListEventsAfter(tail),
    getEventSummary: async (query) => getEventSummary(pools.ui, query),
    findPlaces: async (query) => findPlaces(pools.jobs, query),
    findSeenValues: async (appId) => findSeenValues(pools.ui, appId),
    countEventsByApp: async (appIds, now) => countByApp(pools.ui, serverOffset, appIds, now),
    countEventsBySpan: async (query) => countEventsBySpan(pools.ui, query),
    findAppsWithClients: async (appIds) => findAppsWithClients(pools.ui, appIds),
    countUndecidedSystems: async () => countUndecidedSystems(pools.ui),
    updateSystems: createSystemsFill(pools, { offset: serverOffset, rows: options.fillRows }),
    async maintain(now: Microseconds) {
      await recountOnNewOffset(pools.ops, {
        counts: 'events',
        offset: serverOffset,
        recount: async (client) => recountDays(client, { offset: serverOffset }),
      });
      if (!isRepaired) await recountMissedSystems(pools.ops, serverOffset);
      isRepaired = true;
      await forgetOldBatches(pools.ops);
      const oldest = now - retentionDays * day;
      const furthest = now + (ingestLimits.hoursAhead / 24) * day + 14 * day;
      await partitions.ensure(Array.from({ length: Math.ceil((furthest - oldest) / day) }, (_, index) => oldest + index * day));
      await partitions.dropBefore(oldest);
    },
  };
}
