import { isLockTimeout } from '../../database-errors.ts';
import { formatDateTime, type Microseconds } from '@switchyard/contract/dates';
import type pg from 'pg';
import { week, weekOf } from '../../time-buckets.ts';
import { forgetCounts } from '../rollups.ts';

/** Advisory lock: one process at a time creates and drops partitions. */
const lockKey = 7_300_211;

/** The partition of the week that begins at an instant. */
export function partitionName(start: Microseconds): string {
  return `events_${formatDateTime(start).slice(0, 10).replaceAll('-', '')}`;
}

/** Creates and drops the weekly partitions of the events. */
export type Partitions = {
  /** Creates the weeks of these instants; does nothing for weeks ensured before. */
  ensure(instants: Iterable<Microseconds>): Promise<void>;
  /**
   * Drops weeks that ended before the instant, with their roll-ups, and returns how many. None are dropped during a long read, such
   * as an export; the next run tries again.
   */
  dropBefore(cutoff: Microseconds): Promise<number>;
};

/** Partitions over a pool; `offset` is the one in which day roll-ups are cut. */
export function createPartitions(pool: pg.Pool, offset: string): Partitions {
  const ensuredWeeks = new Set<Microseconds>();

  async function exclusively<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query('select pg_advisory_xact_lock($1)', [lockKey]);
      // A waiting lock on the events blocks every later reader, so the timeout is short and the next run tries again.
      await client.query(`set local lock_timeout = '1s'`);
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
      const missingWeeks = [...new Set([...instants].map(weekOf))].filter((start) => !ensuredWeeks.has(start));
      if (missingWeeks.length === 0) return;
      await exclusively(async (client) => {
        for (const start of missingWeeks) await createWeek(client, start);
      });
      for (const start of missingWeeks) ensuredWeeks.add(start);
    },

    async dropBefore(cutoff) {
      const { rows } = await pool.query<{ name: string }>(
        `select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = 'events'::regclass`,
      );
      const last = partitionName(weekOf(cutoff));
      const past = rows.map((row) => row.name).filter((name) => name < last);
      if (past.length === 0) return 0;
      try {
        await exclusively(async (client) => {
          for (const name of past) await client.query(`drop table if exists ${name}`);
          await forgetCounts(client, weekOf(cutoff), offset);
        });
      } catch (error) {
        if (isLockTimeout(error)) return 0;
        throw error;
      }
      ensuredWeeks.clear();
      return past.length;
    },
  };
}

/** Attaching a finished table does not block readers and writers; creating it as a partition would. */
async function createWeek(client: pg.PoolClient, start: Microseconds): Promise<void> {
  const name = partitionName(start);
  const { rows } = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [name]);
  if (rows[0]?.exists === true) return;
  const bounds = [start, start + week].map((instant) => `'${formatDateTime(instant)}+00'`).join(') to (');
  await client.query(`create table ${name} (like events including all)`);
  await client.query(`alter table events attach partition ${name} for values from (${bounds})`);
}
