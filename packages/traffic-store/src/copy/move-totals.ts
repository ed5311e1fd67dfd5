import { formatDateTime, type Microseconds } from '@switchyard/contract/dates';
import type pg from 'pg';
import { counterFigures } from '../event-counters.ts';
import { storedTotals } from '../postgres/rollups.ts';
import { week } from '../time-buckets.ts';

const figures = counterFigures.join(', ');
const rests = counterFigures.map((name) => `totals.${name} - coalesce(stored.${name}, 0) as ${name}`).join(', ');
const sums = counterFigures.map((name) => `sum(${name})`).join(', ');

/**
 * Gives ClickHouse the totals of events that PostgreSQL dropped before its oldest day, as those of the week before it. `weeks` are older
 * ones that ClickHouse still holds from an earlier time: they stop counting, and its next maintenance drops them.
 */
export async function moveTotalsToEngine(client: pg.ClientBase, oldest: Microseconds | null, weeks: readonly string[]): Promise<void> {
  await client.query('delete from event_totals_dropped');
  await client.query('delete from event_weeks');
  if (oldest === null) return;
  const last = formatDateTime(oldest - week).slice(0, 'YYYY-MM-DD'.length);
  await client.query(
    `with rests as (
       select totals.app_id, totals.is_qa, ${rests}
       from traffic_totals as totals left join (${storedTotals}) as stored on stored.app_id = totals.app_id and stored.is_qa = totals.is_qa
     ),
     dropped as (select * from rests where creates > 0 or receives > 0 or bots > 0),
     weeks as (
       insert into event_weeks (week, state)
       select week, 'dropping' from unnest($2::date[]) as week union select $1::date, 'dropping' where exists (select from dropped)
     )
     insert into event_totals_dropped (week, app_id, is_qa, ${figures}) select $1::date, app_id, is_qa, ${figures} from dropped`,
    [last, weeks],
  );
}

/**
 * Makes the totals of PostgreSQL those of its events and of the events that ClickHouse dropped. How many events were dropped in all is
 * unknown, and no list shows it: only what is counted by type is.
 */
export async function moveTotalsBack(client: pg.ClientBase): Promise<void> {
  await client.query('delete from traffic_totals');
  await client.query(
    `insert into traffic_totals (app_id, is_qa, requests, ${figures})
     select app_id, is_qa, sum(requests), ${sums} from (
       select app_id, is_qa, requests, ${figures} from (${storedTotals}) as stored
       union all select app_id, is_qa, creates + receives, ${figures} from event_totals_dropped
     ) as parts group by app_id, is_qa`,
  );
}
