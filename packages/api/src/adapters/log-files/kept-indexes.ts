import { entryLevels } from '@switchyard/contract/log-levels';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { BlockList } from './block-list.ts';
import { fileIdentity, type LogIndex } from './log-index.ts';

/** Goes up with every change of what begins an entry or of how it is counted: older indexes are then built anew. */
const indexVersion = 3;

const storedIndex = fileIdentity.extend({
  version: z.literal(indexVersion),
  lastLine: z.object({ start: z.number(), level: z.enum(entryLevels).nullable(), isWhole: z.boolean() }).nullable(),
  starts: z.string(),
  counts: z.string(),
});

/** Smaller files are indexed in less time than their index is read. */
const keptFrom = 16_777_216;
/** A file has to grow by so much before its index is written again: that much is read after a restart. */
const keptEvery = 33_554_432;
/** Indexes of files that were rotated away are of no use; the oldest ones go. */
const keptAtMost = 200;

/**
 * Keeps whole indexes of large files in a folder over restarts. A folder that cannot be read or written, or a disk that is
 * full, costs the next start some time and nothing else.
 */
export function createKeptIndexes(dir: string) {
  const keptSizes = new WeakMap<LogIndex, number>();
  const pathOf = (path: string) => join(dir, `${createHash('sha256').update(path).digest('hex')}.json`);

  return {
    read(path: string): LogIndex | undefined {
      try {
        const { version: _version, starts, counts, ...known } = storedIndex.parse(JSON.parse(readFileSync(pathOf(path), 'utf8')));
        const index: LogIndex = { ...known, from: 0, blocks: BlockList.unpack({ starts, counts }) };
        keptSizes.set(index, index.size);
        return index;
      } catch {
        return undefined;
      }
    },

    /** Writes an index down where that saves time. */
    keep(path: string, index: LogIndex): void {
      const { blocks, from, size } = index;
      if (from > 0 || size < keptFrom || size < (keptSizes.get(index) ?? -keptEvery) + keptEvery) return;
      keptSizes.set(index, size);
      try {
        mkdirSync(dir, { recursive: true, mode: 0o750 });
        const { device, inode, head, lastLine } = index;
        const stored: z.input<typeof storedIndex> = { version: indexVersion, device, inode, head, size, lastLine, ...blocks.pack() };
        const target = pathOf(path);
        writeFileSync(`${target}.new`, JSON.stringify(stored), { mode: 0o640 });
        renameSync(`${target}.new`, target);
        removeOldest(dir);
      } catch {
        // The index in memory goes on to serve.
      }
    },

    forget(path: string): void {
      rmSync(pathOf(path), { force: true });
    },
  };
}

function removeOldest(dir: string): void {
  const names = readdirSync(dir);
  if (names.length <= keptAtMost) return;
  const byAge = names.map((name) => ({ name, time: statSync(join(dir, name)).mtimeMs })).toSorted((a, b) => b.time - a.time);
  for (const { name } of byAge.slice(keptAtMost)) rmSync(join(dir, name), { force: true });
}
