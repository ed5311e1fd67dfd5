import { maximumEntryBytes } from '@switchyard/contract/log-viewer';
import type { EntryLevel } from '@switchyard/contract/log-levels';
import { classifyLine } from './classify-line.ts';
import { scanLines, type LineRange, type ScannedLine } from './scan-lines.ts';

/** An entry as it stands in the file; `bytes` has at most 1 MiB of it. */
export type RawEntry = { level: EntryLevel; bytes: Buffer; truncated: boolean };

/** A line, and the level of the entry that it begins, if any; not whole where the file ended before it. */
export type LineLevel = { start: number; level: EntryLevel | null; isWhole: boolean };

/** Lines in front of the first entry make an entry of their own, so that nothing is dropped. */
const unknownLevel = '';

/** The lines of a range and which of them begin entries; `isFirst` where nothing but blank lines stands before it. */
export function* scanLevels(file: number, range: LineRange, isFirst: boolean): Generator<LineLevel> {
  let isStillFirst = isFirst;
  for (const line of scanLines(file, range)) {
    const level = levelAt(line, isStillFirst);
    if (level !== null) isStillFirst = false;
    yield { start: line.start, level, isWhole: line.isWhole };
  }
}

/**
 * `count` entries between two offsets, of which the first is 0 or the start of an entry, with the lines that belong to
 * each. What the last one has beyond 1 MiB is not read.
 */
export function* scanEntries(file: number, { start, end }: { start: number; end: number }, count: number): Generator<RawEntry> {
  let isFirst = start === 0;
  let level: EntryLevel | null = null;
  let parts: Buffer[] = [];
  let bytes = 0;
  let isCut = false;
  let begunEntries = 0;

  function entry(of: EntryLevel): RawEntry {
    return { level: of, bytes: Buffer.concat(parts), truncated: isCut };
  }

  for (const line of scanLines(file, { start, end, limit: end })) {
    const begun = levelAt(line, isFirst);
    if (begun !== null) {
      if (level !== null) yield entry(level);
      [level, parts, bytes, isCut, isFirst] = [begun, [], 0, false, false];
      begunEntries += 1;
    }
    if (level === null) continue;
    const room = maximumEntryBytes - bytes;
    if (line.length > room) isCut = true;
    if (room > 0) {
      if (bytes > 0) parts.push(lineFeed);
      parts.push(Buffer.from(line.bytes.subarray(line.from, Math.min(line.to, line.from + room))));
    }
    bytes += line.length + 1;
    if (isCut && begunEntries >= count) break;
  }
  if (level !== null) yield entry(level);
}

const lineFeed = Buffer.from('\n');

function levelAt(line: ScannedLine, isFirst: boolean): EntryLevel | null {
  return classifyLine(line.bytes, line) ?? (isFirst && !isBlank(line) ? unknownLevel : null);
}

function isBlank({ bytes, from, to }: ScannedLine): boolean {
  for (let index = from; index < to; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte !== 0 && byte !== 13 && byte !== 32) return false;
  }
  return true;
}
