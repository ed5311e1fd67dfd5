import type { LogPageQuery, TimedEntry } from './log-questions.ts';
import { endOf, type LogIndex } from './log-index.ts';
import type { FileFormat } from './formats/file-format.ts';
import type { LogBytes } from './log-bytes.ts';
import type { SecretHider } from './hide-secrets.ts';
import { parseEntry } from './parse-entry.ts';
import { scanEntries, type RawEntry } from './scan-entries.ts';

/** An entry, the numbers of older entries in its block and of newer ones that were read, and the offset at which it ends. */
export type BlockEntry = RawEntry & { older: number; newer: number; end: number };

/** Reads the entries of a block, or those before the offset `before`, newest first. */
export function readBlock(file: LogBytes, index: LogIndex, at: number, before = endOf(index, at)): BlockEntry[] {
  const start = index.blocks.startOf(at);
  if (start === -1) return [];
  const entries = [...scanEntries(file, { start, end: before }, index.format, index.blocks.countOf(at, 'all'))];
  return entries
    .map((entry, older) => ({ ...entry, older, newer: entries.length - 1 - older, end: entries[older + 1]?.start ?? before }))
    .toReversed();
}

/** The ordinal of the newest entry; -1 while the file is being indexed, so that older entries get negative ids. */
export function newestId({ from, blocks }: LogIndex): number {
  return from === 0 ? blocks.total('all') - 1 : -1;
}

/** Converts an entry to its displayed form, without its secrets if there is something that hides them. */
export function toLogEntry({ level, bytes, truncated }: RawEntry, { format, id, hider }: ShownAs): TimedEntry {
  return { id, level, ...parseEntry(bytes.toString(), format, hider), truncated };
}
type ShownAs = { format: FileFormat; id: number; hider: SecretHider | null };

/** Numbers of matches in blocks, of the level of the query, and the matches themselves, of any level. */
type BlockMatches = { count: (at: number) => number; read: (at: number) => BlockEntry[]; hider: SecretHider | null };

/** Reads the entries of a page, newest first. Skips blocks without entries of the page. */
export function entriesOfPage(
  index: LogIndex,
  { page, limit, level, skip: skippedCount = (page - 1) * limit }: LogPageQuery,
  { count, read, hider }: BlockMatches,
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
        entries.push(toLogEntry(entry, { format, id: id - entry.newer, hider }));
    }
    skip = Math.max(0, skip - matching);
    id -= blocks.countOf(at, 'all');
  }
  return entries;
}
