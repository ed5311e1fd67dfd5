import { offsetMinutes, type Microseconds } from '@switchyard/contract/dates';
import type { TimeRange } from './time-range.ts';

/** A range of time with both ends; the end is exclusive. */
export type Span = { from: Microseconds; until: Microseconds };

/** Lengths of buckets in microseconds. */
export const hour: Microseconds = 3_600_000_000;
export const quarter: Microseconds = hour / 4;
export const day: Microseconds = 24 * hour;
export const week: Microseconds = 7 * day;

/** Monday 1970-01-05 UTC; weeks are counted from it. */
const firstMonday: Microseconds = 4 * day;

/** Start of the week an instant falls in, in UTC. */
export function weekOf(instant: Microseconds): Microseconds {
  return Math.floor((instant - firstMonday) / week) * week + firstMonday;
}

/** Start of the bucket an instant falls in: a multiple of its length by the clock of the offset. */
export function bucketStart(instant: Microseconds, length: Microseconds, offset: string): Microseconds {
  const shift = (offsetMinutes(offset) ?? 0) * 60_000_000;
  return Math.floor((instant + shift) / length) * length - shift;
}

/**
 * Cuts a range into the whole buckets in its middle and the edges beside them. `whole` is null when no bucket
 * lies inside the range as a whole; the parts never overlap and make up the range.
 */
export function splitWhole({ from, until }: TimeRange, length: Microseconds, offset: string): { whole: TimeRange | null; edges: Span[] } {
  const start = from === undefined ? undefined : bucketStart(from + length - 1, length, offset);
  const end = until === undefined ? undefined : bucketStart(until, length, offset);
  if (from !== undefined && until !== undefined && start !== undefined && end !== undefined && start > end) {
    return { whole: null, edges: from < until ? [{ from, until }] : [] };
  }
  const isEmpty = start !== undefined && start === end;
  return {
    whole: isEmpty ? null : { from: start, until: end },
    edges: [
      ...(from !== undefined && start !== undefined && from < start ? [{ from, until: start }] : []),
      ...(until !== undefined && end !== undefined && end < until ? [{ from: end, until }] : []),
    ],
  };
}

function moveRange({ from, until }: TimeRange, by: Microseconds): TimeRange {
  return { from: from === undefined ? undefined : from + by, until: until === undefined ? undefined : until + by };
}

/** The buckets of weeks from Monday on, in UTC. */
export function splitWeeks(range: TimeRange): ReturnType<typeof splitWhole> {
  const { whole, edges } = splitWhole(moveRange(range, -firstMonday), week, '+00:00');
  return {
    whole: whole === null ? null : moveRange(whole, firstMonday),
    edges: edges.map(({ from, until }) => ({ from: from + firstMonday, until: until + firstMonday })),
  };
}
