import type { FastifyReply } from 'fastify';
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { messages } from '@switchyard/contract/envelope';
import { Overload, unavailable } from '../errors.ts';
import type { Limiter, LimiterCaller, Release } from '../limiter.ts';
import { drained } from './drained.ts';
import type { Download } from './streamed-result.ts';
import { takeOver } from './take-over.ts';

export type DownloadOptions = {
  isStopping: () => boolean;
  /** Slots for downloads; a further one waits in its queue (api 0.8). */
  limiter: Limiter;
  /** Lets interactive calls go first, between two pieces of a file. */
  yieldToInteractive: () => Promise<void>;
  /** A reader that takes nothing for so long is cut off, so that nobody holds a place for ever (R7). */
  stallMilliseconds?: number;
};

/** So often a waiting download looks whether the process is to end. */
const lookMilliseconds = 500;

/** Sends downloads; `contentType` with its charset. */
export type SendDownload = (
  reply: FastifyReply,
  given: { contentType: string; download: Download; caller: LimiterCaller },
) => Promise<FastifyReply>;

/**
 * Downloads without compression and with back-pressure. What fails before the first byte is an answer like any other;
 * afterwards the connection is reset, which no client can take for the end of the file (O1, R6).
 */
export function createDownloads(options: DownloadOptions): SendDownload {
  const patience = options.stallMilliseconds ?? 60_000;

  return async (reply, { contentType, download, caller }) => {
    const { raw } = reply;
    const gone = new AbortController();
    raw.once('close', () => gone.abort());
    if (raw.destroyed) gone.abort();
    const leave = await enter(options, caller, gone.signal);
    try {
      const body = await download.open(gone.signal);
      takeOver(reply, { 'content-type': contentType, 'content-disposition': `attachment; filename="${download.fileName}"` });
      await write(raw, body, { signal: gone.signal, patience, yieldToInteractive: options.yieldToInteractive });
    } catch (error) {
      if (!reply.sent) throw error;
      if (!gone.signal.aborted) reply.log.error({ err: error, request_id: reply.request.id }, 'A download was cut off');
      reset(raw);
    } finally {
      leave();
    }
    return reply;
  };
}

type WriteOptions = { signal: AbortSignal; patience: number; yieldToInteractive: () => Promise<void> };

/** Waits for a slot; rejects with 503 when it takes too long (api 0.8) or the process is to end. */
async function enter({ limiter, isStopping }: DownloadOptions, caller: LimiterCaller, gone: AbortSignal): Promise<Release> {
  const ending = new AbortController();
  const look = setInterval(() => isStopping() && ending.abort(), lookMilliseconds);
  try {
    return await limiter.acquire(caller, AbortSignal.any([gone, ending.signal]));
  } catch (error) {
    if (!(error instanceof Overload)) throw error;
    throw unavailable(ending.signal.aborted ? messages.shuttingDown : messages.tooManyDownloads);
  } finally {
    clearInterval(look);
  }
}

async function write(raw: ServerResponse, body: Readable, options: WriteOptions): Promise<void> {
  // What waits for its next part would not see by itself that the reader has gone.
  options.signal.addEventListener('abort', () => body.destroy());
  for await (const part of body) {
    if (!raw.write(part)) await drained(raw, options);
    await options.yieldToInteractive();
  }
  options.signal.throwIfAborted();
  raw.end();
}

/** A mere close would be the end of the file to a client of HTTP/1.0. */
function reset(raw: ServerResponse): void {
  if (raw.socket instanceof Socket) raw.socket.resetAndDestroy();
  raw.destroy();
}
