import { formatDateTime, formatMicroseconds, isPlainDay, parseDateTime } from '@switchyard/contract/dates';
import { type RequestHistogram, type RequestRow, requestTypes, type RequestType, ownTypeName } from '@switchyard/contract/requests';
import type { Span } from '../../shared/charts/use-span-choice.ts';
import type { TimeAxis } from '../../shared/marks/place-marks.ts';
import { displayDate } from '../../shared/time/display-date.ts';
import { groupedNumber } from '../../shared/ui/text-format.ts';

export type Counts = RequestHistogram['buckets'][number]['counts'];

/** A part of a bar: from `below` to `below + share` of the chart's height. */
export type Segment = { type: RequestType; below: number; share: number };

const day = 86_400;
const roundSteps = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
/** The least height of a bar as a share of the chart, so that one error among thousands is visible. */
const leastShare = 0.03;

/** Requests of all types together. */
export function totalOf(counts: Counts): number {
  return requestTypes.reduce((sum, type) => sum + counts[type], 0);
}

/** A histogram as it is drawn: types that the reader has hidden count as none. */
export function withoutTypes(histogram: RequestHistogram, hiddenTypes: ReadonlySet<RequestType>): RequestHistogram {
  if (hiddenTypes.size === 0) return histogram;
  const none = Object.fromEntries([...hiddenTypes].map((type) => [type, 0]));
  return { ...histogram, buckets: histogram.buckets.map(({ at, counts }) => ({ at, counts: { ...counts, ...none } })) };
}

/** A histogram with further requests, each in the bucket of its time; those after the last bucket count there until the next count. */
export function withRequests(
  histogram: RequestHistogram,
  requests: readonly Pick<RequestRow, 'type' | 'concatenated_date'>[],
): RequestHistogram {
  const [first] = histogram.buckets;
  if (requests.length === 0 || first === undefined) return histogram;
  const [from, length] = [parseDateTime(first.at), histogram.bucketSeconds * 1_000_000];
  const buckets = histogram.buckets.map(({ at, counts }) => ({ at, counts: { ...counts } }));
  for (const { type, concatenated_date: date } of requests) {
    const index = Math.floor((parseDateTime(date) - from) / length);
    const bucket = buckets[Math.max(0, Math.min(index, buckets.length - 1))];
    if (bucket !== undefined) bucket.counts[type] += 1;
  }
  return { ...histogram, buckets };
}

/** Sums of the buckets of a span, by type. */
export function countsOf({ buckets }: Pick<RequestHistogram, 'buckets'>, { first, last }: Span): Counts {
  const within = buckets.slice(first, last + 1);
  const sum = (type: RequestType): number => within.reduce((total, { counts }) => total + counts[type], 0);
  return {
    create: sum('create'),
    receive: sum('receive'),
    token: sum('token'),
    track: sum('track'),
    proxy: sum('proxy'),
    static: sum('static'),
    error: sum('error'),
  };
}

/** The count at the top of a chart: the highest bucket, rounded up to a readable number. */
export function chartTop({ buckets }: Pick<RequestHistogram, 'buckets'>): number {
  const highest = Math.max(1, ...buckets.map(({ counts }) => totalOf(counts)));
  const power = 10 ** Math.floor(Math.log10(highest));
  return roundSteps.map((step) => step * power).find((top) => top >= highest && Number.isInteger(top)) ?? highest;
}

/** The segments of a bucket's bar from bottom to top, in the order of the types; types without requests are left out. */
export function barSegments(counts: Counts, top: number): Segment[] {
  const total = totalOf(counts);
  if (total === 0) return [];
  const scale = Math.max(leastShare, total / top) / total;
  let below = 0;
  return requestTypes.flatMap((type) => {
    if (counts[type] === 0) return [];
    const segment = { type, below, share: counts[type] * scale };
    below += segment.share;
    return [segment];
  });
}

/**
 * The filters that leave exactly what a span of buckets counts. The end of a date filter is inclusive, so it
 * is the last microsecond before the next bucket, or the end already in effect when that comes first.
 */
export function narrowedRange(
  { from, buckets, bucketSeconds }: RequestHistogram,
  { first, last }: Span,
  endDate: string | undefined,
): { startDate: string; endDate: string } {
  const start = Math.max(parseDateTime(from), parseDateTime(buckets[first]?.at ?? from));
  const end = parseDateTime(buckets[last]?.at ?? from) + bucketSeconds * 1_000_000 - 1;
  const isEarlier = endDate !== undefined && !isPlainDay(endDate) && parseDateTime(endDate) < end;
  return { startDate: formatDateTime(start), endDate: isEarlier ? endDate : formatMicroseconds(end) };
}

/** The times of the buckets. */
export function axisOf({ buckets, bucketSeconds }: Pick<RequestHistogram, 'buckets' | 'bucketSeconds'>): TimeAxis {
  const starts = buckets.map(({ at }) => parseDateTime(at));
  return { starts, until: (starts.at(-1) ?? 0) + bucketSeconds * 1_000_000 };
}

/** When a span of buckets begins and ends, in the server's offset: `21.11.2026 10:00 to 10:15`. */
export function spanText({ buckets, bucketSeconds }: RequestHistogram, { first, last }: Span, offset: string): string {
  const start = buckets[first]?.at ?? '';
  const end = parseDateTime(buckets[last]?.at ?? start) + bucketSeconds * 1_000_000;
  return rangeText(start, formatDateTime(end), offset);
}

/** The counted range; an inclusive end such as 10:44:59 is shown as 10:45. */
export function countedText({ from, to }: Pick<RequestHistogram, 'from' | 'to'>, offset: string): string {
  return rangeText(from, justAfter(to), offset);
}

/** The second after a wire date. */
export function justAfter(date: string): string {
  return formatDateTime(parseDateTime(date) + 1_000_000);
}

/** Two wire dates as a range to the minute; the day appears once when both are on it. */
function rangeText(from: string, to: string, offset: string): string {
  const start = displayDate(from, offset).slice(0, 16);
  const end = displayDate(to, offset).slice(0, 16);
  return `${start} to ${start.slice(0, 10) === end.slice(0, 10) ? end.slice(11) : end}`;
}

/** Below the chart: the time of a bucket, as briefly as the length of the buckets allows. */
export function tickText(at: string, { bucketSeconds, buckets }: RequestHistogram, offset: string): string {
  const date = displayDate(at, offset);
  if (bucketSeconds >= day) return date.slice(0, 10);
  return bucketSeconds * buckets.length <= day + bucketSeconds ? date.slice(11, 16) : `${date.slice(0, 5)} ${date.slice(11, 16)}`;
}

/** The counts of a bucket in words: `7 requests: 4 create, 2 receive, 1 track`. */
export function countsText(counts: Counts): string {
  const total = totalOf(counts);
  if (total === 0) return 'no requests';
  const parts = requestTypes.filter((type) => counts[type] > 0).map((type) => `${groupedNumber(counts[type])} ${ownTypeName(type)}`);
  return `${total === 1 ? '1 request' : `${groupedNumber(total)} requests`}: ${parts.join(', ')}`;
}
