import { fromDate, type Microseconds } from '@switchyard/contract/dates';
import { areCountedTogether, type Dimension, dimensionsOf, type PartFilter } from '../../event-filter-rules.ts';
import type { TimeRange } from '../../time-range.ts';
import { bucketStart, hour, splitWhole } from '../../time-buckets.ts';
import { countedConditions, instant, timeConditions, where } from '../event-conditions.ts';
import { type Parameters, using } from '../statement.ts';
import type { Projection } from '../schema.ts';

/** Hours of the projections are in UTC, whatever the server's offset, so a new offset does not require another count. */
const utc = '+00:00';

/** The projection that counts by every dimension of a filter, and by the other needed ones, in the fewest groups; null if there is none. */
export function projectionFor(filter: PartFilter, otherDimensions: readonly Dimension[] = []): Projection | null {
  const dimensions = new Set([...dimensionsOf(filter), ...otherDimensions]);
  if (dimensions.has('asn')) return areCountedTogether(dimensions) ? 'by_asn_hour' : null;
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
 * Selections of the stretches of a list: the matches of each hour and of each value of `others`. Whole hours come from a projection, parts of
 * hours at the ends of the range from the events. For filters that projections count. The columns: `hour`, `others`, `matches`, `first_id`
 * and `last_id`.
 */
export function hourSelections(filter: PartFilter, others: readonly Dimension[], parameters: Parameters): string[] {
  const { whole, edges } = splitWhole(filter, hour, utc);
  const otherColumns = others.map((name) => `, ${name}`).join('');
  const countSelection = (time: readonly string[], projection: Projection | null): string =>
    `select toStartOfHour(occurred_at) as hour${otherColumns}, count() as matches, min(id) as first_id, max(id) as last_id from events
      ${where([...time, ...countedConditions(filter, parameters)])} group by toStartOfHour(occurred_at)${otherColumns} ${using(projection)}`;
  return [
    ...(whole === null ? [] : [countSelection(hourConditions(whole, parameters), projectionFor(filter, others))]),
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

/** The start of the hour an instant falls in. */
export function startOf(at: Microseconds): Microseconds {
  return bucketStart(at, hour, utc);
}

/**
 * The stretch of time in which a list by time begins; null where the filter leaves no more than that, and for a stream, whose events are few
 * enough to count them all.
 */
export function beginningOf(filter: PartFilter, direction: 'asc' | 'desc', length: Microseconds): PartFilter | null {
  if (filter.streamUids !== undefined && !filter.streamUids.includes('')) return null;
  const { from = -Infinity, until = Infinity } = filter;
  if (direction === 'asc') return Number.isFinite(from) && from + length < until ? { ...filter, until: startOf(from + length) } : null;
  const start = startOf(Math.min(until, fromDate(new Date())) - length);
  return start > from ? { ...filter, from: start } : null;
}
