import { isoWeekOf, mondayOf, sundayOf } from './iso-week.ts';

/** What a date picker picks: a day `YYYY-MM-DD`, an ISO week `YYYY-ww`, a month `YYYY-MM` (WID-043 to WID-045). */
export const pickerPeriods = ['day', 'week', 'month'] as const;
export type PickerPeriod = (typeof pickerPeriods)[number];

/** The first day of a period's value; null when it is none. */
export function firstDayOf(period: PickerPeriod, value: string | undefined): string | null {
  if (value === undefined) return null;
  if (period === 'week') return mondayOf(value);
  const day = period === 'month' ? `${value}-01` : value;
  return isoWeekOf(day) === null ? null : day;
}

/** The last day of a period's value; null when it is none. */
export function lastDayOf(period: PickerPeriod, value: string | undefined): string | null {
  const first = firstDayOf(period, value);
  if (first === null || value === undefined || period === 'day') return first;
  if (period === 'week') return sundayOf(value);
  const [year = 0, month = 0] = value.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

/** The value of the period that holds a day `YYYY-MM-DD`. */
export function periodOf(period: PickerPeriod, day: string): string | undefined {
  if (period === 'week') return isoWeekOf(day) ?? undefined;
  return period === 'month' ? day.slice(0, 7) : day;
}
