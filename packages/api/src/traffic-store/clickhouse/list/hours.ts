import type { Microseconds } from '@switchyard/contract/dates';
import type { RequestType } from '@switchyard/contract/requests';
import { type Dimension, dimensionsOf, type PartFilter } from '../../event-filter-rules.ts';
import type { Slice } from '../../list/slices.ts';
import type { TimeRange } from '../../read-time-range.ts';
import { bucketStart, hour, splitWhole } from '../../time-buckets.ts';
import type { EngineClient } from '../engine-client.ts';
import { countedConditions, instant, timeConditions, where } from '../event-conditions.ts';
import { newParameters, type Parameters, using } from '../statement.ts';
import type { Projection } from '../schema.ts';

/** Hours of the projections are in UTC, whatever the server's offset, so a new offset does not require another count. */
const utc = '+00:00';

/** An hour with matches of a list. */
export type HourSlice = Slice & { type: RequestType | null };

/** The projection that counts by every dimension of a filter, and by the other needed ones, in the fewest groups. */
export function projectionFor(filter: PartFilter, otherDimensions: readonly Dimension[] = []): Projection {
  const dimensions = new Set([...dimensionsOf(filter), ...otherDimensions]);
  if (dimensions.has('stream_uid')) return 'by_stream_hour';
  if (dimensions.has('app_id')) return dimensions.has('country') ? 'by_app_country_hour' : 'by_app_hour';
  return dimensions.has('country') ? 'by_country_hour' : 'by_hour';
}

/** Conditions on whole hours; a projection is only used where its own expression of the hour is named. */
export function hourConditions({ from, until }: TimeRange, parameters: Parameters): string[] {
  return [
    ...(from === undefined ? [] : [`toStartOfHour(occurred_at) >= ${instant(from, parameters)}`]),
    ...(until === undefined ? [] : [`toStartOfHour(occurred_at) < ${instant(until, parameters)}`]),
  ];
}

/**
 * Selections of the hours with matches: whole hours from a projection, parts of hours at the ends of the range from the events. For
 * filters that projections count. The columns: `hour`, `type` where asked for, `matches`, `first_id` and `last_id`.
 */
export function hourSelections(filter: PartFilter, byType: boolean, parameters: Parameters): string[] {
  const { whole, edges } = splitWhole(filter, hour, utc);
  const countSelection = (time: readonly string[], projection: Projection | null): string => {
    const key = ['toStartOfHour(occurred_at)', ...(byType ? ['type'] : [])];
    return `select ${key[0]} as hour, ${byType ? 'type, ' : ''}count() as matches, min(id) as first_id, max(id) as last_id from events
      ${where([...time, ...countedConditions(filter, parameters)])} group by ${key.join(', ')} ${using(projection)}`;
  };
  return [
    ...(whole === null ? [] : [countSelection(hourConditions(whole, parameters), projectionFor(filter, byType ? ['type'] : []))]),
    ...edges.map((range) => countSelection(timeConditions(range, parameters), null)),
  ];
}

/**
 * Selections that together count every match once, by the needed dimensions: whole hours from a projection, parts of hours at the ends
 * of the range from the events. For filters that projections count. The columns: the dimensions and `matches`.
 */
export function countedSelections(filter: PartFilter, dimensions: readonly Dimension[], parameters: Parameters): string[] {
  const { whole, edges } = splitWhole(filter, hour, utc);
  const key = dimensions.join(', ');
  const countSelection = (time: readonly string[], projection: Projection | null): string =>
    `select ${key}, count() as matches from events ${where([...time, ...countedConditions(filter, parameters)])}
      group by ${key} ${using(projection)}`;
  return [
    ...(whole === null ? [] : [countSelection(hourConditions(whole, parameters), projectionFor(filter, dimensions))]),
    ...edges.map((range) => countSelection(timeConditions(range, parameters), null)),
  ];
}

/** Exact matches by hour, or by hour and type, in the order of time. For filters that projections count. */
export async function countByHour(engine: EngineClient, filter: PartFilter, { byType = false } = {}): Promise<HourSlice[]> {
  const parameters = newParameters();
  const selections = hourSelections(filter, byType, parameters);
  if (selections.length === 0) return [];
  const type = byType ? 'type' : 'null as type';
  const text = `select ${startOfHour} as starts, ${type}, matches, first_id, last_id
    from (${selections.join(' union all ')}) order by hour`;
  return engine.rows<HourSlice>({ text, parameters });
}

/**
 * The first hours of a list by time that have matches, at most `most`. Hours at the ends of the filter's range are counted as a whole, though
 * the range may cut them.
 */
export async function findFirstHours(
  engine: EngineClient,
  filter: PartFilter,
  { direction, most }: { direction: 'asc' | 'desc'; most: number },
): Promise<HourSlice[]> {
  const parameters = newParameters();
  const covering: PartFilter = {
    ...filter,
    from: filter.from === undefined ? undefined : startOf(filter.from),
    until: filter.until === undefined ? undefined : startOf(filter.until - 1) + hour,
  };
  const selections = hourSelections(covering, false, parameters);
  if (selections.length === 0) return [];
  const text = `select ${startOfHour} as starts, null as type, matches, first_id, last_id from (${selections.join(' union all ')})
    order by hour ${direction} limit ${Math.trunc(most)}`;
  return engine.rows<HourSlice>({ text, parameters });
}

/** The hour as microseconds since 1970. */
const startOfHour = 'toInt64(toUnixTimestamp(hour)) * 1000000';

/** The start of the hour an instant falls in. */
export function startOf(at: Microseconds): Microseconds {
  return bucketStart(at, hour, utc);
}
