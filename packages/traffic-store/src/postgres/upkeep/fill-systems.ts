import { dayRange } from '@switchyard/contract/dates';
import type pg from 'pg';
import type { Pools } from '../../console-database.ts';
import type { SystemOf, UndecidedSystems } from '../../event-store.ts';
import { weekOf } from '../../time-buckets.ts';
import { timestamp } from '../event-conditions.ts';
import { countedColumns, moveToSystems, recountDays } from '../rollups.ts';
import { inTransaction, type Reader } from '../statements.ts';
import { partitionName } from './partitions.ts';

/** Advisory lock: one process at a time fills in systems. */
const lockKey = 7_300_221;
/** Events of a step: few enough that a batch which counts the same system waits a fraction of a second. */
const usualRows = 4000;

/** Days are looked up one by one, because the key of the roll-up begins with them. */
const undecidedStatement = `
  select (coalesce(sum(undecided), 0))::bigint as events, (coalesce(sum(requests), 0))::bigint as total,
    (max(day) filter (where undecided > 0))::text as "newestDay"
  from (select day, sum(requests) as requests from traffic_all_days group by day) as held
  left join lateral (
    select sum(requests) as undecided from traffic_asn_days as counted where counted.day = held.day and asn = ''
  ) as counted on true`;

/** Counts the events without a system, and finds the newest day that has some. */
export async function countUndecidedSystems(reader: Reader): Promise<UndecidedSystems> {
  const { rows } = await reader.query<UndecidedSystems>(undecidedStatement);
  return rows[0] ?? { events: 0, total: 0, newestDay: null };
}

/** The newest events of a range without a system: their addresses, and when the first of them occurred. */
const pickStatement = `
  select min(occurred_at)::text as oldest, array_agg(distinct host(ip)) as ips
  from (
    select occurred_at, ip from events
    where asn = '' and occurred_at >= $1::timestamptz and occurred_at <= $2::timestamptz order by occurred_at desc limit $3
  ) as picked having count(*) > 0`;

/** Gives the events of a range the systems of their addresses, and counts them there. `isUncounted`: some were not counted before. */
const fillStatement = `
  with filled as (
    update events set asn = known.system from unnest($4::inet[], $5::text[]) as known (address, system)
    where events.ip = known.address and events.asn = '' and occurred_at >= $2::timestamptz and occurred_at <= $3::timestamptz
    returning ${countedColumns('$1')}
  ),
  moved as (${moveToSystems('filled')} returning requests)
  select coalesce(bool_or(requests < 0), false) as "isUncounted" from moved`;

/** Thrown within a step to roll it back. */
class UncountedEvents extends Error {}

/**
 * A function that decides the systems of some of the newest events without one; it gives false if there are none. A step is one transaction,
 * so a process that is killed leaves events and counts that agree. Rewritten events leave their old versions: after each day these are
 * vacuumed, so that the next days of the week take their room.
 */
export function createSystemsFill(
  pools: Pick<Pools, 'jobs' | 'exports'>,
  { offset, rows = usualRows }: { offset: string; rows?: number | undefined },
): (systemOf: SystemOf) => Promise<boolean> {
  /** The day of the last step, and when the oldest event that it read occurred; null: the day was read to its beginning. */
  let last: { day: string; oldest: string | null } | null = null;

  return async (systemOf) => {
    const { newestDay: day } = await countUndecidedSystems(pools.jobs);
    if (last !== null && last.day !== day) {
      const { day: filledDay } = last;
      last = null;
      await vacuum(pools.exports, filledDay, offset);
    }
    if (day === null) return false;
    const range = dayRange(day, offset);
    const resumeAt = last?.oldest ?? null;
    const step = { day, from: timestamp(range.from), until: resumeAt ?? timestamp(range.until - 1), offset, rows, systemOf };
    try {
      const oldest = await inTransaction(pools.jobs, async (client) => fill(client, step));
      if (oldest === null && resumeAt === null) throw new UncountedEvents();
      last = { day, oldest };
    } catch (error) {
      if (!(error instanceof UncountedEvents)) throw error;
      // A version that does not count by system has stored or dropped some of them.
      await inTransaction(pools.exports, async (client) => recountDays(client, { offset, only: day, tables: ['traffic_asn_days'] }));
    }
    return true;
  };
}

type FillStep = { day: string; from: string; until: string; offset: string; rows: number; systemOf: SystemOf };

/** Fills the newest events of a range of one day. Returns when the oldest of them occurred; null: all have a system. */
async function fill(client: pg.ClientBase, { day, from, until, offset, rows, systemOf }: FillStep): Promise<string | null> {
  await client.query('select pg_advisory_xact_lock($1)', [lockKey]);
  const picked = await client.query<{ oldest: string; ips: string[] }>(pickStatement, [from, until, rows]);
  const [{ oldest, ips } = { oldest: null, ips: [] }] = picked.rows;
  if (oldest === null) return null;
  const filled = await client.query<{ isUncounted: boolean }>(fillStatement, [offset, oldest, until, ips, ips.map(systemOf)]);
  if (filled.rows[0]?.isUncounted === true) throw new UncountedEvents();
  await client.query(`delete from traffic_asn_days where day = $1 and asn = '' and requests = 0`, [day]);
  return oldest;
}

/** Frees the room of old versions in the weeks of a day. */
async function vacuum(pool: pg.Pool, day: string, offset: string): Promise<void> {
  const { from, until } = dayRange(day, offset);
  for (const name of new Set([from, until - 1].map((instant) => partitionName(weekOf(instant))))) {
    const { rows } = await pool.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [name]);
    // Without the end of the table: cutting it off would need a lock that readers wait for.
    if (rows[0]?.exists === true) await pool.query(`vacuum (truncate false) ${name}`);
  }
}
