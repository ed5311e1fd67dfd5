import { messages } from '@switchyard/contract/envelope';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { HttpError } from '../errors.ts';

type CollectOptions = {
  /** Maximum number of decompressed bytes; more are rejected with 413. */
  limit: number;
  /** The error that rejects any body at all, e.g. because of its content type; an empty one passes. */
  rejectBody?: (() => HttpError) | undefined;
};

/**
 * Reads a request body. The rest of a rejected body is read and discarded, so that a client that writes before it reads
 * still gets the response.
 */
export async function collect(body: IncomingMessage, options: CollectOptions): Promise<Buffer> {
  return settle(body, options, () => gather(body, options));
}

/**
 * Reads a gzip body. The limit counts decompressed bytes as they arrive, so a decompression bomb uses at most the limit and
 * one chunk of memory. Rejects invalid gzip with 400.
 */
export async function collectInflated(body: IncomingMessage, options: CollectOptions): Promise<Buffer> {
  return settle(body, options, async () => {
    const inflater = createGunzip();
    const sent = { bytes: 0, untilZeros: 0 };
    body.once('error', (error) => inflater.destroy(error));
    body.on('data', (chunk: Buffer) => {
      const last = chunk.findLastIndex((byte) => byte !== 0);
      if (last !== -1) sent.untilZeros = sent.bytes + last + 1;
      sent.bytes += chunk.length;
    });
    try {
      const bytes = await gather(body.pipe(inflater), options);
      body.unpipe(inflater);
      const isTooLarge = (): boolean => sent.bytes > options.limit;
      await readToEnd(body, isTooLarge);
      if (isTooLarge()) throw tooLarge();
      // The inflater takes a zero behind a member for padding, and leaves out what follows.
      if (inflater.bytesWritten < sent.untilZeros) throw malformedBody();
      return bytes;
    } finally {
      body.unpipe(inflater);
      inflater.destroy();
    }
  });
}

/** Waits for the end of a body of which nobody needs the rest, or until it is too large. */
function readToEnd(body: IncomingMessage, isTooLarge: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    if (body.readableEnded) {
      resolve();
      return;
    }
    body.on('data', () => isTooLarge() && resolve());
    body.once('end', resolve).once('close', () => reject(malformedBody()));
    body.resume();
  });
}

async function settle(body: IncomingMessage, { limit, rejectBody }: CollectOptions, read: () => Promise<Buffer>): Promise<Buffer> {
  const length = body.headers['content-length'];
  const isEmpty = body.headers['transfer-encoding'] === undefined && (length === undefined || Number(length) === 0);
  if (isEmpty) return Buffer.alloc(0);
  try {
    if (rejectBody) throw rejectBody();
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

/** Error for a body over its limit. */
export function tooLarge(): HttpError {
  return new HttpError(413, messages.bodyTooLarge);
}

/** Error for a body that does not match its content type. */
export function malformedBody(): HttpError {
  return new HttpError(400, messages.malformedBody);
}

/** Error for a content type or encoding that the call does not accept. */
export function unsupportedType(): HttpError {
  return new HttpError(415, messages.unsupportedMediaType);
}
