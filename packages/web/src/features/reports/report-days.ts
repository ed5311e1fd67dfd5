import { addDays, daysBetween } from '@switchyard/contract/dates';
import { type Days, monthOf } from '@switchyard/contract/report-keys';
import type { ReportGrouping } from '@switchyard/contract/reports';

/** How many days a range has, both ends included. */
export function daysIn(from: string, to: string): number {
  return daysBetween(from, to) + 1;
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
