import type { EntryLevel, LogEntry, LogFormatName } from '@switchyard/contract/log-viewer';

/** Parts of an entry. `time` has the form of the file. */
export type ParsedEntry = Pick<LogEntry, 'env' | 'header' | 'context' | 'extra' | 'stack'> & { time: unknown };

/** The first line of an entry; `rest` has the lines that continue it, or null. */
export type EntryText = { first: string; rest: string | null };

/** A line, read for its level only. `head` has its first bytes, read as Latin-1. All is without marks (`withoutMarks`). */
export type LineText = { readonly head: string; readonly isCut: boolean; whole: () => string; lastCharacter: () => string };

/** How a writer of logs begins an entry, and what the entry consists of. */
export type LogFormat = {
  name: LogFormatName;
  /** Bytes with which a line can begin an entry; undefined for any. */
  starts?: ReadonlySet<number>;
  /** Keys of its contexts that the lines do not have. */
  keys?: readonly string[];
  /** The level of the entry that a line begins; null if it continues the entry before, undefined if it belongs to none. */
  level: (line: LineText) => EntryLevel | null | undefined;
  /** Null if the first line begins no entry of this format. */
  parse: (text: EntryText) => ParsedEntry | null;
};

/** Bytes of the characters of a text. */
export function bytesOf(characters: string): ReadonlySet<number> {
  return new Set(Buffer.from(characters));
}

const [nul, escape, bell] = [0, 27, 7].map((code) => String.fromCharCode(code));
/** NUL bytes, which copytruncate leaves, and escape sequences of terminals (ECMA-48), such as colours. */
const marks = new RegExp(`${nul}|${escape}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${bell}${escape}]*(?:${bell}|${escape}\\\\)?)`, 'g');

/** Removes what is not text: NUL, escape sequences of terminals, and a byte order mark at the beginning. */
export function withoutMarks(text: string): string {
  const clean = hasMarks(text) ? text.replaceAll(marks, '') : text;
  return clean.startsWith('\uFEFF') ? clean.slice(1) : clean.startsWith('\xEF\xBB\xBF') ? clean.slice(3) : clean;
}

/** Whether a text has NUL or escape sequences. */
export function hasMarks(text: string): boolean {
  return text.includes('\0') || text.includes('\x1B');
}
