import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { isPacked, openFlags } from './log-folder.ts';
import { type LogBytes, markBytes, utf16Order } from './log-bytes.ts';
import type { UnpackedLogs } from './unpacked-logs.ts';

/**
 * Calls `read` with the open file and its statistics; undefined if it is not a regular file or cannot be opened, or if it is packed and was
 * not prepared.
 */
export function withOpenFile<T>(path: string, unpackedLogs: UnpackedLogs, read: (file: LogBytes, stats: Stats) => T): T | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, openFlags);
  } catch {
    return undefined;
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return undefined;
    const file = isPacked(path) ? unpackedLogs.find(path, stats) : plainBytes(descriptor, stats);
    return file === undefined ? undefined : read(orderOf(file) === null ? file : utf8Of(file), stats);
  } finally {
    closeSync(descriptor);
  }
}

function plainBytes(descriptor: number, { size, dev, ino }: Stats): LogBytes {
  const read: LogBytes['read'] = (into, at, length, position) => readSync(descriptor, into, at, length, position);
  return { size, device: dev, inode: ino, read };
}

/** The byte order of a file of UTF-16; null for other files. */
function orderOf(file: LogBytes): 'LE' | 'BE' | null {
  const first = Buffer.alloc(markBytes);
  return utf16Order(first.subarray(0, file.read(first, 0, markBytes, 0)));
}

/** Bytes of UTF-8 that stand for one unit of UTF-16. */
const unitBytes = 3;

/**
 * A file of UTF-16 as UTF-8. Every unit takes three bytes, filled with NUL, which readers remove, so that offsets can be converted and any
 * part be read alone.
 */
function utf8Of(file: LogBytes): LogBytes {
  const isLittle = orderOf(file) === 'LE';
  const units = Math.floor((file.size - markBytes) / 2);

  function read(into: Buffer, at: number, length: number, position: number): number {
    const end = Math.min(position + length, units * unitBytes);
    if (end <= position) return 0;
    // One unit before, for the second half of a surrogate pair.
    const first = Math.max(0, Math.floor(position / unitBytes) - 1);
    const last = Math.min(units, Math.ceil(end / unitBytes) + 1);
    const raw = Buffer.alloc((last - first) * 2);
    file.read(raw, 0, raw.length, markBytes + first * 2);
    if (!isLittle) raw.swap16();
    const text = raw.toString('utf16le');
    const bytes = Buffer.alloc((last - first) * unitBytes);
    for (let unit = 0; unit < text.length;) {
      const character = String.fromCodePoint(text.codePointAt(unit) ?? 0);
      bytes.write(character, unit * unitBytes);
      unit += character.length;
    }
    const from = position - first * unitBytes;
    return bytes.copy(into, at, from, from + (end - position));
  }

  return { ...file, size: units * unitBytes, read };
}
