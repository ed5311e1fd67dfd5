import { maximumEntryBytes } from '@switchyard/contract/log-viewer';
import type { LogLevel } from '@switchyard/contract/log-levels';
import { classifyLine } from './classify-line.ts';
import { scanLines, type ScannedLine } from './scan-lines.ts';

/** An entry as it stands in the file; `text` has at most 1 MiB of it. */
export type RawEntry = { level: LogLevel; text: string; truncated: boolean };

/** Lines in front of the first entry make an entry of their own, so that nothing is dropped; nobody knows how grave it is. */
const unknownLevel = 'debug';

/** The starts of the entries between two offsets, of which the first is 0 or the start of an entry. */
export function* scanStarts(file: number, range: { start: number; end: number }): Generator<{ start: number; level: LogLevel }> {
  let isFirst = range.start === 0;
  for (const line of scanLines(file, range)) {
    const level = levelAt(line, isFirst);
    if (level === null) continue;
    isFirst = false;
    yield { start: line.start, level };
  }
}

/** The entries between two such offsets, with the lines that belong to each. */
export function* scanEntries(file: number, range: { start: number; end: number }): Generator<RawEntry> {
  let isFirst = range.start === 0;
  let level: LogLevel | null = null;
  let parts: Buffer[] = [];
  let bytes = 0;
  let isCut = false;

  function entry(of: LogLevel): RawEntry {
    return { level: of, text: Buffer.concat(parts).toString(), truncated: isCut };
  }

  for (const line of scanLines(file, range)) {
    const begun = levelAt(line, isFirst);
    if (begun !== null) {
      if (level !== null) yield entry(level);
      [level, parts, bytes, isCut, isFirst] = [begun, [], 0, false, false];
    }
    if (level === null) continue;
    const room = maximumEntryBytes - bytes;
    if (line.length > room) isCut = true;
    if (room > 0) {
      if (bytes > 0) parts.push(lineFeed);
      parts.push(Buffer.from(line.bytes.subarray(line.from, Math.min(line.to, line.from + room))));
    }
    bytes += line.length + 1;
  }
  if (level !== null) yield entry(level);
}

const lineFeed = Buffer.from('\n');

function levelAt(line: ScannedLine, isFirst: boolean): LogLevel | null {
  return classifyLine(line.bytes, line) ?? (isFirst && !isBlank(line) ? unknownLevel : null);
}

function isBlank({ bytes, from, to }: ScannedLine): boolean {
  for (let index = from; index < to; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte !== 0 && byte !== 13 && byte !== 32) return false;
  }
  return true;
}
