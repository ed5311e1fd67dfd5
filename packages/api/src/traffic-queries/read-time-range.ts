import { DateError, dayRange, isPlainDay, parseDateTime, type Microseconds } from '@switchyard/contract/dates';
import { startAfterEnd } from '@switchyard/contract/requests';
import type { TimeRange } from '@switchyard/traffic-store/time-range';
import { FieldErrors } from '../errors.ts';

/**
 * The stretch that two date filters ask for. A plain day means that day in the server's offset; the end
 * day and an end date-time are included. Throws FieldErrors when it ends before it starts.
 */
export function readTimeRange(query: { startDate?: string | undefined; endDate?: string | undefined }, serverOffset: string): TimeRange {
  const from = query.startDate === undefined ? undefined : startOf(query.startDate, serverOffset);
  const until = query.endDate === undefined ? undefined : endOf(query.endDate, serverOffset);
  if (from !== undefined && until !== undefined && from >= until) throw new FieldErrors({ startDate: [startAfterEnd] });
  return {
    from: from === undefined ? undefined : withinStorable(from),
    until: until === undefined ? undefined : withinStorable(until),
  };
}

/**
 * The message for two date filters of a query that end before they start, by field, so that one answer can contain all errors of
 * the query. No message if one of them is absent or no date.
 */
export function timeRangeErrors(
  { startDate, endDate }: Readonly<Record<string, unknown>>,
  serverOffset: string,
): Readonly<Record<string, string>> {
  if (typeof startDate !== 'string' || typeof endDate !== 'string') return {};
  try {
    return startOf(startDate, serverOffset) >= endOf(endDate, serverOffset) ? { startDate: startAfterEnd } : {};
  } catch (error) {
    if (error instanceof DateError) return {};
    throw error;
  }
}

/** No stored time is older than 1970 or younger than the year 9000, and PostgreSQL reads only years of four digits. */
const storable = { from: 0, until: Date.UTC(9000, 0) * 1000 } as const;

function withinStorable(instant: Microseconds): Microseconds {
  return Math.min(Math.max(instant, storable.from), storable.until);
}

function startOf(text: string, offset: string): Microseconds {
  return isPlainDay(text) ? dayRange(text, offset).from : parseDateTime(text);
}

/** The exclusive end: the midnight after an end day, one microsecond after an end date-time. */
function endOf(text: string, offset: string): Microseconds {
  return isPlainDay(text) ? dayRange(text, offset).until : parseDateTime(text) + 1;
}
