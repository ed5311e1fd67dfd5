import { levelCounts, type LevelCounts, type LogProgress } from '@switchyard/contract/log-viewer';
import type { LogDay, LogFile } from './log-folder.ts';
import type { LogCounts, LogPage, LogPageQuery, LogPlace, LogReading, TimedEntry } from './log-questions.ts';
import type { LogReader } from './log-reader.ts';

/**
 * Reads the files of a day as one log, newest entry first. Entries of one file keep their order; those of several files are
 * ordered by their time, then by file. An entry without a time stays with the one after it.
 */
export type LogDayReader = {
  /** Null if no file exists any more. */
  counts: (day: LogDay) => Promise<LogCounts | null>;
  /** Null if no file exists any more. */
  page: (day: LogDay, query: LogPageQuery) => Promise<LogPage | null>;
  /** How many entries of the day are newer than the one with this id and time; null if there is none, or a file is being indexed. */
  countNewer: (day: LogDay, entry: EntryIdentity, reading: LogReading) => Promise<number | null>;
  /** All entries. @throws if a file is deleted or replaced meanwhile. */
  entries: (day: LogDay, reading: LogReading) => AsyncIterable<TimedEntry>;
};

/** Which entry of a day. Its file is that of its source, or another one: rotating renames a file, and its ids stay. */
export type EntryIdentity = { id: number; datetime: string; source: string };

type Reader = Pick<LogReader, 'counts' | 'page' | 'batch'>;

/** Number of entries before a page that are read of each file. A page further back is located first. */
const nearEntries = 1000;

