import { logLevels, type LogLevel } from '@switchyard/contract/log-levels';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readSync, renameSync, writeFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { scanStarts } from './scan-entries.ts';

/** Entries that follow each other: where they begin, the ordinal of the first, and how many there are by level, in the order of `logLevels`. */
const block = z.object({ start: z.number(), first: z.number(), counts: z.array(z.number()).length(logLevels.length) });
type Block = z.output<typeof block>;

const storedIndex = z.object({
  version: z.literal(1),
  device: z.number(),
  inode: z.number(),
  /** What the file began with, to tell a file that was truncated and written anew (R16). */
  head: z.object({ bytes: z.number(), hash: z.string() }),
  /** What was indexed of it. */
  size: z.number(),
  blocks: z.array(block),
});
/** What is known of a file without reading it again. */
export type LogIndex = z.output<typeof storedIndex>;

const blockEntries = 512;
const blockBytes = 1_048_576;
const headBytes = 1024;
/** Smaller files are indexed in less time than their index is read. */
const keptFrom = 16_777_216;

/** Indexes by file; `dir` keeps those of large files over restarts. */
export function createLogIndexes(dir: string) {
  const known = new Map<string, LogIndex>();

  return {
    /** The index of an open file as it is now: what was appended is added, and a file that is another one is read anew. */
    refresh(path: string, file: number, stats: Stats): LogIndex {
      const before = known.get(path) ?? readStored(dir, path);
      const fits = before !== undefined && isSameFile(before, file, stats);
      if (fits && before.size === stats.size) {
        known.set(path, before);
        return before;
      }
      const index = extend(fits ? before : undefined, file, stats);
      known.set(path, index);
      if (index.size >= keptFrom) store(dir, path, index);
      return index;
    },
  };
}

/** Where the entries of a block end. */
export function endOf(index: LogIndex, at: number): number {
  return index.blocks[at + 1]?.start ?? index.size;
}

/** Entries of a block, or of the whole file, that a level filter lets pass. */
export function countEntries(blocks: readonly Block[], level: LogLevel | 'all'): number {
  const at = level === 'all' ? -1 : logLevels.indexOf(level);
  let total = 0;
  for (const { counts } of blocks) {
    if (at !== -1) total += counts[at] ?? 0;
    else for (const count of counts) total += count;
  }
  return total;
}

function isSameFile(index: LogIndex, file: number, stats: Stats): boolean {
  if (index.device !== stats.dev || index.inode !== stats.ino || stats.size < index.size) return false;
  return hashHead(file, index.head.bytes) === index.head.hash;
}

/** The last block is read again: more lines may belong to its last entry, or its last line was not yet complete. */
function extend(before: LogIndex | undefined, file: number, stats: Stats): LogIndex {
  const blocks = before ? before.blocks.slice(0, -1) : [];
  const last = before?.blocks.at(-1);
  let ordinal = last?.first ?? 0;
  let current: Block | undefined;
  let entries = 0;
  for (const { start, level } of scanStarts(file, { start: last?.start ?? 0, end: stats.size })) {
    if (!current || entries >= blockEntries || start - current.start >= blockBytes) {
      // Blank lines in front of everything belong to no entry.
      current = { start: ordinal === 0 ? 0 : start, first: ordinal, counts: logLevels.map(() => 0) };
      entries = 0;
      blocks.push(current);
    }
    const at = logLevels.indexOf(level);
    current.counts[at] = (current.counts[at] ?? 0) + 1;
    entries += 1;
    ordinal += 1;
  }
  const bytes = Math.min(headBytes, stats.size);
  const head = { bytes, hash: hashHead(file, bytes) };
  return { version: 1, device: stats.dev, inode: stats.ino, head, size: stats.size, blocks };
}

function hashHead(file: number, bytes: number): string {
  const head = Buffer.alloc(bytes);
  const got = bytes === 0 ? 0 : readSync(file, head, 0, bytes, 0);
  return sha256(head.subarray(0, got));
}

function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex');
}

function pathOf(dir: string, path: string): string {
  return join(dir, `${sha256(path)}.json`);
}

function readStored(dir: string, path: string): LogIndex | undefined {
  try {
    return storedIndex.safeParse(JSON.parse(readFileSync(pathOf(dir, path), 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** A disk that is full costs the next start some time and nothing else. */
function store(dir: string, path: string, index: LogIndex): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o750 });
    const target = pathOf(dir, path);
    writeFileSync(`${target}.new`, JSON.stringify(index), { mode: 0o640 });
    renameSync(`${target}.new`, target);
  } catch {
    // The index in memory goes on to serve.
  }
}
