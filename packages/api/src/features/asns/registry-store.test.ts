import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, it } from 'vitest';
import { filePieces, pieceBytes } from './registry-store.ts';

it.each([0, 1, pieceBytes - 1, pieceBytes, 2 * pieceBytes, 5 * pieceBytes + 7])(
  'of a file of %i bytes arrive whole at a writer that takes its time',
  async (size) => {
    const folder = await mkdtemp(join(tmpdir(), 'pieces-'));
    const content = randomBytes(size);
    await writeFile(join(folder, 'file'), content);
    const chunks: Buffer[] = [];
    const slow = new Writable({
      write(piece: Buffer, _encoding, done) {
        setImmediate(() => {
          chunks.push(Buffer.from(piece));
          done();
        });
      },
    });
    await pipeline(filePieces(join(folder, 'file')), slow);
    await rm(folder, { recursive: true });
    expect(Buffer.concat(chunks).equals(content)).toBe(true);
  },
);
