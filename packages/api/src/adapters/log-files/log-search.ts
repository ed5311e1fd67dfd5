import { JsonText } from '@switchyard/contract/exact-json';
import { entryLevels, levelCounts, type LogFilter } from '@switchyard/contract/log-viewer';
import { LRUCache } from 'lru-cache';
import type { FileFormat } from './formats/file-format.ts';
import { endOf, type LogIndex } from './log-index.ts';
import type { LogPage, LogPageQuery } from './log-questions.ts';
import type { LogBytes } from './log-bytes.ts';
import { hasMarks, withoutMarks, type ParsedEntry } from './formats/log-format.ts';
import { readTime } from './formats/log-times.ts';
import type { SecretHider } from './hide-secrets.ts';
import { cleanEntry, splitEntry, withoutSecrets } from './parse-entry.ts';
import { entriesOfPage, readBlock, type BlockEntry } from './read-block.ts';
import { searchPattern } from './search-pattern.ts';

/** Maximum size of neighbouring blocks that are searched together. */
const regionBytes = 1_048_576;
/** The entries of a block start within 1 MiB, and at most 1 MiB of the last entry is read. */
const readAtMost = 2 * regionBytes;

/** Shared by all searches, because each fills and reads it within one step. */
const buffer = Buffer.allocUnsafeSlow(readAtMost);

/** `seenBytes`: bytes searched so far, from the end of the file. */
type FoundEntries = Pick<LogPage, 'total' | 'matching' | 'entries'> & { seenBytes: number };

/** Number of matches in a block by level, in the order of `entryLevels`. */
type MatchCounts = readonly number[];

/** A literal text, and what hides the secrets, in which it is not found; null if they are shown. */
type Sought = { query: string; hider: SecretHider | null };

/** A search of a file that can be continued. Remembers the number of matches by block and level. */
export type LogSearch = {
  index: LogIndex;
  /** Searches about 1 MiB more. Returns true if everything that is indexed was searched. */
  step: (file: LogBytes) => boolean;
  /** Matches so far, of the level in the query. */
  page: (file: LogBytes, query: LogPageQuery) => FoundEntries;
};

/**
 * A case-insensitive search for a literal text (api [75]) in what is shown of an entry and in what the file has of it. A text of
 * several words must occur in the file as it is shown.
 */
function beginSearch(index: LogIndex, { query: literal, hider }: Sought): LogSearch {
  const { blocks, format } = index;
  const needle = literal.toLowerCase();
  const pattern = searchPattern(
    literal,
    format.formats.flatMap(({ keys = [] }) => keys),
  );
  /** Matches by start of their block, for blocks from `low` to `high`. Excludes the newest block, which may grow. */
  const matches = new Map<number, MatchCounts>();
  let low = -1;
  let high = -1;

  function matchesIn(file: LogBytes, at: number): BlockEntry[] {
    return readBlock(file, index, at).filter(
      (entry) => mayMatch(entry) && isMatch(cleanEntry(entry.bytes.toString()), { format, needle, hider }),
    );
  }

  function mayMatch({ bytes }: BlockEntry): boolean {
    return pattern === null || indexIn(pattern, withoutMarks(bytes.toString('latin1')), 0) < Number.POSITIVE_INFINITY;
  }

  function searchBlock(file: LogBytes, at: number): void {
    const matchesOfBlock = matchesIn(file, at);
    if (matchesOfBlock.length > 0) matches.set(blocks.startOf(at), countMatches(matchesOfBlock));
  }

  /** Searches the blocks from `older` to `newer`. Parses only blocks that contain the pattern. */
  function searchRegion(file: LogBytes, older: number, newer: number): void {
    const start = blocks.startOf(older);
    const length = Math.min(endOf(index, newer) - start, readAtMost);
    const text = pattern === null ? '' : buffer.toString('latin1', 0, file.read(buffer, 0, length, start));
    // Marks may be within a word, as units of UTF-16 are.
    const isExact = pattern !== null && !hasMarks(text);
    let hit = -1;
    for (let at = older; at >= newer; at -= 1) {
      const begin = blocks.startOf(at) - start;
      if (isExact && hit < begin) hit = indexIn(pattern, text, begin);
      if (isExact && hit >= endOf(index, at) - start) continue;
      searchBlock(file, at);
    }
  }

  /** The last block in direction `step` that is searched together with `first`. */
  function reach(first: number, step: 1 | -1, last: number): number {
    let at = first;
    const size = (to: number) => endOf(index, Math.min(first, to)) - blocks.startOf(Math.max(first, to));
    while (at !== last && size(at + step) <= regionBytes) at += step;
    return at;
  }

  /** Excludes the newest block from the searched range. It may have got there when the last line was read again. */
  function settle(): void {
    const newest = blocks.startOf(0);
    if (low === -1 || low > newest) [low, high] = [newest, newest];
    if (high <= newest) return;
    high = newest;
    matches.delete(newest);
  }

  return {
    index,

    step(file) {
      if (blocks.length === 0) return true;
      settle();
      const above = blocks.newestBefore(high) - 1;
      if (above >= 1) {
        const newer = reach(above, -1, 1);
        searchRegion(file, above, newer);
        high = endOf(index, newer);
      } else {
        const below = blocks.newestBefore(low);
        if (below >= blocks.length) return true;
        const older = reach(below, 1, blocks.length - 1);
        searchRegion(file, older, below);
        low = blocks.startOf(older);
      }
      return blocks.newestBefore(high) <= 1 && blocks.newestBefore(low) >= blocks.length;
    },

    page(file, query) {
      settle();
      const newest = matchesIn(file, 0);
      const all = [countMatches(newest), ...matches.values()];
      const matching = levelCounts((wantedLevel) => all.reduce((sum, one) => sum + sumOf(one, wantedLevel), 0));
      const entries = entriesOfPage(index, query, {
        count(at) {
          const matchCounts = at === 0 ? countMatches(newest) : matches.get(blocks.startOf(at));
          return matchCounts === undefined ? 0 : sumOf(matchCounts, query.level);
        },
        read: (at) => (at === 0 ? newest : matchesIn(file, at)),
        hider,
      });
      const seenBytes = index.size - (blocks.length === 0 ? index.from : blocks.startOf(0)) + high - low;
      return { total: matching[query.level], matching, entries, seenBytes };
    },
  };
}

