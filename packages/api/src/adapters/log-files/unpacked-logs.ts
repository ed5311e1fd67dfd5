import { LRUCache } from 'lru-cache';
import type { Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { constants, createGunzip, deflateRawSync, inflateRawSync } from 'node:zlib';
import { isPacked, openFlags } from './log-folder.ts';
import type { LogBytes } from './log-bytes.ts';

const chunkBytes = 1_048_576;
/** Memory of all unpacked files. Their chunks are packed again, one by one, so that any part can be read alone. */
const maxMemoryBytes = 268_435_456;
/** Length after which an unpacked file is cut, so that a small file cannot fill the memory. */
const maxUnpackedBytes = 4_294_967_296;

type Unpacked = { stamp: string; size: number; chunks: readonly Buffer[] };

/** Files of gzip, read without unpacking them to the disk. */
export type UnpackedLogs = ReturnType<typeof createUnpackedLogs>;

export function createUnpackedLogs() {
  const filesByPath = new LRUCache<string, Unpacked>({
    max: 1000,
    maxSize: maxMemoryBytes,
    sizeCalculation: ({ chunks }) => chunks.reduce((sum, { length }) => sum + length, 1),
  });
  const latest = { chunk: Buffer.alloc(0), bytes: Buffer.alloc(0) };

  function unpackChunk(chunk: Buffer): Buffer {
    if (latest.chunk !== chunk) Object.assign(latest, { chunk, bytes: inflateRawSync(chunk) });
    return latest.bytes;
  }

  return {
    /** Unpacks a file, unless it is known. What is damaged or beyond the limit is left out. */
    async prepare(path: string): Promise<void> {
      if (!isPacked(path)) return;
      const handle = await open(path, openFlags).catch(() => null);
      if (handle === null) return;
      try {
        const stats = await handle.stat();
        if (!stats.isFile() || filesByPath.get(path)?.stamp === stampOf(stats)) return;
        filesByPath.set(path, {
          stamp: stampOf(stats),
          ...(await repack(handle.createReadStream({ autoClose: false }).pipe(createGunzip()))),
        });
      } finally {
        await handle.close();
      }
    },

    /** The bytes of a file that was prepared; undefined if it has changed since or was given up for others. */
    find(path: string, stats: Stats): LogBytes | undefined {
      const file = filesByPath.get(path);
      if (file?.stamp !== stampOf(stats)) return undefined;
      const { size, chunks } = file;
      return {
        size,
        device: stats.dev,
        inode: stats.ino,
        read(into, at, length, position) {
          let bytesRead = 0;
          while (bytesRead < length) {
            const from = position + bytesRead;
            const chunk = chunks[Math.floor(from / chunkBytes)];
            const copied =
              chunk === undefined
                ? 0
                : unpackChunk(chunk).copy(into, at + bytesRead, from % chunkBytes, (from % chunkBytes) + length - bytesRead);
            if (copied === 0) break;
            bytesRead += copied;
          }
          return bytesRead;
        },
      };
    },
  };
}

function stampOf({ dev, ino, size, mtimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs].join();
}

async function repack(unpacked: AsyncIterable<Buffer>): Promise<Omit<Unpacked, 'stamp'>> {
  const chunks: Buffer[] = [];
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let size = 0;
  let memoryBytes = 0;
  function pack(bytes: Buffer): void {
    const chunk = deflateRawSync(bytes, { level: constants.Z_BEST_SPEED });
    chunks.push(chunk);
    size += bytes.length;
    memoryBytes += chunk.length;
  }
  try {
    for await (const part of unpacked) {
      waiting.push(part);
      waitingBytes += part.length;
      if (waitingBytes < chunkBytes) continue;
      const bytes = Buffer.concat(waiting);
      pack(bytes.subarray(0, chunkBytes));
      waiting = [bytes.subarray(chunkBytes)];
      waitingBytes -= chunkBytes;
      if (size >= maxUnpackedBytes || memoryBytes >= maxMemoryBytes / 2) break;
    }
  } catch {
    // A damaged file is shown up to the damage.
  }
  if (waitingBytes > 0) pack(Buffer.concat(waiting).subarray(0, chunkBytes));
  return { size, chunks };
}
