import { randomBytes } from 'node:crypto';

const lineEnd = Buffer.from('\r\n');

/**
 * What COPY is told to write for null, to be told from everything that may stand in a cell: nobody can guess it. It begins with a character that
 * text hardly ever holds, so that looking for it costs next to nothing.
 */
export function newRowMark(): string {
  return `\u001F${randomBytes(12).toString('hex')}`;
}

/**
 * Makes CSV of RFC 4180 from the output of COPY whose last cell always is the mark: the mark goes, and LF after it becomes
 * CRLF; LF inside quotes stays. To be given the parts of one output in order; a part may end anywhere, and its last few
 * bytes may come with the next one's.
 */
export function createLineEnds(mark: string): (part: Buffer) => Buffer {
  const rowEnd = Buffer.from(`,${mark}\n`);
  // Without the comma, which stands everywhere, the search leaps from mark to mark.
  const sought = rowEnd.subarray(1);
  let held: Buffer = rowEnd.subarray(0, 0);

  return (given) => {
    const part = held.length === 0 ? given : Buffer.concat([held, given]);
    const result = Buffer.allocUnsafe(part.length);
    let written = 0;
    let from = 0;
    for (let at = part.indexOf(sought); at !== -1; at = part.indexOf(sought, from)) {
      written += part.copy(result, written, from, at - 1);
      written += lineEnd.copy(result, written);
      from = at + sought.length;
    }
    // What may be the beginning of a row's end waits for the rest of it.
    let end = Math.max(from, part.length - rowEnd.length + 1);
    while (part.compare(rowEnd, 0, part.length - end, end) !== 0) end += 1;
    written += part.copy(result, written, from, end);
    held = part.subarray(end);
    return result.subarray(0, written);
  };
}