export function createLogDayReader(reader: Reader): LogDayReader {
  async function mergedPage(files: readonly LogFile[], query: LogPageQuery): Promise<LogPage | null> {
    const { limit, page } = query;
    const skip = (page - 1) * limit;
    const isNear = skip <= nearEntries;
    const pages = await each(files, (path) => reader.page(path, { ...query, skip: 0, limit: isNear ? skip + limit : 1 }));
    if (pages.length === 0) return null;
    let [windows, rest] = [pages, skip];
    if (!isNear && skip < sum(pages.map(({ result }) => result.total))) {
      const places = pages.map(({ file, result }) => ({ file, at: 0, total: result.total }));
      rest = await moveTo(places, skip, query);
      const startOf = new Map(places.map(({ file, at }) => [file.path, at]));
      windows = await each(files, (path) => reader.page(path, { ...query, wait: 0, skip: startOf.get(path) ?? 0, limit: rest + limit }));
    }
    const entries = merge(windows.map(({ file, result }) => ({ file, entries: result.entries }))).slice(rest, rest + limit);
    return { ...sumPages(pages.map(({ result }) => result)), entries };
  }

  /**
   * Moves over the newest entries of all files until at most `nearEntries` of `skip` are left, and returns how many. Of the
   * entries that are so far ahead in their files, the newest one and all before it are among those to skip.
   */
  async function moveTo(places: { file: LogFile; at: number; total: number }[], skip: number, query: LogPageQuery): Promise<number> {
    let rest = skip;
    while (rest > nearEntries) {
      const open = places.filter(({ at, total }) => at < total);
      const step = Math.floor(rest / open.length);
      const ahead = await Promise.all(
        open.map(async (place) => {
          const entries = Math.min(step, place.total - place.at);
          const page = await reader.page(place.file.path, { ...query, wait: 0, skip: place.at + entries - 1, limit: 1 });
          return { place, entries, time: timeOf(page?.entries[0]) };
        }),
      );
      const newest = ahead.reduce((one, other) => (other.time > one.time ? other : one));
      newest.place.at += newest.entries;
      rest -= newest.entries;
    }
    return rest;
  }

  async function* entriesOf({ path }: LogFile, reading: LogReading): AsyncGenerator<TimedEntry> {
    let place: LogPlace | null = null;
    do {
      const batch: Awaited<ReturnType<Reader['batch']>> = await reader.batch(path, place, reading);
      if (!batch) throw new Error('The log file was removed or replaced while it was read');
      yield* batch.entries;
      place = batch.next;
    } while (place !== null);
  }

  async function* mergedEntries(files: readonly LogFile[], reading: LogReading): AsyncGenerator<TimedEntry> {
    const heads = await Promise.all(
      files.map(async (file) => {
        const rows = entriesOf(file, reading);
        return { file, rows, time: unknownTime, next: await rows.next() };
      }),
    );
    const keep = (head: (typeof heads)[number]): void => {
      if (head.next.done !== true) head.time = earlier(head.time, timeOf(head.next.value));
    };
    heads.forEach(keep);
    for (;;) {
      const open = heads.filter(({ next }) => next.done !== true);
      if (open.length === 0) return;
      const newest = open.reduce((one, other) => (other.time > one.time ? other : one));
      if (newest.next.done !== true) yield { ...newest.next.value, source: newest.file.source };
      newest.next = await newest.rows.next();
      keep(newest);
    }
  }

  /** An entry of a file by its place from the newest one, and the number of all; null if the file is gone or being indexed. */
  async function entryAt(
    { path }: LogFile,
    skip: number,
    reading: LogReading,
  ): Promise<{ entry: TimedEntry | undefined; total: number } | null> {
    const page = await reader.page(path, { ...reading, level: 'all', query: undefined, wait: 0, page: 1, limit: 1, skip });
    return page === null || page.indexing !== null ? null : { entry: page.entries[0], total: page.total };
  }

  /** The number of entries of a file that `isNewer` holds for, which are its first ones. */
  async function countFirst(file: LogFile, isNewer: (entry: TimedEntry) => boolean, reading: LogReading): Promise<number | null> {
    const newest = await entryAt(file, 0, reading);
    if (newest === null) return null;
    let [low, high] = [0, newest.total];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const found = await entryAt(file, middle, reading);
      if (found === null) return null;
      if (found.entry !== undefined && isNewer(found.entry)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  async function countNewer({ files }: LogDay, { id, datetime, source }: EntryIdentity, reading: LogReading): Promise<number | null> {
    const candidates = [...files.entries()].toSorted(
      ([, one], [, other]) => Number(other.source === source) - Number(one.source === source),
    );
    for (const [own, file] of candidates) {
      const newest = await entryAt(file, 0, reading);
      const skip = (newest?.total ?? 0) - 1 - id;
      const found = skip < 0 ? null : await entryAt(file, skip, reading);
      if (found?.entry === undefined || found.entry.datetime !== datetime) continue;
      const time = timeOf(found.entry);
      // Entries of one time are in the order of their files.
      const counts = await Promise.all(
        files.map(async (other, at) =>
          at === own ? skip : countFirst(other, (entry) => timeOf(entry) > time || (at < own && timeOf(entry) === time), reading),
        ),
      );
      return counts.includes(null) ? null : sum(counts.map((count) => count ?? 0));
    }
    return null;
  }

  return {
    countNewer,
    async counts({ files }) {
      const counts = await each(files, reader.counts);
      return counts.length === 0 ? null : summedCounts(counts.map(({ result }) => result));
    },
    async page({ files: [only, ...others] }, query) {
      if (only === undefined) return null;
      return others.length === 0 ? reader.page(only.path, query) : mergedPage([only, ...others], query);
    },
    entries: ({ files: [only, ...others] }, reading) =>
      only && others.length === 0 ? entriesOf(only, reading) : mergedEntries(only ? [only, ...others] : [], reading),
  };
}

/** Reads every file that still exists. */
async function each<T>(files: readonly LogFile[], read: (path: string) => Promise<T | null>): Promise<{ file: LogFile; result: T }[]> {
  const results = await Promise.all(files.map(async (file) => ({ file, result: await read(file.path) })));
  return results.flatMap(({ file, result }) => (result === null ? [] : [{ file, result }]));
}

/** Newer than any time. */
const unknownTime = '~';

/** UTC text, which sorts by time. */
function timeOf(entry: TimedEntry | undefined): string {
  return entry === undefined || entry.at === '' ? unknownTime : entry.at;
}

function earlier(one: string, other: string): string {
  return other < one ? other : one;
}

function merge(lists: readonly { file: LogFile; entries: readonly TimedEntry[] }[]): TimedEntry[] {
  const timedEntries = lists.flatMap(({ file, entries }) => {
    let time = unknownTime;
    return entries.map((entry) => {
      time = earlier(time, timeOf(entry));
      return { time, entry: { ...entry, source: file.source } };
    });
  });
  return timedEntries.toSorted((one, other) => (one.time === other.time ? 0 : one.time < other.time ? 1 : -1)).map(({ entry }) => entry);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function summedLevels(all: readonly LevelCounts[]): LevelCounts {
  return levelCounts((level) => sum(all.map((counts) => counts[level])));
}

function summedProgress(all: readonly (LogProgress | null)[]): LogProgress | null {
  const under = all.filter((progress) => progress !== null);
  return under.length === 0 ? null : { bytes: sum(under.map(({ bytes }) => bytes)), of: sum(under.map((progress) => progress.of)) };
}

function summedCounts(all: readonly LogCounts[]): LogCounts {
  return { counts: summedLevels(all.map(({ counts }) => counts)), indexing: summedProgress(all.map(({ indexing }) => indexing)) };
}

function sumPages(all: readonly LogPage[]): Omit<LogPage, 'entries'> {
  const matching = all.flatMap((page) => page.matching ?? []);
  const files = all.map(({ file }) => file);
  const [format = 'text'] = all.map((page) => page.format);
  const times = (of: 'createdAt' | 'updatedAt') => files.map((file) => file[of].getTime());
  return {
    ...summedCounts(all),
    total: sum(all.map(({ total }) => total)),
    format,
    matching: matching.length === 0 ? null : summedLevels(matching),
    file: {
      bytes: sum(files.map(({ bytes }) => bytes)),
      createdAt: new Date(Math.min(...times('createdAt'))),
      updatedAt: new Date(Math.max(...times('updatedAt'))),
    },
    stopped: summedProgress(all.map(({ stopped }) => stopped)),
  };
}
