import { formatDateTime, isPlainDay, type Microseconds } from '@switchyard/contract/dates';
import { ingestLimits } from '@switchyard/contract/limits';
import {
  bucketLengths,
  maximumBuckets,
  type AllRequestFilters,
  type RequestHistogram,
  type RequestFilters,
} from '@switchyard/contract/requests';
import { readEventFilter } from './read-event-filter.ts';
import { readTimeRange } from './read-time-range.ts';
import { bucketStart, day, hour } from '@switchyard/traffic-store/time-buckets';
import type { AppScope } from '@switchyard/contract/app-scope';
import type { BucketCount, EventStore } from '@switchyard/traffic-store/event-store';

const second: Microseconds = 1_000_000;
/** The longest bucket, in seconds. */
const week = bucketLengths[7];

/** The range of a histogram: `until` is exclusive, `to` is the end that the answer states. */
export type HistogramRange = { from: Microseconds; to: Microseconds; until: Microseconds; bucketSeconds: number };

/** The range of a histogram whose query has no start or no end. */
type OpenEnds = { oldest?: Microseconds | undefined; newest?: Microseconds | undefined };

/**
 * The range and the buckets that a query asks for. Without an end it is `newest`, or else the end of the present second; without
 * a start it is `oldest`, or else 24 hours earlier. A range that is too long even for buckets of a week is cut to what may hold events
 * and then to its last weeks. Throws FieldErrors when it ends before it starts.
 */
export function readHistogramRange(
  query: Pick<RequestFilters, 'startDate' | 'endDate'>,
  { now, serverOffset, oldest, newest }: { now: Microseconds; serverOffset: string } & OpenEnds,
): HistogramRange {
  const requestedRange = readTimeRange(query, serverOffset);
  const isDay = query.endDate !== undefined && isPlainDay(query.endDate);
  // An end date-time is included, so what is counted ends one microsecond later than what is stated.
  const until = requestedRange.until ?? (newest ?? presentEnd(now)) + 1;
  const end = isDay ? until : until - 1;
  const from = requestedRange.from ?? Math.min(end, oldest ?? Math.max(0, end - day));
  const range = { from, to: Math.max(from, end), until: Math.max(from, until) };
  const bucketSeconds = bucketLengths.find((seconds) => countBuckets(range, seconds, serverOffset) <= maximumBuckets);
  if (bucketSeconds !== undefined) return { ...range, bucketSeconds };
  return cutToWeeks(range, now, serverOffset);
}

/** The end of the present second. */
function presentEnd(now: Microseconds): Microseconds {
  return Math.ceil(now / second) * second;
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
  const first = bucketStart(to - 1, week * second, offset) - (maximumBuckets - 1) * week * second;
  return { from: Math.max(range.from, first), to, until: Math.min(range.until, to + 1), bucketSeconds: week };
}

type Store = { eventStore: Pick<EventStore, 'countByBucket'>; serverOffset: string };
type Filters = RequestFilters & Partial<Pick<AllRequestFilters, 'appId'>>;

/** The histogram that a query asks for, of the apps in a scope. Throws FieldErrors when the range ends before it starts. */
export async function readHistogram(
  { eventStore, serverOffset }: Store,
  { query, scope, now }: { query: Filters & { range?: 'list' | undefined }; scope: AppScope; now: Microseconds },
): Promise<RequestHistogram> {
  const ends = query.range === 'list' ? await readOpenEnds({ eventStore, serverOffset }, { query, scope, now }) : {};
  const range = readHistogramRange(query, { now, serverOffset, ...ends });
  const { from, until, bucketSeconds } = range;
  const filter = readEventFilter(query, { scope, serverOffset });
  const counts = from < until ? await eventStore.countByBucket({ filter, from, until, bucketSeconds }) : [];
  const byStart = Map.groupBy(counts, (count) => count.at);
  // A bucket that begins at the very end is shown only if it has events.
  const starts = new Set([...bucketStarts(range, serverOffset), ...byStart.keys()]);
  return {
    bucketSeconds,
    from: formatDateTime(from),
    to: formatDateTime(range.to),
    buckets: [...starts].map((at) => ({ at: formatDateTime(at), counts: byType(byStart.get(at) ?? []) })),
  };
}

/**
 * The hours of the oldest event, and of the newest one that is ahead of the clock, whatever the other filters are: roll-ups know
 * them, and the chart keeps its range while filters change.
 */
async function readOpenEnds(
  { eventStore, serverOffset }: Store,
  { query, scope, now }: { query: Filters; scope: AppScope; now: Microseconds },
): Promise<OpenEnds> {
  const filter = readEventFilter({ search: undefined }, { scope, serverOffset });
  const startsOf = async (from: Microseconds, until: Microseconds, bucketSeconds: number): Promise<Microseconds[]> =>
    (await eventStore.countByBucket({ filter, from, until, bucketSeconds })).map(({ at }) => at).sort((a, b) => a - b);
  const furthest = now + ingestLimits.hoursAhead * hour;
  const readOldest = async (): Promise<Microseconds | undefined> => {
    const [oldestWeek] = await startsOf(0, furthest, week);
    if (oldestWeek === undefined) return undefined;
    return (await startsOf(Math.max(0, oldestWeek), oldestWeek + week * second, hour / second))[0];
  };
  const [oldest, lastAhead] = await Promise.all([
    query.startDate === undefined ? readOldest() : undefined,
    query.endDate === undefined ? startsOf(presentEnd(now) + 1, furthest + 1, hour / second).then((starts) => starts.at(-1)) : undefined,
  ]);
  return { oldest, newest: lastAhead === undefined ? undefined : lastAhead + hour };
}

function byType(buckets: readonly BucketCount[]): RequestHistogram['buckets'][number]['counts'] {
  const counts = { create: 0, receive: 0, token: 0, track: 0, proxy: 0, static: 0, error: 0 };
  for (const { type, events } of buckets) counts[type] = events;
  return counts;
}
