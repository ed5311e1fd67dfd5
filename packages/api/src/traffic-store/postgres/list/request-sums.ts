import { dayOf } from '@switchyard/contract/dates';
import type pg from 'pg';
import { day, type Span } from '../../time-buckets.ts';
import type { AppScope, RequestSums, StoppedApp } from '../../traffic-store.ts';
import { timestamp } from '../event-conditions.ts';

/** The hours of a span, one by one: the key of the roll-up begins with them, so an index goes to an app's rows of each. */
const hoursOf = (since: string, until: string): string =>
  `generate_series(${since}::timestamptz, ${until}::timestamptz - interval '1 hour', interval '1 hour')`;

/** Without a scope the roll-up of all apps has a row an hour and type. */
const sumsText = (scope: AppScope): string => `
select span.at::integer - 1 as at, counted.type, sum(counted.requests)::bigint as requests
from unnest($1::timestamptz[], $2::timestamptz[]) with ordinality as span (since, until, at)
cross join lateral ${hoursOf('span.since', 'span.until')} as of_span (hour)
join ${scope === 'all' ? 'traffic_all_hours' : 'traffic_hours'} as counted on counted.hour = of_span.hour
where counted.type in ('create', 'receive') ${scope === 'all' ? '' : 'and counted.app_id = any($3::integer[])'}
group by span.at, counted.type`;

/** Creates and receives in spans of whole hours, from the roll-ups. */
export async function sumRequests(pool: pg.Pool, { scope, spans }: { scope: AppScope; spans: readonly Span[] }): Promise<RequestSums[]> {
  const sums = spans.map(() => ({ create: 0, receive: 0 }));
  const { rows } = await pool.query<{ at: number; type: keyof RequestSums; requests: number }>({
    name: `traffic-sums-${scope === 'all' ? 'all' : 'scope'}`,
    text: sumsText(scope),
    values: [spans.map(({ from }) => timestamp(from)), spans.map(({ until }) => timestamp(until)), ...(scope === 'all' ? [] : [scope])],
  });
  for (const { at, type, requests } of rows) {
    const sum = sums[at];
    if (sum !== undefined) sum[type] = requests;
  }
  return sums;
}

/**
 * Most apps have requests in the newest hour, so each app of the day before is first looked up there; what the few others
 * had yesterday is summed afterwards. Events may be dated up to a day ahead, and count as recent too.
 */
const stoppedText = (scope: AppScope): string => `
with silent as materialized (
  select known.app_id from (
    select distinct app_id from traffic_app_days where day in ($1::date, $2::date)
      ${scope === 'all' ? '' : 'and app_id = any($6::integer[])'}
  ) as known
  where not exists (
    select from generate_series($3::timestamptz, $4::timestamptz + interval '24 hours', interval '1 hour') as recent (hour)
    join traffic_hours as counted on counted.hour = recent.hour and counted.app_id = known.app_id
  )
)
select silent.app_id as "appId", sum(counted.requests)::bigint as "requestsYesterday"
from silent
cross join lateral ${hoursOf("($3::timestamptz - interval '24 hours')", "($4::timestamptz - interval '24 hours')")} as earlier (hour)
join traffic_hours as counted on counted.hour = earlier.hour and counted.app_id = silent.app_id
group by silent.app_id having sum(counted.requests) >= $5
order by 2 desc, 1`;

/** Apps whose requests stopped, from the roll-ups. */
export async function findStoppedApps(
  pool: pg.Pool,
  offset: string,
  { scope, from, until, atLeast }: Span & { scope: AppScope; atLeast: number },
): Promise<StoppedApp[]> {
  const { rows } = await pool.query<StoppedApp>({
    name: `traffic-stopped-${scope === 'all' ? 'all' : 'scope'}`,
    text: stoppedText(scope),
    values: [
      dayOf(from - day, offset),
      dayOf(until - day - 1, offset),
      timestamp(from),
      timestamp(until),
      atLeast,
      ...(scope === 'all' ? [] : [scope]),
    ],
  });
  return rows;
}
