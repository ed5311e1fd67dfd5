import { addDays, daysBetween, mondayOf } from './dates.ts';
import type { ReportGrouping } from './reports.ts';

const hours = Array.from({ length: 24 }, (_, hour) => String(hour));
const weekdays = Array.from({ length: 7 }, (_, at) => String(at + 1));

/** The weekday of a day, from 1 for Monday to 7. */
export function weekdayOf(day: string): string {
  return String(daysBetween(mondayOf(day), day) + 1);
}

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
