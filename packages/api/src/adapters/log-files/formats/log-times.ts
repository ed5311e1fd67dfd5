import { JsonText } from '@switchyard/contract/exact-json';
import { LRUCache } from 'lru-cache';
import { membersOf, plainValue } from '../entry-values.ts';

/** A time for display, and the same as sortable UTC text to the nanosecond; `at` is empty if the instant is unknown. */
export type LogTime = { text: string; at: string };

const noTime: LogTime = { text: '', at: '' };
/** Longer texts are not times. */
const maxTimeLength = 80;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** A month in a pattern of lines. */
export const monthPattern = `(?:${months.join('|')})`;

/**
 * Reads a time of any writer. It is shown as `YYYY-MM-DD HH:mm:ss` in UTC (api 0.5) if its instant is certain, otherwise as it is
 * written: dates that do not exist, times without a year, and zones that are ambiguous (O60). A time without a zone is UTC.
 */
export function readTime(value: unknown): LogTime {
  const plain = plainValue(value);
  if (typeof plain === 'number') return readEpoch(value instanceof JsonText ? value.text : String(plain));
  if (typeof plain === 'object' && plain !== null) return readObject(new Map(membersOf(value)));
  if (typeof plain !== 'string') return noTime;
  const text = plain.trim();
  if (text.length > maxTimeLength) return { text, at: '' };
  return /^\d{9,}(?:\.\d+)?$/.test(text) ? readEpoch(text) : readText(text);
}

/** Times that are objects: of PHP, of Protocol Buffers, of Log4j, and of MongoDB. */
function readObject(members: ReadonlyMap<string, unknown>): LogTime {
  const text = (key: string) => (members.has(key) ? String(plainValue(members.get(key))) : '');
  if (members.has('$date')) return readTime(members.get('$date'));
  if (members.has('date')) return readTime(`${text('date')} ${text('timezone')}`);
  const seconds = text('seconds') || text('epochSecond');
  return seconds === '' ? noTime : readEpoch(`${seconds}.${(text('nanos') || text('nanoOfSecond')).padStart(9, '0')}`);
}

/** Powers of ten below which a number is in seconds, milliseconds or microseconds; others are nanoseconds. */
const epochUnits = [
  { below: 11, decimals: 0 },
  { below: 14, decimals: 3 },
  { below: 17, decimals: 6 },
] as const;

/** Reads seconds, milliseconds, microseconds or nanoseconds, by their size. Works on digits: nanoseconds exceed the precision of numbers. */
function readEpoch(text: string): LogTime {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? decimalOf(text);
  if (sign !== '') return { text, at: '' };
  const digits = whole.replace(/^0+(?=\d)/, '');
  const decimals = epochUnits.find(({ below }) => digits.length <= below)?.decimals ?? 9;
  const padded = digits.padStart(decimals + 1, '0');
  const seconds = Number(padded.slice(0, padded.length - decimals));
  const rest = padded.slice(padded.length - decimals) + fraction;
  return written(seconds * 1000, rest) ?? { text, at: '' };
}

/** A number with an exponent, in digits. */
function decimalOf(text: string): readonly string[] {
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 && value < 1e21 ? ['', '', ...value.toFixed(9).split('.')] : ['', '-'];
}

/** Of 24 hours, or of twelve before `AM` or `PM`. */
const clock = String.raw`(\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d{1,12}))?)?(?: ?([ap])\.?m\.?(?![a-z]))?`;
/** Hours and minutes that an offset can have (RFC 3339, 5.6). */
const zoneOffset = String.raw`[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?`;
const zone = String.raw`(?: ?(Z|(?:GMT|UTC)?${zoneOffset})| ([A-Za-z][\w/+-]{0,40}))?(?: \([^()]*\))?`;
const weekday = '(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? )?';
const name = `(${months.join('|')})`;

/** Forms of a date and a time. The groups are named by `parts`; a day before a month only where the order is certain. */
const forms = [
  { parts: ['year', 'month', 'day'], form: String.raw`(\d{4})[-/.]?(\d\d)[-/.]?(\d\d)(?:[T_]| {1,2}|, )${clock}${zone}` },
  { parts: ['day', 'month', 'year'], form: String.raw`${weekday}(\d\d?)[-/. ]${name}[-/. ](\d{4})[: ]${clock}${zone}` },
  { parts: ['day', 'month', 'year'], form: String.raw`(\d\d?)\.(\d\d)\.(\d{4}),? ${clock}${zone}` },
  { parts: ['month', 'day', 'year'], form: String.raw`${weekday}${name} +(\d\d?),? (\d{4}),? ${clock}${zone}` },
].map(({ parts, form }) => ({ parts, pattern: new RegExp(`^${form}$`, 'i') }));
/** `Fri Nov 20 10:11:12.123456 2026`, as Apache and `date` write it. */
const yearLast = new RegExp(String.raw`^(${weekday}${name} +\d\d?) (${clock}${zone}) (\d{4})$`, 'i');

