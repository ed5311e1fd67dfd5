import { dayOf, displayDay, isPlainDay, parseDateTime } from '@switchyard/contract/dates';
import { displayDate } from './display-date.ts';

/** The day `YYYY-MM-DD` of a date filter in the server's offset; undefined for none. */
export function pickerDay(date: string | undefined, offset: string): string | undefined {
  return date === undefined || isPlainDay(date) ? date : dayOf(parseDateTime(date), offset);
}

/** A date filter in words: `DD.MM.YYYY`, with the time when it has one; undefined for none. */
export function displayFilterDay(date: string | undefined, offset: string): string | undefined {
  if (date === undefined) return undefined;
  return isPlainDay(date) ? displayDay(date) : displayDate(date, offset);
}

/** Whether a range of days ends before it starts; the days in the server's offset are compared, not the times within one. */
export function areDaysReversed({ startDate, endDate }: Readonly<Record<string, unknown>>, offset: string): boolean {
  if (typeof startDate !== 'string' || typeof endDate !== 'string') return false;
  const [start, end] = [pickerDay(startDate, offset), pickerDay(endDate, offset)];
  return start !== undefined && end !== undefined && start > end;
}
