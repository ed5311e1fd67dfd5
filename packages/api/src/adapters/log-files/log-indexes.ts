import { type Stats, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { advance, createIndex, isSameFile, isWhole, type LogIndex, fileIdentity } from './log-index.ts';
import { entryLevels } from '@switchyard/contract/log-viewer';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { makeFolder } from '@switchyard/embedded-postgres/data-folder';
import { z } from 'zod';
import { BlockList } from './block-list.ts';

/** Increase it when the rules for entries or counts change. Indexes of other versions are rebuilt. */
const indexVersion = 3;

const storedIndex = fileIdentity.extend({
  version: z.literal(indexVersion),
  lastLine: z.object({ start: z.number(), level: z.enum(entryLevels).nullable(), isWhole: z.boolean() }).nullable(),
  starts: z.string(),
  counts: z.string(),
});

/** Indexing a smaller file takes less time than reading its stored index. */
const minStoredFileBytes = 16_777_216;
/** Growth after which an index is written again. A restart has to index at most this much. */
const rewriteGrowthBytes = 33_554_432;
/** Maximum number of stored indexes. The oldest ones, of files that were rotated, are deleted. */
const maxStoredIndexes = 400;

/**
 * Stores complete indexes of large files in a folder, so that they survive restarts. If the folder cannot be read or
 * written, files are indexed again; nothing else fails.
 */
function createStoredIndexes(dir: string) {
  const storedSizes = new WeakMap<LogIndex, number>();
  const pathOf = (path: string) => join(dir, `${createHash('sha256').update(path).digest('hex')}.json`);

  return {
    read(path: string): LogIndex | undefined {
      try {
        const { version: _version, starts, counts, ...identity } = storedIndex.parse(JSON.parse(readFileSync(pathOf(path), 'utf8')));
        const index: LogIndex = { ...identity, from: 0, blocks: BlockList.unpack({ starts, counts }) };
        storedSizes.set(index, index.size);
        return index;
      } catch {
        return undefined;
      }
    },

    /** Stores an index if reading it later saves time. */
    write(path: string, index: LogIndex): void {
      const { blocks, from, size } = index;
      if (from > 0 || size < minStoredFileBytes || size < (storedSizes.get(index) ?? -rewriteGrowthBytes) + rewriteGrowthBytes) return;
      storedSizes.set(index, size);
      try {
        makeFolder(dir, 0o750);
        const { device, inode, head, lastLine } = index;
        const storedText: z.input<typeof storedIndex> = { version: indexVersion, device, inode, head, size, lastLine, ...blocks.pack() };
        const target = pathOf(path);
        writeFileSync(`${target}.new`, JSON.stringify(storedText), { mode: 0o640 });
        renameSync(`${target}.new`, target);
        removeOldest(dir);
      } catch {
        // The index in memory is still valid.
      }
    },

    forget(path: string): void {
      rmSync(pathOf(path), { force: true });
    },
  };
}

function removeOldest(dir: string): void {
  const names = readdirSync(dir);
  if (names.length <= maxStoredIndexes) return;
  const byAge = names.map((name) => ({ name, time: statSync(join(dir, name)).mtimeMs })).toSorted((a, b) => b.time - a.time);
  for (const { name } of byAge.slice(maxStoredIndexes)) rmSync(join(dir, name), { force: true });
}

/** Maximum number of indexes in memory: enough for the first pages of both viewers, with the logs of ten processes. */
const maxKnownIndexes = 256;

/** Indexes of files. `dir` stores those of large files; `stepBytes` is read in one step. */
export function createLogIndexes({ dir, stepBytes }: { dir: string; stepBytes: number }) {
  const indexesByPath = new LRUCache<string, LogIndex>({ max: maxKnownIndexes });
  const storedIndexes = createStoredIndexes(dir);

  return {
    /**
     * Indexes one more step of an open file and returns its index, which later steps change. Appended entries are added;
     * a file that was replaced is indexed from the start.
     */
    advance(path: string, file: number, stats: Stats): LogIndex {
      const before = indexesByPath.get(path) ?? storedIndexes.read(path);
      const index = before && isSameFile(before, file, stats) ? before : createIndex(file, stats);
      indexesByPath.set(path, index);
      if (!isWhole(index, stats)) advance(index, file, stats, stepBytes);
      storedIndexes.write(path, index);
      return index;
    },

    /** Deletes the index of a file that no longer exists. */
    forget(path: string): void {
      indexesByPath.delete(path);
      storedIndexes.forget(path);
    },
  };
}
