import dayjs, { type Dayjs } from 'dayjs';
import isoWeek from 'dayjs/plugin/isoWeek.js';
import utc from 'dayjs/plugin/utc.js';

/** Period of a date picker: a day `YYYY-MM-DD`, an ISO week `YYYY-ww`, a month `YYYY-MM`. */
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

dayjs.extend(utc);
dayjs.extend(isoWeek);

const dayForm = 'YYYY-MM-DD';
const weekForm = /^(\d{4})-(\d{2})$/;

/**
 * The ISO week `YYYY-ww` of a day `YYYY-MM-DD`: its year is the one that the week's Thursday lies in, so 2027-01-01 is
 * in 2026-53. Null for text that is no day.
 */
export function isoWeekOf(day: string): string | null {
  const date = dayjs.utc(day);
  // A day such as 31 February rolls over into March.
  return date.format(dayForm) === day ? weekOf(date) : null;
}

function weekOf(date: Dayjs): string {
  return `${String(date.isoWeekYear()).padStart(4, '0')}-${String(date.isoWeek()).padStart(2, '0')}`;
}

/** The Monday `YYYY-MM-DD` of an ISO week `YYYY-ww`; null for a week that does not exist. */
export function mondayOf(week: string): string | null {
  return firstDay(week)?.format(dayForm) ?? null;
}

/** The Sunday `YYYY-MM-DD` of an ISO week; null for a week that does not exist. */
export function sundayOf(week: string): string | null {
  return firstDay(week)?.add(6, 'day').format(dayForm) ?? null;
}

function firstDay(week: string): Dayjs | null {
  const match = weekForm.exec(week);
  if (match === null) return null;
  // 4 January always lies in the first week.
  const monday = dayjs
    .utc(`${match[1]}-01-04`)
    .startOf('isoWeek')
    .add(Number(match[2]) - 1, 'week');
  return weekOf(monday) === week ? monday : null;
}
