import type { EntryLevel } from '@switchyard/contract/log-viewer';
import { bytesOf, type LogFormat } from './log-format.ts';
import { levelOfName } from './log-levels.ts';
import { isZone, monthPattern } from './log-times.ts';

const weekday = '(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?';
const clock = String.raw`\d\d?:\d\d(?::\d\d(?:[.,]\d{1,12})?)?(?: ?[AaPp]\.?[Mm]\.?(?![A-Za-z]))?`;
const offset = String.raw`(?: ?(?:Z|[+-]\d\d:?\d\d|[+-]\d\d(?=[\s\]])))?`;
/** Times at the beginning of a line: ISO 8601 and nginx; Apache and syslog; PHP and mail; of other countries; seconds since 1970; the time of the day alone. */
const dates = [
  String.raw`\d{4}(?<iso>[-/.])\d\d\k<iso>\d\d(?:[T_]| {1,2}|, )${clock}${offset}`,
  String.raw`${weekday}${monthPattern} [ \d]?\d(?:,? \d{4})?,? ${clock}${offset}(?: \d{4}\b)?`,
  String.raw`${weekday}\d\d?[-/. ]${monthPattern}[-/. ]\d{4}[: ]${clock}${offset}`,
  String.raw`\d\d?(?<own>[./])\d\d?\k<own>\d{4},? ${clock}${offset}`,
  String.raw`\d{10}\.\d{1,9}(?= )`,
].join('|');
const timeOfDay = String.raw`\d\d:\d\d:\d\d(?:[.,]\d{1,9})?|\d\d?:\d\d[AP]M`;
/** Ruby repeats the letter of the level before the time. */
const timeStart = new RegExp(String.raw`^(?:[DIWEFA], (?=\[))?(?<bracket>\[?)(?<date>${dates}|${timeOfDay})(?![\w.])`);
/**
 * A zone behind a time. An unknown one is taken for one only where nothing else can stand. No part contains a separator: with two ways to
 * read the same text, a line of forty dashes would take seconds.
 */
