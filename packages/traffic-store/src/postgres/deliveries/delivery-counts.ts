import { emptyCounterSet } from '@switchyard/contract/app-statistics';
import { dayOf, type Microseconds } from '@switchyard/contract/dates';
import type pg from 'pg';
import { timestamp } from '../event-conditions.ts';
import { aboutApps } from '../statements.ts';
import type { ConversionHour, DeliveryCounters, SpanCounts } from '../../delivery-store.ts';
import type { AppScope } from '@switchyard/contract/app-scope';
import type { CounterSpan } from '../../event-store.ts';
import type { Span } from '../../time-buckets.ts';

type Figures = { app_id: number; span: CounterSpan; name: 'push' | 'conversion'; all: number; success: number };

/** Only conversions have a stream, and with it a tester; a push has none. */
const textFor = (isAsked: string): string => `
select app_id, 'today' as span, 'push' as name, sum(stored)::bigint as all, coalesce(sum(stored) filter (where is_success), 0)::bigint as success
from push_days where day = $2 and ${isAsked} group by app_id
union all
select app_id, 'allTime', 'push', sum(delivered)::bigint, coalesce(sum(delivered) filter (where is_success), 0)::bigint
from push_totals where ${isAsked} group by app_id
union all
select app_id, 'today', 'conversion', sum(stored)::bigint, coalesce(sum(stored) filter (where status = 'success'), 0)::bigint
from conversion_days where day = $2 and ${isAsked} group by app_id
union all
select app_id, case when grouping(is_qa) = 1 then 'allTime' else 'qa' end, 'conversion', sum(delivered)::bigint,
  coalesce(sum(delivered) filter (where status = 'success'), 0)::bigint
from conversion_totals where ${isAsked}
group by grouping sets ((app_id), (app_id, is_qa)) having grouping(is_qa) = 1 or is_qa`;

/** Counters of pushes and conversions by app. Reads roll-ups only. */
export async function countDeliveries(
  pool: pg.Pool,
  offset: string,
  appIds: readonly number[],
  now: Microseconds,
): Promise<Map<number, DeliveryCounters>> {
  const { rows } = await pool.query<Figures>({ ...aboutApps('delivery-counters', appIds, textFor), values: [appIds, dayOf(now, offset)] });
  const counters = new Map<number, DeliveryCounters>();
  for (const { app_id: appId, span, name, all, success } of rows) {
    const app = counters.get(appId) ?? { today: none(), allTime: none(), qa: none() };
    app[span][name] = { all, success };
    counters.set(appId, app);
  }
  return counters;
}

function none(): DeliveryCounters[CounterSpan] {
  const { push, conversion } = emptyCounterSet();
  return { push, conversion };
}

/** Which of these apps ever had a conversion. */
export async function findAppsWithConversions(pool: pg.Pool, appIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await pool.query<{ app_id: number }>({
    name: 'conversion-apps',
    text: 'select distinct app_id from conversion_totals where app_id = any($1::integer[])',
    values: [appIds],
  });
  return new Set(rows.map((row) => row.app_id));
}

const hours = { push: 'push_hours', conversion: 'conversion_hours' } as const;

/** Pushes or conversions in each span of whole hours, from the roll-ups. */
export async function countBySpan(pool: pg.Pool, kind: keyof typeof hours, { scope, spans }: SpanCounts): Promise<number[]> {
  const { rows } = await pool.query<{ n: number }>({
    name: `${kind}-spans-${scope === 'all' ? 'all' : 'scope'}`,
    text: `select coalesce(sum(counted.stored), 0)::bigint as n
      from unnest($1::timestamptz[], $2::timestamptz[]) with ordinality as span (since, until, at)
      left join ${hours[kind]} as counted on counted.hour >= span.since and counted.hour < span.until
        ${scope === 'all' ? '' : 'and counted.app_id = any($3::integer[])'}
      group by span.at order by span.at`,
    values: [spans.map(({ from }) => timestamp(from)), spans.map(({ until }) => timestamp(until)), ...(scope === 'all' ? [] : [scope])],
  });
  return rows.map(({ n }) => n);
}

/** Conversions of a span of whole hours by app and hour, from the roll-ups. */
export async function countConversionHours(pool: pg.Pool, { scope, from, until }: Span & { scope: AppScope }): Promise<ConversionHour[]> {
  const { rows } = await pool.query<{ app_id: number; at: number; stored: number }>({
    name: `conversion-hours-${scope === 'all' ? 'all' : 'scope'}`,
    text: `select app_id, (extract(epoch from hour) * 1000000)::bigint as at, stored from conversion_hours
      where hour >= $1::timestamptz and hour < $2::timestamptz ${scope === 'all' ? '' : 'and app_id = any($3::integer[])'}`,
    values: [timestamp(from), timestamp(until), ...(scope === 'all' ? [] : [scope])],
  });
  return rows.map(({ app_id: appId, at, stored }) => ({ appId, at, conversions: stored }));
}
