import { formatMicroseconds, offsetMinutes, readDate } from '@switchyard/contract/dates';

/** What stands for a date that cannot be read (WID-063). */
const unreadable = '-';

/**
 * A wire date as readers see it: `DD.MM.YYYY HH:mm:ss`, shifted from UTC by the server's offset (WID-056,
 * AMB-219); '-' for nothing or for text that is no date.
 */
export function displayDate(text: string | null | undefined, offset: string): string {
  return displayPreciseDate(text, offset).replace(/\.\d{6}$/, '');
}

/** As `displayDate`, with microseconds: `DD.MM.YYYY HH:mm:ss.uuuuuu` (EVT-015, AMB-143). */
export function displayPreciseDate(text: string | null | undefined, offset: string): string {
  try {
    const shifted = readDate(text) + (offsetMinutes(offset) ?? 0) * 60_000_000;
    const [day = '', time = ''] = formatMicroseconds(shifted).split(' ');
    return `${day.split('-').reverse().join('.')} ${time}`;
  } catch {
    return unreadable;
  }
}
