import type { FastifyReply } from 'fastify';
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { messages } from '@switchyard/contract/envelope';
import { Overload, unavailable } from '../errors.ts';
import type { Limiter, LimiterCaller, Release } from '../overload/limiter.ts';
import { Download } from './streamed-result.ts';
import { disconnectionOf } from './disconnection.ts';
import { hijack, waitForDrain } from './hijack.ts';

export type DownloadOptions = {
  isStopping: () => boolean;
  /** Limits concurrent downloads; further ones wait in its queue (api 0.8). */
  limiter: Pick<Limiter, 'acquire'>;
  /** Lets interactive calls go first between two chunks of a file. */
  yieldToInteractive: () => Promise<void>;
  /** A client that reads nothing for this long is disconnected, so that it does not occupy a slot. */
  stallMilliseconds?: number;
};

/** Interval at which a waiting download checks whether the process is stopping. */
const pollMilliseconds = 500;

/**
 * Sends a download. `contentType` includes the charset, `prefix` precedes the file's own bytes; `renew` gives the download for what the caller may see once it has
 * a slot.
 */
export type SendDownload = (
  reply: FastifyReply,
  answer: { contentType: string; prefix?: string; renew: () => Promise<unknown>; caller: LimiterCaller },
) => Promise<FastifyReply>;

/**
 * Sends a file without compression and with backpressure. An error before the first byte is a normal error response; a later
 * one resets the connection, so that no client takes a part for the whole file.
 */
export function createDownloads(options: DownloadOptions): SendDownload {
  const stallTimeout = options.stallMilliseconds ?? 60_000;

  return async (reply, { contentType, prefix = '', renew, caller }) => {
    const { raw } = reply;
    const signal = disconnectionOf(reply);
    const release = await enter(options, caller, signal);
    try {
      const download = await renew();
      if (!(download instanceof Download)) throw new Error('Download: its call gave another answer');
      const body = await download.open(signal);
      hijack(reply, { 'content-type': contentType, 'content-disposition': `attachment; filename="${download.fileName}"` });
      if (prefix !== '') raw.write(prefix);
      await write(raw, body, { signal, stallTimeout, yieldToInteractive: options.yieldToInteractive });
    } catch (error) {
      if (!reply.sent) throw error;
      if (!signal.aborted) reply.log.error({ err: error, request_id: reply.request.id }, 'Download: aborted');
      reset(raw);
    } finally {
      release();
    }
    return reply;
  };
}

type WriteOptions = { signal: AbortSignal; stallTimeout: number; yieldToInteractive: () => Promise<void> };

/** Waits for a slot. Throws 503 if this takes too long (api 0.8) or the process is stopping. */
async function enter({ limiter, isStopping }: DownloadOptions, caller: LimiterCaller, disconnection: AbortSignal): Promise<Release> {
  const ending = new AbortController();
  const polling = setInterval(() => isStopping() && ending.abort(), pollMilliseconds);
  try {
    return await limiter.acquire(caller, AbortSignal.any([disconnection, ending.signal]));
  } catch (error) {
    if (!(error instanceof Overload)) throw error;
    throw unavailable(ending.signal.aborted ? messages.shuttingDown : messages.tooManyDownloads);
  } finally {
    clearInterval(polling);
  }
}

async function write(raw: ServerResponse, body: Readable, options: WriteOptions): Promise<void> {
  // While it waits for the next chunk, the stream does not notice that the client disconnected.
  options.signal.addEventListener('abort', () => body.destroy());
  for await (const part of body) {
    if (!raw.write(part)) await waitForDrain(raw, options);
    fillYoungGeneration(part);
    await options.yieldToInteractive();
  }
  options.signal.throwIfAborted();
  raw.end();
}

/**
 * Parts are memory outside of V8's heap, and their objects are small, so the young generation, with which they would be freed, fills slowly.
 * V8 then marks the whole heap for every few dozen megabytes, which takes longer than sending them. So half of each part is left
 * behind as a text, which is in the heap.
 */
function fillYoungGeneration(part: Buffer): void {
  part.toString('latin1', 0, Math.ceil(part.length / 2));
}

/** Resets the connection, because an HTTP/1.0 client would take a close for the end of the file. */
function reset(raw: ServerResponse): void {
  if (raw.socket instanceof Socket) raw.socket.resetAndDestroy();
  raw.destroy();
}
