import { randomBytes } from 'node:crypto';

const lineEnd = Buffer.from('\r\n');
const [lineFeed, comma] = [10, 44];

/**
 * What COPY is told to write for null, to be told from everything that may stand in a cell: nobody can guess it. It begins with a character that
 * text hardly ever holds, so that looking for it costs next to nothing.
 */
export function newRowMark(): string {
  return `\u001F${randomBytes(12).toString('hex')}`;
}

/**
 * Makes CSV of RFC 4180 from the output of COPY whose last cell always is the mark: the mark goes, and LF after it becomes
 * CRLF; LF inside quotes stays. A mark with CR behind it, which only made COPY quote a cell, goes without a trace. To be given
 * the parts of one output in order; a part may end anywhere, and its last few bytes may come with the next one's.
 */
export function createLineEnds(mark: string): (part: Buffer) => Buffer {
  const sought = Buffer.from(mark);
  // A row ends in a comma, the mark and LF: so many bytes may be the beginning of one.
  const longest = sought.length + 1;
  let held: Buffer = Buffer.alloc(0);

  return (given) => {
    const part = held.length === 0 ? given : Buffer.concat([held, given]);
    // A row's end becomes shorter, so nothing grows.
    const result = Buffer.allocUnsafe(part.length);
    let written = 0;
    let from = 0;
    let at = part.indexOf(sought);
    while (at !== -1 && at + sought.length < part.length) {
      const isRowEnd = part[at + sought.length] === lineFeed;
      written += part.copy(result, written, from, isRowEnd ? at - 1 : at);
      if (isRowEnd) written += lineEnd.copy(result, written);
      from = at + sought.length + 1;
      at = part.indexOf(sought, from);
    }
    // What may be the beginning of a mark, with the comma before it, waits for the rest.
    let end = Math.max(from, part.length - longest);
    while (end < part.length && !mayBegin(part.subarray(end))) end += 1;
    written += part.copy(result, written, from, end);
    held = part.subarray(end);
    return result.subarray(0, written);
  };

  /** Whether the bytes are a beginning of the mark, or a comma and such a beginning. */
  function mayBegin(bytes: Buffer): boolean {
    const rest = bytes[0] === comma ? bytes.subarray(1) : bytes;
    return sought.subarray(0, rest.length).equals(rest);
  }
}
