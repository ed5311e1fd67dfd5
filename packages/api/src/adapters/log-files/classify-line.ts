import type { EntryLevel } from '@switchyard/contract/log-levels';
import { levelOf } from './log-levels-of-writers.ts';
import { parseObject } from './parse-object.ts';
import { readPlainLine } from './plain-line.ts';

/** `[2026-11-20 10:11:12] production.ERROR: text`, with microseconds and an offset if need be (AMB-208). */
const monologStart = /^\[\d{4}-\d\d-\d\d[ T][^\]]{5,30}\] [^\s:[\]]{1,60}\.([A-Za-z]{3,9}):/;
/** What pino writes: the level comes first, so that the rest need not be read. */
const levelFirst = /^\{"level":(?:"([A-Za-z]{3,9})"|(\d{2,3})(?=[,}]))/;
const timeAnywhere = /"(?:time|datetime)":/;
const levelAnywhere = /"level(?:_name)?":(?:"([A-Za-z]{3,9})"|(\d{2,3})(?=[,}]))/;
/** A start is recognised by this much of a line. */
const startBytes = 128;

const [nul, space, bracket, brace, closingBrace] = [0, 32, 91, 123, 125];
/** Digits, and the initials of weekdays and months. */
const timeInitials = new Set(Buffer.from('0123456789ADFJMNOSTW'));

/**
 * The level of the entry that a line begins, empty where it names none (O42), or null for a line that belongs to the entry
 * before it. The index and the reader both ask here, so that figures and entries always agree (R17). `length` is that of the whole line, of which
 * `bytes[from..to]` may be only the first part; NUL bytes that a copytruncate left in front are skipped (R16).
 */
export function classifyLine(bytes: Buffer, { from, to, length }: { from: number; to: number; length: number }): EntryLevel | null {
  let start = from;
  while (start < to && bytes[start] === nul) start += 1;
  const first = bytes[start];
  if (first === undefined || (first !== bracket && first !== brace && !timeInitials.has(first))) return null;
  const head = bytes.toString('latin1', start, Math.min(to, start + startBytes));
  if (first !== brace) return levelOf(monologStart.exec(head)?.[1]) ?? readPlainLine(head)?.level ?? null;
  const isCut = length > to - from;
  // Half a line is no JSON, and need not be parsed to know it.
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

/** An object with a time is an entry, be it without a level; any other one may be a line of a longer text. */
function levelOfObject(bytes: Buffer, isCut: boolean): EntryLevel | undefined {
  const text = bytes.toString();
  if (isCut) return levelOfMatch(levelAnywhere.exec(text)) ?? (timeAnywhere.test(text) ? '' : undefined);
  const value = parseObject(text);
  if (value === null) return undefined;
  return levelOf(value['level']) ?? levelOf(value['level_name']) ?? ('time' in value || 'datetime' in value ? '' : undefined);
}
