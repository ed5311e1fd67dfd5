import type { streamEnd } from '@switchyard/contract/request-streams';
import { writeExactly } from '@switchyard/contract/exact-json';
import { messages } from '@switchyard/contract/envelope';
import { streamLimits } from '@switchyard/contract/limits';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { HttpError, unavailable } from '../errors.ts';
import type { AccountCaller } from './bind.ts';
import { personOf } from './request-context.ts';
import type { EventFeed, FeedEvent } from './streamed-result.ts';
import { hijack, waitForDrain } from './hijack.ts';

export type EventStreamDependencies = {
  /** Reads the caller again. @throws HttpError if the session has ended or a permission was revoked. */
  renew: () => Promise<AccountCaller>;
  isStopping: () => boolean;
  /** Counts the stream for its account. Calls `end` when a newer one replaces it. Returns the function to call when it closes. */
  openStream: (account: number, end: () => void) => Promise<() => void>;
  /** Called when a stream opens. Returns the function to call when it closes. */
  streamOpened: () => () => void;
};

/** Interval at which the caller is read again, so that a stream ends within a second after its session. */
const renewMilliseconds = 600;
/** A client that reads nothing for this long counts as disconnected. */
const stallTimeout = 120_000;
/** Time for the final event to arrive before the connection is destroyed. */
const endMilliseconds = 1000;

/** Sends a feed as server-sent events until the client disconnects or loses access (api 0.14). */
export async function sendEvents(
  reply: FastifyReply,
  { feed, caller: first }: { feed: EventFeed; caller: AccountCaller },
  deps: EventStreamDependencies,
): Promise<FastifyReply> {
  const { raw, request } = reply;
  const over = new AbortController();
  raw.once('close', () => over.abort());
  const current = { caller: first };
  const header = request.headers['last-event-id'];
  const lastEventId = typeof header === 'string' && header !== '' ? header : undefined;
  const events = await feed.open({ lastEventId, caller: () => current.caller, signal: over.signal });

  hijack(reply, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
  const closeStream = deps.streamOpened();
  let isRenewing = false;

  async function renew(): Promise<void> {
    if (isRenewing) return;
    isRenewing = true;
    try {
      if (deps.isStopping()) throw unavailable(messages.shuttingDown);
      current.caller = await deps.renew();
      feed.requireAccess(current.caller);
    } catch (error) {
      // If the database is unavailable, reading the feed fails as well and reports it.
      if (error instanceof HttpError) end({ status: error.status, message: error.message });
    } finally {
      isRenewing = false;
    }
  }

  function end(reason: z.output<typeof streamEnd>): void {
    if (over.signal.aborted) return;
    over.abort();
    raw.end(`event: end\ndata: ${JSON.stringify(reason)}\n\n`);
    setTimeout(() => raw.destroy(), endMilliseconds).unref();
  }

  // Before anything is written, so that streams are numbered in the order in which clients see them open.
  const leave = await deps.openStream(personOf(first), () => end({ reason: 'replaced' }));
  const heartbeat = setInterval(() => raw.writableNeedDrain || raw.write(': hb\n\n'), streamLimits.heartbeatMilliseconds);
  const watch = setInterval(() => void renew(), renewMilliseconds);
  // Sent with the first event, which comes at once: a client that sees its stream open has a position to resume from.
  let opening = `retry: ${streamLimits.retryMilliseconds}\n: ok\n\n`;
  try {
    for await (const event of events) {
      if (over.signal.aborted) break;
      if (!raw.write(opening + eventText(event))) await waitForDrain(raw, { signal: over.signal, stallTimeout });
      opening = '';
    }
  } catch (error) {
    if (!over.signal.aborted) {
      reply.log.warn({ err: error, request_id: request.id }, 'Live stream: aborted');
      // The client reconnects with its last event id and misses nothing.
      raw.destroy();
    }
  } finally {
    over.abort();
    clearInterval(heartbeat);
    clearInterval(watch);
    closeStream();
    leave();
  }
  return reply;
}

/** The wire format of an event. JSON contains no line breaks. */
function eventText(event: FeedEvent): string {
  // An id without data is no event, but clients resume after it (HTML, server-sent events).
  if (event.kind === 'start') return `id: ${event.id}\n\n`;
  const data = event.kind === 'rows' ? event.rows : { skipped: event.skipped, ...(event.reason !== undefined && { reason: event.reason }) };
  return `id: ${event.id}\nevent: ${event.kind}\ndata: ${writeExactly(data)}\n\n`;
}
