/**
 * An instant in whole microseconds since 1970 UTC, exact until the year 2255. Requests carry microseconds, which a
 * JavaScript Date would lose.
 */
export type Microseconds = number;

export const dateMessages = {
  /** The input is neither text, number nor Date. */
  input: 'Invalid date input',
  /** The text has no accepted format, or the day does not exist. */
  format: 'Invalid date string format',
  /** The text does not match the required format. */
  mismatch: (format: string) => `Date string does not match the format: ${format}`,
} as const;

/** A date could not be parsed. The message is one of `dateMessages`. */
export class DateError extends Error {
  override name = 'DateError';
}

const clock = String.raw`(?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2})(?:\.(?<fraction>\d+))?`;
const yearFirst = new RegExp(String.raw`^(?<year>\d{4})(?<mark>[-/])(?<month>\d{2})\k<mark>(?<day>\d{2}) ${clock}$`);
const monthFirst = new RegExp(String.raw`^(?<month>\d{2})(?<mark>[-/])(?<day>\d{2})\k<mark>(?<year>\d{4}) ${clock}$`);
const iso =
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[Tt](?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?(?<offset>Z|z|[+-]\d{2}(?::?\d{2})?)?)?$/;
const plainDay = /^\d{4}-\d{2}-\d{2}$/;
const dayLength = 86_400_000_000;

/** The instant of a text in a format with named parts; null if it does not match, or if there is no such day, time or offset. */
function read(text: string, format: RegExp): Microseconds | null {
  const parts = format.exec(text)?.groups;
  if (!parts) return null;
  const [year, month, day] = [Number(parts['year'] ?? 1970), Number(parts['month'] ?? 1), Number(parts['day'] ?? 1)];
  const [hour, minute, given] = [Number(parts['hour'] ?? 0), Number(parts['minute'] ?? 0), Number(parts['second'] ?? 0)];
  // Days have no leap second here: it is the last microsecond of the second before.
  const [second, fraction] = given === 60 ? [59, '999999'] : [given, (parts['fraction'] ?? '').slice(0, 6).padEnd(6, '0')];
  const shift = parts['offset'] === undefined ? 0 : offsetMinutes(parts['offset']);
  if (hour > 23 || minute > 59 || second > 59 || shift === null) return null;
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day);
  // A day such as 31 February rolls over into March: it does not exist.
  if (at.getUTCFullYear() !== year || at.getUTCMonth() !== month - 1 || at.getUTCDate() !== day) return null;
  at.setUTCHours(hour, minute, second);
  return at.getTime() * 1000 + Number(fraction) - shift * 60_000_000;
}

/** Minutes of an offset `+HH:MM`, `-HHMM`, `+HH` or `Z`; null for any other text. */
export function offsetMinutes(offset: string): number | null {
  if (offset === 'Z' || offset === 'z') return 0;
  const match = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset);
  if (!match) return null;
  const hours = Number(match[2]);
  const minutes = Number(match[3] ?? '0');
  if (hours > 14 || minutes > 59) return null;
  return (match[1] === '-' ? -1 : 1) * (hours * 60 + minutes);
}

/**
 * Parses a date-time: ISO 8601, `YYYY-MM-DD HH:mm:ss[.uuuuuu]`, `YYYY/MM/DD HH:mm:ss`, `MM-DD-YYYY HH:mm:ss` or
 * `MM/DD/YYYY HH:mm:ss`. Without a zone it is UTC. Throws DateError for anything else.
 */
export function parseDateTime(text: string): Microseconds {
  const instant = read(text, iso) ?? read(text, yearFirst) ?? read(text, monthFirst);
  if (instant === null) throw new DateError(dateMessages.format);
  return instant;
}

/**
 * Parses text in an accepted format, milliseconds since 1970, or a Date. Throws DateError 'Invalid date input' for
 * anything else, including an invalid Date and NaN.
 */
export function readDate(input: unknown): Microseconds {
  if (typeof input === 'string') return parseDateTime(input);
  const milliseconds = input instanceof Date ? input.getTime() : input;
  if (typeof milliseconds !== 'number' || !Number.isFinite(milliseconds)) throw new DateError(dateMessages.input);
  return Math.trunc(milliseconds * 1000);
}

const formatParts = new Map([
  ['YYYY', String.raw`(?<year>\d{4})`],
  ['MM', String.raw`(?<month>\d{2})`],
  ['DD', String.raw`(?<day>\d{2})`],
  ['HH', String.raw`(?<hour>\d{2})`],
  ['mm', String.raw`(?<minute>\d{2})`],
  ['ss', String.raw`(?<second>\d{2})`],
]);

/**
 * Parses text in exactly the given format, as UTC. The format contains YYYY, MM, DD, HH, mm and ss, each at most once,
 * and literal text. Throws DateError with the format if the text does not match or the day does not exist.
 */
