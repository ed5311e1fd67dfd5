import type { FileChange, LogSearchLine } from '@switchyard/contract/log-search';
import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { fromOpaqueText, toOpaqueText } from '../../opaque-position.ts';
import { fileIdentity } from './log-index.ts';
import { findLogDay, listLogDays, type LogDay, type LogFile } from './log-folder.ts';
import type { FoundEntry, LogFinding, LogFindQuery, LogPlace } from './log-questions.ts';
import type { LogReader } from './log-reader.ts';

/** A search across the days of a folder. Days are `YYYY-MM-DD`; the last one is undefined for all. */
export type DaysSearch = {
  dir: string;
  startDate: string;
  endDate: string | undefined;
  query: Omit<LogFindQuery, 'limit'>;
  cursor: string | undefined;
  /** Entries and milliseconds after which the search ends with a cursor. */
  limits: { entries: number; milliseconds: number };
  /** Is aborted when the reader leaves. */
  signal: AbortSignal;
  /** Called before a day is read. */
  beforeDay: (date: string) => Promise<void>;
};

/** Entries of a file that one question asks for, all of which may wait in memory. */
const entriesPerQuestion = 50;
/** Milliseconds between two lines of progress. */
const progressMilliseconds = 250;

/** Where a search goes on in the files of a day that are not at their end. Others of the day are newer than the search. */
const searchPlace = z.object({
  date: z.iso.date(),
  files: z.array(
    z.object({
      source: z.string(),
      before: z.int().min(0).nullable(),
      identity: fileIdentity.nullable(),
      /** Time of the entry that was found last. */
      time: z.string(),
    }),
  ),
});
type SearchPlace = z.output<typeof searchPlace>;

/** A file of a day while it is searched, with the entries that were found in it and wait for older ones of other files. */
type SearchedFile = {
  file: LogFile;
  place: LogPlace | null;
  waiting: FoundEntry[];
  isDone: boolean;
  isIndexing: boolean;
  /** Time of the entry that was found last, as UTC text; entries without a time keep it. */
  time: string;
  progress: { bytes: number; of: number };
};

/** Newer than any time. */
const unknownTime = '~';

/** Searches days, the newest entry first. Of several files of a day, entries are ordered as on its page. Ends within the limits. */
export async function* searchLogDays(reader: Pick<LogReader, 'find'>, options: DaysSearch): AsyncGenerator<LogSearchLine> {
  const { dir, startDate, endDate, cursor, limits, signal, beforeDay } = options;
  const until = performance.now() + limits.milliseconds;
  // An invalid cursor is none.
  const start = fromOpaqueText(searchPlace, cursor);
  const lastDate = start?.date ?? endDate;
  const days = (await listLogDays(dir)).filter(({ date }) => date >= startDate && (lastDate === undefined || date <= lastDate));
  const sizes = await Promise.all(days.map(sizeOf));
  const done = { days: 0, bytes: 0, entries: 0 };
  let reportedAt = Number.NEGATIVE_INFINITY;

  /** How far the search is, at most every quarter of a second but for its end. */
  function* report(date: string, files: readonly SearchedFile[], isEnd = false): Generator<LogSearchLine> {
    if (!isEnd && performance.now() < reportedAt + progressMilliseconds) return;
    reportedAt = performance.now();
    const bytes = done.bytes + sum(files.map(({ progress }) => progress.bytes));
    const of = done.bytes + sum([...files.map(({ progress }) => progress.of), ...sizes.slice(done.days + 1)]);
    const isIndexing = files.some((file) => file.isIndexing);
    yield { progress: { date, days: done.days, of_days: days.length, bytes, of: Math.max(bytes, of), is_indexing: isIndexing } };
  }

  for (const { date } of days) {
    await beforeDay(date);
    const { files, hasSources } = await openDay(dir, date, start?.date === date ? start : null);
    yield* report(date, files);
    for (let isRead = false; !isRead;) {
      // The identities of all files first, so that a cursor finds those that are renamed after it.
      const next =
        files.find(({ place, isDone }) => place === null && !isDone) ??
        files.find(({ waiting, isDone }) => waiting.length === 0 && !isDone);
      const found = next === undefined ? takeNewest(files) : null;
      if (next !== undefined) {
        const change = await search(reader, next, { ...options, date });
        if (change !== null) yield { notice: { date, source: next.file.source, change } };
        yield* report(date, files);
      }
      if (found !== null) {
        done.entries += 1;
        const { entry, file } = found;
        const { at: _at, end: _end, ...shown } = entry;
        yield { entry: { date, ...shown, source: hasSources ? file.source : '' } };
      }
      isRead = next === undefined && found === null;
      if (signal.aborted) return;
      const reason = done.entries >= limits.entries ? 'entries' : performance.now() > until ? 'time' : null;
      if (reason !== null && !isRead) {
        yield* report(date, files, true);
        yield { end: { reason, cursor: writeCursor(date, files) } };
        return;
      }
    }
    done.days += 1;
    done.bytes += sum(files.map(({ progress }) => progress.of));
  }
  yield { end: { reason: 'complete', cursor: null } };
}

