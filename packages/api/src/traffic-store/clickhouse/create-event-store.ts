import type pg from 'pg';
import { toRequestRow } from '../event-fields.ts';
import type { EventStore } from '../event-store.ts';
import { listByCursor } from '../list/cursor-list.ts';
import type { EngineClient } from './engine-client.ts';
import { exportEvents } from './export/export-events.ts';
import { countByApp, findAppsWithClients, findSeenValues, findStoppedApps, sumEvents } from './list/event-counts.ts';
import { countByBucket } from './list/histogram.ts';
import { countMatches, listByPage } from './list/list-by-page.ts';
import { type EngineReading, readInOrder } from './list/read-in-order.ts';
import { addNames } from './read-names.ts';

export type EngineStoreOptions = {
  engine: EngineClient;
  /** PostgreSQL, for the names of apps and streams and what retention left of totals. */
  pool: pg.Pool;
  /** Offset in which the server cuts days. */
  serverOffset: string;
  /** Measured defaults; tests set them low so that every way of reading is taken. */
  reading?: Partial<EngineReading> | undefined;
};

/** What the event store on ClickHouse answers. */
export type EventReads = Omit<EventStore, 'addEvents' | 'followEvents' | 'maintain'>;

/** The reading half of the event store on ClickHouse. */
export function createEventReads({ engine, pool, serverOffset, reading }: EngineStoreOptions): EventReads {
  const plan: EngineReading = { rareSearch: 2000, ...reading };
  return {
    async listEventsByCursor(query) {
      const { scope } = query.filter;
      if (scope !== 'all' && scope.length === 0) return { rows: [], previous: null, next: null };
      return listByCursor(query, async (part) => addNames(pool, await readInOrder(engine, plan, part)));
    },
    async listEventsByPage(query) {
      const { rows, total } = await listByPage(engine, query);
      return { rows: (await addNames(pool, rows)).map(toRequestRow), total };
    },
    countEvents: async (filter) => countMatches(engine, filter),
    countByBucket: async (query) => countByBucket(engine, serverOffset, query),
    exportEvents: async (query) => exportEvents({ engine, pool }, query),
    seenValues: async (appId) => findSeenValues(engine, appId),
    eventCountersByApp: async (appIds, now) => countByApp({ engine, pool }, serverOffset, appIds, now),
    sumEvents: async (query) => sumEvents(engine, query),
    findStoppedApps: async (query) => findStoppedApps(engine, query),
    appsWithClients: async (appIds) => findAppsWithClients({ engine, pool }, appIds),
  };
}
