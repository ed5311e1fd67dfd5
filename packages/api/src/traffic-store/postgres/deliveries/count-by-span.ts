import { dayOf } from '@switchyard/contract/dates';
import type pg from 'pg';
import type { SpanCounts } from '../../push-store.ts';
import { timestamp } from '../event-conditions.ts';

const tables = {
  push: { rows: 'pushes', time: 'send_at', days: 'push_days' },
  conversion: { rows: 'conversions', time: 'created_at', days: 'conversion_days' },
} as const;
type Kind = keyof typeof tables;

const inScope = (scope: SpanCounts['scope'], place: string): string => (scope === 'all' ? '' : `and app_id = any(${place}::integer[])`);

/**
 * Pushes or conversions in each span of time. Roll-ups count them by day alone, so parts of days come from the index by app
 * and time, which is read for the apps of these days and only while there are few rows; else the answer is null.
 */
export async function countBySpan(pool: pg.Pool, offset: string, kind: Kind, { scope, spans, most }: SpanCounts): Promise<number[] | null> {
  const { rows: table, time, days } = tables[kind];
  const ofSpans = [
    ...new Set(
      spans.filter(({ from, until }) => from < until).flatMap(({ from, until }) => [dayOf(from, offset), dayOf(until - 1, offset)]),
    ),
  ];
  const name = `${kind}-${scope === 'all' ? 'all' : 'scope'}`;
  const apps = scope === 'all' ? [] : [scope];
  const stored = await pool.query<{ stored: number }>({
    name: `${name}-stored`,
    text: `select coalesce(sum(stored), 0)::bigint as stored from ${days} where day = any($1::date[]) ${inScope(scope, '$2')}`,
    values: [ofSpans, ...apps],
  });
  const [{ stored: rowsOfDays } = { stored: 0 }] = stored.rows;
  if (rowsOfDays === 0) return spans.map(() => 0);
  if (rowsOfDays > most) return null;
  const counted = await pool.query<{ n: number }>({
    name: `${name}-spans`,
    text: `select coalesce(sum(of_app.n), 0)::bigint as n
      from unnest($2::timestamptz[], $3::timestamptz[]) with ordinality as span (since, until, at)
      left join lateral (
        select (select count(*) from ${table} where ${table}.app_id = app.app_id and ${time} >= span.since and ${time} < span.until) as n
        from (select distinct app_id from ${days} where day = any($1::date[]) ${inScope(scope, '$4')}) as app
      ) as of_app on true
      group by span.at order by span.at`,
    values: [ofSpans, spans.map(({ from }) => timestamp(from)), spans.map(({ until }) => timestamp(until)), ...apps],
  });
  return counted.rows.map(({ n }) => n);
}
