import { dayRange } from '@switchyard/contract/dates';
import type { Pools } from '../../console-database.ts';
import { dayOfConversion } from '../deliveries/add-deliveries.ts';
import { timestamp } from '../event-conditions.ts';
import { inTransaction } from '../statements.ts';

/** By what conversions are counted for reports of kinds. */
export const kindDayKey = 'day, app_id, stream_uid, status_conversion, status';

/** SQL that counts the conversions that meet a condition; `offset` is a placeholder of the server's offset. */
export function countKindDays(offset: string, condition: string): string {
  return `insert into conversion_kind_days (${kindDayKey}, stored, payout)
  select ${dayOfConversion(offset)} as day, app_id, coalesce(stream_uid, ''), status_conversion, status, count(*), coalesce(sum(payout), 0)
  from conversions where ${condition} group by 1, 2, 3, 4, 5`;
}

/** Every version counts all conversions in `conversion_days`, which has no payout and no stream. */
const differingDayStatement = `
with counted as (
  select day, app_id, status_conversion, status, sum(stored) as stored from conversion_days
  where $1::date is null or day < $1::date group by 1, 2, 3, 4 having sum(stored) <> 0
),
by_kind as (
  select day, app_id, status_conversion, status, sum(stored) as stored from conversion_kind_days
  where $1::date is null or day < $1::date group by 1, 2, 3, 4 having sum(stored) <> 0
)
select max(day)::text as day from counted full join by_kind using (day, app_id, status_conversion, status)
where counted.stored is distinct from by_kind.stored`;

/**
 * A function that recounts the newest day whose counts by kind differ from those of all conversions, which are stored before the table
 * was there, or by an earlier version beside this one. It visits each day once, then gives false and begins anew. A day is one
 * transaction, so that what a killed process leaves is found again.
 */
export function createKindRecount({ jobs }: Pick<Pools, 'jobs'>, offset: string): () => Promise<boolean> {
  let visitedDay: string | null = null;

  return async () => {
    const { rows } = await jobs.query<{ day: string | null }>(differingDayStatement, [visitedDay]);
    const day = rows[0]?.day ?? null;
    visitedDay = day;
    if (day === null) return false;
    const { from, until } = dayRange(day, offset);
    await inTransaction(jobs, async (client) => {
      // A batch that commits during the recount would be counted twice or never.
      await client.query('lock table conversion_kind_days in exclusive mode');
      await client.query('delete from conversion_kind_days where day = $1', [day]);
      await client.query(
        // The index of times begins with the app.
        countKindDays(
          '$1',
          `app_id = any(array(select app_id from conversion_totals)) and created_at >= $2::timestamptz and created_at < $3::timestamptz`,
        ),
        [offset, timestamp(from), timestamp(until)],
      );
    });
    return true;
  };
}
