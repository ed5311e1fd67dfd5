import { messages } from '@switchyard/contract/envelope';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Refusal } from '../errors.ts';

type CollectOptions = {
  /** Most bytes kept, after inflating; more is refused with 413. */
  limit: number;
  /** Refusal of any body at all, e.g. because of its content type; an empty one passes. */
  refuseBody?: (() => Refusal) | undefined;
};

/**
 * All bytes of a request body. What is left of a refused body is read and dropped, so that a sender which
 * writes before it reads still gets the answer.
 */
export async function collect(body: IncomingMessage, options: CollectOptions): Promise<Buffer> {
  return settle(body, options, () => gather(body, options));
}

/**
 * All bytes of a gzip body. The limit counts inflated bytes while they appear, so a bomb costs at most
 * the limit and one chunk of memory (S29). Broken gzip: 400.
 */
export async function collectInflated(body: IncomingMessage, options: CollectOptions): Promise<Buffer> {
  return settle(body, options, async () => {
    const inflater = createGunzip();
    body.once('error', (error) => inflater.destroy(error));
    try {
      return await gather(body.pipe(inflater), options);
    } finally {
      body.unpipe(inflater);
      inflater.destroy();
    }
  });
}

async function settle(body: IncomingMessage, { limit, refuseBody }: CollectOptions, read: () => Promise<Buffer>): Promise<Buffer> {
  const length = body.headers['content-length'];
  const isEmpty = body.headers['transfer-encoding'] === undefined && (length === undefined || Number(length) === 0);
  if (isEmpty) return Buffer.alloc(0);
  try {
    if (refuseBody) throw refuseBody();
    if (Number(length ?? 0) > limit) throw tooLarge();
    return await read();
  } catch (error) {
    body.on('error', () => undefined).resume();
    throw error;
  }
}

function gather(source: Readable, { limit }: CollectOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    function stop(): void {
      source.off('data', onData).off('end', onEnd).off('error', onBroken);
    }
    function onData(chunk: Buffer): void {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limit) return;
      stop();
      reject(tooLarge());
    }
    function onEnd(): void {
      stop();
      resolve(Buffer.concat(chunks, size));
    }
    function onBroken(): void {
      stop();
      reject(malformedBody());
    }
    source.on('data', onData).on('end', onEnd).on('error', onBroken);
  });
}

/** A body is larger than its kind may be. */
export function tooLarge(): Refusal {
  return new Refusal(413, messages.bodyTooLarge);
}

/** A body could not be read as what it claims to be. */
export function malformedBody(): Refusal {
  return new Refusal(400, messages.malformedBody);
}

/** A body has a content type or an encoding that its call does not take. */
export function unsupportedType(): Refusal {
  return new Refusal(415, messages.unsupportedMediaType);
}
