import { type LogBytes, markBytes } from './log-bytes.ts';

/** Bytes of UTF-8 that stand for one unit of UTF-16. */
const unitBytes = 3;
/** Units that are examined together with their neighbours, so that any part of a file can be read alone. */
const blockUnits = 64;
/** Fewer units may be letters whose bytes look like a text. */
const minPlainUnits = 8;
/** Bytes of a longer text for each one of another code page in it. */
const bytesPerFault = 8;

/**
 * A file that begins as UTF-16, as UTF-8. Every unit takes three bytes, filled with NUL, which readers remove, so that offsets can be
 * converted and any part be read alone. Bytes that another program appended as UTF-8 stay as they are.
 */
export function utf8Of(file: LogBytes, order: 'LE' | 'BE'): LogBytes {
  const units = Math.ceil((file.size - markBytes) / 2);

  function read(into: Buffer, at: number, length: number, position: number): number {
    const end = Math.min(position + length, units * unitBytes);
    if (end <= position) return 0;
    const block = blockUnits * unitBytes;
    const first = Math.max(0, Math.floor(position / block) - 1) * blockUnits;
    const last = Math.min(units, (Math.ceil(end / block) + 1) * blockUnits);
    const raw = Buffer.alloc((last - first) * 2);
    file.read(raw, 0, raw.length, markBytes + first * 2);
    const bytes = convert(raw, order);
    const from = position - first * unitBytes;
    return bytes.copy(into, at, from, from + (end - position));
  }

  return { ...file, size: units * unitBytes, read };
}

function convert(raw: Buffer, order: 'LE' | 'BE'): Buffer {
  const isPlain = plainUnits(raw, order);
  const text = (order === 'LE' ? raw : Buffer.from(raw).swap16()).toString('utf16le');
  const bytes = Buffer.alloc(text.length * unitBytes);
  for (let unit = 0; unit < text.length;) {
    if (isPlain[unit] === 1) {
      plainUnit(raw, unit * 2, isPlain[unit - 1] === 1).copy(bytes, unit * unitBytes);
      unit += 1;
    } else {
      const character = isPlain[unit + 1] === 1 ? text.charAt(unit) : String.fromCodePoint(text.codePointAt(unit) ?? 0);
      bytes.write(character, unit * unitBytes);
      unit += character.length;
    }
  }
  return bytes;
}

/** Three bytes for two of UTF-8, so that no NUL is within a character: a first byte of a character at the end stands before the next unit. */
function plainUnit(raw: Buffer, at: number, isAfterPlain: boolean): Buffer {
  const [before = 0, first = 0, second = 0] = [raw[at - 1], raw[at], raw[at + 1]];
  const kept = [...(isAfterPlain && beginsCharacter(before) ? [before] : []), first, ...(beginsCharacter(second) ? [] : [second])];
  const nuls = Array<number>(unitBytes - kept.length).fill(0);
  return Buffer.from(beginsCharacter(first) ? [...nuls, ...kept] : [...kept, ...nuls]);
}

/** Whether a byte is the first one of several of a character of UTF-8. */
function beginsCharacter(byte: number): boolean {
  return byte >= 0xc0;
}

/** The units of a part of a file that are no UTF-16 but two bytes of a text, each as 1. The part begins with a block. */
function plainUnits(raw: Buffer, order: 'LE' | 'BE'): Uint8Array {
  const [high, low] = order === 'LE' ? [1, 0] : [0, 1];
  const mayBePlain = Uint8Array.from({ length: raw.length / 2 }, (_, unit) => {
    const lowByte = raw[unit * 2 + low] ?? 0;
    // UTF-16 at odd offsets has its NUL where the low byte is.
    return isTextByte(raw[unit * 2 + high] ?? 0) && (lowByte === 0 || isTextByte(lowByte)) ? 1 : 0;
  });
  const isPlain = new Uint8Array(mayBePlain.length);
  for (let block = 0; block < mayBePlain.length; block += blockUnits) {
    const blockEnd = block + blockUnits;
    if (!mayBePlain.subarray(block, blockEnd).includes(1)) continue;
    const end = Math.min(mayBePlain.length, blockEnd + blockUnits);
    for (let from = mayBePlain.indexOf(1, Math.max(0, block - blockUnits)); from !== -1 && from < blockEnd;) {
      const next = mayBePlain.subarray(0, end).indexOf(0, from);
      const to = next === -1 ? end : next;
      if (to > block && isText(raw.subarray(from * 2, to * 2), high)) isPlain.fill(1, Math.max(from, block), Math.min(to, blockEnd));
      from = mayBePlain.indexOf(1, to);
    }
  }
  return isPlain;
}

/** Neither a control character nor a byte that UTF-8 does not have. */
function isTextByte(byte: number): boolean {
  return (byte >= 0x20 && byte !== 0x7f && byte < 0xfe) || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0x1b;
}

/** Whether bytes are a text of UTF-8, of which few may be of another code page, and not letters of one script of UTF-16. */
function isText(bytes: Buffer, high: number): boolean {
  if (bytes.length < minPlainUnits * 2) return false;
  const isOfOneScript = bytes.every((byte, at) => at % 2 !== high || byte === bytes[high]);
  // Lines of one character, such as `-----`, are text.
  if (isOfOneScript && bytes.filter((byte) => byte === bytes[high]).length < bytes.length * 0.75) return false;
  const faults = bytes.toString().split('\uFFFD').length - 1;
  return faults <= (bytes.length - minPlainUnits * 2) / bytesPerFault;
}
