import { entryLevels, type EntryLevel } from '@switchyard/contract/log-viewer';

/** Consecutive entries: the offset of the first, and their number by level in the order of `entryLevels`. */
export type Block = { start: number; counts: number[] };

const levels = entryLevels.length;

/**
 * The blocks of a file, numbered from its end: 0 is the newest. Uses typed arrays, because a file of 5 GB has about 50,000
 * blocks.
 */
export class BlockList {
  length = 0;
  #starts = new Float64Array(16);
  #counts = new Uint16Array(16 * levels);

  /** The offset of a block; -1 if there is no such block. */
  startOf(at: number): number {
    return at < this.length ? (this.#starts[at] ?? -1) : -1;
  }

  /** Number of entries of a block that match a level filter. */
  countOf(at: number, level: EntryLevel | 'all'): number {
    if (at >= this.length) return 0;
    if (level !== 'all') return this.#counts[at * levels + entryLevels.indexOf(level)] ?? 0;
    let sum = 0;
    for (let index = at * levels; index < (at + 1) * levels; index += 1) sum += this.#counts[index] ?? 0;
    return sum;
  }

  /** Number of entries of all blocks that match a level filter. */
  total(level: EntryLevel | 'all'): number {
    let sum = 0;
    for (let at = 0; at < this.length; at += 1) sum += this.countOf(at, level);
    return sum;
  }

  /** Number of entries of all blocks that are newer than one. */
  newerThan(at: number): number {
    let sum = 0;
    for (let index = 0; index < Math.min(at, this.length) * levels; index += 1) sum += this.#counts[index] ?? 0;
    return sum;
  }

  /** The newest block that starts before an offset; `length` if there is none. */
  newestBefore(offset: number): number {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.startOf(middle) < offset) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Adds blocks before all others, in the order of the file. */
  addOlder(blocks: readonly Block[]): void {
    this.#reserve(this.length + blocks.length);
    for (const block of blocks.toReversed()) {
      this.#set(this.length, block);
      this.length += 1;
    }
  }

  /** Removes the newest block, so that it can be added again together with appended entries. */
  takeNewest(): Block | undefined {
    if (this.length === 0) return undefined;
    const block = { start: this.startOf(0), counts: [...this.#counts.subarray(0, levels)] };
    this.#starts.copyWithin(0, 1, this.length);
    this.#counts.copyWithin(0, levels, this.length * levels);
    this.length -= 1;
    return block;
  }

  /** Adds blocks after all others, in the order of the file. */
  addNewer(blocks: readonly Block[]): void {
    this.#reserve(this.length + blocks.length);
    this.#starts.copyWithin(blocks.length, 0, this.length);
    this.#counts.copyWithin(blocks.length * levels, 0, this.length * levels);
    for (const [at, block] of blocks.toReversed().entries()) this.#set(at, block);
    this.length += blocks.length;
  }

  /** Encodes the list for storage. */
  pack(): { starts: string; counts: string } {
    const { length } = this;
    return { starts: base64(this.#starts.subarray(0, length)), counts: base64(this.#counts.subarray(0, length * levels)) };
  }

  /** Decodes the result of `pack`. @throws RangeError for anything else. */
  static unpack(text: { starts: string; counts: string }): BlockList {
    const list = new BlockList();
    list.#starts = new Float64Array(bytesOf(text.starts));
    list.#counts = new Uint16Array(bytesOf(text.counts));
    list.length = list.#starts.length;
    if (list.#counts.length !== list.length * levels) throw new RangeError('Blocks: lengths of starts and counts differ');
    return list;
  }

  #set(at: number, { start, counts }: Block): void {
    this.#starts[at] = start;
    this.#counts.set(counts, at * levels);
  }

  #reserve(blocks: number): void {
    if (blocks <= this.#starts.length) return;
    const size = Math.max(blocks, this.#starts.length * 2);
    const starts = new Float64Array(size);
    starts.set(this.#starts);
    const counts = new Uint16Array(size * levels);
    counts.set(this.#counts);
    [this.#starts, this.#counts] = [starts, counts];
  }
}

function base64({ buffer, byteOffset, byteLength }: Float64Array | Uint16Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

/** Copies into a new buffer, which is aligned for every typed array. */
function bytesOf(text: string): ArrayBuffer {
  const bytes = Buffer.from(text, 'base64');
  const copy = new ArrayBuffer(bytes.length);
  new Uint8Array(copy).set(bytes);
  return copy;
}
