import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';
import { open, readdir, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { z } from 'zod';

/** Log file of a day. `path` is absolute, `shownPath` is displayed. */
export type LogFile = { date: string; path: string; shownPath: string };

const dayFile = /^(?:.+-)?(\d{4}-\d{2}-\d{2})\.log$/;
/** Excludes days that do not exist, such as 31 February. */
const realDay = z.iso.date();

/** Neither follows links nor waits for the writer of a FIFO. */
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Lists the log files of a folder, newest first, one for each day; empty if there is no folder. Only regular files count. */
export async function listLogFiles(dir: string): Promise<LogFile[]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  const byDate = new Map<string, LogFile>();
  for (const name of entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).toSorted()) {
    const date = dayFile.exec(name)?.[1];
    if (date === undefined || byDate.has(date) || !realDay.safeParse(date).success) continue;
    byDate.set(date, { date, path: join(dir, name), shownPath: `${basename(dir)}/${name}` });
  }
  return [...byDate.values()].toSorted((a, b) => (a.date < b.date ? 1 : -1));
}

/** Finds the file of a day. The date is looked up in the listing and never becomes part of a path. */
export async function findLogFile(dir: string, date: string): Promise<LogFile | undefined> {
  return (await listLogFiles(dir)).find((file) => file.date === date);
}

/** Deletes a file. Returns false if it no longer exists. */
export async function removeLogFile(file: LogFile): Promise<boolean> {
  try {
    await unlink(file.path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/**
 * Streams a file up to its current end; null if it no longer exists. Fails if the file is truncated meanwhile, so that a part
 * is not taken for the whole.
 */
export async function openRaw(file: LogFile, signal: AbortSignal): Promise<Readable | null> {
  const handle = await open(file.path, flags).catch(() => null);
  if (!handle) return null;
  const stats = await handle.stat();
  if (!stats.isFile() || stats.size === 0) {
    await handle.close();
    return stats.isFile() ? Readable.from([]) : null;
  }
  return Readable.from(failIfTruncated(handle.createReadStream({ start: 0, end: stats.size - 1, signal }), stats.size), {
    objectMode: false,
  });
}

async function* failIfTruncated(parts: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let got = 0;
  for await (const part of parts) {
    got += part.length;
    yield part;
  }
  if (got < size) throw new Error('Log file: truncated while it was read');
}

/** Calls `read` with the open file; undefined if it is not a regular file or cannot be opened. */
export function withOpenFile<T>(path: string, read: (file: number, stats: Stats) => T): T | undefined {
  let file: number;
  try {
    file = openSync(path, flags);
  } catch {
    return undefined;
  }
  try {
    const stats = fstatSync(file);
    return stats.isFile() ? read(file, stats) : undefined;
  } finally {
    closeSync(file);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
