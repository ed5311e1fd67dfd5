import { dayOf, dayRange, formatDateTime, type Microseconds } from '@switchyard/contract/dates';
import type pg from 'pg';

const week = 7 * 86_400_000_000;
/** Monday 1970-01-05 UTC; weeks are counted from it. */
const firstMonday = 4 * 86_400_000_000;
/** Any number that nothing else locks: partitions are made and dropped by one process at a time. */
const lockKey = 7_300_211;

/** Start of the week an instant falls in. */
export function weekOf(instant: Microseconds): Microseconds {
  return Math.floor((instant - firstMonday) / week) * week + firstMonday;
}

function partitionName(start: Microseconds): string {
  return `events_${formatDateTime(start).slice(0, 10).replaceAll('-', '')}`;
}

/** Creates and drops the weekly partitions of the events. */
export type Partitions = {
  /** Makes the weeks of these instants exist; costs nothing for weeks that were ensured before. */
  ensure(instants: Iterable<Microseconds>): Promise<void>;
  /** Drops weeks that ended before the instant, with the roll-ups that counted them; gives how many. */
  dropBefore(cutoff: Microseconds): Promise<number>;
};

/** Partitions over a pool; `offset` is the one in which day roll-ups are cut. */
export function createPartitions(pool: pg.Pool, offset: string): Partitions {
  const ensured = new Set<Microseconds>();

  async function exclusively<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    try {
      await client.query('begin');
      // Rather try again at the next turn than hold up readers behind a waiting lock.
      await client.query(`set local lock_timeout = '3s'`);
      await client.query('select pg_advisory_xact_lock($1)', [lockKey]);
      const result = await work(client);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
  }

  return {
    async ensure(instants) {
      const missing = [...new Set([...instants].map(weekOf))].filter((start) => !ensured.has(start));
      if (missing.length === 0) return;
      await exclusively(async (client) => {
        for (const start of missing) {
          const bounds = [start, start + week].map((instant) => `'${formatDateTime(instant)}+00'`).join(') to (');
          await client.query(`create table if not exists ${partitionName(start)} partition of events for values from (${bounds})`);
        }
      });
      for (const start of missing) ensured.add(start);
    },

    async dropBefore(cutoff) {
      const { rows } = await pool.query<{ name: string }>(
        `select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = 'events'::regclass`,
      );
      const last = partitionName(weekOf(cutoff));
      const past = rows.map((row) => row.name).filter((name) => name < last);
      if (past.length === 0) return 0;
      await exclusively(async (client) => {
        for (const name of past) await client.query(`drop table if exists ${name}`);
        await forgetCounts(client, weekOf(cutoff), offset);
      });
      ensured.clear();
      return past.length;
    },
  };
}

/** Removes roll-ups before an instant; the day that the instant cuts in two is counted anew from what is left. */
async function forgetCounts(client: pg.PoolClient, until: Microseconds, offset: string): Promise<void> {
  const day = dayOf(until, offset);
  await client.query('delete from traffic_hours where hour < $1', [`${formatDateTime(until)}+00`]);
  await client.query('delete from traffic_days where day < $1', [day]);
  await client.query('delete from traffic_breakdown where day < $1', [day]);
  if (dayRange(day, offset).from !== until) await recountDays(client, { offset, from: day, until: day });
}

/** Counts days anew from the events, both ends included; without ends, all of them. */
export async function recountDays(client: pg.ClientBase, days: { offset: string; from?: string; until?: string }): Promise<void> {
  const from = days.from ?? '-infinity';
  const until = days.until ?? 'infinity';
  const range = {
    from: days.from === undefined ? '-infinity' : `${formatDateTime(dayRange(days.from, days.offset).from)}+00`,
    until: days.until === undefined ? 'infinity' : `${formatDateTime(dayRange(days.until, days.offset).until)}+00`,
  };
  // A batch that commits while we count would be counted twice or never.
  await client.query('lock table traffic_days, traffic_breakdown in exclusive mode');
  for (const table of ['traffic_days', 'traffic_breakdown']) {
    await client.query(`delete from ${table} where day between $1 and $2`, [from, until]);
  }
  const source = `(select app_id, type, country, stream_uid, flags, (occurred_at at time zone 'UTC' + $1::interval)::date as day
    from events where occurred_at >= $2 and occurred_at < $3) as counted`;
  const values = [days.offset, range.from, range.until];
  await client.query(
    `insert into traffic_breakdown (day, app_id, type, country, stream_uid, flags, requests)
     select day, app_id, type, country, stream_uid, flags, count(*) from ${source} group by 1, 2, 3, 4, 5, 6`,
    values,
  );
  await client.query(
    `insert into traffic_days (day, app_id, type, flags, requests)
     select day, app_id, type, flags, sum(requests) from traffic_breakdown where day between $1 and $2 group by 1, 2, 3, 4`,
    [from, until],
  );
}
