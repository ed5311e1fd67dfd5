import { constants } from 'node:fs';
import { open, readdir, rm, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { hideInFile } from './hide-in-file.ts';
import type { SecretHider } from './hide-secrets.ts';

/** A log file. `path` is absolute, `source` distinguishes it from other files of its day: the process, or the name of the file. */
export type LogFile = { path: string; source: string };

/** The log of a day: a file for each process that wrote to the folder, in the order of their names. `shownPath` is displayed. */
export type LogDay = { date: string; files: LogFile[]; shownPath: string };

/** Files of several consoles are named `console-NAME-DAY.log`. A rotated file has a number, behind the day or at the end, or is packed. */
const dayFile = /^(?:(?:console-)?(.+)-)?(\d{4}-\d{2}-\d{2})((?:-\d{1,6})?\.log(?:\.\d{1,6})?(?:\.gz)?)$/;
/** Excludes days that do not exist, such as 31 February. */
const realDay = z.iso.date();

/** Neither follows links nor waits for the writer of a FIFO. */
export const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Lists the days of a folder, newest first; empty if there is no folder. Only regular files count. */
export async function listLogDays(dir: string): Promise<LogDay[]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  const byDate = new Map<string, LogDay>();
  const names = new Set(entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])));
  for (const name of [...names].toSorted()) {
    const [, process = '', date, ending] = dayFile.exec(name) ?? [];
    if (date === undefined || !realDay.safeParse(date).success) continue;
    // gzip keeps the original until the packed file is complete.
    if (names.has(name.replace(/\.gz$/, '')) && isPacked(name)) continue;
    const files = [
      ...(byDate.get(date)?.files ?? []),
      { path: join(dir, name), source: ending === '.log' && process !== '' ? process : name },
    ];
    byDate.set(date, { date, files, shownPath: `${basename(dir)}/${files.length === 1 ? name : shownPattern(date, files)}` });
  }
  return [...byDate.values()].toSorted((a, b) => (a.date < b.date ? 1 : -1));
}

function shownPattern(date: string, files: readonly LogFile[]): string {
  return files.every(({ path }) => path.endsWith(`${date}.log`)) ? `*${date}.log` : `*${date}*`;
}

/** Whether a file is packed with gzip. */
export function isPacked(path: string): boolean {
  return path.endsWith('.gz');
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
    // A packed copy, which was not listed beside it.
    await rm(`${file.path}.gz`, { force: true });
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Streams the files of a day one after the other, each as `openRaw` does; null if the first no longer exists. */
export async function openRawDay({ files: [first, ...others] }: LogDay, reading: RawReading): Promise<Readable | null> {
  const body = first ? await openRaw(first, reading) : null;
  return body === null || others.length === 0 ? body : Readable.from(inOrder(body, others, reading), { objectMode: false });
}
const lineFeed = 0x0a;

type RawReading = { signal: AbortSignal; /** Null: secrets are not hidden. */ hider: SecretHider | null };

async function* inOrder(body: Readable, others: readonly LogFile[], reading: RawReading): AsyncGenerator<Buffer> {
  let last: number | undefined;
  for (const source of [body, ...others]) {
    const pieces: AsyncIterable<Buffer> | null = source instanceof Readable ? source : await openRaw(source, reading);
    // A file that ends within a line, such as one that is still written, must not take the first line of the next one.
    if (pieces !== null && last !== undefined && last !== lineFeed) yield Buffer.of((last = lineFeed));
    for await (const piece of pieces ?? []) {
      last = piece.at(-1) ?? last;
      yield piece;
    }
  }
}

/**
 * Streams a file up to its current end; null if it no longer exists. Fails if the file is truncated meanwhile, so that a part
 * is not taken for the whole.
 */
export async function openRaw(file: Pick<LogFile, 'path'>, { signal, hider }: RawReading): Promise<Readable | null> {
  const handle = await open(file.path, openFlags).catch(() => null);
  if (!handle) return null;
  const stats = await handle.stat();
  if (!stats.isFile() || stats.size === 0) {
    await handle.close();
    return stats.isFile() ? Readable.from([]) : null;
  }
  const body = failIfTruncated(handle.createReadStream({ start: 0, end: stats.size - 1, signal }), stats.size);
  const text = isPacked(file.path) ? unpack(body) : body;
  return Readable.from(hider === null ? text : hideInFile(text, hider), { objectMode: false });
}

/** The text of a packed file. The stream fails with the file. */
function unpack(body: AsyncIterable<Buffer>): Readable {
  const text = createGunzip();
  pipeline(body, text).catch((error: unknown) => text.destroy(error instanceof Error ? error : new Error(String(error))));
  return text;
}

async function* failIfTruncated(parts: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let bytesRead = 0;
  for await (const part of parts) {
    bytesRead += part.length;
    yield part;
  }
  if (bytesRead < size) throw new Error('Log file: truncated while it was read');
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
