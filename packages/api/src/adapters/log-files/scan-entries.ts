import { maximumEntryBytes, type EntryLevel } from '@switchyard/contract/log-viewer';
import { classifyLine } from './classify-line.ts';
import type { FileFormat } from './formats/file-format.ts';
import type { LogBytes } from './log-bytes.ts';
import { contextBytes, OpenContext } from './open-context.ts';
import type { ScannedLine } from './scanned-line.ts';

/** Lines that start from `start`, itself the start of a line, to before `end`. The last one is read up to `limit`. */
export type LineRange = { start: number; end: number; limit: number };

const chunkBytes = 1_048_576;
const [nul, lineFeed, escape] = [0, 10, 27];
const zeros = Buffer.alloc(chunkBytes);

/**
 * The lines of a range in order. Uses memory for one chunk and one line of at most 1 MiB; a longer line that extends beyond the
 * range is not read to its end. NUL bytes that copytruncate left before a line are not part of it. A yielded line is valid
 * only until the next one. If the file became shorter, the lines end early.
 */
function* scanLines(file: LogBytes, { start, end, limit }: LineRange): Generator<ScannedLine> {
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(1, limit - start)));
  let position = start;
  let lineStart = start;
  /** Whether a byte of the line was read, even a NUL. */
  let isBegun = false;
  /** First part of a line that continues in the next chunk. */
  let keptChunks: Buffer[] = [];
  let keptBytes = 0;

  function keep(part: Buffer): void {
    if (keptBytes < maximumEntryBytes && part.length > 0) {
      keptChunks.push(Buffer.from(part.subarray(0, maximumEntryBytes - keptBytes)));
    }
    keptBytes += part.length;
  }

  while (position < limit) {
    if (!isBegun && lineStart >= end) return;
    const bytesRead = file.read(chunk, 0, Math.min(chunk.length, limit - position), position);
    if (bytesRead === 0) break;
    const read = chunk.subarray(0, bytesRead);
    const isPlain = !read.includes(nul) && !read.includes(escape);
    let from = 0;
    for (let to = chunk.indexOf(lineFeed); to !== -1 && to < bytesRead; to = chunk.indexOf(lineFeed, from)) {
      if (keptBytes === 0) {
        const text = skipNuls(chunk, from, to);
        if (isBegun || text > from) lineStart = position + text;
        yield { start: lineStart, bytes: chunk, from: text, to, end: bytesRead, length: to - text, isWhole: true, isPlain, level: null };
      } else {
        keep(chunk.subarray(from, to));
        yield joinLine(keptChunks, { start: lineStart, length: keptBytes, isWhole: true });
        keptChunks = [];
        keptBytes = 0;
      }
      from = to + 1;
      lineStart = position + from;
      isBegun = false;
      if (lineStart >= end) return;
    }
    if (from < bytesRead) {
      const text = keptBytes === 0 ? skipNuls(chunk, from, bytesRead) : from;
      if (keptBytes === 0) lineStart = position + text;
      isBegun = true;
      keep(chunk.subarray(text, bytesRead));
    }
    position += bytesRead;
    if (position >= end && keptBytes > maximumEntryBytes) break;
  }
  if (isBegun) yield joinLine(keptChunks, { start: lineStart, length: keptBytes, isWhole: keptBytes > maximumEntryBytes });
}

/** The start of the first line from `offset` to before `end`; null if there is none. */
export function firstLineFrom(file: LogBytes, offset: number, end: number): number | null {
  if (offset === 0) return 0;
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(1, end - offset)));
  for (let position = offset - 1; position < end - 1;) {
    const bytesRead = file.read(chunk, 0, Math.min(chunk.length, end - 1 - position), position);
    if (bytesRead === 0) return null;
    const at = chunk.subarray(0, bytesRead).indexOf(lineFeed);
    if (at !== -1) return position + at + 1;
    position += bytesRead;
  }
  return null;
}

