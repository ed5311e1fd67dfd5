import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';
import { open, readdir, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { z } from 'zod';

/** A day's file; `path` is absolute, `shownPath` what people see of it. */
export type LogFile = { date: string; path: string; shownPath: string };

const dayFile = /^(?:.+-)?(\d{4}-\d{2}-\d{2})\.log$/;
/** A day that exists; a file of 31 February is no day's. */
const realDay = z.iso.date();

/** Never follows a link, never waits for the other end of a FIFO (S25). */
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The days of a folder, newest first, one file each; nothing where there is no folder. Links, FIFOs and the like are no days. */
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

/**
 * The file of a day. The date is a key into the listing, never a part of a path; show, download and delete all ask here (S25).
 */
export async function findLogFile(dir: string, date: string): Promise<LogFile | undefined> {
  return (await listLogFiles(dir)).find((file) => file.date === date);
}

/** Deletes a day; false when it is already gone. */
export async function removeLogFile(file: LogFile): Promise<boolean> {
  try {
    await unlink(file.path);
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

/**
 * The file as it is now, as bytes up to its present end; null when it is gone. What is truncated meanwhile fails, because
 * a part must not pass for the whole (R16).
 */
export async function openRaw(file: LogFile, signal: AbortSignal): Promise<Readable | null> {
  const handle = await open(file.path, flags).catch(() => null);
  if (!handle) return null;
  const stats = await handle.stat();
  if (!stats.isFile() || stats.size === 0) {
    await handle.close();
    return stats.isFile() ? Readable.from([]) : null;
  }
  return Readable.from(wholly(handle.createReadStream({ start: 0, end: stats.size - 1, signal }), stats.size), { objectMode: false });
}

async function* wholly(parts: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let got = 0;
  for await (const part of parts) {
    got += part.length;
    yield part;
  }
  if (got < size) throw new Error('The log was truncated while it was read');
}

/** Runs `read` on the open file; undefined when it is no longer a regular file that can be opened. */
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

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
