import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { advance, createIndex, isSameFile, isWhole, type LogIndex, fileIdentity } from './log-index.ts';
import { entryLevels, logFormats, type LogFormatName } from '@switchyard/contract/log-viewer';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { makeFolder } from '@switchyard/embedded-postgres/data-folder';
import { z } from 'zod';
import { BlockList } from './block-list.ts';
import { chosenFormat, mixedFormat, recogniseFormat, type FileFormat } from './formats/file-format.ts';
import type { LogBytes } from './log-bytes.ts';

/** Increase it when the rules for entries or counts change. Indexes of other versions are rebuilt. */
const indexVersion = 6;

const storedIndex = fileIdentity.extend({
  version: z.literal(indexVersion),
  format: z.enum(logFormats),
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
    read(path: string, format: FileFormat): LogIndex | undefined {
      try {
        const {
          version: _version,
          format: name,
          starts,
          counts,
          ...identity
        } = storedIndex.parse(JSON.parse(readFileSync(pathOf(path), 'utf8')));
        if (name !== format.name) return undefined;
        const index: LogIndex = { ...identity, from: 0, format, blocks: BlockList.unpack({ starts, counts }) };
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
        const { device, inode, head, lastLine, format } = index;
        const storedText: z.input<typeof storedIndex> = {
          version: indexVersion,
          format: format.name,
          device,
          inode,
          head,
          size,
          lastLine,
          ...blocks.pack(),
        };
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

/** The part of a file by which its format is recognised. */
const firstBlockBytes = 65_536;

/** The format of a file: that of its name, or the one that its first block shows. */
function formatOf(file: LogBytes, name: LogFormatName | undefined): FileFormat {
  const bytes = Buffer.alloc(Math.min(firstBlockBytes, file.size));
  const text = bytes.toString('utf8', 0, file.read(bytes, 0, bytes.length, 0));
  if (name !== undefined) return chosenFormat(name, text);
  // A hole that copytruncate left, or the beginning of one line, shows no format.
  const isUnknown = /^\0*$/.test(text) || (bytes.length === firstBlockBytes && !text.includes('\n'));
  return isUnknown ? mixedFormat : recogniseFormat(text);
}

/** Maximum number of indexes in memory: enough for the first pages of both viewers, with the logs of ten processes. */
const maxKnownIndexes = 256;

/** A file and the format in which it is read; without one, the format is recognised. */
export type LogTarget = { path: string; format?: LogFormatName | undefined };

/** Indexes of files. `dir` stores those of large files; `stepBytes` is read in one step. */
export function createLogIndexes({ dir, stepBytes }: { dir: string; stepBytes: number }) {
  const indexesByPath = new LRUCache<string, LogIndex>({ max: maxKnownIndexes });
  const storedIndexes = createStoredIndexes(dir);

  return {
    /**
     * Indexes one more step of an open file and returns its index, which later steps change. Appended entries are added;
     * a file that was replaced, or is recognised as another format as it grows, is indexed from the start.
     */
    advance({ path, format: name }: LogTarget, file: LogBytes): LogIndex {
      const key = keyOf({ path, format: name });
      const known = indexesByPath.get(key);
      const isKnown = known !== undefined && isSameFile(known, file);
      const format = isKnown && (known.size >= firstBlockBytes || known.size === file.size) ? known.format : formatOf(file, name);
      const before = isKnown ? known : storedIndexes.read(key, format);
      const isCurrent = before !== undefined && isSameFile(before, file) && before.format.name === format.name;
      const index = isCurrent ? before : createIndex(file, format);
      index.format = format;
      indexesByPath.set(key, index);
      if (!isWhole(index, file)) advance(index, file, stepBytes);
      storedIndexes.write(key, index);
      return index;
    },

    /** Deletes the index of a file that no longer exists. */
    forget(target: LogTarget): void {
      const key = keyOf(target);
      indexesByPath.delete(key);
      storedIndexes.forget(key);
    },
  };
}

function keyOf({ path, format }: LogTarget): string {
  return format === undefined ? path : `${path} ${format}`;
}
