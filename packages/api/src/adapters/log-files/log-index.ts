import { entryLevels } from '@switchyard/contract/log-viewer';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { BlockList, type Block } from './block-list.ts';
import type { FileFormat } from './formats/file-format.ts';
import type { LogBytes } from './log-bytes.ts';
import type { ScannedLine } from './scanned-line.ts';
import { classifyLines, type LineLevel, firstLineFrom, type LineRange } from './scan-entries.ts';

/** Maximum number of first bytes that identify a file. */
const headBytes = 1024;

/** Identifies a file, so that one of the same name after a rotation, truncation or rewrite is recognised as another. */
export const fileIdentity = z.object({
  device: z.number(),
  inode: z.number(),
  /** Hash of its first bytes. */
  head: z.object({ bytes: z.int().min(0).max(headBytes), hash: z.string() }),
  /** Minimum size. */
  size: z.number(),
});
export type FileIdentity = z.output<typeof fileIdentity>;

/** Index of the bytes from `from` to `size`; of the whole file once `from` is 0. */
export type LogIndex = FileIdentity & {
  from: number;
  format: FileFormat;
  blocks: BlockList;
  /** Null until it was read. */
  lastLine: LineLevel | null;
};

const blockEntries = 512;
const blockBytes = 1_048_576;

/** Creates an empty index of an open file. */
export function createIndex(file: LogBytes, format: FileFormat): LogIndex {
  return { ...identify(file), from: file.size, format, blocks: new BlockList(), lastLine: null };
}

/** The identity of an open file. */
export function identify(file: LogBytes): FileIdentity {
  const { device, inode, size } = file;
  return { device, inode, head: headOf(file, size), size };
}

function headOf(file: LogBytes, size: number): FileIdentity['head'] {
  const bytes = Math.min(headBytes, size);
  return { bytes, hash: hashHead(file, bytes) };
}

/** Whether an open file has this identity. It may have grown. */
export function isSameFile({ device, inode, head, size }: FileIdentity, file: LogBytes): boolean {
  return device === file.device && inode === file.inode && file.size >= size && hashHead(file, head.bytes) === head.hash;
}

/** Whether the index covers the whole file. */
export function isWhole(index: LogIndex, { size }: LogBytes): boolean {
  return index.from === 0 && index.size === size;
}

/** The offset at which a block ends. */
export function endOf(index: LogIndex, at: number): number {
  return at === 0 ? index.size : index.blocks.startOf(at - 1);
}

/** Indexes the given number of bytes: first those that were appended, then older ones, because readers ask for the newest first. */
export function advance(index: LogIndex, file: LogBytes, bytes: number): void {
  if (index.size < file.size) readForward(index, file, bytes);
  else if (index.from > 0) readBackward(index, file, bytes);
}

function readBackward(index: LogIndex, file: LogBytes, bytes: number): void {
  const start = Math.max(0, index.from - bytes);
  const range = { start: firstLineFrom(file, start, index.from), end: index.from, limit: index.size };
  let parsedRange = readRange(file, range, { format: index.format, isFirst: start === 0 });
  if (parsedRange.blocks.length === 0 && start === 0) {
    parsedRange = readFront(index, file);
    // The last line may also be the first entry.
    if (index.blocks.length === 0) index.lastLine = parsedRange.lastLine;
  }
  index.lastLine ??= parsedRange.lastLine;
  index.blocks.addOlder(parsedRange.blocks);
  index.from = start;
}

/** Reads the front of a file again if it starts with more blank lines than one step reads. */
function readFront({ blocks, size, format }: LogIndex, file: LogBytes) {
  if (blocks.length === 0) return readRange(file, { start: 0, end: size, limit: size }, { format, isFirst: true });
  // The first indexed line may follow NUL bytes. Stop before it, so that it is not counted twice.
  const end = blocks.startOf(blocks.length - 1);
  return readRange(file, { start: 0, end, limit: size, before: end }, { format, isFirst: true });
}

function readForward(index: LogIndex, file: LogBytes, bytes: number): void {
  const { size } = file;
  const reopenedAt = reopenLastLine(index);
  const end = Math.min(size, Math.max(index.size, reopenedAt ?? 0) + bytes);
  const onto = index.blocks.takeNewest();
  const range = { start: reopenedAt ?? firstLineFrom(file, index.size, end), end, limit: size };
  const isFirst = index.from === 0 && onto === undefined;
  const { blocks, lastLine } = readRange(file, range, { format: index.format, isFirst, ...(onto ? { onto } : {}) });
  index.blocks.addNewer(blocks);
  index.lastLine = lastLine ?? index.lastLine;
  index.size = end;
  if (index.head.bytes < headBytes) index.head = headOf(file, size);
}

/** Removes the last line from the index if it was incomplete. Returns its offset, or null. */
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
type Onto = { format: FileFormat; isFirst: boolean; onto?: Block };

/** Blocks of the entries that start in a range of bytes. `start` is the start of a line, or null if no line starts in it. */
function readRange(file: LogBytes, range: Range, { format, isFirst, onto }: Onto) {
  const blocks: Block[] = onto ? [onto] : [];
  let current = onto;
  let entries = onto?.counts.reduce((sum, count) => sum + count, 0) ?? 0;
  let lastLine: ScannedLine | null = null;
  const { start } = range;
  if (start === null) return { blocks, lastLine: null };
  for (const line of classifyLines(file, { ...range, start }, { format, isFirst })) {
    if (range.before !== undefined && line.start >= range.before) break;
    lastLine = line;
    if (line.level === null || line.level === undefined) continue;
    if (!current || entries >= blockEntries || line.start - current.start >= blockBytes) {
      // Blank lines at the start of the file belong to the first block.
      current = { start: isFirst && blocks.length === 0 ? 0 : line.start, counts: entryLevels.map(() => 0) };
      entries = 0;
      blocks.push(current);
    }
    const at = entryLevels.indexOf(line.level);
    current.counts[at] = (current.counts[at] ?? 0) + 1;
    entries += 1;
  }
  return { blocks, lastLine: levelOfLine(lastLine) };
}

/** Without the bytes, which are valid only until the next line. */
function levelOfLine(line: ScannedLine | null): LineLevel | null {
  return line && { start: line.start, level: line.level ?? null, isWhole: line.isWhole };
}

function hashHead(file: LogBytes, bytes: number): string {
  const head = Buffer.alloc(bytes);
  const bytesRead = bytes === 0 ? 0 : file.read(head, 0, bytes, 0);
  return createHash('sha256').update(head.subarray(0, bytesRead)).digest('hex');
}
