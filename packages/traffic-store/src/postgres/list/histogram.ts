import type { Microseconds } from '@switchyard/contract/dates';
import type pg from 'pg';
import { isCounted, type PartFilter } from '../../event-filter-rules.ts';
import { searchConditions, newParameters, type Parameters, countedConditions, timeConditions, timestamp } from '../event-conditions.ts';
import { wholeDays } from './plan-days.ts';
import { withFewestConditions } from './match-all-search.ts';
import { dayRollupFor, rollupFor } from '../rollups.ts';
import { keptName, type Reader } from '../statements.ts';
import type { TimeRange } from '../../time-range.ts';
import { day, hour, quarter, splitWhole } from '../../time-buckets.ts';
import type { BucketCount, HistogramQuery } from '../../event-store.ts';

/** A roll-up that can count whole stretches of a length. */
type Level = { length: Microseconds; count: (range: TimeRange) => { table: string; at: string; conditions: string[] } };

/**
 * Exact matches by bucket and type, without empty buckets. Whole days, hours and quarters come from the roll-ups where buckets consist
 * of them and the roll-ups count by the filter's dimensions; the rest is counted from the events.
 */
export async function countByBucket(pool: pg.Pool, offset: string, query: HistogramQuery): Promise<BucketCount[]> {
  const { filter, from, until } = query;
  return withFewestConditions(pool, { filter: { ...filter, from, until }, offset }, async (reader, partFilter) =>
    countFiltered(reader, offset, { ...query, filter: partFilter }),
  );
}

async function countFiltered(reader: Reader, offset: string, query: HistogramQuery): Promise<BucketCount[]> {
  const { filter, from, until, bucketSeconds } = query;
  const parameters = newParameters();
  const origin = `timestamptz 'epoch' - ${parameters.add(offset)}::interval`;
  const bucketOf = (at: string) => `date_bin(interval '${bucketSeconds} seconds', ${at}, ${origin})`;

  const parts: string[] = [];
  let rest: TimeRange[] = [{ from, until }];
  for (const level of levelsFor(filter, { offset, bucketSeconds, parameters })) {
    const split = rest.map((range) => splitWhole(range, level.length, offset));
    for (const { whole } of split) {
      if (whole === null) continue;
      const { table, at, conditions } = level.count(whole);
      const where = [...conditions, ...countedConditions(filter, parameters)].join(' and ');
      parts.push(`select ${bucketOf(at)} as bucket, type, sum(requests) as requests from ${table} where ${where} group by 1, 2`);
    }
    rest = split.flatMap(({ edges }) => edges);
  }
  for (const range of rest) {
    const conditions = [
      ...timeConditions(range, parameters),
      ...countedConditions(filter, parameters),
      ...searchConditions(filter, parameters),
    ];
    parts.push(
      `select ${bucketOf('occurred_at')} as bucket, type, count(*) as requests from events where ${conditions.join(' and ')} group by 1, 2`,
    );
  }
  if (parts.length === 0) return [];
  const text = `select (extract(epoch from bucket) * 1000000)::bigint as at, type, sum(requests)::bigint as events
    from (${parts.join(' union all ')}) as counted group by bucket, type`;
  // A search is planned for its own values.
  const name = isCounted(filter) ? { name: keptName(text) } : {};
  const { rows } = await reader.query<BucketCount>({ ...name, text, values: parameters.values });
  return rows;
}

/** The lengths of whole stretches, longest first, and the conditions on the roll-ups of each. */
const levels = [
  {
    name: 'day',
    length: day,
    at: (offset: string, parameters: Parameters) => `((day::timestamp - ${parameters.add(offset)}::interval) at time zone 'UTC')`,
    conditions: wholeDays,
  },
  { name: 'hour', length: hour, at: () => 'hour', conditions: wholeHours },
  {
    name: 'quarter',
    length: quarter,
    at: () => 'quarter',
    conditions: (_filter: PartFilter, range: TimeRange, _offset: string, parameters: Parameters) => within('quarter', range, parameters),
  },
] as const;

/** The roll-ups that can count for a filter and a bucket length, longest stretches first. */
function levelsFor(
  filter: PartFilter,
  { offset, bucketSeconds, parameters }: { offset: string; bucketSeconds: number; parameters: Parameters },
): Level[] {
  if (!isCounted(filter)) return [];
  return levels.flatMap(({ name, length, at, conditions }) => {
    const table = name === 'day' ? dayRollupFor(filter) : rollupFor(name, filter);
    if (table === undefined || (bucketSeconds * 1_000_000) % length !== 0) return [];
    const count = (range: TimeRange) => ({
      table,
      at: at(offset, parameters),
      conditions: conditions(filter, range, offset, parameters),
    });
    return [{ length, count }];
  });
}

function within(column: string, { from, until }: TimeRange, parameters: Parameters): string[] {
  const instant = (at: Microseconds): string => `${parameters.add(timestamp(at))}::timestamptz`;
  const conditions = [
    ...(from === undefined ? [] : [`${column} >= ${instant(from)}`]),
    ...(until === undefined ? [] : [`${column} < ${instant(until)}`]),
  ];
  return conditions.length === 0 ? ['true'] : conditions;
}

/** Whole hours of a range as conditions on a roll-up by hour. */
export function wholeHours({ scope }: PartFilter, range: TimeRange, _offset: string, parameters: Parameters): string[] {
  const { from, until } = range;
  if (scope === 'all' || scope.length !== 1 || from === undefined || until === undefined) return within('hour', range, parameters);
  const [start, end] = [from, until].map((instant) => `${parameters.add(timestamp(instant))}::timestamptz`);
  // The key begins with the hour: naming each hour lets an index find one app's rows and skip all others.
  return [`hour = any(array(select generate_series(${start}, ${end} - interval '1 hour', interval '1 hour')))`];
}
