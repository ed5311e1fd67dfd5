const [quote, lineFeed, carriageReturn] = [34, 10, 13];

/**
 * Makes the line ends of CSV from COPY those of RFC 4180: LF between records becomes CRLF, LF inside quotes stays. To be
 * given the parts of one output in order; a part may end anywhere.
 */
export function createLineEnds(): (part: Buffer) => Buffer {
  let isQuoted = false;

  return (part) => {
    const ends: number[] = [];
    for (let index = 0; index < part.length; index += 1) {
      const byte = part[index];
      // A doubled quote changes the state twice, which leaves it as it was.
      if (byte === quote) isQuoted = !isQuoted;
      else if (byte === lineFeed && !isQuoted) ends.push(index);
    }
    const result = Buffer.allocUnsafe(part.length + ends.length);
    let written = 0;
    let from = 0;
    for (const end of ends) {
      written += part.copy(result, written, from, end);
      result[written] = carriageReturn;
      result[written + 1] = lineFeed;
      written += 2;
      from = end + 1;
    }
    part.copy(result, written, from);
    return result;
  };
}
