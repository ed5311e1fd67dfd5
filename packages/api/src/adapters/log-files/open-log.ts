import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { isPacked, openFlags } from './log-folder.ts';
import { type LogBytes, markBytes, utf16Order } from './log-bytes.ts';
import type { UnpackedLogs } from './unpacked-logs.ts';
import { utf8Of } from './utf16-log.ts';

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
    if (file === undefined) return undefined;
    const order = orderOf(file);
    return read(order === null ? file : utf8Of(file, order), stats);
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
