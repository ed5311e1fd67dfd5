import type { EngineClient } from '@switchyard/traffic-store/clickhouse/engine-client';
import { newParameters } from '@switchyard/traffic-store/clickhouse/statement';
import type { Databases } from '../database/connect.ts';

/** What events take on disk with everything beside them: indexes and counters. */
type Stored = { bytes: number; events: number; lastWeek: number };

/** With fewer events, what is beside them counts for more than they do. */
const leastEvents = 100_000;

/** What the database takes; before there are migrations null. */
export async function readDatabaseStorage({ pools }: Pick<Databases, 'pools'>): Promise<Stored> {
  const { rows } = await pools.ops.query<Stored>(`
    select pg_database_size(current_database()) as bytes, coalesce(sum(requests), 0)::bigint as events,
      coalesce(sum(requests) filter (where hour >= now() - interval '7 days'), 0)::bigint as "lastWeek"
    from traffic_all_hours`);
  return rows[0] ?? { bytes: 0, events: 0, lastWeek: 0 };
}

/** What the events take on this server of ClickHouse, projections included; on a cluster these are not all. */
export async function readEngineStorage(engine: Pick<EngineClient, 'lines'>, cluster: string | null): Promise<Stored> {
  const table = cluster === null ? 'events' : 'events_local';
  const [line = '{}'] = await engine.lines({
    text: `select toString(sum(bytes_on_disk)), toString(sum(rows)), toString((select count() from ${table} where occurred_at >= now() - interval 7 day))
      from system.parts where active and database = currentDatabase() and table = '${table}'`,
    parameters: newParameters(),
  });
  const [bytes = 0, events = 0, lastWeek = 0] = line.split('\t').map(Number);
  return { bytes, events, lastWeek };
}

const gigabyte = 1_000_000_000;
const inGigabytes = (bytes: number): string => `${(bytes / gigabyte).toFixed(1)} GB`;
const grouped = (count: number): string => Math.round(count).toLocaleString('en-US');

/** What the events of the retention will take at the pace of the last week, in one line. */
export function describeStorage({ bytes, events, lastWeek }: Stored, retentionDays: number): string {
  if (events < leastEvents) return `${grouped(events)} events, too few for an estimate`;
  const each = bytes / events;
  const daily = lastWeek / 7;
  return `${grouped(events)} events take ${inGigabytes(bytes)}, ${grouped(each)} bytes each; ${grouped(daily)} a day and ${retentionDays} days come to ${inGigabytes(daily * retentionDays * each)}`;
}
