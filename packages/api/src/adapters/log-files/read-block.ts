import type { LogEntriesQuery, LogEntry } from '@switchyard/contract/log-viewer';
import { endOf, type LogIndex } from './log-index.ts';
import { parseEntry } from './parse-entry.ts';
import { scanEntries, type RawEntry } from './scan-entries.ts';

/** An entry and how many entries of its block stand behind it in the file. */
export type BlockEntry = RawEntry & { newer: number };

/** The entries of a block, or of its part in front of `before`, newest first. */
export function readBlock(file: number, index: LogIndex, at: number, before = endOf(index, at)): BlockEntry[] {
  const start = index.blocks.startOf(at);
  if (start === -1) return [];
  const entries = [...scanEntries(file, { start, end: before }, index.blocks.countOf(at, 'all'))];
  return entries.toReversed().map((entry, newer) => ({ ...entry, newer }));
}

/** The ordinal of the newest entry of a whole file; of one that is still being indexed -1, so that others count from its end. */
export function newestId({ from, blocks }: LogIndex): number {
  return from === 0 ? blocks.total('all') - 1 : -1;
}

/** An entry as it is shown. */
export function shownEntry({ level, bytes, truncated }: RawEntry, id: number): LogEntry {
  return { id, level, ...parseEntry(bytes.toString()), truncated };
}

/** The entries of a page, newest first; blocks without one of them are passed over unread. */
export function entriesOfPage(file: number, index: LogIndex, { page, limit, level }: LogEntriesQuery): LogEntry[] {
  const { blocks } = index;
  let skip = (page - 1) * limit;
  let id = newestId(index);
  const entries: LogEntry[] = [];
  for (let at = 0; at < blocks.length && entries.length < limit; at += 1) {
    const matching = blocks.countOf(at, level);
    if (matching > skip) {
      const wanted = readBlock(file, index, at).filter((entry) => isWanted(entry, level));
      for (const entry of wanted.slice(skip, skip + limit - entries.length)) entries.push(shownEntry(entry, id - entry.newer));
    }
    skip = Math.max(0, skip - matching);
    id -= blocks.countOf(at, 'all');
  }
  return entries;
}

/** Whether an entry is of the level asked for; `all` wants every one. */
export function isWanted({ level }: Pick<LogEntry, 'level'>, wanted: LogEntriesQuery['level']): boolean {
  return wanted === 'all' || level === wanted;
}
