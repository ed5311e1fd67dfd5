import { addDays, dayOf, dayRange, daysBetween, formatDateTime, type Microseconds } from '@switchyard/contract/dates';
import { groupingsOf, reportLimits, reportMessages, type ReportQuery } from '@switchyard/contract/reports';
import { startAfterEnd } from '@switchyard/contract/requests';
import { FieldErrors } from '../../errors.ts';
import { day, type Span, weekOf } from '@switchyard/traffic-store/time-buckets';

/**
 * Days of a report, both ends included, by the clock of the server offset; `shift`: how many days later they are shown. Nothing from
 * `until` on is counted.
 */
export type Period = { from: string; to: string; shift: number; until?: Microseconds };

type Clock = { now: Microseconds; serverOffset: string };

/**
 * The days that a query asks for, and those it compares them with: as many days, and as many hours of the day that is compared with
 * the running one. Throws FieldErrors if the range ends before it starts or is too long.
 */
export function readPeriods(
  {
    startDate,
    endDate,
    days: requestedDays,
    compare,
    groupBy,
  }: Pick<ReportQuery, 'startDate' | 'endDate' | 'days' | 'compare' | 'groupBy'>,
  { now, serverOffset }: Clock,
): { current: Period; comparison: Period | null } {
  const to = endDate ?? dayOf(now, serverOffset);
  const from = startDate ?? addDays(to, 1 - requestedDays);
  const days = daysBetween(from, to) + 1;
  if (days < 1) throw new FieldErrors({ startDate: [startAfterEnd] });
  if (days > reportLimits.hourlyDays && groupingsOf({ groupBy }).includes('date_hour')) {
    throw new FieldErrors({ startDate: [reportMessages.hourlyDays] });
  }
  if (days > reportLimits.days) throw new FieldErrors({ startDate: [reportMessages.days] });
  const current = { from, to, shift: 0 };
  if (compare === 'none') return { current, comparison: null };
  const earlier = compare === 'previous' ? addDays(from, -days) : compare === 'week' ? addDays(from, -7) : monthEarlier(from);
  const comparison = { from: earlier, to: addDays(earlier, days - 1), shift: daysBetween(earlier, from) };
  const span = spanOf(current, serverOffset);
  const isRunning = now >= span.from && now < span.until;
  return { current, comparison: isRunning ? { ...comparison, until: now - comparison.shift * day } : comparison };
}

/** The same day of the month before, or its last day. */
function monthEarlier(name: string): string {
  const [year = 0, month = 0, date = 0] = name.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - 1, 0)).getUTCDate();
  return formatDateTime(Date.UTC(year, month - 2, Math.min(date, last)) * 1000).slice(0, name.length);
}

/** The instants between which the days of a period lie. */
export function spanOf({ from, to, until }: Period, serverOffset: string): Span {
  return { from: dayRange(from, serverOffset).from, until: until ?? dayRange(to, serverOffset).until };
}

/**
 * The first day of which retention has dropped nothing: events go by weeks of UTC, pushes and conversions when they are past it.
 */
export function completeFrom(
  { now, serverOffset }: Clock,
  { retentionDays, hasDeliveries }: { retentionDays: number; hasDeliveries: boolean },
): string {
  const oldest = now - retentionDays * day;
  const oldestKept = hasDeliveries ? oldest : weekOf(oldest);
  const name = dayOf(oldestKept, serverOffset);
  return dayRange(name, serverOffset).from === oldestKept ? name : addDays(name, 1);
}
