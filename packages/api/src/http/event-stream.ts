import type { streamEnd } from '@switchyard/contract/request-streams';
import { messages } from '@switchyard/contract/envelope';
import { streamLimits } from '@switchyard/contract/limits';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { Refusal, unavailable } from '../errors.ts';
import type { AccountCaller } from './bind.ts';
import { drained } from './drained.ts';
import type { EventFeed, FeedEvent } from './streamed-result.ts';
import { takeOver } from './take-over.ts';

export type EventStreamDependencies = {
  /** Asks anew who the caller is; throws the refusal when the session or the permission is gone. */
  renew: () => Promise<AccountCaller>;
  isStopping: () => boolean;
  /** Told of every stream; gives what to call when it is closed. */
  streamOpened: () => () => void;
};

/** The caller is looked up so often, so that a stream ends within a second of its session (S6). */
const renewMilliseconds = 600;
/** A reader that takes nothing for so long has gone, whatever the network says. */
const patience = 120_000;
/** For the last words to a reader that does not listen. */
const farewellMilliseconds = 1000;

/** Sends a feed as server-sent events until the reader leaves or may not go on (api 0.14). */
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

  takeOver(reply, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
  raw.write(`retry: ${streamLimits.retryMilliseconds}\n: ok\n\n`);
  const closed = deps.streamOpened();
  const heartbeat = setInterval(() => raw.writableNeedDrain || raw.write(': hb\n\n'), streamLimits.heartbeatMilliseconds);
  const watch = setInterval(() => void renew(), renewMilliseconds);
  let isRenewing = false;

  async function renew(): Promise<void> {
    if (isRenewing) return;
    isRenewing = true;
    try {
      if (deps.isStopping()) throw unavailable(messages.shuttingDown);
      current.caller = await deps.renew();
      feed.requireAccess(current.caller);
    } catch (error) {
      // While the database is away nothing can be read either; whoever reads tells that.
      if (error instanceof Refusal) end({ status: error.status, message: error.message });
    } finally {
      isRenewing = false;
    }
  }

  function end(reason: z.output<typeof streamEnd>): void {
    if (over.signal.aborted) return;
    over.abort();
    raw.end(`event: end\ndata: ${JSON.stringify(reason)}\n\n`);
    setTimeout(() => raw.destroy(), farewellMilliseconds).unref();
  }

  try {
    for await (const event of events) {
      if (over.signal.aborted) break;
      if (!raw.write(eventText(event))) await drained(raw, { signal: over.signal, patience });
    }
  } catch (error) {
    if (!over.signal.aborted) {
      reply.log.warn({ err: error, request_id: request.id }, 'A live stream was cut off');
      // The reader comes back with the id of what it has, and misses nothing.
      raw.destroy();
    }
  } finally {
    over.abort();
    clearInterval(heartbeat);
    clearInterval(watch);
    closed();
  }
  return reply;
}

/** An event as it stands on the wire; JSON holds no line breaks of its own. */
function eventText(event: FeedEvent): string {
  const data = event.kind === 'rows' ? event.rows : { skipped: event.skipped };
  return `id: ${event.id}\nevent: ${event.kind}\ndata: ${JSON.stringify(data)}\n\n`;
}
