import type { LogPageQuery, TimedEntry } from './log-questions.ts';
import { endOf, type LogIndex } from './log-index.ts';
import type { FileFormat } from './formats/file-format.ts';
import type { LogBytes } from './log-bytes.ts';
import { parseEntry } from './parse-entry.ts';
import { scanEntries, type RawEntry } from './scan-entries.ts';

/** An entry, and the number of newer entries in its block. */
export type BlockEntry = RawEntry & { newer: number };

/** Reads the entries of a block, or those before the offset `before`, newest first. */
export function readBlock(file: LogBytes, index: LogIndex, at: number, before = endOf(index, at)): BlockEntry[] {
  const start = index.blocks.startOf(at);
  if (start === -1) return [];
  const entries = [...scanEntries(file, { start, end: before }, index.format, index.blocks.countOf(at, 'all'))];
  return entries.toReversed().map((entry, newer) => ({ ...entry, newer }));
}

/** The ordinal of the newest entry; -1 while the file is being indexed, so that older entries get negative ids. */
export function newestId({ from, blocks }: LogIndex): number {
  return from === 0 ? blocks.total('all') - 1 : -1;
}

/** Converts an entry to its displayed form. */
export function toLogEntry({ level, bytes, truncated }: RawEntry, format: FileFormat, id: number): TimedEntry {
  return { id, level, ...parseEntry(bytes.toString(), format), truncated };
}

/** Numbers of matches in blocks, of the level of the query, and the matches themselves, of any level. */
type BlockMatches = { count: (at: number) => number; read: (at: number) => BlockEntry[] };

/** Reads the entries of a page, newest first. Skips blocks without entries of the page. */
export function entriesOfPage(
  index: LogIndex,
  { page, limit, level, skip: skippedCount = (page - 1) * limit }: LogPageQuery,
  { count, read }: BlockMatches,
): TimedEntry[] {
  const { blocks, format } = index;
  let skip = skippedCount;
  let id = newestId(index);
  const entries: TimedEntry[] = [];
  for (let at = 0; at < blocks.length && entries.length < limit; at += 1) {
    const matching = count(at);
    if (matching > skip) {
      const matchingEntries = read(at).filter((entry) => level === 'all' || entry.level === level);
      for (const entry of matchingEntries.slice(skip, skip + limit - entries.length))
        entries.push(toLogEntry(entry, format, id - entry.newer));
    }
    skip = Math.max(0, skip - matching);
    id -= blocks.countOf(at, 'all');
  }
  return entries;
}
