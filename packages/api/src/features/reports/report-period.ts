import { addDays, dayOf, dayRange, daysBetween, type Microseconds } from '@switchyard/contract/dates';
import { comparedDays, type Days, daysOfReport } from '@switchyard/contract/report-keys';
import { groupingsOf, reportLimits, reportMessages, type ReportQuery } from '@switchyard/contract/reports';
import { startAfterEnd } from '@switchyard/contract/requests';
import { FieldErrors } from '../../errors.ts';
import { day, type Span, weekOf } from '@switchyard/traffic-store/time-buckets';

/**
 * Days of a report, both ends included, by the clock of the server offset; `shift`: how many days later they are shown, up to `last`.
 * Nothing from `until` on is counted.
 */
export type Period = Days & { shift: number; last: string; until?: Microseconds };

type Clock = { now: Microseconds; serverOffset: string };

type PeriodQuery = Pick<ReportQuery, 'startDate' | 'endDate' | 'period' | 'days' | 'compare' | 'groupBy'>;

/**
 * The days that a query asks for as of an instant, and those it compares them with, of which the day that is compared with the running one
 * has as many hours. Throws FieldErrors if the range ends before it starts, is too long or too far away to be compared and written.
 */
export function readPeriods(
  query: PeriodQuery,
  { now, asOf, serverOffset }: Clock & { asOf: Microseconds },
): { current: Period; comparison: Period | null } {
  const { compare, groupBy } = query;
  for (const name of ['startDate', 'endDate'] as const) {
    const year = query[name]?.slice(0, 4);
    if (year !== undefined && (year < reportLimits.firstYear || year > reportLimits.lastYear))
      throw new FieldErrors({ [name]: [reportMessages.years] });
  }
  const asked = daysOfReport(query, dayOf(asOf, serverOffset));
  const days = daysBetween(asked.from, asked.to) + 1;
  if (days < 1) throw new FieldErrors({ startDate: [startAfterEnd] });
  if (days > reportLimits.hourlyDays && groupingsOf({ groupBy }).includes('date_hour')) {
    throw new FieldErrors({ startDate: [reportMessages.hourlyDays] });
  }
  if (days > reportLimits.days) throw new FieldErrors({ startDate: [reportMessages.days] });
  const current = { ...asked, shift: 0, last: asked.to };
  if (compare === 'none') return { current, comparison: null };
  const compared = comparedDays(asked, compare);
  const comparison = { ...compared, shift: daysBetween(compared.from, asked.from), last: asked.to };
  const span = spanOf(current, serverOffset);
  const until = now - comparison.shift * day;
  const isRunning = now >= span.from && now < span.until && until < spanOf(comparison, serverOffset).until;
  return { current, comparison: isRunning ? { ...comparison, until } : comparison };
}

/** The instants between which the days of a period lie. */
export function spanOf({ from, to, until }: Days & { until?: Microseconds }, serverOffset: string): Span {
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
