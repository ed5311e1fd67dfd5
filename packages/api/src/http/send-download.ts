import type { FastifyReply } from 'fastify';
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { createDownloadPlaces } from './download-places.ts';
import { drained } from './drained.ts';
import type { Download } from './streamed-result.ts';
import { takeOver } from './take-over.ts';

export type DownloadOptions = {
  isStopping: () => boolean;
  /** How long a further download waits for its turn. */
  waitMilliseconds?: number;
  /** A reader that takes nothing for so long is cut off, so that nobody holds a place for ever (R7). */
  stallMilliseconds?: number;
};

/** Sends downloads; `contentType` with its charset. */
export type SendDownload = (reply: FastifyReply, contentType: string, download: Download) => Promise<FastifyReply>;

/**
 * Downloads without compression and with back-pressure. What fails before the first byte is an answer like any other;
 * afterwards the connection is reset, which no client can take for the end of the file (O1, R6).
 */
export function createDownloads(options: DownloadOptions): SendDownload {
  const enter = createDownloadPlaces(options);
  const patience = options.stallMilliseconds ?? 60_000;

  return async (reply, contentType, download) => {
    const { raw } = reply;
    const gone = new AbortController();
    raw.once('close', () => gone.abort());
    if (raw.destroyed) gone.abort();
    const leave = await enter(gone.signal);
    try {
      const body = await download.open(gone.signal);
      takeOver(reply, { 'content-type': contentType, 'content-disposition': `attachment; filename="${download.fileName}"` });
      await write(raw, body, { signal: gone.signal, patience });
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

async function write(raw: ServerResponse, body: Readable, options: { signal: AbortSignal; patience: number }): Promise<void> {
  // What waits for its next part would not see by itself that the reader has gone.
  options.signal.addEventListener('abort', () => body.destroy());
  for await (const part of body) {
    if (!raw.write(part)) await drained(raw, options);
  }
  options.signal.throwIfAborted();
  raw.end();
}

/** A mere close would be the end of the file to a client of HTTP/1.0. */
function reset(raw: ServerResponse): void {
  if (raw.socket instanceof Socket) raw.socket.resetAndDestroy();
  raw.destroy();
}
