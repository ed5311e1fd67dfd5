import type { EntryLevel } from '@switchyard/contract/log-levels';
import { levelOf } from './log-levels-of-writers.ts';

/** The first line of an entry that is neither Monolog's nor JSON. */
export type PlainLine = { time: string; level: EntryLevel; header: string };

const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const clock = String.raw`\d\d:\d\d:\d\d(?:[.,]\d{1,9})?`;
/** ISO 8601 and nginx; Apache and syslog; PHP. */
const times = [
  String.raw`\d{4}(?:-\d\d-\d\d|\/\d\d\/\d\d)[ T]${clock}(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?`,
  String.raw`(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?${month} [ \d]\d ${clock}(?: \d{4})?`,
  String.raw`\d\d-${month}-\d{4} ${clock}(?: [A-Za-z][\w/+-]{1,31})?`,
].join('|');
const timeStart = new RegExp(String.raw`^(?:\[(${times})\]|(${times})(?![\w.]))`);
const tag = /^ ?\[([^[\]]{1,60})\]/;
const bareLevel = /^[ :-]{0,3}([A-Z]{3,9})(?=[ :]|$):?/;
/** Process numbers and the like that may stand between the time and the level. */
const tagsBeforeLevel = 4;

/**
 * Reads the start of a plain line: a time, a `[level]`, or both (O42). Null where it has neither, so that it belongs to the
 * entry before it. A level in capitals is read without brackets only right behind a time.
 */
export function readPlainLine(line: string): PlainLine | null {
  const found = timeStart.exec(line);
  const time = found?.[1] ?? found?.[2] ?? '';
  const behindTime = line.slice(found?.[0].length ?? 0).replace(/^:? /, '');
  const { level, header } = readLevel(behindTime, found === null ? 1 : tagsBeforeLevel);
  if (level !== '') return { time, level, header };
  if (found === null) return null;
  return { time, level, header: headerOf(behindTime) };
}

function readLevel(text: string, mostTags: number): Pick<PlainLine, 'level' | 'header'> {
  let rest = text;
  let before = '';
  for (let tags = 0; tags < mostTags; tags += 1) {
    const match = tag.exec(rest);
    if (match === null) break;
    const [whole, name = ''] = match;
    const level = levelOf(name.slice(name.lastIndexOf(':') + 1));
    rest = rest.slice(whole.length);
    // Apache names the module beside the level, which is kept.
    if (level !== undefined) return { level, header: headerOf(`${name.includes(':') ? `${before}${whole}` : before}${rest}`) };
    before += whole;
  }
  const bare = mostTags > 1 ? bareLevel.exec(rest) : null;
  const level = levelOf(bare?.[1]);
  if (bare === null || level === undefined) return { level: '', header: '' };
  return { level, header: headerOf(`${before} ${rest.slice(bare[0].length).trim()}`) };
}

function headerOf(text: string): string {
  return text.replace(/^\s*(?:[-:|] )?/, '').trim();
}
