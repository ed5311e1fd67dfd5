import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';
import { open, readdir, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { z } from 'zod';

/** A log file. `path` is absolute, `source` distinguishes it from other files of its day. */
export type LogFile = { path: string; source: string };

/** The log of a day: a file for each process that wrote to the folder, in the order of their names. `shownPath` is displayed. */
export type LogDay = { date: string; files: LogFile[]; shownPath: string };

/** Files of several consoles are named `console-NAME-DAY.log`. */
const dayFile = /^(?:(?:console-)?(.+)-)?(\d{4}-\d{2}-\d{2})\.log$/;
/** Excludes days that do not exist, such as 31 February. */
const realDay = z.iso.date();

/** Neither follows links nor waits for the writer of a FIFO. */
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Lists the days of a folder, newest first; empty if there is no folder. Only regular files count. */
export async function listLogDays(dir: string): Promise<LogDay[]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  const byDate = new Map<string, LogDay>();
  for (const name of entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).toSorted()) {
    const [, source = '', date] = dayFile.exec(name) ?? [];
    if (date === undefined || !realDay.safeParse(date).success) continue;
    const files = [...(byDate.get(date)?.files ?? []), { path: join(dir, name), source }];
    byDate.set(date, { date, files, shownPath: `${basename(dir)}/${files.length === 1 ? name : `*${date}.log`}` });
  }
  return [...byDate.values()].toSorted((a, b) => (a.date < b.date ? 1 : -1));
}

/** Finds a day. The date is looked up in the listing and never becomes part of a path. */
export async function findLogDay(dir: string, date: string): Promise<LogDay | undefined> {
  return (await listLogDays(dir)).find((day) => day.date === date);
}

/** Deletes the files of a day. Returns false if none exists any more. */
export async function removeLogDay({ files }: LogDay): Promise<boolean> {
  const outcomes = await Promise.all(files.map(removeLogFile));
  return outcomes.includes(true);
}

async function removeLogFile(file: LogFile): Promise<boolean> {
  try {
    await unlink(file.path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Streams the files of a day one after the other, each as `openRaw` does; null if the first no longer exists. */
export async function openRawDay({ files: [first, ...others] }: LogDay, signal: AbortSignal): Promise<Readable | null> {
  const body = first ? await openRaw(first, signal) : null;
  return body === null || others.length === 0 ? body : Readable.from(inOrder(body, others, signal), { objectMode: false });
}

async function* inOrder(body: Readable, others: readonly LogFile[], signal: AbortSignal): AsyncGenerator<Buffer> {
  yield* body;
  for (const file of others) yield* (await openRaw(file, signal)) ?? [];
}

/**
 * Streams a file up to its current end; null if it no longer exists. Fails if the file is truncated meanwhile, so that a part
 * is not taken for the whole.
 */
export async function openRaw(file: Pick<LogFile, 'path'>, signal: AbortSignal): Promise<Readable | null> {
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
  let bytesRead = 0;
  for await (const part of parts) {
    bytesRead += part.length;
    yield part;
  }
  if (bytesRead < size) throw new Error('Log file: truncated while it was read');
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
