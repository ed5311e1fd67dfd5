import { toRequestRows } from '../event-fields.ts';
import type { EventStore } from '../event-store.ts';
import { listByCursor } from '../list/cursor-pages.ts';
import { countUndecidedSystems, fillSystems } from './upkeep/fill-systems.ts';
import { createEventWrites, type EngineWriteOptions } from './create-event-writes.ts';
import { exportEvents } from './export/export-events.ts';
import { countByApp, findAppsWithClients, findSeenValues, countEventsBySpan } from './list/event-counts.ts';
import { findPlaces } from './list/find-places.ts';
import { findEvent, findOldestId } from './list/find-event.ts';
import { countGroups } from './list/event-groups.ts';
import { countByBucket } from './list/histogram.ts';
import { countMatches, listByPage } from './list/list-by-page.ts';
import { readInOrder } from './list/read-in-order.ts';
import type { EngineReading } from './list/search.ts';
import { getEventSummary } from './list/summarise-events.ts';
import { findTopValues } from './list/top-values.ts';
import { addNames } from './read-names.ts';

export type EngineStoreOptions = EngineWriteOptions & {
  /** Offset in which the server cuts days. */
  serverOffset: string;
  /** Measured defaults; tests set them low so that every way of reading is taken. */
  reading?: Partial<EngineReading> | undefined;
  /** Addresses whose systems are filled in at once; the default is measured. */
  fillRows?: number | undefined;
  /** How many rows of an export may be sorted at once; the default is measured. */
  sortable?: number | undefined;
};

/** The event store on ClickHouse (docs/decisions/0018-events-on-clickhouse.md). Names and the ledger of batches are in PostgreSQL. */
export function createClickHouseEventStore(options: EngineStoreOptions): EventStore {
  const { engine, pools, serverOffset, reading, sortable } = options;
  const pool = pools.ui;
  const plan: EngineReading = { rareSearch: 100_000, ...reading };
  return {
    ...createEventWrites(options),
    listEventsByCursor: async (query) => listByCursor(query, async (part) => addNames(pool, await readInOrder(engine, plan, part))),
    async listEventsByPage(query) {
      const { rows, total } = await listByPage(engine, plan, query);
      return { rows: toRequestRows(await addNames(pool, rows), query), total };
    },
    async findEvent(query) {
      const events = await addNames(pool, await findEvent(engine, query));
      return toRequestRows(events, { origin: true })[0] ?? null;
    },
    findOldestId: async () => findOldestId(engine),
    countEvents: async (filter) => countMatches(engine, plan, filter),
    countByBucket: async (query) => countByBucket(engine, serverOffset, query),
    countGroups: async (query) => countGroups(engine, serverOffset, query),
    findTopValues: async (query) => findTopValues(engine, plan, query),
    exportEvents: async (query) => exportEvents({ engine, pool, sortable }, query),
    getEventSummary: async (query) => getEventSummary(engine, query),
    findPlaces: async (query) => findPlaces(engine, query),
    findSeenValues: async (appId) => findSeenValues(engine, appId),
    countEventsByApp: async (appIds, now) => countByApp({ engine, pool }, serverOffset, appIds, now),
    countEventsBySpan: async (query) => countEventsBySpan(engine, query),
    countUndecidedSystems: async () => countUndecidedSystems(engine, serverOffset),
    updateSystems: async (systemOf, signal) => fillSystems(options, pools.jobs, { systemOf, signal, addresses: options.fillRows }),
    findAppsWithClients: async (appIds) => findAppsWithClients({ engine, pool }, appIds),
  };
}
