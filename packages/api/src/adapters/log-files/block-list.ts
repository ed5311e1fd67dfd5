import { entryLevels, type EntryLevel } from '@switchyard/contract/log-levels';

/** Entries that follow each other: where the first begins, and how many there are by level, in the order of `entryLevels`. */
export type Block = { start: number; counts: number[] };

const levels = entryLevels.length;

/**
 * The blocks of a file, counted from its end: 0 is the newest. Numbers in two buffers, because a file of 5 GB has some
 * fifty thousand blocks (R18).
 */
export class BlockList {
  length = 0;
  #starts = new Float64Array(16);
  #counts = new Uint16Array(16 * levels);

  /** Where a block begins; -1 where there is none. */
  startOf(at: number): number {
    return at < this.length ? (this.#starts[at] ?? -1) : -1;
  }

  /** Entries of a block that a level filter lets pass. */
  countOf(at: number, level: EntryLevel | 'all'): number {
    if (at >= this.length) return 0;
    if (level !== 'all') return this.#counts[at * levels + entryLevels.indexOf(level)] ?? 0;
    let sum = 0;
    for (let index = at * levels; index < (at + 1) * levels; index += 1) sum += this.#counts[index] ?? 0;
    return sum;
  }

  /** Entries of all blocks that a level filter lets pass. */
  total(level: EntryLevel | 'all'): number {
    let sum = 0;
    for (let at = 0; at < this.length; at += 1) sum += this.countOf(at, level);
    return sum;
  }

  /** The newest block that begins before this byte; `length` where there is none. */
  newestBefore(offset: number): number {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.startOf(middle) < offset) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Adds what stands before all others; in the order of the file. */
  addOlder(blocks: readonly Block[]): void {
    this.#room(this.length + blocks.length);
    for (const block of blocks.toReversed()) {
      this.#set(this.length, block);
      this.length += 1;
    }
  }

  /** Takes the newest block away, to put it back with what was added. */
  takeNewest(): Block | undefined {
    if (this.length === 0) return undefined;
    const block = { start: this.startOf(0), counts: [...this.#counts.subarray(0, levels)] };
    this.#starts.copyWithin(0, 1, this.length);
    this.#counts.copyWithin(0, levels, this.length * levels);
    this.length -= 1;
    return block;
  }

  /** Adds what stands behind all others; in the order of the file. */
  addNewer(blocks: readonly Block[]): void {
    this.#room(this.length + blocks.length);
    this.#starts.copyWithin(blocks.length, 0, this.length);
    this.#counts.copyWithin(blocks.length * levels, 0, this.length * levels);
    for (const [at, block] of blocks.toReversed().entries()) this.#set(at, block);
    this.length += blocks.length;
  }

  /** As texts to be kept. */
  pack(): { starts: string; counts: string } {
    const { length } = this;
    return { starts: base64(this.#starts.subarray(0, length)), counts: base64(this.#counts.subarray(0, length * levels)) };
  }

  /** What `pack` gave. @throws RangeError for anything else. */
  static unpack(packed: { starts: string; counts: string }): BlockList {
    const list = new BlockList();
    list.#starts = new Float64Array(bytesOf(packed.starts));
    list.#counts = new Uint16Array(bytesOf(packed.counts));
    list.length = list.#starts.length;
    if (list.#counts.length !== list.length * levels) throw new RangeError('Blocks and their counts do not fit');
    return list;
  }

  #set(at: number, { start, counts }: Block): void {
    this.#starts[at] = start;
    this.#counts.set(counts, at * levels);
  }

  #room(blocks: number): void {
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

/** A buffer of its own, aligned for any kind of number. */
function bytesOf(text: string): ArrayBuffer {
  const bytes = Buffer.from(text, 'base64');
  const copy = new ArrayBuffer(bytes.length);
  new Uint8Array(copy).set(bytes);
  return copy;
}