export function parseDateAs(text: string, format: string): Microseconds {
  const pattern = format.replaceAll(
    /YYYY|MM|DD|HH|mm|ss|./gsu,
    (token) => formatParts.get(token) ?? String.raw`\u{${(token.codePointAt(0) ?? 0).toString(16)}}`,
  );
  const instant = read(text, new RegExp(`^${pattern}$`, 'u'));
  if (instant === null) throw new DateError(dateMessages.mismatch(format));
  return instant;
}

/** Whether the text is a plain day `YYYY-MM-DD`, which means that day in the server offset. */
export function isPlainDay(text: string): boolean {
  return plainDay.test(text);
}

/** The half-open range of a plain day in the given offset. Throws DateError if the day does not exist. */
export function dayRange(day: string, offset: string): { from: Microseconds; until: Microseconds } {
  const midnight = isPlainDay(day) ? read(day, iso) : null;
  const shift = offsetMinutes(offset);
  if (midnight === null || shift === null) throw new DateError(dateMessages.format);
  const from = midnight - shift * 60_000_000;
  return { from, until: from + dayLength };
}

/** The plain day `YYYY-MM-DD` of an instant in the given offset. */
export function dayOf(instant: Microseconds, offset: string): string {
  return formatDateTime(instant + (offsetMinutes(offset) ?? 0) * 60_000_000).slice(0, 10);
}

/** The plain day that is this number of days after another. Throws DateError if there is no such day. */
export function addDays(day: string, days: number): string {
  return dayOf(dayRange(day, '+00:00').from + days * dayLength, '+00:00');
}

/** How many days a plain day comes after another. */
export function daysBetween(from: string, to: string): number {
  return (dayRange(to, '+00:00').from - dayRange(from, '+00:00').from) / dayLength;
}

/** The Monday of the week of a plain day. */
export function mondayOf(day: string): string {
  return addDays(day, -((new Date(dayRange(day, '+00:00').from / 1000).getUTCDay() + 6) % 7));
}

/** The weekday of a day, from 1 for Monday to 7. */
export function weekdayOf(day: string): number {
  return daysBetween(mondayOf(day), day) + 1;
}

/** Formats an instant as `YYYY-MM-DD HH:mm:ss` in UTC, the wire form of every date. */
export function formatDateTime(instant: Microseconds): string {
  return new Date(Math.floor(instant / 1000)).toISOString().slice(0, 19).replace('T', ' ');
}

/** A plain day as people read it: `DD.MM.YYYY`. */
export function displayDay(day: string): string {
  return day.split('-').reverse().join('.');
}

/** An instant as people read it, in the given offset: `DD.MM.YYYY HH:mm:ss.uuuuuu`. Shorter forms are its beginnings. */
export function displayTime(instant: Microseconds, offset: string): string {
  const [day = '', time = ''] = formatMicroseconds(instant + (offsetMinutes(offset) ?? 0) * 60_000_000).split(' ');
  return `${displayDay(day)} ${time}`;
}

/** A Date in mails and messages, whose readers live in any zone: `DD.MM.YYYY HH:mm UTC`. */
export function displayUtc(date: Date): string {
  return `${displayTime(fromDate(date), '+00:00').slice(0, 'DD.MM.YYYY HH:mm'.length)} UTC`;
}

/** Formats an instant as `YYYY-MM-DD HH:mm:ss.uuuuuu` in UTC. */
export function formatMicroseconds(instant: Microseconds): string {
  const milliseconds = Math.floor(instant / 1000);
  const text = new Date(milliseconds).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 23)}${String(instant - milliseconds * 1000).padStart(3, '0')}`;
}

/** Converts a Date to microseconds. */
export function fromDate(date: Date): Microseconds {
  return date.getTime() * 1000;
}

/** Formats a Date in the wire form; null stays null. */
export function wireDate(date: Date): string;
export function wireDate(date: Date | null): string | null;
export function wireDate(date: Date | null): string | null {
  return date && formatDateTime(fromDate(date));
}

const durationUnits = [
  { milliseconds: 86_400_000, text: 'd' },
  { milliseconds: 3_600_000, text: 'h' },
  { milliseconds: 60_000, text: 'min' },
] as const;

/** A duration in its two largest units: `14 min`, `2 h 5 min`, `3 d 4 h`. */
export function durationText(duration: number): string {
  const first = durationUnits.findIndex(({ milliseconds }) => duration >= milliseconds);
  if (first === -1) return 'less than 1 min';
  let rest = duration;
  const parts = durationUnits.slice(first, first + 2).flatMap(({ milliseconds, text }) => {
    const count = Math.floor(rest / milliseconds);
    rest -= count * milliseconds;
    return count === 0 ? [] : [`${count} ${text}`];
  });
  return parts.join(' ');
}
