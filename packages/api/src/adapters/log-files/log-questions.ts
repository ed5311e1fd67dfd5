import { JsonText } from '@switchyard/contract/exact-json';
import type { FileChange, LogExcerpt } from '@switchyard/contract/log-search';
import type {
  EntryLevel,
  LevelCounts,
  LogEntriesQuery,
  LogEntry,
  LogFormatName,
  LogLevel,
  LogProgress,
} from '@switchyard/contract/log-viewer';
import type { SearchTerm } from './sought-text.ts';

/** Number of entries of a file by level. While the file is being indexed, only the indexed part counts. */
export type LogCounts = { counts: LevelCounts; indexing: LogProgress | null };

/** An entry and its instant as UTC text to the nanosecond, empty if it is unknown. */
export type TimedEntry = LogEntry & { at: string };

/** A page of a file, newest first. `total` is the number of matching entries. */
export type LogPage = LogCounts & {
  total: number;
  /** Number of matches of a search by level; null without a search. */
  matching: LevelCounts | null;
  entries: TimedEntry[];
  /** The format in which the file was read. */
  format: LogFormatName;
  file: { bytes: number; createdAt: Date; updatedAt: Date };
  /** Progress of a search that reached its time limit; null if it covered the whole file. */
  stopped: LogProgress | null;
};

/** How entries are read. Secrets are hidden, and not found, unless `secrets` is true. */
export type LogReading = { format?: LogFormatName | undefined; secrets?: boolean | undefined };

/** The part of a file to read. `skip` entries before the page are left out; by default those of the pages before it. */
export type LogPageQuery = Pick<LogEntriesQuery, 'page' | 'limit' | 'level' | 'query' | 'wait'> & LogReading & { skip?: number };

/** Position in a file. `identity` detects that the file was replaced. */
export type LogPlace = { before: number; identity: string };

/** Entries of a file, newest first, and the position of the next batch; `next` is null at the end. */
export type LogBatch = { entries: TimedEntry[]; next: LogPlace | null };

/** What to find. `term` null: every entry of the levels; `levels` null: all, and entries without one. `limit`: entries of an answer. */
export type LogFindQuery = { term: SearchTerm | null; levels: readonly LogLevel[] | null; secrets: boolean; limit: number };

/** Whether an entry of a level is wanted. */
export function isOfLevels(levels: LogFindQuery['levels'], level: EntryLevel): boolean {
  return levels === null || levels.some((one) => one === level);
}

/** An entry that was found. `end`: where the search goes on if this entry is to be found again. */
export type FoundEntry = Pick<TimedEntry, 'id' | 'at' | 'datetime' | 'level' | 'env' | 'header'> & {
  excerpt: LogExcerpt | null;
  end: number;
};

/**
 * Entries that were found, newest first, and the place where the search goes on, null if the file is to be searched from its end. `progress`
 * counts from the end of the file.
 */
export type LogFinding = {
  entries: FoundEntry[];
  place: LogPlace | null;
  isDone: boolean;
  isIndexing: boolean;
  progress: LogProgress;
};

/** What to follow. `term` and `levels` as of a search. */
export type LogFollowQuery = Omit<LogFindQuery, 'limit'> & LogReading & { secrets: boolean };

/** Where following a file goes on: behind the entry from `start` to `end`, which may still grow. `identity` null: the file is new. */
export type LogFollowPlace = { start: number; end: number; identity: string | null };

/** Entries that were appended, oldest first, and the number of others before them that are left out; null if it is unknown. */
export type LogNews = { entries: TimedEntry[]; skipped: number | null; place: LogFollowPlace };

/** Questions about a file. The answer is null if the file no longer exists. */
export type LogQuestion =
  | { kind: 'counts'; path: string }
  | { kind: 'page'; path: string; query: LogPageQuery }
  /** `place` null: from the newest entry. The answer is also null if the file was replaced. */
  | { kind: 'batch'; path: string; place: LogPlace | null; reading: LogReading }
  /** Searches for a moment. `place` null: from the newest entry. */
  | { kind: 'find'; path: string; place: LogPlace | null; query: LogFindQuery }
  /** Reads what was appended. `place` null: nothing, but the place for the next question. */
  | { kind: 'news'; path: string; place: LogFollowPlace | null; query: LogFollowQuery };

export type LogAnswer =
  | { kind: 'counts'; counts: LogCounts }
  | { kind: 'page'; page: LogPage }
  | { kind: 'batch'; batch: LogBatch }
  | { kind: 'find'; finding: LogFinding | FileChange }
  | { kind: 'news'; news: LogNews | FileChange }
  | null;

/** Messages to the worker and back. A `JsonText` would lose its class on the way, so `exact` has the texts of the entries that hold one. */
export type LogTask = { id: number; question: LogQuestion };
export type LogReply = { id: number; answer: LogAnswer; exact: readonly ExactTexts[] } | { id: number; fault: string };

/** The JSON texts of the context and the extra of an entry, by its place in the answer. */
type ExactTexts = { at: number; context?: string; extra?: string };

function entriesOf(answer: LogAnswer): LogEntry[] {
  if (answer === null || answer.kind === 'counts' || answer.kind === 'find') return [];
  if (answer.kind === 'news') return typeof answer.news === 'object' ? answer.news.entries : [];
  return answer.kind === 'page' ? answer.page.entries : answer.batch.entries;
}

/** The texts of what is not sent as it is. */
export function exactTextsOf(answer: LogAnswer): ExactTexts[] {
  return entriesOf(answer).flatMap(({ context, extra }, at) => {
    const texts = {
      ...(context instanceof JsonText && { context: context.text }),
      ...(extra instanceof JsonText && { extra: extra.text }),
    };
    return Object.keys(texts).length === 0 ? [] : [{ at, ...texts }];
  });
}

/** Puts the texts back into an answer. */
export function restoreExact(answer: LogAnswer, texts: readonly ExactTexts[]): LogAnswer {
  const entries = entriesOf(answer);
  for (const { at, context, extra } of texts) {
    const entry = entries[at];
    if (entry === undefined) continue;
    if (context !== undefined) entry.context = new JsonText(context);
    if (extra !== undefined) entry.extra = new JsonText(extra);
  }
  return answer;
}
