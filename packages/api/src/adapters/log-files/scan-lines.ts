import { maximumEntryBytes } from '@switchyard/contract/log-viewer';
import { readSync } from 'node:fs';

/** A line without its end; `bytes[from..to]` is the line, or its first part when `length` is more. */
export type ScannedLine = { start: number; bytes: Buffer; from: number; to: number; length: number };

const chunkBytes = 1_048_576;
const lineFeed = 10;

/**
 * The lines of a file between two offsets, in order, with memory for one chunk and one line of at most 1 MiB whatever
 * the file holds (R17, R18). What a line refers to is valid until the next one is taken. A file that became shorter just
 * ends early.
 */
export function* scanLines(file: number, { start, end }: { start: number; end: number }): Generator<ScannedLine> {
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(1, end - start)));
  let position = start;
  /** The first part of a line that goes on in the next chunk. */
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let lineStart = start;

  function keep(part: Buffer): void {
    if (keptBytes < maximumEntryBytes && part.length > 0) {
      kept.push(Buffer.from(part.subarray(0, maximumEntryBytes - keptBytes)));
    }
    keptBytes += part.length;
  }

  while (position < end) {
    const got = readSync(file, chunk, 0, Math.min(chunk.length, end - position), position);
    if (got === 0) break;
    let from = 0;
    for (let to = chunk.indexOf(lineFeed); to !== -1 && to < got; to = chunk.indexOf(lineFeed, from)) {
      if (keptBytes === 0) {
        yield { start: lineStart, bytes: chunk, from, to, length: to - from };
      } else {
        keep(chunk.subarray(from, to));
        yield whole(kept, lineStart, keptBytes);
        kept = [];
        keptBytes = 0;
      }
      from = to + 1;
      lineStart = position + from;
    }
    keep(chunk.subarray(from, got));
    position += got;
  }
  if (keptBytes > 0) yield whole(kept, lineStart, keptBytes);
}

function whole(parts: readonly Buffer[], start: number, length: number): ScannedLine {
  const bytes = Buffer.concat(parts);
  return { start, bytes, from: 0, to: bytes.length, length };
}
