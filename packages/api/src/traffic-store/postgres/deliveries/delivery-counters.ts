import { dayOf, type Microseconds } from '@switchyard/contract/dates';
import { maximumLimit } from '@switchyard/contract/limits';
import type { Counter } from '@switchyard/contract/app-statistics';
import type pg from 'pg';
import type { TrafficCounters } from '../../traffic-store.ts';

type Span = keyof TrafficCounters;
type Figures = { app_id: number; span: Span; name: 'push' | 'conversion'; all: number; success: number };

/** Only conversions know whether they are a tester's: a push says nothing of where its client came from. */
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

/**
 * A statement about the apps in $1. A page of them is looked up one by one, by a plan that is kept. Of more apps all rows
 * are best read, which no plan made once for any number of them does; planning a comparison with a thousand of them would
 * cost more than that, a join with them does not.
 */
export function aboutApps(
  name: string,
  appIds: readonly number[],
  statement: (isAsked: string) => string,
): { name?: string; text: string } {
  return appIds.length > maximumLimit
    ? { text: statement('app_id in (select unnest($1::integer[]))') }
    : { name, text: statement('app_id = any($1::integer[])') };
}

/** Counters of pushes and conversions, one a span of time and app that has any. Reads roll-ups only. */
export async function countDeliveries(
  pool: pg.Pool,
  offset: string,
  appIds: readonly number[],
  now: Microseconds,
): Promise<{ appId: number; span: Span; name: 'push' | 'conversion'; counter: Counter }[]> {
  const { rows } = await pool.query<Figures>({ ...aboutApps('delivery-counters', appIds, textFor), values: [appIds, dayOf(now, offset)] });
  return rows.map(({ app_id: appId, span, name, all, success }) => ({ appId, span, name, counter: { all, success } }));
}
