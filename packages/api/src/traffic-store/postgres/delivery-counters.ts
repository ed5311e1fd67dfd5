import { dayOf, type Microseconds } from '@switchyard/contract/dates';
import { maximumLimit } from '@switchyard/contract/limits';
import type { Counter } from '@switchyard/contract/app-statistics';
import type pg from 'pg';
import type { TrafficCounters } from '../traffic-store.ts';

type Span = keyof TrafficCounters;
type Figures = { app_id: number; span: Span; name: 'push' | 'conversion'; all: number; success: number };

/** Only conversions know whether they are a tester's: a push says nothing of where its client came from. */
const text = `
select app_id, 'today' as span, 'push' as name, sum(stored)::bigint as all, coalesce(sum(stored) filter (where is_success), 0)::bigint as success
from push_days where day = $2 and app_id = any($1::integer[]) group by app_id
union all
select app_id, 'allTime', 'push', sum(delivered)::bigint, coalesce(sum(delivered) filter (where is_success), 0)::bigint
from push_totals where app_id = any($1::integer[]) group by app_id
union all
select app_id, 'today', 'conversion', sum(stored)::bigint, coalesce(sum(stored) filter (where status = 'success'), 0)::bigint
from conversion_days where day = $2 and app_id = any($1::integer[]) group by app_id
union all
select app_id, case when grouping(is_qa) = 1 then 'allTime' else 'qa' end, 'conversion', sum(delivered)::bigint,
  coalesce(sum(delivered) filter (where status = 'success'), 0)::bigint
from conversion_totals where app_id = any($1::integer[])
group by grouping sets ((app_id), (app_id, is_qa)) having grouping(is_qa) = 1 or is_qa`;

/**
 * Keeps a statement prepared under this name when it asks for a page of apps, which are looked up one by one. Of more apps
 * all rows are best read, which no plan made once for any number of them does.
 */
export function keptFor(name: string, appIds: readonly number[]): { name?: string } {
  return appIds.length > maximumLimit ? {} : { name };
}

/** Counters of pushes and conversions, one a span of time and app that has any. Reads roll-ups only. */
export async function countDeliveries(
  pool: pg.Pool,
  offset: string,
  appIds: readonly number[],
  now: Microseconds,
): Promise<{ appId: number; span: Span; name: 'push' | 'conversion'; counter: Counter }[]> {
  const { rows } = await pool.query<Figures>({ ...keptFor('delivery-counters', appIds), text, values: [appIds, dayOf(now, offset)] });
  return rows.map(({ app_id: appId, span, name, all, success }) => ({ appId, span, name, counter: { all, success } }));
}
