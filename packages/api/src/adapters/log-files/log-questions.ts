import type { LevelCounts, LogEntriesQuery, LogEntry, LogProgress } from '@switchyard/contract/log-viewer';

/** How many entries of each level a file has; of one that is still being indexed those of the part that was read. */
export type LogCounts = { counts: LevelCounts; indexing: LogProgress | null };

/** A page of a file, newest first; `total` is that of the matching entries. */
export type LogPage = LogCounts & {
  total: number;
  /** Of a search: the matching entries of each level; null without one. */
  matching: LevelCounts | null;
  entries: LogEntry[];
  file: { bytes: number; createdAt: Date; updatedAt: Date };
  /** How far the search got before its time was over (S26); null when it saw the whole file. */
  stopped: LogProgress | null;
};

/** Where to go on in a file that must still be the same one. */
export type LogPlace = { before: number; identity: string };

/** Some entries of a file, newest first, and where to go on; `next` null at the end. */
export type LogBatch = { entries: LogEntry[]; next: LogPlace | null };

/** What can be asked of a file; the answer of each is null when the file is gone. */
export type LogQuestion =
  | { kind: 'counts'; path: string }
  | { kind: 'page'; path: string; query: LogEntriesQuery }
  /** `place` null: from the newest. Null too when the file has become another one. */
  | { kind: 'batch'; path: string; place: LogPlace | null };

export type LogAnswer = { kind: 'counts'; counts: LogCounts } | { kind: 'page'; page: LogPage } | { kind: 'batch'; batch: LogBatch } | null;

/** How a question travels to the worker, and its answer back. */
export type LogTask = { id: number; question: LogQuestion };
export type LogReply = { id: number; answer: LogAnswer } | { id: number; fault: string };
