import type { LogEntriesQuery } from '@switchyard/contract/log-viewer';
import type { LogIndex } from './log-index.ts';
import { beginSearch, type LogSearch } from './log-search.ts';

const rememberedAtMost = 16;

/** The latest searches, so that a further page, or the same call after one that stopped, goes on instead of beginning anew (S26). */
export function createLogSearches() {
  const known = new Map<string, LogSearch>();

  return {
    /** The search for that text in every level; a new one when the file has become another one. */
    of(path: string, index: LogIndex, { query = '' }: LogEntriesQuery): LogSearch {
      const key = JSON.stringify([path, query]);
      const before = known.get(key);
      const search = before?.index === index ? before : beginSearch(index, query);
      known.delete(key);
      known.set(key, search);
      for (const oldest of known.keys()) {
        if (known.size <= rememberedAtMost) break;
        known.delete(oldest);
      }
      return search;
    },
  };
}
