import { open } from 'node:fs/promises';
import { getDefaultHighWaterMark } from 'node:stream';

/** More than a stream takes without waiting until all of it is written. */
export const pieceBytes = 2 * getDefaultHighWaterMark(false);

/**
 * A file in pieces that all are the same memory, for a writer that has written one before it asks for the next, as `pipeline` does with pieces that
 * fill it. A new buffer for each piece would cost the process the size of the file: it takes such memory long before it gives any back.
 */
export async function* filePieces(path: string): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(pieceBytes);
  const file = await open(path);
  try {
    for (let isEnd = false; !isEnd;) {
      let filled = 0;
      while (filled < buffer.length && !isEnd) {
        const { bytesRead } = await file.read(buffer, filled, buffer.length - filled);
        filled += bytesRead;
        isEnd = bytesRead === 0;
      }
      // Only the last one may be smaller: after it nothing is read any more.
      if (filled > 0) yield buffer.subarray(0, filled);
    }
  } finally {
    await file.close();
  }
}
