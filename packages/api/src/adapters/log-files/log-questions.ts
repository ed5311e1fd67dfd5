import type { LevelCounts, LogEntriesQuery, LogEntry, LogProgress } from '@switchyard/contract/log-viewer';

/** Number of entries of a file by level. While the file is being indexed, only the indexed part counts. */
export type LogCounts = { counts: LevelCounts; indexing: LogProgress | null };

/** A page of a file, newest first. `total` is the number of matching entries. */
export type LogPage = LogCounts & {
  total: number;
  /** Number of matches of a search by level; null without a search. */
  matching: LevelCounts | null;
  entries: LogEntry[];
  file: { bytes: number; createdAt: Date; updatedAt: Date };
  /** Progress of a search that reached its time limit; null if it covered the whole file. */
  stopped: LogProgress | null;
};

/** The part of a file to read. `skip` entries before the page are left out; by default those of the pages before it. */
export type LogPageQuery = LogEntriesQuery & { skip?: number };

/** Position in a file. `identity` detects that the file was replaced. */
export type LogPlace = { before: number; identity: string };

/** Entries of a file, newest first, and the position of the next batch; `next` is null at the end. */
export type LogBatch = { entries: LogEntry[]; next: LogPlace | null };

/** Questions about a file. The answer is null if the file no longer exists. */
export type LogQuestion =
  | { kind: 'counts'; path: string }
  | { kind: 'page'; path: string; query: LogPageQuery }
  /** `place` null: from the newest entry. The answer is also null if the file was replaced. */
  | { kind: 'batch'; path: string; place: LogPlace | null };

export type LogAnswer = { kind: 'counts'; counts: LogCounts } | { kind: 'page'; page: LogPage } | { kind: 'batch'; batch: LogBatch } | null;

/** Messages to the worker and back. */
export type LogTask = { id: number; question: LogQuestion };
export type LogReply = { id: number; answer: LogAnswer } | { id: number; fault: string };
