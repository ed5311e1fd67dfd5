import { addDays, daysBetween } from '@switchyard/contract/dates';
import { type Days, monthOf } from '@switchyard/contract/report-keys';
import type { ReportGrouping } from '@switchyard/contract/reports';

/** How many days a range has, both ends included. */
export function daysIn(from: string, to: string): number {
  return daysBetween(from, to) + 1;
}

/** Until when there can be traffic: a day, and the hour of it that runs. */
export type Until = { day: string; hour: number };

/** How many days of a range that have begun a weekday and an hour of day come on; null stands for all of them. */
export function countDays({ from, to }: Days, until: Until, { weekday, hour }: { weekday: string | null; hour: string | null }): number {
  let count = 0;
  for (let day = from; day <= to && day <= until.day; day = addDays(day, 1)) {
    const isIts = weekday === null || weekdayOf(day) === Number(weekday);
    const hasBegun = day < until.day || hour === null || Number(hour) <= until.hour;
    if (isIts && hasBegun) count += 1;
  }
  return count;
}

/** The weekday of a day, from 1 for Monday. */
function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
}

/** The days of a report for a key of time; null for other keys. */
export function daysOf(grouping: ReportGrouping, key: string, { from, to }: Days): Days | null {
  const whole =
    grouping === 'day'
      ? { from: key, to: key }
      : grouping === 'week'
        ? { from: key, to: addDays(key, 6) }
        : grouping === 'month'
          ? monthOf(`${key}-01`)
          : grouping === 'date_hour'
            ? { from: key.slice(0, 'YYYY-MM-DD'.length), to: key.slice(0, 'YYYY-MM-DD'.length) }
            : null;
  return whole && { from: whole.from < from ? from : whole.from, to: whole.to > to ? to : whole.to };
}
