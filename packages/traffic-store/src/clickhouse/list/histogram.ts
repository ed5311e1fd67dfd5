import { offsetMinutes } from '@switchyard/contract/dates';
import { isCounted } from '../../event-filter-rules.ts';
import type { BucketCount, HistogramQuery } from '../../event-store.ts';
import type { TimeRange } from '../../time-range.ts';
import { hour, splitWhole } from '../../time-buckets.ts';
import type { EngineClient } from '../engine-client.ts';
import { allConditions, countedConditions } from '../event-conditions.ts';
import { newParameters, using } from '../statement.ts';
import { hourConditions, projectionFor } from './hours.ts';

/**
 * Exact matches by bucket and type, without empty buckets. Whole hours come from a projection where buckets consist of them; the rest is
 * counted from the events.
 */
export async function countByBucket(
  engine: EngineClient,
  offset: string,
  { filter, from, until, bucketSeconds }: HistogramQuery,
): Promise<BucketCount[]> {
  const parameters = newParameters();
  const shift = (offsetMinutes(offset) ?? 0) * 60;
  const bucketOf = (seconds: string) =>
    `intDiv(${seconds} + ${shift}, ${Math.trunc(bucketSeconds)}) * ${Math.trunc(bucketSeconds)} - ${shift}`;
  const isOfHours = isCounted(filter) && bucketSeconds % 3600 === 0 && shift % 3600 === 0;
  const { whole, edges } = isOfHours ? splitWhole({ from, until }, hour, '+00:00') : { whole: null, edges: [{ from, until }] };
  const parts = edges.map((range: TimeRange) => {
    const conditions = allConditions({ ...filter, ...range }, parameters);
    return `select ${bucketOf('toInt64(toUnixTimestamp(occurred_at))')} as bucket, type, count() as matches from events
      where ${conditions.join(' and ')} group by bucket, type ${using(null)}`;
  });
  if (whole !== null) {
    const conditions = [...hourConditions(whole, parameters), ...countedConditions(filter, parameters)];
    parts.push(`select ${bucketOf('toInt64(toUnixTimestamp(hour))')} as bucket, type, sum(found) as matches from (
        select toStartOfHour(occurred_at) as hour, type, count() as found from events where ${conditions.join(' and ')}
        group by toStartOfHour(occurred_at), type ${using(projectionFor(filter, ['type']))}
      ) group by bucket, type`);
  }
  if (parts.length === 0) return [];
  const text = `select bucket * 1000000 as at, type, sum(matches) as events from (${parts.join(' union all ')}) group by bucket, type`;
  return engine.rows<BucketCount>({ text, parameters });
}