function indexIn(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? Number.POSITIVE_INFINITY;
}

function countMatches(entries: readonly BlockEntry[]): MatchCounts {
  return entryLevels.map((level) => entries.filter((entry) => entry.level === level).length);
}

function sumOf(matches: MatchCounts, level: LogFilter): number {
  return level === 'all' ? matches.reduce((sum, count) => sum + count, 0) : (matches[entryLevels.indexOf(level)] ?? 0);
}

type Matcher = { format: FileFormat; needle: string; hider: SecretHider | null };

/** An entry with a hidden secret matches only by what is shown of it. */
function isMatch(text: string, { format, needle, hider }: Matcher): boolean {
  const has = (part: string | null): boolean => part !== null && part.toLowerCase().includes(needle);
  const isInFile = has(text);
  if (isInFile && hider === null) return true;
  const entry = splitEntry(text, format);
  const shown = hider === null ? entry : withoutSecrets(entry, hider);
  if (isInFile && hider !== null && isSame(entry, shown) && hider.inText(text) === text) return true;
  const { env, header, context, extra, stack, time } = shown;
  return (
    [env, header, stack, readTime(time).text].some(has) ||
    [context, extra ?? null].some((part) => part !== null && jsonTexts(part).some(has))
  );
}

/** Whether nothing was hidden. */
function isSame(entry: ParsedEntry, shown: ParsedEntry): boolean {
  const { header, context, extra, stack } = entry;
  return header === shown.header && context === shown.context && extra === shown.extra && stack === shown.stack;
}

/** A part as it is written, and as it is shown, without escapes. */
function jsonTexts(part: unknown): string[] {
  return part instanceof JsonText ? [part.text, JSON.stringify(part.value)] : [JSON.stringify(part)];
}

const maxRememberedSearches = 16;

/** The latest searches, so that the next page, or a repeated call after a stopped one, continues a search. */
export function createLogSearches() {
  const searches = new LRUCache<string, LogSearch>({ max: maxRememberedSearches });

  return {
    /** The search for the query's text in all levels; a new one if the file was replaced. */
    of(path: string, index: LogIndex, sought: Sought): LogSearch {
      const key = JSON.stringify([path, index.format.name, sought.query, sought.hider === null]);
      const before = searches.get(key);
      const search = before?.index === index ? before : beginSearch(index, sought);
      searches.set(key, search);
      return search;
    },
  };
}
