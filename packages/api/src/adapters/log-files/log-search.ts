import { entryLevels, levelCounts, type LogFilter } from '@switchyard/contract/log-viewer';
import { LRUCache } from 'lru-cache';
import type { SecretHider } from './hide-secrets.ts';
import { endOf, type LogIndex } from './log-index.ts';
import type { LogPage, LogPageQuery } from './log-questions.ts';
import type { LogBytes } from './log-bytes.ts';
import { entriesOfPage, type BlockEntry } from './read-block.ts';
import { createBlockSearch, type Sought } from './search-blocks.ts';
import { soughtText } from './sought-text.ts';

/** `seenBytes`: bytes searched so far, from the end of the file. */
type FoundEntries = Pick<LogPage, 'total' | 'matching' | 'entries'> & { seenBytes: number };

/** Number of matches in a block by level, in the order of `entryLevels`. */
type MatchCounts = readonly number[];

/** A search of a file that can be continued. Remembers the number of matches by block and level. */
export type LogSearch = {
  index: LogIndex;
  /** Searches about 1 MiB more. Returns true if everything that is indexed was searched. */
  step: (file: LogBytes) => boolean;
  /** Matches so far, of the level in the query. */
  page: (file: LogBytes, query: LogPageQuery) => FoundEntries;
};

/** A search of a file for a text, in any case (api [75]). */
function beginSearch(index: LogIndex, sought: Sought): LogSearch {
  const { blocks } = index;
  const { matchesIn, mayMatch, reach } = createBlockSearch(index, sought);
  /** Matches by start of their block, for blocks from `low` to `high`. Excludes the newest block, which may grow. */
  const matches = new Map<number, MatchCounts>();
  let low = -1;
  let high = -1;

  /** Searches the blocks from `older` to `newer`. */
  function searchRegion(file: LogBytes, older: number, newer: number): void {
    for (const at of mayMatch(file, older, newer)) {
      const matchesOfBlock = matchesIn(file, at);
      if (matchesOfBlock.length > 0) matches.set(blocks.startOf(at), countMatches(matchesOfBlock));
    }
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
        hider: sought.hider,
      });
      const seenBytes = index.size - (blocks.length === 0 ? index.from : blocks.startOf(0)) + high - low;
      return { total: matching[query.level], matching, entries, seenBytes };
    },
  };
}

function countMatches(entries: readonly BlockEntry[]): MatchCounts {
  return entryLevels.map((level) => entries.filter((entry) => entry.level === level).length);
}

function sumOf(matches: MatchCounts, level: LogFilter): number {
  return level === 'all' ? matches.reduce((sum, count) => sum + count, 0) : (matches[entryLevels.indexOf(level)] ?? 0);
}

const maxRememberedSearches = 16;

/** The latest searches, so that the next page, or a repeated call after a stopped one, continues a search. */
export function createLogSearches() {
  const searches = new LRUCache<string, LogSearch>({ max: maxRememberedSearches });

  return {
    /** The search for a literal text in all levels; a new one if the file was replaced. */
    of(path: string, index: LogIndex, { query, hider }: { query: string; hider: SecretHider | null }): LogSearch {
      const key = JSON.stringify([path, index.format.name, query, hider === null]);
      const before = searches.get(key);
      const search = before?.index === index ? before : beginSearch(index, { text: soughtText({ query, isRegex: false }), hider });
      searches.set(key, search);
      return search;
    },
  };
}
