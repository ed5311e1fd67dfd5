import { once } from 'node:events';
import { constants, crc32, createDeflateRaw } from 'node:zlib';

/** A file within an archive, as its text arrives. */
export type ZipPart = { name: string; text: AsyncIterable<string> | Iterable<string> };

type Written = { name: Buffer; crc: number; packed: number; plain: number; start: number };

/** 1980-01-01, as the archive's dates cannot be earlier (APPNOTE 4.4.6). */
const [noTime, firstDay] = [0, 0x21];
/** Sizes follow the data; names are UTF-8 (APPNOTE 4.4.4). */
const flags = 0x0808;
const [version, deflated] = [20, 8];
/** Of archives with offsets of 64 bits (APPNOTE 4.4.3). */
const wideVersion = 45;
const largest = 0xffffffff;

/**
 * An archive as it is written, with memory for one piece at a time (APPNOTE 6.3); `before` bytes stand in front of it. It
 * may be of any size, its parts may not.
 * @throws RangeError for a part of 4 GiB.
 */
export async function* zip(parts: AsyncIterable<ZipPart>, { before = 0 }: { before?: number } = {}): AsyncGenerator<Buffer> {
  const written: Written[] = [];
  let offset = before;
  for await (const part of parts) {
    const entry: Written = { name: Buffer.from(part.name), crc: 0, packed: 0, plain: 0, start: offset };
    yield numbers(
      [4, 0x04034b50],
      [2, version],
      [2, flags],
      [2, deflated],
      [2, noTime],
      [2, firstDay],
      [12, 0],
      [2, entry.name.length],
      [2, 0],
    );
    yield entry.name;
    for await (const piece of deflate(part, entry)) yield piece;
    offset = entry.start + 30 + entry.name.length + entry.packed + 16;
    if (entry.plain > largest || entry.packed > largest) throw new RangeError(`${part.name} is larger than 4 GiB`);
    yield numbers([4, 0x08074b50], [4, entry.crc], [4, entry.packed], [4, entry.plain]);
    written.push(entry);
  }
  yield* directory(written, offset);
}

async function* deflate({ text }: ZipPart, entry: Written): AsyncGenerator<Buffer> {
  // Speed over size: the file is made while somebody waits for it.
  const packer = createDeflateRaw({ level: constants.Z_BEST_SPEED });
  async function feed(): Promise<void> {
    for await (const piece of text) {
      const bytes = Buffer.from(piece);
      entry.crc = crc32(bytes, entry.crc);
      entry.plain += bytes.length;
      if (!packer.write(bytes)) await once(packer, 'drain');
    }
    packer.end();
  }
  const fed = feed().catch((error: unknown) => packer.destroy(error instanceof Error ? error : new Error(String(error))));
  try {
    for await (const piece of packer) {
      if (!Buffer.isBuffer(piece)) continue;
      entry.packed += piece.length;
      yield piece;
    }
    await fed;
  } finally {
    packer.destroy();
  }
}

function* directory(written: readonly Written[], start: number): Generator<Buffer> {
  let size = 0;
  for (const { name, crc, packed, plain, start: at } of written) {
    const wide = at > largest ? numbers([2, 1], [2, 8], [8, at]) : Buffer.alloc(0);
    const head = [
      [4, 0x02014b50],
      [2, version],
      [2, wide.length > 0 ? wideVersion : version],
      [2, flags],
      [2, deflated],
      [2, noTime],
      [2, firstDay],
    ] as const;
    const sizes = [
      [4, crc],
      [4, packed],
      [4, plain],
      [2, name.length],
      [2, wide.length],
    ] as const;
    yield numbers(...head, ...sizes, [10, 0], [4, Math.min(at, largest)]);
    yield name;
    yield wide;
    size += 46 + name.length + wide.length;
  }
  if (start > largest) yield wideEnd(written.length, size, start);
  yield numbers([4, 0x06054b50], [4, 0], [2, written.length], [2, written.length], [4, size], [4, Math.min(start, largest)], [2, 0]);
}

/** What stands in front of the end where the directory begins beyond 4 GiB, and where to find it (APPNOTE 4.3.14, 4.3.15). */
function wideEnd(count: number, size: number, start: number): Buffer {
  const versions = [
    [2, wideVersion],
    [2, wideVersion],
  ] as const;
  const record = numbers([4, 0x06064b50], [8, 44], ...versions, [8, 0], [8, count], [8, count], [8, size], [8, start]);
  return Buffer.concat([record, numbers([4, 0x07064b50], [4, 0], [8, start + size], [4, 1])]);
}

/** Little-endian numbers of so many bytes; those of other lengths than 2, 4 and 8 are zero. */
function numbers(...fields: readonly (readonly [bytes: number, value: number])[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 2) buffer.writeUInt16LE(value, at);
    if (bytes === 4) buffer.writeUInt32LE(value, at);
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at);
    at += bytes;
  }
  return buffer;
}
