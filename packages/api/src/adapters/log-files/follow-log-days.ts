import { lstat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { FileChange, FollowedLogEntry } from '@switchyard/contract/log-search';
import { fromOpaqueText, toOpaqueText } from '../../opaque-position.ts';
import { fileIdentity } from './log-index.ts';
import { isPacked, listLogDays, type LogFile } from './log-folder.ts';
import type { LogFollowPlace, LogFollowQuery, LogNews, TimedEntry } from './log-questions.ts';
import type { LogReader } from './log-reader.ts';

/** A log that is followed from a day on. */
export type FollowedLog = {
  dir: string;
  date: string;
  query: LogFollowQuery;
  /** The position of an event, after which the log is followed; undefined: from now on. An unknown one is reported as a gap. */
  after: string | undefined;
  signal: AbortSignal;
  /** Called before files of a day are read. */
  beforeDay: (date: string) => Promise<void>;
};

/** `skipped` null: an unknown number. */
export type LogEvent =
  /** A position without an event, also behind entries that do not match. */
  | { kind: 'start'; id: string }
  | { kind: 'rows'; id: string; rows: readonly FollowedLogEntry[] }
  | { kind: 'gap'; id: string; skipped: number | null; reason: FileChange | 'rate' };

/** Milliseconds between two looks at the files. */
const pollMilliseconds = 500;

const offset = z.int().min(0);
const position = z.array(
  z.object({ date: z.iso.date(), source: z.string(), start: offset, end: offset, identity: fileIdentity.nullable() }),
);

function writePosition(files: Iterable<FollowedFile>): string {
  const places: z.input<typeof position> = [...files].flatMap(({ date, file: { source }, place }) =>
    place === null
      ? []
      : [{ date, source, ...place, identity: place.identity === null ? null : fileIdentity.parse(JSON.parse(place.identity)) }],
  );
  return toOpaqueText(places);
}

type FollowedFile = {
  date: string;
  file: LogFile;
  place: LogFollowPlace | null;
  /** The state of the file before it was read last; null if it has not been read. */
  stamp: string | null;
};

/** The state of a file, which changes when it is written or replaced; null if there is no file. */
async function stampOf(path: string): Promise<string | null> {
  const stats = await lstat(path, { bigint: true }).catch(() => null);
  return stats && [stats.dev, stats.ino, stats.size, stats.mtimeNs].join(' ');
}

function isIdentified({ place }: FollowedFile): boolean {
  return place !== null && place.identity !== null;
}

/** The name of a file that its writer still has open; others were rotated. */
const currentName = /\d{4}-\d{2}-\d{2}\.log$/;

/**
 * Follows the files of a day and of those after it, also of writers that appear later. A file that was renamed is read to its end. If one is
 * truncated or replaced, what it has now is read from its beginning, and a gap says that entries may be missing.
 */
export async function* followLogDays(
  reader: Pick<LogReader, 'news'>,
  { dir, date: firstDate, query, after, signal, beforeDay }: FollowedLog,
): AsyncGenerator<LogEvent> {
  const files = new Map<string, FollowedFile>();
  /** Days that were begun, with the number of their files. */
  const dates = new Map<string, number>();
  const known = fromOpaqueText(position, after);

  async function listFiles(): Promise<{ date: string; file: LogFile }[]> {
    const days = (await listLogDays(dir)).filter(({ date }) => date >= firstDate);
    for (const { date } of days) if (!dates.has(date)) await beforeDay(date);
    for (const day of days) dates.set(day.date, day.files.length);
    return days.toReversed().flatMap((day) => day.files.filter(({ path }) => !isPacked(path)).map((file) => ({ date: day.date, file })));
  }

  /** Adds the files that are not followed yet. Those that were written later are new from their beginning. */
  async function addFiles(isFirst: boolean): Promise<void> {
    for (const { date, file } of await listFiles()) {
      if (files.has(file.path)) continue;
      // A file that is found later is not the one that had the name before.
      const place = isFirst ? known?.find((one) => one.date === date && one.source === file.source) : undefined;
      if (place !== undefined) {
        const { start, end, identity } = place;
        files.set(file.path, { date, file, place: { start, end, identity: identity && JSON.stringify(identity) }, stamp: null });
      } else if (currentName.test(file.path)) {
        const beginning = { start: 0, end: 0, identity: null };
        files.set(file.path, { date, file, place: isFirst && known === null ? null : beginning, stamp: null });
      }
    }
  }

  /** The news of a file under another name, if it was renamed. */
  async function findRenamed({ date, place }: FollowedFile): Promise<{ file: LogFile; news: LogNews } | null> {
    for (const other of await listFiles()) {
      const news = other.date === date ? await reader.news(other.file.path, place, query) : null;
      if (news !== null && typeof news === 'object') return { file: other.file, news };
    }
    return null;
  }

  async function read(followed: FollowedFile): Promise<LogNews | FileChange> {
    const { path } = followed.file;
    const stamp = await stampOf(path);
    if (followed.place !== null && stamp !== null && stamp === followed.stamp) return { entries: [], skipped: 0, place: followed.place };
    const news = (await reader.news(path, followed.place, query)) ?? 'deleted';
    if (typeof news === 'object') {
      Object.assign(followed, { place: news.place, stamp });
      return news;
    }
    // A file that was never read has no identity, so every file would be taken for it.
    const renamed = isIdentified(followed) ? await findRenamed(followed) : null;
    files.delete(path);
    if (renamed === null) return news;
    Object.assign(followed, { file: renamed.file, place: renamed.news.place, stamp: null });
    files.set(renamed.file.path, followed);
    return renamed.news;
  }

  /** The source is named on days with several files. */
  function toFollowed({ at: _at, ...entry }: TimedEntry, { date, file }: FollowedFile): FollowedLogEntry {
    return { ...entry, date, ...((dates.get(date) ?? 0) > 1 && { source: file.source }) };
  }

  await addFiles(true);
  for (const followed of files.values()) if (followed.place === null) await read(followed);
  yield { kind: 'start', id: writePosition(files.values()) };
  if (after !== undefined && known === null) yield { kind: 'gap', id: writePosition(files.values()), skipped: null, reason: 'replaced' };
  while (!signal.aborted) {
    const before = writePosition(files.values());
    const found: { entry: FollowedLogEntry; time: string }[] = [];
    const gaps: Gap[] = [];
    for (const followed of files.values()) {
      const news = await read(followed);
      if (typeof news !== 'object') {
        // Rotated files are read to their end before they are packed or deleted.
        if (isIdentified(followed) && currentName.test(followed.file.path)) gaps.push({ skipped: null, reason: news });
      } else if (news.skipped !== 0) gaps.push({ skipped: news.skipped, reason: 'rate' });
      // An entry never comes before an earlier one of its file.
      let time = '';
      for (const entry of typeof news === 'object' ? news.entries : []) {
        time = entry.at > time ? entry.at : time;
        found.push({ entry: toFollowed(entry, followed), time });
      }
    }
    await addFiles(false);
    const id = writePosition(files.values());
    // A client that has only a gap asks for the entries behind it again.
    for (const gap of gaps) yield { kind: 'gap', id: found.length > 0 ? before : id, ...gap };
    if (found.length > 0) yield { kind: 'rows', id, rows: inOrder(found) };
    else if (gaps.length === 0 && id !== before) yield { kind: 'start', id };
    await wait(pollMilliseconds, undefined, { signal }).catch(() => undefined);
  }
}

type Gap = Pick<Extract<LogEvent, { kind: 'gap' }>, 'skipped' | 'reason'>;

/** Entries of several files by time. */
function inOrder(entries: readonly { entry: FollowedLogEntry; time: string }[]): FollowedLogEntry[] {
  return entries.toSorted((one, other) => (one.time === other.time ? 0 : one.time < other.time ? -1 : 1)).map(({ entry }) => entry);
}
