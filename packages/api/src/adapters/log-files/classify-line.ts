import { type EntryLevel, logLevels, type LogLevel } from '@switchyard/contract/log-viewer';
import { parseObject } from './entry-values.ts';

/** `[2026-11-20 10:11:12] production.ERROR: text`, optionally with microseconds and an offset. */
const monologStart = /^\[\d{4}-\d\d-\d\d[ T][^\]]{5,30}\] [^\s:[\]]{1,60}\.([A-Za-z]{3,9}):/;
/** pino writes the level first, so the rest need not be parsed. */
const levelFirst = /^\{"level":(?:"([A-Za-z]{3,9})"|(\d{2,3})(?=[,}]))/;
const timeAnywhere = /"(?:time|datetime)":/;
const levelAnywhere = /"level(?:_name)?":(?:"([A-Za-z]{3,9})"|(\d{2,3})(?=[,}]))/;
/** Bytes of a line that decide whether it starts an entry. */
const startBytes = 128;

const [nul, space, bracket, brace, closingBrace] = [0, 32, 91, 123, 125];
/** Digits, and the initials of weekdays and months. */
const timeInitials = new Set(Buffer.from('0123456789ADFJMNOSTW'));

/**
 * The level of the entry that a line starts: empty if it has no level, null if the line continues the previous entry. Both
 * the index and the reader call this, so that counts and entries agree. `length` is the length of the line, of which
 * `bytes[from..to]` may be only the first part. NUL bytes that copytruncate left before the line are skipped.
 */
export function classifyLine(bytes: Buffer, { from, to, length }: { from: number; to: number; length: number }): EntryLevel | null {
  let start = from;
  while (start < to && bytes[start] === nul) start += 1;
  const first = bytes[start];
  if (first === undefined || (first !== bracket && first !== brace && !timeInitials.has(first))) return null;
  const head = bytes.toString('latin1', start, Math.min(to, start + startBytes));
  if (first !== brace) return levelOf(monologStart.exec(head)?.[1]) ?? readPlainLine(head)?.level ?? null;
  const isCut = length > to - from;
  // A line without a closing brace is not JSON, so it need not be parsed.
  if (!isCut && !endsWithBrace(bytes, start, to)) return null;
  return levelOfMatch(levelFirst.exec(head)) ?? levelOfObject(bytes.subarray(start, to), isCut) ?? null;
}

function endsWithBrace(bytes: Buffer, start: number, to: number): boolean {
  let last = to - 1;
  while (last > start && (bytes[last] ?? 0) <= space) last -= 1;
  return bytes[last] === closingBrace;
}

function levelOfMatch(match: RegExpExecArray | null): EntryLevel | undefined {
  return levelOf(match?.[1] ?? (match?.[2] === undefined ? undefined : Number(match[2])));
}

/** An object with a level or a time is an entry; any other may be part of a multi-line text. */
function levelOfObject(bytes: Buffer, isCut: boolean): EntryLevel | undefined {
  const text = bytes.toString();
  if (isCut) return levelOfMatch(levelAnywhere.exec(text)) ?? (timeAnywhere.test(text) ? '' : undefined);
  const value = parseObject(text);
  if (value === null) return undefined;
  return levelOf(value['level']) ?? levelOf(value['level_name']) ?? ('time' in value || 'datetime' in value ? '' : undefined);
}

/** Other names of levels in common logging libraries. */
const otherNames: Readonly<Record<string, LogLevel>> = {
  emerg: 'emergency',
  crit: 'critical',
  fatal: 'critical',
  err: 'error',
  warn: 'warning',
  trace: 'debug',
};

/** Numeric levels of pino (10 to 80) and Monolog (100 to 600). */
const numbers: Readonly<Record<number, LogLevel>> = {
  10: 'debug',
  20: 'debug',
  30: 'info',
  35: 'notice',
  40: 'warning',
  50: 'error',
  60: 'critical',
  70: 'alert',
  80: 'emergency',
  100: 'debug',
  200: 'info',
  250: 'notice',
  300: 'warning',
  400: 'error',
  500: 'critical',
  550: 'alert',
  600: 'emergency',
};

/** The level for a name or number of a logging library; undefined for anything else. */
function levelOf(value: unknown): LogLevel | undefined {
  if (typeof value === 'number') return numbers[value];
  if (typeof value !== 'string') return undefined;
  const name = value.toLowerCase();
  return logLevels.find((level) => level === name) ?? (Object.hasOwn(otherNames, name) ? otherNames[name] : undefined);
}

/** First line of an entry that is neither Monolog's format nor JSON. */
export type PlainLine = { time: string; level: EntryLevel; header: string };

const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const clock = String.raw`\d\d:\d\d:\d\d(?:[.,]\d{1,9})?`;
/** Time formats: ISO 8601 and nginx; Apache and syslog; PHP. */
const times = [
  String.raw`\d{4}(?:-\d\d-\d\d|\/\d\d\/\d\d)[ T]${clock}(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?`,
  String.raw`(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?${month} [ \d]\d ${clock}(?: \d{4})?`,
  String.raw`\d\d-${month}-\d{4} ${clock}(?: [A-Za-z][\w/+-]{1,31})?`,
].join('|');
const timeStart = new RegExp(String.raw`^(?:\[(${times})\]|(${times})(?![\w.]))`);
const tag = /^ ?\[([^[\]]{1,60})\]/;
const bareLevel = /^[ :-]{0,3}([A-Z]{3,9})(?=[ :]|$):?/;
/** Maximum number of tags, such as a PID, between the time and the level. */
const tagsBeforeLevel = 4;

/**
 * Parses the start of a plain line: a time, a `[level]`, or both. Null if it has neither and so continues the previous entry.
 * A level without brackets counts only in capitals and directly after a time.
 */
export function readPlainLine(line: string): PlainLine | null {
  const match = timeStart.exec(line);
  const time = match?.[1] ?? match?.[2] ?? '';
  const afterTime = line.slice(match?.[0].length ?? 0).replace(/^:? /, '');
  const { level, header } = readLevel(afterTime, match === null ? 1 : tagsBeforeLevel);
  if (level !== '') return { time, level, header };
  if (match === null) return null;
  return { time, level, header: headerOf(afterTime) };
}

function readLevel(text: string, maxTags: number): Pick<PlainLine, 'level' | 'header'> {
  let rest = text;
  let before = '';
  for (let tags = 0; tags < maxTags; tags += 1) {
    const match = tag.exec(rest);
    if (match === null) break;
    const [whole, name = ''] = match;
    const level = levelOf(name.slice(name.lastIndexOf(':') + 1));
    rest = rest.slice(whole.length);
    // Apache writes `[module:level]`; the module stays in the header.
    if (level !== undefined) return { level, header: headerOf(`${name.includes(':') ? `${before}${whole}` : before}${rest}`) };
    before += whole;
  }
  const bare = maxTags > 1 ? bareLevel.exec(rest) : null;
  const level = levelOf(bare?.[1]);
  if (bare === null || level === undefined) return { level: '', header: '' };
  return { level, header: headerOf(`${before} ${rest.slice(bare[0].length).trim()}`) };
}

function headerOf(text: string): string {
  return text.replace(/^\s*(?:[-:|] )?/, '').trim();
}
