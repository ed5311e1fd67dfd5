import { addDays, daysBetween, mondayOf } from './dates.ts';
import type { ReportGrouping, ReportPeriod, ReportQuery } from './reports.ts';

const hours = Array.from({ length: 24 }, (_, hour) => String(hour));
const weekdays = Array.from({ length: 7 }, (_, at) => String(at + 1));

/** The key of an hour of a day; keys in their order are in the order of time. */
export function dateHour(day: string, hour: string): string {
  return `${day} ${hour.padStart(2, '0')}`;
}

/** Every key of time in a range of days, both ends included, also those without traffic; null for other groupings. */
export function timeKeys(grouping: ReportGrouping, { from, to }: { from: string; to: string }): string[] | null {
  const keysOf: Partial<Record<ReportGrouping, (day: string) => readonly string[]>> = {
    day: (day) => [day],
    week: (day) => [mondayOf(day)],
    month: (day) => [day.slice(0, 'YYYY-MM'.length)],
    date_hour: (day) => hours.map((hour) => dateHour(day, hour)),
  };
  if (grouping === 'hour') return hours;
  if (grouping === 'weekday') return weekdays;
  const keysOfDay = keysOf[grouping];
  if (keysOfDay === undefined) return null;
  const days = Array.from({ length: daysBetween(from, to) + 1 }, (_, at) => addDays(from, at));
  return [...new Set(days.flatMap(keysOfDay))];
}

/** Days, both ends included. */
export type Days = { from: string; to: string };

/** The first and last day of the month of a day. */
export function monthOf(day: string): Days {
  const from = `${day.slice(0, 'YYYY-MM'.length)}-01`;
  return { from, to: addDays(`${addDays(from, 31).slice(0, 'YYYY-MM'.length)}-01`, -1) };
}

/** The days of a period that moves on with the clock. */
export function daysOfPeriod(period: ReportPeriod, today: string): Days {
  const [monday, month] = [mondayOf(today), monthOf(today)];
  return {
    yesterday: { from: addDays(today, -1), to: addDays(today, -1) },
    last_7_days: { from: addDays(today, -7), to: addDays(today, -1) },
    this_week: { from: monday, to: today },
    last_week: { from: addDays(monday, -7), to: addDays(monday, -1) },
    this_month: { from: month.from, to: today },
    last_month: monthOf(addDays(month.from, -1)),
  }[period];
}

/** The days that a report asks for. */
export function daysOfReport(
  { startDate, endDate, period, days }: Pick<ReportQuery, 'startDate' | 'endDate' | 'period' | 'days'>,
  today: string,
): Days {
  if (period !== undefined && startDate === undefined && endDate === undefined) return daysOfPeriod(period, today);
  const to = endDate ?? today;
  return { from: startDate ?? addDays(to, 1 - days), to };
}

/** The days that a report is compared with: as many of them, or the whole month before a whole month. */
export function comparedDays({ from, to }: Days, compare: 'previous' | 'week' | 'month'): Days {
  const length = daysBetween(from, to) + 1;
  const month = monthOf(from);
  const monthBefore = monthOf(addDays(month.from, -1));
  if (compare !== 'week' && from === month.from && to === month.to) return monthBefore;
  const sameDay = `${monthBefore.from.slice(0, -2)}${from.slice(-2)}`;
  const earlier = { previous: addDays(from, -length), week: addDays(from, -7), month: sameDay < monthBefore.to ? sameDay : monthBefore.to }[
    compare
  ];
  return { from: earlier, to: addDays(earlier, length - 1) };
}
