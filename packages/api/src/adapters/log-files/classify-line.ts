import type { EntryLevel } from '@switchyard/contract/log-viewer';
import { mixedFormat, type FileFormat } from './formats/file-format.ts';
import { hasMarks, withoutMarks, type LineText } from './formats/log-format.ts';

/** Bytes of a line that decide whether it starts an entry. */
const startBytes = 512;

const [nul, space, firstOfMark] = [0, 32, 0xef];

/** `isPlain`: the line has neither NUL nor escape sequences. */
type LinePart = { from: number; to: number; length: number; isPlain?: boolean };

/**
 * The level of the entry that a line starts: empty if it has no level, null if the line continues the previous entry, undefined if it
 * belongs to no entry. Both the index and the reader call this, so that counts and entries agree. `length` is the length of the line, of
 * which `bytes[from..to]` may be only the first part. NUL bytes that copytruncate left before the line are skipped.
 */
export function classifyLine(bytes: Buffer, part: LinePart, { formats, starts }: FileFormat = mixedFormat): EntryLevel | null | undefined {
  let start = part.from;
  while (start < part.to && bytes[start] === nul) start += 1;
  const first = bytes[start];
  if (first === undefined) return null;
  if (starts?.[first] === 0) return null;
  const line = bufferLine.set(bytes, start, part);
  for (const format of formats) {
    if (!line.isMarked && format.starts?.has(first) === false) continue;
    const level = format.level(line);
    if (level !== null) return level;
  }
  return null;
}

/** A line of a buffer. One object serves all lines, because each is read before the next one. */
class BufferLine implements LineText {
  head = '';
  isCut = false;
  bytes: Buffer = Buffer.alloc(0);
  start = 0;
  to = 0;
  isMarked = false;

  set(bytes: Buffer, start: number, { from, to, length, isPlain = false }: LinePart): this {
    this.bytes = bytes;
    this.start = start;
    this.to = to;
    this.isCut = length > to - from;
    this.head = bytes.toString('latin1', start, Math.min(to, start + startBytes));
    this.isMarked = bytes[start] === firstOfMark || (!isPlain && hasMarks(this.head));
    if (this.isMarked) this.head = withoutMarks(this.head).trimEnd();
    return this;
  }

  whole(): string {
    return withoutMarks(this.bytes.toString('utf8', this.start, this.to));
  }

  lastCharacter(): string {
    if (this.isMarked) return this.whole().trimEnd().slice(-1);
    let last = this.to - 1;
    while (last > this.start && (this.bytes[last] ?? 0) <= space) last -= 1;
    return String.fromCharCode(this.bytes[last] ?? 0);
  }
}

const bufferLine = new BufferLine();
