import { isPlainDay, type Microseconds } from '@switchyard/contract/dates';
import { ingestLimits } from '@switchyard/contract/limits';
import { bucketLengths, mostBuckets } from '@switchyard/contract/request-histogram';
import type { RequestFilters } from '@switchyard/contract/requests';
import { readTimeRange } from './read-time-range.ts';
import { bucketStart, day, hour } from './time-buckets.ts';

const second: Microseconds = 1_000_000;
/** The longest bucket, in seconds. */
const week = bucketLengths[7];

/** What a histogram counts: `until` is exclusive, `to` is the end that the answer states (api [27], O32). */
export type HistogramRange = { from: Microseconds; to: Microseconds; until: Microseconds; bucketSeconds: number };

/**
 * The range and the buckets that a query asks for (api [27]). Without an end it is the end of the present second; without
 * a start it is 24 hours earlier. A range that is too long even for buckets of a week is cut to what may hold requests
 * and then to its last weeks. Throws FieldErrors when it ends before it starts.
 */
export function readHistogramRange(
  query: Pick<RequestFilters, 'startDate' | 'endDate'>,
  { now, serverOffset }: { now: Microseconds; serverOffset: string },
): HistogramRange {
  const asked = readTimeRange(query, serverOffset);
  const isDay = query.endDate !== undefined && isPlainDay(query.endDate);
  // An end date-time is included, so what is counted ends one microsecond later than what is stated.
  const until = asked.until ?? Math.ceil(now / second) * second + 1;
  const end = isDay ? until : until - 1;
  const from = asked.from ?? Math.max(0, end - day);
  const range = { from, to: Math.max(from, end), until: Math.max(from, until) };
  const bucketSeconds = bucketLengths.find((seconds) => countBuckets(range, seconds, serverOffset) <= mostBuckets);
  if (bucketSeconds !== undefined) return { ...range, bucketSeconds };
  return cutToWeeks(range, now, serverOffset);
}

/** The starts of the buckets that make up a range, oldest first. */
export function bucketStarts({ from, to, bucketSeconds }: HistogramRange, serverOffset: string): Microseconds[] {
  const length = bucketSeconds * second;
  const first = bucketStart(from, length, serverOffset);
  return Array.from({ length: countBuckets({ from, to }, bucketSeconds, serverOffset) }, (_, index) => first + index * length);
}

/** How many buckets the range meets; the one that begins at its very end is left out. */
function countBuckets({ from, to }: { from: Microseconds; to: Microseconds }, seconds: number, offset: string): number {
  const length = seconds * second;
  const last = Math.max(from, to - 1);
  return (bucketStart(last, length, offset) - bucketStart(from, length, offset)) / length + 1;
}

function cutToWeeks(range: Omit<HistogramRange, 'bucketSeconds'>, now: Microseconds, offset: string): HistogramRange {
  const furthest = now + ingestLimits.hoursAhead * hour;
  const isPast = range.from < furthest;
  const to = isPast ? Math.min(range.to, furthest) : range.to;
  const first = bucketStart(to - 1, week * second, offset) - (mostBuckets - 1) * week * second;
  return { from: Math.max(range.from, first), to, until: Math.min(range.until, to + 1), bucketSeconds: week };
}
