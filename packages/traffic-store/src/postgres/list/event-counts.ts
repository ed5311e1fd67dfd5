import { dayOf, type Microseconds } from '@switchyard/contract/dates';
import type pg from 'pg';
import { timestamp } from '../event-conditions.ts';
import { aboutApps, type Reader } from '../statements.ts';
import type { Span } from '../../time-buckets.ts';
import type { AppScope } from '@switchyard/contract/app-scope';
import { collectCounters, counterFigures, type CounterRow } from '../../event-counters.ts';
import type { EventCounters, EventSums, SeenValues } from '../../event-store.ts';

const textFor = (isAsked: string): string => `
select app_id, 'today' as part, ${counterFigures.join(', ')} from traffic_app_days where day = $2 and ${isAsked}
union all
select app_id, case when is_qa then 'testers' else 'others' end, ${counterFigures.join(', ')} from traffic_totals where ${isAsked}`;

/** Counters by app; an app without events is absent. Reads roll-ups only, so it costs the same at any number of events. */
export async function countByApp(
  pool: pg.Pool,
  offset: string,
  appIds: readonly number[],
  now: Microseconds,
): Promise<Map<number, EventCounters>> {
  const { rows } = await pool.query<CounterRow>({
    ...aboutApps('event-counters', appIds, textFor),
    values: [appIds, dayOf(now, offset)],
  });
  return collectCounters(rows);
}

/** Which of these apps ever had a create or receive event. */
export async function findAppsWithClients(pool: pg.Pool, appIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await pool.query<{ app_id: number }>({
    name: 'event-clients',
    text: 'select distinct app_id from traffic_totals where app_id = any($1::integer[]) and creates + receives > 0',
    values: [appIds],
  });
  return new Set(rows.map((row) => row.app_id));
}

/**
 * Without a scope the roll-up of all apps has a row an hour and type. Each span is one scan of the index, which jumps to the apps
 * in scope. Joined hour by hour, PostgreSQL would read all hours.
 */
const sumsText = (scope: AppScope): string => `
select span.at::integer - 1 as at, counted.type, counted.requests
from unnest($1::timestamptz[], $2::timestamptz[]) with ordinality as span (since, until, at)
cross join lateral (
  select type, sum(requests)::bigint as requests from ${scope === 'all' ? 'traffic_all_hours' : 'traffic_hours'}
  where hour >= span.since and hour < span.until and type in ('create', 'receive') ${scope === 'all' ? '' : 'and app_id = any($3::integer[])'}
  group by type
) as counted`;

/** Creates and receives in spans of whole hours, from the roll-ups. */
export async function countEventsBySpan(
  pool: pg.Pool,
  { scope, spans }: { scope: AppScope; spans: readonly Span[] },
): Promise<EventSums[]> {
  const sums = spans.map(() => ({ create: 0, receive: 0 }));
  const { rows } = await pool.query<{ at: number; type: keyof EventSums; requests: number }>({
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

/** Countries and streams of an app's events, in no order, from the roll-ups. */
export async function findSeenValues(reader: Reader, appId: number): Promise<SeenValues> {
  const { rows } = await reader.query<{ country: string; stream_uid: string }>({
    name: 'traffic-seen-values',
    text: 'select country, stream_uid from traffic_seen where app_id = $1',
    values: [appId],
  });
  return { countries: distinctValues(rows.map((row) => row.country)), streamUids: distinctValues(rows.map((row) => row.stream_uid)) };
}

/** In a roll-up '' is a missing value. */
function distinctValues(values: readonly string[]): string[] {
  return [...new Set(values)].filter((value) => value !== '');
}
