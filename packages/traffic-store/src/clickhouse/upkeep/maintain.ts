import { formatDateTime, type Microseconds } from '@switchyard/contract/dates';
import type pg from 'pg';
import { isStatementTimeout } from '../../database-errors.ts';
import { counterFigures } from '../../event-counters.ts';
import { weekOf } from '../../time-buckets.ts';
import type { EngineClient } from '../engine-client.ts';
import { changedTable, figureSql, isQa, projections } from '../schema.ts';
import { newParameters, using } from '../statement.ts';
import { lockWritersOut, onSession } from '../write/app-locks.ts';
import { type Engine, settleAbandonedBatches } from '../write/settle-batches.ts';

/** Advisory lock: one process at a time drops weeks. */
const lockKey = 7_300_216;

/** `mergeMinutes`: age of parts that merges are expected to have rewritten. */
type Upkeep = Engine & { pool: pg.Pool; mergeMinutes?: number };

/**
 * Settles the open batches of earlier writers, drops the weeks that ended before the instant, forgets old batches, and makes missing
 * projections; safe to run in several processes at once.
 */
export async function maintainEvents(upkeep: Upkeep, oldest: Microseconds): Promise<void> {
  await settleAbandonedBatches(upkeep, upkeep.pool);
  await dropWeeks(upkeep, weekOf(oldest));
  await forgetOldBatches(upkeep.pool);
  await makeProjections(upkeep);
}

/**
 * Makes the projections of parts that merges left without. Parts are merged only with neighbours that have the same projections, so a new one
 * whose neighbours were merged stays as it is, and keeps those beside it apart. Does nothing while the engine rewrites parts. On a cluster, it
 * looks at the server that it is connected to.
 */
async function makeProjections({ engine, cluster, mergeMinutes = 10 }: Upkeep): Promise<void> {
  const ofEvents = `database = currentDatabase() and table = '${cluster === null ? 'events' : 'events_local'}'`;
  const parameters = newParameters();
  const partitions = await engine.lines({
    text: `select distinct partition from system.parts where ${ofEvents} and active
      and modification_time <= now() - toIntervalMinute(${parameters.add(String(mergeMinutes), 'UInt32')})
      and name not in (select parent_name from system.projection_parts where ${ofEvents} and active)
      and not exists (select 1 from system.mutations where ${ofEvents} and not is_done) order by partition`,
    parameters,
  });
  for (const partition of partitions) {
    const steps = projections.map((name) => `materialize projection ${name} in partition '${partition}'`);
    await engine.command(`alter table ${changedTable(cluster)} ${steps.join(', ')}`, { mutations_sync: '0' });
  }
}

/** The day a week begins with. */
function dateOf(start: Microseconds): string {
  return formatDateTime(start).slice(0, 'YYYY-MM-DD'.length);
}

/** Drops the weeks before one. Each step may be repeated: the sums are written once, with the note that the week no longer counts. */
async function dropWeeks({ engine, cluster, pool }: Upkeep, before: Microseconds): Promise<void> {
  await onSession(pool, async (client) => {
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [lockKey]);
    if (rows[0]?.free !== true) return;
    const parameters = newParameters();
    const past = `_partition_value.1 < ${parameters.add(dateOf(before), 'Date')}`;
    const storedWeeks = await engine.lines({
      text: `select distinct _partition_value.1 from events where ${past} ${using(null)}`,
      parameters,
    });
    const startedWeeks = await client.query<{ week: string }>(`select week from event_weeks where state = 'dropping'`);
    const weeks = new Set([...storedWeeks, ...startedWeeks.rows.map(({ week }) => week)]);
    for (const week of [...weeks].toSorted()) {
      if (!(await stopCounting(engine, client, week))) return;
      // The engine drops no large partitions without this setting.
      await engine.command(`alter table ${changedTable(cluster)} drop partition '${week}'`, { max_partition_size_to_drop: '0' });
      await client.query(`update event_weeks set state = 'dropped' where week = $1`, [week]);
    }
  });
}

/**
 * Writes down what a week summed up to, and that it counts no more, while no writer runs. False: one that runs keeps the lock, or one
 * that was cut off may have stored events of the week; the next run tries again.
 */
async function stopCounting(engine: EngineClient, client: pg.ClientBase, week: string): Promise<boolean> {
  try {
    await client.query('begin');
    // Later writers wait as well, so the timeout is short.
    await client.query(`set local lock_timeout = '1s'`);
    await lockWritersOut(client);
    const open = await client.query(
      `select from event_batches where state = 'open' and tstzrange(from_hour, until_hour) && tstzrange($1::date at time zone 'UTC', ($1::date + 7) at time zone 'UTC')`,
      [week],
    );
    if (open.rowCount === 0) {
      const { rowCount } = await client.query(`insert into event_weeks (week, state) values ($1, 'dropping') on conflict do nothing`, [
        week,
      ]);
      if (rowCount === 1) await writeTotals(engine, client, week);
    }
    await client.query('commit');
    return open.rowCount === 0;
  } catch (error) {
    await client.query('rollback');
    if (isStatementTimeout(error)) return false;
    throw error;
  }
}

async function writeTotals(engine: EngineClient, client: pg.ClientBase, week: string): Promise<void> {
  const parameters = newParameters();
  const sums = counterFigures.map((figure) => figureSql[figure]).join(', ');
  const text = `select app_id, ${isQa} != 0, ${sums} from events where _partition_value.1 = ${parameters.add(week, 'Date')}
    group by app_id, ${isQa} ${using('by_total')}`;
  const totals = (await engine.lines({ text, parameters })).map((line) => line.split('\t').map(Number));
  const numbers = counterFigures.map((_, index) => `(total ->> ${index + 2})::bigint`);
  await client.query(
    `insert into event_totals_dropped (week, app_id, is_qa, ${counterFigures.join(', ')})
     select $1::date, (total ->> 0)::integer, (total ->> 1)::integer <> 0, ${numbers.join(', ')} from json_array_elements($2::json) as total`,
    [week, JSON.stringify(totals)],
  );
}

/** Deletes batches too old to resume from, except the newest: it shows that none were deleted after it. */
async function forgetOldBatches(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from event_batches where settled_at < clock_timestamp() - interval '1 hour'
    and announced is distinct from (select max(announced) from event_batches)`);
}
