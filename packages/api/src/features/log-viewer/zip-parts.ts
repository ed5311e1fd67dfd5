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
const largest = 0xffffffff;

/** An archive as it is written, with memory for one piece at a time (APPNOTE 6.3). @throws RangeError beyond 4 GiB. */
export async function* zip(parts: AsyncIterable<ZipPart>): AsyncGenerator<Buffer> {
  const written: Written[] = [];
  let offset = 0;
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
    if (entry.plain > largest || offset > largest) throw new RangeError('The archive is larger than 4 GiB');
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
    const head = [
      [4, 0x02014b50],
      [2, version],
      [2, version],
      [2, flags],
      [2, deflated],
      [2, noTime],
      [2, firstDay],
    ] as const;
    yield numbers(...head, [4, crc], [4, packed], [4, plain], [2, name.length], [12, 0], [4, at]);
    yield name;
    size += 46 + name.length;
  }
  yield numbers([4, 0x06054b50], [4, 0], [2, written.length], [2, written.length], [4, size], [4, start], [2, 0]);
}

/** Little-endian numbers of so many bytes; longer ones than 4 are zero. */
function numbers(...fields: readonly (readonly [bytes: number, value: number])[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 2) buffer.writeUInt16LE(value, at);
    if (bytes === 4) buffer.writeUInt32LE(value, at);
    at += bytes;
  }
  return buffer;
}