function readText(text: string): LogTime {
  const [, date, , time] = yearLast.exec(text) ?? [];
  const ordered = date === undefined || time === undefined ? text : `${date} ${text.slice(-4)} ${time}`;
  for (const { parts, pattern } of forms) {
    const match = pattern.exec(ordered);
    if (match === null) continue;
    const [, first = '', second = '', third = '', hour, minute, second60 = '00', fraction = '', half, offset, zoneName] = match;
    const by = new Map([first, second, third].map((part, index) => [parts[index], part]));
    const [year, month, day] = [by.get('year'), monthOf(by.get('month')), by.get('day')?.padStart(2, '0')];
    const local = Date.parse(`${year}-${month}-${day}T${hourOf(hour, half)}:${minute}:${second60}Z`);
    // JavaScript moves 30 February to March.
    if (Number.isNaN(local) || new Date(local).getUTCDate() !== Number(day)) break;
    const instant = zoneName === undefined ? local - offsetOf(offset) : instantIn(local, zoneName);
    return (instant === null ? null : written(instant, fraction)) ?? { text, at: '' };
  }
  return { text, at: '' };
}

/** An hour of 24, in two digits; one that a clock of twelve hours does not have makes no date. */
function hourOf(hour = '', half?: string): string {
  if (half === undefined) return hour.padStart(2, '0');
  const number = Number(hour);
  if (number < 1 || number > 12) return '99';
  return String((number % 12) + (half.toLowerCase() === 'p' ? 12 : 0)).padStart(2, '0');
}

function monthOf(month = ''): string {
  const index = months.findIndex((known) => known.toLowerCase() === month.toLowerCase());
  return index === -1 ? month : String(index + 1).padStart(2, '0');
}

/** Milliseconds of an offset such as `+02:00`, `-0330` or `+02`; 0 for `Z`. */
function offsetOf(offset = 'Z'): number {
  const [, sign, hours, minutes = '0'] = /([+-])(\d\d):?(\d\d)?$/.exec(offset) ?? [];
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function written(instant: number, fraction: string): LogTime | null {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) return null;
  const text = date.toISOString().slice(0, 19).replace('T', ' ');
  return { text, at: `${text}.${fraction.slice(0, 9).padEnd(9, '0')}` };
}

/**
 * The names of the IANA database without a slash. `Intl` also accepts abbreviations that the database does not have and that stand
 * for several zones, such as `BST` and `IST`.
 */
const shortZones: ReadonlySet<string> = new Set(
  (
    'CET CST6CDT EET EST EST5EDT HST MET MST MST7MDT PST8PDT WET GMT UTC UCT GMT+0 GMT-0 GMT0 Greenwich Universal Zulu Cuba Egypt Eire GB ' +
    'GB-Eire Hongkong Iceland Iran Israel Jamaica Japan Kwajalein Libya NZ NZ-CHAT Navajo Poland Portugal PRC ROC ROK Singapore Turkey W-SU'
  ).split(' '),
);

/** Clocks by their zones in lower case; false for a name that `Intl` does not know, which takes it long to find out. */
const clocks = new LRUCache<string, Intl.DateTimeFormat | false>({ max: 1000 });

/** Whether the IANA database has a zone of this name. */
export function isZone(zoneName: string): boolean {
  return clockOf(zoneName) !== null;
}

/** A clock of a zone; null if the IANA database has none of this name. */
function clockOf(zoneName: string): Intl.DateTimeFormat | null {
  if (!shortZones.has(zoneName) && (!zoneName.includes('/') || zoneName.startsWith('SystemV/'))) return null;
  // `Intl` accepts names in any case, and a file could write one in thousands of ways.
  const key = zoneName.toLowerCase();
  const known = clocks.get(key);
  if (known !== undefined) return known || null;
  const created = newClock(zoneName);
  clocks.set(key, created);
  return created || null;
}

function newClock(zoneName: string): Intl.DateTimeFormat | false {
  const parts = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zoneName, hourCycle: 'h23', era: 'short', ...parts });
  } catch {
    return false;
  }
}

/** The instant of a local time, given as if it were UTC; null for an unknown zone. Of a repeated hour the first. */
function instantIn(local: number, zoneName: string): number | null {
  const zoneClock = clockOf(zoneName);
  if (zoneClock === null) return null;
  const offsetAt = (instant: number): number => {
    const part = new Map(zoneClock.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const [year = 0, month = 1, day, hour, minute, second] = (['year', 'month', 'day', 'hour', 'minute', 'second'] as const).map((type) =>
      part.get(type),
    );
    return Date.UTC(year, month - 1, day, hour, minute, second) - instant;
  };
  // The offset before and after a change of the clock: of the day before first, which is the earlier instant.
  const before = local - offsetAt(local - 86_400_000);
  return offsetAt(before) === local - before ? before : local - offsetAt(local - offsetAt(local));
}
