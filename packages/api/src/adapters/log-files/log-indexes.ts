import type { Stats } from 'node:fs';
import { createKeptIndexes } from './kept-indexes.ts';
import { advance, beginIndex, isSameFile, isWhole, type LogIndex } from './log-index.ts';

/** Files whose index stays in memory: those of both viewers' first pages, and more. */
const knownAtMost = 64;

/** Indexes by file; `dir` keeps those of large files over restarts, `stepBytes` is what is read at a time. */
export function createLogIndexes({ dir, stepBytes }: { dir: string; stepBytes: number }) {
  const known = new Map<string, LogIndex>();
  const kept = createKeptIndexes(dir);

  return {
    /**
     * The index of an open file after one more step: what was appended is added, and a file that is another one is read
     * anew. It goes on to change with the next step.
     */
    advance(path: string, file: number, stats: Stats): LogIndex {
      const before = known.get(path) ?? kept.read(path);
      const index = before && isSameFile(before, file, stats) ? before : beginIndex(file, stats);
      known.delete(path);
      known.set(path, index);
      for (const oldest of known.keys()) {
        if (known.size <= knownAtMost) break;
        known.delete(oldest);
      }
      if (!isWhole(index, stats)) advance(index, file, stats, stepBytes);
      kept.keep(path, index);
      return index;
    },

    /** What is known of a file that is gone is of no use. */
    forget(path: string): void {
      known.delete(path);
      kept.forget(path);
    },
  };
}
