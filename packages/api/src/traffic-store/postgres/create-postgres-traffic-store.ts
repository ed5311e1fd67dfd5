import type { Microseconds } from '@switchyard/contract/dates';
import { ingestLimits } from '@switchyard/contract/limits';
import type { Databases } from '../../database/connect.ts';
import { createLimiter } from '../../limiter.ts';
import type { ConversionStore } from '../conversion-store.ts';
import type { PushStore } from '../push-store.ts';
import type { TrafficStore } from '../traffic-store.ts';
import { addConversions } from './deliveries/add-conversions.ts';
import { addPushes } from './deliveries/add-pushes.ts';
import { insertRequests } from './write/add-events.ts';
import { retryOnDeadlock } from './write/retry-on-deadlock.ts';
import { countByApp, findAppsWithClients } from './list/counters.ts';
import { dropDeliveriesBefore, recountDeliveryDays } from './upkeep/delivery-upkeep.ts';
import { exportConversions } from './deliveries/export-conversions.ts';
import { exportPushes } from './deliveries/export-pushes.ts';
import { exportRequests } from './export/export-events.ts';
import { createFollow } from './tail/follow-events.ts';
import { countByBucket } from './list/histogram.ts';
import { countMatches, listByPage } from './list/numbered-list.ts';
import { inTransaction } from './in-transaction.ts';
import { conversionValues, listConversions } from './deliveries/list-conversions.ts';
import { countBySpan } from './deliveries/count-by-span.ts';
import { listPushes } from './deliveries/list-pushes.ts';
import { listByCursor } from './list/cursor-list.ts';
import { asksForNewestOfApp, listNewestOfApp } from './list/newest-of-app.ts';
import type { ReadingPlan } from './list/read-in-order.ts';
import { createPartitions } from './upkeep/partitions.ts';
import { recountDays } from './rollups.ts';
import { findStoppedApps, sumRequests } from './list/request-sums.ts';
import { findSeenValues } from './list/seen-values.ts';
import { createTailHead, forgetOldBatches } from './tail/tail-head.ts';

const day = 86_400_000_000;

/** The traffic store on PostgreSQL (docs/decisions/0004-traffic-store.md). */
export function createPostgresTrafficStore(deps: {
  pools: Databases['pools'];
  /** Without it live streams ask once a second. */
  listen?: Databases['listen'];
  serverOffset: string;
  retentionDays: number;
  /** So many rows of an export may be sorted at once. */
  sortable?: number;
  /** Measured defaults; tests set them low to take every way of reading. */
  reading?: Partial<Omit<ReadingPlan, 'offset'>>;
}): TrafficStore & PushStore & ConversionStore {
  const { pools, serverOffset, retentionDays } = deps;
  const plan: ReadingPlan = { offset: serverOffset, lookAhead: 1000, denseDay: 4, rareSearch: 500, mostMatches: 2000, ...deps.reading };
  const partitions = createPartitions(pools.ops, serverOffset);
  const exportPlan = { offset: serverOffset, sortable: deps.sortable ?? 50_000 };
  // A wait for a connection ends after two seconds; a batch that was begun may wait for the others as long as they take.
  const limiter = createLimiter({ slots: pools.ingest.options.max });
  const store = async (insert: () => Promise<number>): Promise<number> => limiter.run(async () => retryOnDeadlock(insert));
  const follow = createFollow({ pool: pools.ui, head: createTailHead({ pool: pools.ui, listen: deps.listen }) });

  return {
    async addRequests(rows) {
      if (rows.length === 0) return { accepted: 0, duplicates: 0 };
      await partitions.ensure(rows.map((row) => row.occurredAt));
      const accepted = await store(async () => insertRequests(pools.ingest, rows, serverOffset));
      return { accepted, duplicates: rows.length - accepted };
    },
    listRequestsByCursor: (query) => listByCursor(pools.ui, plan, query),
    listRequestsByPage: (query) => (asksForNewestOfApp(query) ? listNewestOfApp : listByPage)(pools.ui, serverOffset, query),
    countRequests: (filter) => countMatches(pools.ui, serverOffset, filter),
    countByBucket: (query) => countByBucket(pools.ui, serverOffset, query),
    exportRequests: (query) => exportRequests(pools, exportPlan, query),
    followRequests: follow,
    seenValues: (appId) => findSeenValues(pools.ui, appId),
    countersByApp: (appIds, now) => countByApp(pools.ui, serverOffset, appIds, now),
    sumRequests: (query) => sumRequests(pools.ui, query),
    findStoppedApps: (query) => findStoppedApps(pools.ui, serverOffset, query),
    appsWithClients: (appIds) => findAppsWithClients(pools.ui, appIds),
    async addPushes(rows) {
      if (rows.length === 0) return { accepted: 0, duplicates: 0 };
      const accepted = await store(async () => inTransaction(pools.ingest, (client) => addPushes(client, rows, serverOffset)));
      return { accepted, duplicates: rows.length - accepted };
    },
    async addConversions(rows) {
      if (rows.length === 0) return { accepted: 0, duplicates: 0 };
      const accepted = await store(async () => addConversions(pools.ingest, rows, serverOffset));
      return { accepted, duplicates: rows.length - accepted };
    },
    listPushes: (query) => listPushes(pools.ui, query, serverOffset),
    listConversions: (query) => listConversions(pools.ui, query, serverOffset),
    countPushesBySpan: (query) => countBySpan(pools.ui, serverOffset, 'push', query),
    countConversionsBySpan: (query) => countBySpan(pools.ui, serverOffset, 'conversion', query),
    exportPushes: (query) => exportPushes(pools, exportPlan, query),
    exportConversions: (query) => exportConversions(pools, exportPlan, query),
    conversionValues: (column, scope) => conversionValues(pools.ui, column, scope),
    async maintain(now: Microseconds) {
      await cutDaysInOffset(pools.ops, serverOffset);
      await forgetOldBatches(pools.ops);
      const oldest = now - retentionDays * day;
      const furthest = now + (ingestLimits.hoursAhead / 24) * day + 14 * day;
      await partitions.ensure(Array.from({ length: Math.ceil((furthest - oldest) / day) }, (_, index) => oldest + index * day));
      await partitions.dropBefore(oldest);
      await dropDeliveriesBefore(pools.ops, oldest, serverOffset);
    },
  };
}

/** Counts all days anew when the server's offset is not the one they were cut in. */
async function cutDaysInOffset(pool: Databases['pools']['ops'], offset: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const known = await client.query<{ utc_offset: string }>(
      `insert into traffic_calendar (utc_offset) values ($1) on conflict (only_row) do update set only_row = true returning utc_offset`,
      [offset],
    );
    if (known.rows[0]?.utc_offset !== offset) {
      await recountDays(client, { offset });
      await recountDeliveryDays(client, offset);
      await client.query('update traffic_calendar set utc_offset = $1', [offset]);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
