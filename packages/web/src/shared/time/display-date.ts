import { displayTime, readDate } from '@switchyard/contract/dates';

/** Shown for a missing or unreadable date. */
const unreadable = '-';

/**
 * A wire date for display: `DD.MM.YYYY HH:mm:ss`, shifted from UTC by the server's offset; '-' for a missing or unreadable
 * one.
 */
export function displayDate(text: string | null | undefined, offset: string): string {
  return displayPreciseDate(text, offset).replace(/\.\d{6}$/, '');
}

/** As `displayDate`, with microseconds: `DD.MM.YYYY HH:mm:ss.uuuuuu`. */
export function displayPreciseDate(text: string | null | undefined, offset: string): string {
  try {
    return displayTime(readDate(text), offset);
  } catch {
    return unreadable;
  }
}
