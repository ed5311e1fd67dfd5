import type { Microseconds } from '@switchyard/contract/dates';
import { ingestLimits } from '@switchyard/contract/limits';
import type { Databases } from '../../database/connect.ts';
import type { TrafficStore } from '../traffic-store.ts';
import { insertRequests } from './add-requests.ts';
import { countByApp, findAppsWithClients } from './counters.ts';
import { listByCursor } from './list-requests.ts';
import type { ReadingPlan } from './ordered-requests.ts';
import { createPartitions } from './partitions.ts';
import { recountDays } from './rollups.ts';

const day = 86_400_000_000;
/** Batches that wait for each other's roll-up rows in a circle, or lose a race, are run again this often. */
const attempts = 5;

/** The traffic store on PostgreSQL (docs/decisions/0004-traffic-store.md). */
export function createPostgresTrafficStore(deps: {
  pools: Databases['pools'];
  serverOffset: string;
  retentionDays: number;
  /** Measured defaults; tests set them low to take every way of reading. */
  reading?: Partial<Omit<ReadingPlan, 'offset'>>;
}): TrafficStore {
  const { pools, serverOffset, retentionDays } = deps;
  const plan: ReadingPlan = { offset: serverOffset, lookAhead: 1000, denseDay: 4, rareSearch: 500, mostMatches: 2000, ...deps.reading };
  const partitions = createPartitions(pools.ops, serverOffset);

  return {
    async addRequests(rows) {
      if (rows.length === 0) return { accepted: 0, duplicates: 0 };
      await partitions.ensure(rows.map((row) => row.occurredAt));
      const accepted = await againWhenBeaten(() => insertRequests(pools.ingest, rows, serverOffset));
      return { accepted, duplicates: rows.length - accepted };
    },
    listRequestsByCursor: (query) => listByCursor(pools.ui, plan, query),
    countersByApp: (appIds, now) => countByApp(pools.ui, serverOffset, appIds, now),
    appsWithClients: (appIds) => findAppsWithClients(pools.ui, appIds),
    async maintain(now: Microseconds) {
      await cutDaysInOffset(pools.ops, serverOffset);
      const oldest = now - retentionDays * day;
      const furthest = now + (ingestLimits.hoursAhead / 24) * day + 14 * day;
      await partitions.ensure(Array.from({ length: Math.ceil((furthest - oldest) / day) }, (_, index) => oldest + index * day));
      await partitions.dropBefore(oldest);
    },
  };
}

/** Deadlock and serialisation failure: nothing was kept, so the same batch may run again. */
const beaten = new Set(['40P01', '40001']);

async function againWhenBeaten<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (attempt >= attempts || typeof code !== 'string' || !beaten.has(code)) throw error;
    }
  }
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