async function sizeOf({ files }: LogDay): Promise<number> {
  return sum(await Promise.all(files.map(async ({ path }) => (await stat(path).catch(() => null))?.size ?? 0)));
}

/** The files of a day, or those in which a search goes on. */
async function openDay(dir: string, date: string, start: SearchPlace | null): Promise<{ files: SearchedFile[]; hasSources: boolean }> {
  const files = (await findLogDay(dir, date))?.files ?? [];
  const places = start?.files ?? files.map(({ source }) => ({ source, before: null, identity: null, time: unknownTime }));
  const searchedFiles = await Promise.all(
    places.map(async ({ source, before, identity, time }): Promise<SearchedFile> => {
      // A file that is gone may have another name by now.
      const file = files.find((one) => one.source === source) ?? { path: '', source };
      const of = (await stat(file.path).catch(() => null))?.size ?? 0;
      const place = before === null || identity === null ? null : { before, identity: JSON.stringify(identity) };
      return { file, place, waiting: [], isDone: false, isIndexing: false, time, progress: { bytes: 0, of } };
    }),
  );
  return { files: searchedFiles, hasSources: files.length > 1 };
}

/**
 * Searches a file for a moment. If it is not the same file any more, looks for it under the names of the other files of the day, and gives it
 * up if it is nowhere; returns then what happened to it.
 */
async function search(
  { find }: Pick<LogReader, 'find'>,
  searched: SearchedFile,
  { dir, date, query }: Pick<DaysSearch, 'dir' | 'query'> & { date: string },
): Promise<FileChange | null> {
  const ask = async (path: string): Promise<LogFinding | FileChange> =>
    (await find(path, searched.place, { ...query, limit: entriesPerQuestion })) ?? 'deleted';
  const finding = await ask(searched.file.path);
  if (typeof finding === 'object') return keep(searched, finding);
  const others = searched.place === null ? [] : ((await findLogDay(dir, date))?.files ?? []);
  for (const other of others) {
    const renamed = await ask(other.path);
    if (typeof renamed !== 'object') continue;
    searched.file = other;
    return keep(searched, renamed);
  }
  Object.assign(searched, { isDone: true, isIndexing: false, progress: { bytes: searched.progress.of, of: searched.progress.of } });
  return finding;
}

function keep(searched: SearchedFile, { entries, place, isDone, isIndexing, progress }: LogFinding): null {
  Object.assign(searched, { waiting: entries, place, isDone, isIndexing, progress });
  return null;
}

/** Takes the newest of the entries that wait, of the first file among those of one time; null if there is none. */
function takeNewest(files: readonly SearchedFile[]): { entry: FoundEntry; file: LogFile } | null {
  const [first, ...others] = files.flatMap((searched) => {
    const [entry] = searched.waiting;
    if (entry === undefined) return [];
    const own = entry.at === '' ? unknownTime : entry.at;
    return [{ searched, entry, time: own < searched.time ? own : searched.time }];
  });
  if (first === undefined) return null;
  const { searched, entry, time } = others.reduce((one, other) => (other.time > one.time ? other : one), first);
  searched.waiting.shift();
  searched.time = time;
  return { entry, file: searched.file };
}

function writeCursor(date: string, files: readonly SearchedFile[]): string {
  const unread = files.filter(({ waiting, isDone }) => waiting.length > 0 || !isDone);
  const place = {
    date,
    files: unread.map(({ file: { source }, place: own, waiting: [first], time }) => ({
      time,
      source,
      before: first?.end ?? own?.before ?? null,
      identity: own === null ? null : fileIdentity.parse(JSON.parse(own.identity)),
    })),
  };
  return toOpaqueText(place);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
