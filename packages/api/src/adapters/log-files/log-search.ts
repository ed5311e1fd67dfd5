import { entryLevels } from '@switchyard/contract/log-levels';
import { levelCounts, type LogEntriesQuery, type LogEntry, type LogFilter } from '@switchyard/contract/log-viewer';
import { readSync } from 'node:fs';
import { endOf, type LogIndex } from './log-index.ts';
import type { LogPage } from './log-questions.ts';
import { splitEntry } from './parse-entry.ts';
import { isWanted, newestId, readBlock, shownEntry, type BlockEntry } from './read-block.ts';
import { searchPattern } from './search-pattern.ts';

/** Blocks are looked at together up to this size. */
const regionBytes = 1_048_576;
/** Entries of a block begin within 1 MiB, and 1 MiB is read of the last. */
const readAtMost = 2 * regionBytes;

/** One for all searches: each fills it and reads it within a step. */
const buffer = Buffer.allocUnsafeSlow(readAtMost);

/** `seen`: bytes that were looked at, from the end of the file. */
type Found = Pick<LogPage, 'total' | 'matching' | 'entries'> & { seen: number };

/** How many finds a block has of each level, in the order of `entryLevels`. */
type Finds = readonly number[];

/** A search of a file that goes on where it stopped, and remembers how many finds each block has of each level. */
export type LogSearch = {
  index: LogIndex;
  /** Looks at about a mebibyte more; true when all that is indexed was seen. */
  step: (file: number) => boolean;
  /** What was found so far, of the level asked for. */
  page: (file: number, query: LogEntriesQuery) => Found;
};

/**
 * A literal search without regard to case in header, context, extra and stack as they are shown (api [75]). What the file does
 * not hold in its own spelling is not found, e.g. a number that a context writes as `1e3` and shows as 1000.
 */
export function beginSearch(index: LogIndex, query: string): LogSearch {
  const { blocks } = index;
  const needle = query.toLowerCase();
  const pattern = searchPattern(query);
  /** Finds by the start of their block, of those that begin between `low` and `high`; never of the newest, which may grow. */
  const finds = new Map<number, Finds>();
  let low = -1;
  let high = -1;

  function findsIn(file: number, at: number): BlockEntry[] {
    return readBlock(file, index, at).filter((entry) => mayHold(entry) && holds(splitEntry(entry.bytes.toString()), needle));
  }

  function mayHold({ bytes }: BlockEntry): boolean {
    return pattern === null || indexIn(pattern, bytes.toString('latin1'), 0) < Number.POSITIVE_INFINITY;
  }

  function look(file: number, at: number): void {
    const found = findsIn(file, at);
    if (found.length > 0) finds.set(blocks.startOf(at), countFinds(found));
  }

  /** Blocks from one to another, the older one first; those without the pattern are not read as entries. */
  function lookAt(file: number, older: number, newer: number): void {
    const start = blocks.startOf(older);
    const length = Math.min(endOf(index, newer) - start, readAtMost);
    const text = pattern === null ? '' : buffer.toString('latin1', 0, readSync(file, buffer, 0, length, start));
    let hit = -1;
    for (let at = older; at >= newer; at -= 1) {
      const begin = blocks.startOf(at) - start;
      if (pattern !== null && hit < begin) hit = indexIn(pattern, text, begin);
      if (pattern !== null && hit >= endOf(index, at) - start) continue;
      look(file, at);
    }
  }

  /** How many blocks towards `step` are looked at together. */
  function reach(first: number, step: 1 | -1, last: number): number {
    let at = first;
    const size = (to: number) => endOf(index, Math.min(first, to)) - blocks.startOf(Math.max(first, to));
    while (at !== last && size(at + step) <= regionBytes) at += step;
    return at;
  }

  /** The newest block is never among those that were seen; it may have become so when the last line was read again. */
  function settle(): void {
    const newest = blocks.startOf(0);
    if (low === -1 || low > newest) [low, high] = [newest, newest];
    if (high <= newest) return;
    high = newest;
    finds.delete(newest);
  }

  return {
    index,

    step(file) {
      if (blocks.length === 0) return true;
      settle();
      const above = blocks.newestBefore(high) - 1;
      if (above >= 1) {
        const newer = reach(above, -1, 1);
        lookAt(file, above, newer);
        high = endOf(index, newer);
      } else {
        const below = blocks.newestBefore(low);
        if (below >= blocks.length) return true;
        const older = reach(below, 1, blocks.length - 1);
        lookAt(file, older, below);
        low = blocks.startOf(older);
      }
      return blocks.newestBefore(high) <= 1 && blocks.newestBefore(low) >= blocks.length;
    },

    page(file, { page, limit, level }) {
      settle();
      const newest = findsIn(file, 0);
      const all = [countFinds(newest), ...finds.values()];
      const matching = levelCounts((wanted) => all.reduce((sum, one) => sum + sumOf(one, wanted), 0));
      const entries: LogEntry[] = [];
      let skip = (page - 1) * limit;
      let id = newestId(index);
      for (let at = 0; at < blocks.length && entries.length < limit; at += 1) {
        const found = at === 0 ? countFinds(newest) : finds.get(blocks.startOf(at));
        const count = found === undefined ? 0 : sumOf(found, level);
        if (count > skip) {
          const wanted = (at === 0 ? newest : findsIn(file, at)).filter((entry) => isWanted(entry, level));
          for (const entry of wanted.slice(skip, skip + limit - entries.length)) entries.push(shownEntry(entry, id - entry.newer));
        }
        skip = Math.max(0, skip - count);
        id -= blocks.countOf(at, 'all');
      }
      const seen = index.size - (blocks.length === 0 ? index.from : blocks.startOf(0)) + high - low;
      return { total: matching[level], matching, entries, seen };
    },
  };
}

function indexIn(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? Number.POSITIVE_INFINITY;
}

function countFinds(found: readonly BlockEntry[]): Finds {
  return entryLevels.map((level) => found.filter((entry) => entry.level === level).length);
}

function sumOf(finds: Finds, level: LogFilter): number {
  return level === 'all' ? finds.reduce((sum, count) => sum + count, 0) : (finds[entryLevels.indexOf(level)] ?? 0);
}

function holds({ header, context, extra, stack }: Pick<LogEntry, 'header' | 'context' | 'extra' | 'stack'>, needle: string): boolean {
  if (header.toLowerCase().includes(needle) || stack?.toLowerCase().includes(needle) === true) return true;
  return [context, extra ?? null].some((part) => part !== null && JSON.stringify(part).toLowerCase().includes(needle));
}
