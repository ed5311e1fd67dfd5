import { entryLevels } from '@switchyard/contract/log-levels';
import { createHash } from 'node:crypto';
import { readSync, type Stats } from 'node:fs';
import { z } from 'zod';
import { BlockList, type Block } from './block-list.ts';
import { scanLevels, type LineLevel } from './scan-entries.ts';
import { firstLineFrom, type LineRange } from './scan-lines.ts';

/** What tells a file from another one of the same name: one that was rotated, truncated or written anew (R16). */
export const fileIdentity = z.object({
  device: z.number(),
  inode: z.number(),
  /** What the file began with. */
  head: z.object({ bytes: z.number(), hash: z.string() }),
  /** How long it was at least. */
  size: z.number(),
});
export type FileIdentity = z.output<typeof fileIdentity>;

/** What is known of a file without reading it again: of the bytes between `from` and `size`, all of them once `from` is 0. */
export type LogIndex = FileIdentity & {
  from: number;
  blocks: BlockList;
  /** Null where it was not met yet. */
  lastLine: LineLevel | null;
};

const blockEntries = 512;
const blockBytes = 1_048_576;
const headBytes = 1024;

/** The index of a file of which nothing is known yet. */
export function beginIndex(file: number, stats: Stats): LogIndex {
  return { ...identify(file, stats), from: stats.size, blocks: new BlockList(), lastLine: null };
}

/** What an open file is. */
export function identify(file: number, { dev, ino, size }: Stats): FileIdentity {
  return { device: dev, inode: ino, head: headOf(file, size), size };
}

function headOf(file: number, size: number): FileIdentity['head'] {
  const bytes = Math.min(headBytes, size);
  return { bytes, hash: hashHead(file, bytes) };
}

/** Whether an open file is the one that was identified, even if it has grown. */
export function isSameFile({ device, inode, head, size }: FileIdentity, file: number, stats: Stats): boolean {
  return device === stats.dev && inode === stats.ino && stats.size >= size && hashHead(file, head.bytes) === head.hash;
}

/** Whether the index knows the whole file as it is now. */
export function isWhole(index: LogIndex, stats: Stats): boolean {
  return index.from === 0 && index.size === stats.size;
}

/** Where the entries of a block end. */
export function endOf(index: LogIndex, at: number): number {
  return at === 0 ? index.size : index.blocks.startOf(at - 1);
}

/** Reads on for so many bytes: what was appended first, and then towards the beginning, because the newest is asked for first. */
export function advance(index: LogIndex, file: number, { size }: Stats, bytes: number): void {
  if (index.size < size) readForward(index, file, { size, bytes });
  else if (index.from > 0) readBackward(index, file, bytes);
}

function readBackward(index: LogIndex, file: number, bytes: number): void {
  const start = Math.max(0, index.from - bytes);
  const range = { start: firstLineFrom(file, start, index.from), end: index.from, limit: index.size };
  let read = readRange(file, range, { isFirst: start === 0 });
  if (read.blocks.length === 0 && start === 0) {
    read = readFront(index, file);
    // The last line may turn out to be the first entry too.
    if (index.blocks.length === 0) index.lastLine = read.lastLine;
  }
  index.lastLine ??= read.lastLine;
  index.blocks.addOlder(read.blocks);
  index.from = start;
}

/** Where a file begins with more blank lines than a step reads, the first line that is none may stand behind them. */
function readFront({ blocks, size }: LogIndex, file: number) {
  if (blocks.length === 0) return readRange(file, { start: 0, end: size, limit: size }, { isFirst: true });
  // A line behind NUL bytes in front of the first known one is that one.
  const end = blocks.startOf(blocks.length - 1);
  return readRange(file, { start: 0, end, limit: size, before: end }, { isFirst: true });
}

function readForward(index: LogIndex, file: number, { size, bytes }: { size: number; bytes: number }): void {
  const reopened = reopenLastLine(index);
  const end = Math.min(size, Math.max(index.size, reopened ?? 0) + bytes);
  const onto = index.blocks.takeNewest();
  const range = { start: reopened ?? firstLineFrom(file, index.size, end), end, limit: size };
  const isFirst = index.from === 0 && onto === undefined;
  const { blocks, lastLine } = readRange(file, range, { isFirst, ...(onto ? { onto } : {}) });
  index.blocks.addNewer(blocks);
  index.lastLine = lastLine ?? index.lastLine;
  index.size = end;
  if (index.head.bytes < headBytes) index.head = headOf(file, size);
}

/** Takes the last line back if it was not whole and may turn out to be another one; where it begins, or null. */
function reopenLastLine({ lastLine, blocks }: LogIndex): number | null {
  if (lastLine === null || lastLine.isWhole) return null;
  const newest = lastLine.level === null ? undefined : blocks.takeNewest();
  if (newest && lastLine.level !== null) {
    const at = entryLevels.indexOf(lastLine.level);
    newest.counts[at] = (newest.counts[at] ?? 0) - 1;
    if (newest.counts.some((count) => count > 0)) blocks.addNewer([newest]);
  }
  return lastLine.start;
}

type Range = Omit<LineRange, 'start'> & { start: number | null; before?: number };
type Onto = { isFirst: boolean; onto?: Block };

/** The blocks of the entries that begin in a range of bytes, which begins with a line; null where none begins in it. */
function readRange(file: number, range: Range, { isFirst, onto }: Onto) {
  const blocks: Block[] = onto ? [onto] : [];
  let current = onto;
  let entries = onto?.counts.reduce((sum, count) => sum + count, 0) ?? 0;
  let lastLine: LogIndex['lastLine'] = null;
  const { start } = range;
  if (start === null) return { blocks, lastLine };
  for (const line of scanLevels(file, { ...range, start }, isFirst)) {
    if (range.before !== undefined && line.start >= range.before) break;
    lastLine = line;
    if (line.level === null) continue;
    if (!current || entries >= blockEntries || line.start - current.start >= blockBytes) {
      // Blank lines in front of everything belong to no entry.
      current = { start: isFirst && blocks.length === 0 ? 0 : line.start, counts: entryLevels.map(() => 0) };
      entries = 0;
      blocks.push(current);
    }
    const at = entryLevels.indexOf(line.level);
    current.counts[at] = (current.counts[at] ?? 0) + 1;
    entries += 1;
  }
  return { blocks, lastLine };
}

function hashHead(file: number, bytes: number): string {
  const head = Buffer.alloc(bytes);
  const got = bytes === 0 ? 0 : readSync(file, head, 0, bytes, 0);
  return createHash('sha256').update(head.subarray(0, got)).digest('hex');
}
