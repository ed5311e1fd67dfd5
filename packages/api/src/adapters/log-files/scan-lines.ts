import { maximumEntryBytes } from '@switchyard/contract/log-viewer';
import { readSync } from 'node:fs';

/**
 * A line without its end; `bytes[from..to]` is the line, or its first part when `length` is more. Not whole: it was the last
 * of the file, without an end, and may go on.
 */
export type ScannedLine = { start: number; bytes: Buffer; from: number; to: number; length: number; isWhole: boolean };

/** Lines that begin at `start`, where one does, or behind it, but before `end`. The last one is read on to `limit`. */
export type LineRange = { start: number; end: number; limit: number };

const chunkBytes = 1_048_576;
const [nul, lineFeed] = [0, 10];
const zeros = Buffer.alloc(chunkBytes);

/**
 * The lines of a range, in order, with memory for one chunk and one line of at most 1 MiB whatever the file holds (R17,
 * R18); a longer line that reaches over the range is not read to its end. NUL bytes that a copytruncate left in front of a
 * line are no part of it (R16). What a line refers to is valid until the next one is taken. A file that became shorter
 * just ends early.
 */
export function* scanLines(file: number, { start, end, limit }: LineRange): Generator<ScannedLine> {
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(1, limit - start)));
  let position = start;
  let lineStart = start;
  /** Whether a byte of the line was seen, be it a NUL. */
  let isBegun = false;
  /** The first part of a line that goes on in the next chunk. */
  let kept: Buffer[] = [];
  let keptBytes = 0;

  function keep(part: Buffer): void {
    if (keptBytes < maximumEntryBytes && part.length > 0) {
      kept.push(Buffer.from(part.subarray(0, maximumEntryBytes - keptBytes)));
    }
    keptBytes += part.length;
  }

  while (position < limit) {
    if (!isBegun && lineStart >= end) return;
    const got = readSync(file, chunk, 0, Math.min(chunk.length, limit - position), position);
    if (got === 0) break;
    let from = 0;
    for (let to = chunk.indexOf(lineFeed); to !== -1 && to < got; to = chunk.indexOf(lineFeed, from)) {
      if (keptBytes === 0) {
        const text = skipNuls(chunk, from, to);
        if (isBegun || text > from) lineStart = position + text;
        yield { start: lineStart, bytes: chunk, from: text, to, length: to - text, isWhole: true };
      } else {
        keep(chunk.subarray(from, to));
        yield joined(kept, { start: lineStart, length: keptBytes, isWhole: true });
        kept = [];
        keptBytes = 0;
      }
      from = to + 1;
      lineStart = position + from;
      isBegun = false;
      if (lineStart >= end) return;
    }
    if (from < got) {
      const text = keptBytes === 0 ? skipNuls(chunk, from, got) : from;
      if (keptBytes === 0) lineStart = position + text;
      isBegun = true;
      keep(chunk.subarray(text, got));
    }
    position += got;
    if (position >= end && keptBytes > maximumEntryBytes) break;
  }
  if (isBegun) yield joined(kept, { start: lineStart, length: keptBytes, isWhole: keptBytes > maximumEntryBytes });
}

/** Where the first line begins at or behind `offset` and before `end`; null where none does. */
export function firstLineFrom(file: number, offset: number, end: number): number | null {
  if (offset === 0) return 0;
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(1, end - offset)));
  for (let position = offset - 1; position < end - 1;) {
    const got = readSync(file, chunk, 0, Math.min(chunk.length, end - 1 - position), position);
    if (got === 0) return null;
    const at = chunk.subarray(0, got).indexOf(lineFeed);
    if (at !== -1) return position + at + 1;
    position += got;
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

function joined(parts: readonly Buffer[], line: Pick<ScannedLine, 'start' | 'length' | 'isWhole'>): ScannedLine {
  const bytes = Buffer.concat(parts);
  return { ...line, bytes, from: 0, to: bytes.length };
}