const zoneName = /^ ([A-Za-z]{1,32}(?:[/_+-][A-Za-z0-9]{1,32}){0,6})(?=[\s\]]|$)/;
const abbreviation = /^[A-Z]{2,5}$/;
const tag = /^\[([^[\]]{1,60})\]/;
const word = /^([A-Za-z]{1,14}\d?)(:|(?= ?[-|] |\|)|\t| {2,}| |$)/;
const loggerName = /^([\w.$/@:-]{1,120}?)(?= - | \| )/;
/** A PID; the place of a line in the code, as Airflow writes it; a key with a value, as Sidekiq writes it. */
const detail = /^(?:#?\d{1,9}|\{[^{}]{1,80}\}|[\w.-]{1,40}=[\w.:/@-]{1,80})(?= )/;
const separators = /^(?:[\s,|]+|[-:]{1,3}(?=\s))+/;
/** Maximum number of parts, such as a PID, between the time and the level. */
const partsBeforeLevel = 6;

type TimedLine = { time: string; level: EntryLevel; env: string; header: string };

/**
 * A time, a level, or both, and then the text: nginx, Apache, MySQL, Python, Serilog, Spring, Log4j, Windows and many others. A level without
 * brackets counts in capitals, before a colon, or before a column of its own, and only behind a time.
 */
export const timedText: LogFormat = {
  name: 'text',
  starts: bytesOf('[0123456789ADEFIJMNOSTW'),
  level: ({ head }) => readTimedLine(head)?.level ?? null,
  parse({ first, rest }) {
    const line = readTimedLine(first);
    return line && { env: line.env, time: line.time, header: line.header, context: null, stack: rest };
  },
};

function readTimedLine(line: string): TimedLine | null {
  const start = readTime(line);
  if (start === null) return levelTag(line);
  const { time, level: bracketLevel, env, after, isDate } = start;
  const found = bracketLevel === '' ? readLevel(after) : { level: bracketLevel, env, header: headerOf(after) };
  if (found !== null) return { time, ...found };
  // A time of the day alone is also usual in texts.
  return isDate ? { time, level: '', env: '', header: headerOf(after) } : null;
}

function levelTag(line: string): TimedLine | null {
  const match = tag.exec(line);
  const level = levelOfTag(match?.[1]);
  return match === null || level === undefined ? null : { time: '', level, env: '', header: headerOf(line.slice(match[0].length)) };
}

/** `[module:level]`, as Apache writes it, or `[level]`. */
function levelOfTag(name = ''): EntryLevel | undefined {
  return levelOfName(name.slice(name.lastIndexOf(':') + 1));
}

/** `[10:11:12 INF]` of Serilog, `[2026-11-20 10:11:12,123: INFO/MainProcess]` of Celery, `[2026-11-20T10:11:12Z INFO  app::db]` of Rust. */
const levelInside = /^:? +([A-Za-z]{1,14})(?:\/[\w-]+)?(?: +([\w:.$-]{1,120}))?$/;
/** `[2026-11-20T10:11:12.123456 #1234]` of Ruby. */
const processId = /^ #\d+$/;

type TimeStart = { time: string; level: EntryLevel; env: string; after: string; isDate: boolean };

/** The time at the beginning of a line, with its zone. In brackets, a level may follow it. */
function readTime(line: string): TimeStart | null {
  const match = timeStart.exec(line);
  if (match === null) return null;
  const { bracket = '', date = '' } = match.groups ?? {};
  const isDate = date.length > 18 || !/^\d\d:/.test(date);
  let time = date;
  let after = line.slice(match[0].length);
  const zone = zoneName.exec(after);
  if (zone !== null && isZoneHere(zone[1] ?? '', after.slice(zone[0].length))) {
    time += zone[0];
    after = after.slice(zone[0].length);
  }
  if (bracket === '') return { time, level: '', env: '', after, isDate };
  const end = after.indexOf(']');
  if (end === -1) return null;
  const inside = after.slice(0, end);
  after = after.slice(end + 1);
  if (inside === '') return { time, level: '', env: '', after, isDate };
  if (processId.test(inside)) return { time, level: '', env: '', after: `${inside}${after}`, isDate };
  const [, name = '', env = ''] = levelInside.exec(inside) ?? [];
  const level = levelOfName(name);
  return level === undefined ? { time: time + inside, level: '', env: '', after, isDate } : { time, level, env, after, isDate };
}

function isZoneHere(zone: string, after: string): boolean {
  if (levelOfName(zone) !== undefined) return false;
  if (isZone(zone) || after.startsWith(']')) return true;
  const next = /^ +\[?([A-Za-z]+)/.exec(after)?.[1];
  return abbreviation.test(zone) && (after.startsWith(' [') || levelOfName(next ?? '') !== undefined);
}

/** Looks for the level behind the time, and returns null if there is none. What stands before it is the channel or part of the header. */
function readLevel(text: string): Omit<TimedLine, 'time'> | null {
  let rest = text;
  let before = '';
  let isNameAllowed = false;
  for (let parts = 0; parts < partsBeforeLevel; parts += 1) {
    const separator = separators.exec(rest)?.[0] ?? '';
    rest = rest.slice(separator.length);
    if (separator.includes('-') || separator.includes('|')) isNameAllowed = true;
    const tagMatch = tag.exec(rest);
    const tagLevel = levelOfTag(tagMatch?.[1]);
    if (tagMatch !== null && tagLevel !== undefined) {
      // The module of `[module:level]` stays in the header.
      const kept = tagMatch[1]?.includes(':') === true ? tagMatch[0] : '';
      return { level: tagLevel, env: '', header: headerOf(`${before}${kept}${rest.slice(tagMatch[0].length)}`) };
    }
    const bare = word.exec(rest);
    const level = bare === null || !isLevelWord(bare) ? undefined : levelOfName(bare[1] ?? '');
    if (bare !== null && level !== undefined) {
      const after = headerOf(rest.slice(bare[0].length));
      const isTag = before.endsWith(']');
      return { level, env: isTag ? '' : before.trim(), header: isTag ? `${before} ${after}` : after };
    }
    const part = tagMatch?.[0] ?? detail.exec(rest)?.[0] ?? (isNameAllowed ? loggerName.exec(rest)?.[1] : undefined);
    if (part === undefined) return null;
    before += `${before === '' || separator === '' ? '' : ' '}${part}`;
    rest = rest.slice(part.length);
  }
  return null;
}

/** Words such as `Error` are levels in capitals, before a colon, or in a column that is filled with spaces. */
function isLevelWord([, name = '', end = '']: RegExpExecArray): boolean {
  return name === name.toUpperCase() || end === ':' || end.length > 1;
}

function headerOf(text: string): string {
  return text.replace(/^\s*(?:[-:|,]+ |\|){0,2}/, '').trim();
}
