/** Autonomous system of a canonical address: its code as text, or `0` if no range holds the address. */
export type AsnOf = (ip: string) => string;

/** Number of ranges that are tried, those that begin nearest to an address: ranges may overlap. As in `nearestAsn`. */
export const nearestRanges = 4;

/** An address has one word of 32 bits, or four. */
const widths = { 4: 1, 6: 4 } as const;

/** Collects ranges in the order of `nearestAsn`: greatest first address first, then least last address, then least code. */
export type AsnRangesBuilder = { add(first: string, last: string, code: number): void; build(): AsnOf };

/** Ranges of addresses in typed arrays: 12 bytes a range of IPv4 and 36 of IPv6. */
export function createAsnRanges(): AsnRangesBuilder {
  const [ofIPv4, ofIPv6] = [createFamily(widths[4]), createFamily(widths[6])];
  return {
    add(first, last, code) {
      (first.includes(':') ? ofIPv6 : ofIPv4).add(first, last, code);
    },
    build() {
      const [findIPv4, findIPv6] = [ofIPv4.build(), ofIPv6.build()];
      return (ip) => String((ip.includes(':') ? findIPv6 : findIPv4)(ip));
    },
  };
}

function createFamily(width: 1 | 4) {
  let count = 0;
  let firsts = new Uint32Array(1024 * width);
  let lasts = new Uint32Array(1024 * width);
  let codes = new Uint32Array(1024);
  const read = width === 1 ? readIPv4 : readIPv6;

  /** -1, 0 or 1, as the address at a position of a list of addresses is less than the given one, the same or greater. */
  function compare(addresses: Uint32Array, position: number, address: Uint32Array): number {
    for (let word = 0; word < width; word += 1) {
      const difference = (addresses[position * width + word] ?? 0) - (address[word] ?? 0);
      if (difference !== 0) return Math.sign(difference);
    }
    return 0;
  }

  return {
    add(first: string, last: string, code: number): void {
      if (count === codes.length) {
        firsts = doubled(firsts);
        lasts = doubled(lasts);
        codes = doubled(codes);
      }
      read(first, firsts, count * width);
      read(last, lasts, count * width);
      codes[count] = code;
      count += 1;
    },
    build(): (ip: string) => number {
      [firsts, lasts, codes] = [firsts.slice(0, count * width), lasts.slice(0, count * width), codes.slice(0, count)];
      const address = new Uint32Array(width);
      return (ip) => {
        read(ip, address, 0);
        // The nearest range that begins at or before the address.
        let [low, high] = [0, count];
        while (low < high) {
          const middle = (low + high) >>> 1;
          if (compare(firsts, middle, address) <= 0) high = middle;
          else low = middle + 1;
        }
        for (let near = low; near < Math.min(count, low + nearestRanges); near += 1) {
          if (compare(lasts, near, address) >= 0) return codes[near] ?? 0;
        }
        return 0;
      };
    },
  };
}

function doubled(full: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(full.length * 2);
  larger.set(full);
  return larger;
}

/** Writes an IPv4 address in its dotted form. */
function readIPv4(ip: string, into: Uint32Array, at: number): void {
  let address = 0;
  let octet = 0;
  for (let index = 0; index < ip.length; index += 1) {
    const digit = ip.charCodeAt(index) - 48;
    if (digit < 0) [address, octet] = [address * 256 + octet, 0];
    else octet = octet * 10 + digit;
  }
  into[at] = address * 256 + octet;
}

const groups = new Uint16Array(8);
const dotted = new Uint32Array(1);

/** Writes an IPv6 address, which may be compressed; PostgreSQL writes the end of a few in dotted form. Makes no objects for the usual form. */
function readIPv6(ip: string, into: Uint32Array, at: number): void {
  let count = 0;
  /** How many groups are before `::`; -1 without it. */
  let head = -1;
  let start = 0;
  let group = 0;
  for (let index = 0; index <= ip.length; index += 1) {
    const character = index === ip.length ? colon : ip.charCodeAt(index);
    if (character === dot) {
      readIPv4(ip.slice(start), dotted, 0);
      const [tail = 0] = dotted;
      groups[count] = tail >>> 16;
      groups[count + 1] = tail & 65_535;
      count += 2;
      break;
    }
    if (character !== colon) {
      // Digits lie before letters, which are lower-case.
      group = group * 16 + (character < letterA ? character - digit0 : character - letterA + 10);
      continue;
    }
    if (index > start) groups[count++] = group;
    else if (index > 0 && index < ip.length) head = count;
    group = 0;
    start = index + 1;
  }
  const gap = 8 - count;
  const groupAt = (position: number): number =>
    (head === -1 || position < head ? groups[position] : position < head + gap ? 0 : groups[position - gap]) ?? 0;
  for (let word = 0; word < 4; word += 1) into[at + word] = groupAt(word * 2) * 65_536 + groupAt(word * 2 + 1);
}

const [dot, colon, digit0, letterA] = [46, 58, 48, 97];