function skipNuls(chunk: Buffer, from: number, to: number): number {
  if (from >= to || chunk[from] !== nul) return from;
  if (chunk.compare(zeros, 0, to - from, from, to) === 0) return to;
  let at = from;
  while (at < to && chunk[at] === nul) at += 1;
  return at;
}

function joinLine(parts: readonly Buffer[], line: Pick<ScannedLine, 'start' | 'length' | 'isWhole'>): ScannedLine {
  const bytes = Buffer.concat(parts);
  return { ...line, bytes, from: 0, to: bytes.length, end: bytes.length, isPlain: false, level: null };
}

/** An unparsed entry. `start` is its offset, `bytes` has at most its first 1 MiB. */
export type RawEntry = { start: number; level: EntryLevel; bytes: Buffer; truncated: boolean };

/** A line, and the level of the entry that it starts, or null. `isWhole`: see `ScannedLine`. */
export type LineLevel = { start: number; level: EntryLevel | null; isWhole: boolean };

/** Lines before the first entry become an entry without a level, so that nothing is dropped. */
const unknownLevel = '';

/**
 * Classifies the lines of a range. A line within a string of a context starts no entry. To know whether the first line of the range is
 * within one, lines before it are read too, unless the range begins with an entry. `isFirst`: only blank lines precede the range.
 */
export function* classifyLines(
  file: LogBytes,
  { start, ...range }: LineRange,
  { format, isFirst, isEntry = false }: { format: FileFormat; isFirst: boolean; isEntry?: boolean },
): Generator<ScannedLine> {
  const context = OpenContext.of(format, file);
  const scanStart = isEntry || context === null ? start : (firstLineFrom(file, Math.max(0, start - contextBytes), start) ?? start);
  let isStillFirst = isFirst;
  for (const line of scanLines(file, { ...range, start: scanStart })) {
    const isOpen = context?.includes(line) === true;
    context?.read(line);
    // A line before the range may end in it if only NUL precede the next one.
    if (line.start < start) continue;
    const own = isOpen ? null : classifyLine(line.bytes, line, format);
    line.level = own === null && isStillFirst && !isBlank(line) ? unknownLevel : own;
    if (line.level !== null && line.level !== undefined) isStillFirst = false;
    yield line;
  }
}

/**
 * Reads `count` entries between two offsets, of which the first is 0 or the start of an entry. Stops reading the last entry
 * after 1 MiB.
 */
export function* scanEntries(
  file: LogBytes,
  { start, end }: { start: number; end: number },
  format: FileFormat,
  count: number,
): Generator<RawEntry> {
  let level: EntryLevel | null = null;
  let entryStart = start;
  let parts: Buffer[] = [];
  let bytes = 0;
  let isCut = false;
  let begunEntries = 0;

  function entry(of: EntryLevel): RawEntry {
    return { start: entryStart, level: of, bytes: Buffer.concat(parts), truncated: isCut };
  }

  for (const line of classifyLines(file, { start, end, limit: end }, { format, isFirst: start === 0, isEntry: true })) {
    if (line.level === undefined) continue;
    if (line.level !== null) {
      if (level !== null) yield entry(level);
      [level, entryStart, parts, bytes, isCut] = [line.level, line.start, [], 0, false];
      begunEntries += 1;
    }
    if (level === null) continue;
    const room = maximumEntryBytes - bytes;
    if (line.length > room) isCut = true;
    if (room > 0) {
      if (bytes > 0) parts.push(lineFeedBytes);
      parts.push(Buffer.from(line.bytes.subarray(line.from, Math.min(line.to, line.from + room))));
    }
    bytes += line.length + 1;
    if (isCut && begunEntries >= count) break;
  }
  if (level !== null) yield entry(level);
}

const lineFeedBytes = Buffer.from('\n');

function isBlank({ bytes, from, to }: ScannedLine): boolean {
  for (let index = from; index < to; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte !== 0 && byte !== 13 && byte !== 32) return false;
  }
  return true;
}
