const [quote, lineFeed] = [34, 10];

/**
 * Counts the records of a CSV (RFC 4180) as its parts arrive, the header aside: a line break inside quotes ends none.
 * To be given the parts in order; gives the number so far.
 */
export function createCsvRowCounter(): (part: Uint8Array) => number {
  let isQuoted = false;
  let lines = 0;

  return (part) => {
    for (let index = 0; index < part.length; index += 1) {
      const byte = part[index];
      // A doubled quote changes the state twice, which leaves it as it was.
      if (byte === quote) isQuoted = !isQuoted;
      else if (byte === lineFeed && !isQuoted) lines += 1;
    }
    return Math.max(0, lines - 1);
  };
}
