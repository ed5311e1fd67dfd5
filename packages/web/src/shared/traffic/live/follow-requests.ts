import { streamLimits } from '@switchyard/contract/limits';
import { streamEnd, streamGap } from '@switchyard/contract/request-streams';
import { requestRow, type RequestRow } from '@switchyard/contract/requests';
import type { EventSourceMessage } from 'eventsource-parser';
import { z } from 'zod';
import { CallError } from '../../api/call-error.ts';
import type { Opened } from '../../api/create-open.ts';
import { readEvents } from '../../api/read-events.ts';

/** How the connection stands: being made, bringing rows, or lost and waiting for the next try. */
export type Connection = 'connecting' | 'live' | 'lost';

/** Where a stream is to go on; filled in as events come. */
export type StreamPosition = { lastEventId: string | undefined };

export type FollowInput = {
  readonly position: StreamPosition;
  readonly signal: AbortSignal;
  readonly open: (lastEventId: string | undefined, signal: AbortSignal) => Promise<Opened>;
  readonly onConnection: (connection: Connection) => void;
  /** The stream begins anew: what was stored before has to be read from the list. */
  readonly onStart: () => void;
  /** New rows, oldest first. */
  readonly onRows: (rows: RequestRow[]) => void;
  /** Rows were left out here; null when nobody knows how many. */
  readonly onGap: (skipped: number | null) => void;
  /** Resolves after so many milliseconds, or when the signal is aborted. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to 1, so that many readers do not come back all at once. */
  readonly random: () => number;
};

/** The longest pause between two tries, in milliseconds. */
const longestPause = 60_000;
/** Nothing for three heartbeats: the connection is gone. */
const silence = streamLimits.heartbeatMilliseconds * 3;

const heartbeat = 'hb';

const rowsFrame = z.array(requestRow);

/**
 * Follows a stream of requests until the signal ends it or the server refuses for good, whose error is given then
 * (api 0.14). A lost connection is made again after a growing pause and goes on behind the last event received.
 */
export async function followRequests(input: FollowInput): Promise<CallError | null> {
  const { position, signal } = input;
  const pace = { retry: streamLimits.retryMilliseconds, failures: 0 };
  while (!signal.aborted) {
    input.onConnection('connecting');
    try {
      const isNew = position.lastEventId === undefined;
      const opened = await input.open(position.lastEventId, signal);
      input.onConnection('live');
      if (isNew) input.onStart();
      const refusal = await readFrames(opened, input, pace);
      if (refusal !== null) return refusal;
    } catch (error) {
      if (error instanceof CallError && !isPassing(error.status)) return isOver(signal) ? null : error;
    }
    if (isOver(signal)) break;
    input.onConnection('lost');
    const pause = Math.min(longestPause, pace.retry * 2 ** pace.failures);
    pace.failures += 1;
    await input.wait(pause * (0.75 + input.random() / 2), signal);
  }
  return null;
}

/** Asked anew: the signal may have been aborted while something was awaited. */
function isOver(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** Whether trying again may help: no answer at all, or a server that has a bad moment. */
export function isPassing(status: number | null): boolean {
  return status === null || status >= 500;
}

async function readFrames(opened: Opened, input: FollowInput, pace: { retry: number; failures: number }): Promise<CallError | null> {
  const { body } = opened.response;
  if (body === null) return null;
  const options = {
    silence,
    onRetry: (milliseconds: number): void => {
      pace.retry = milliseconds;
    },
    onComment: (comment: string): void => {
      // The first comment comes with the connection; only one that lasts is a success.
      if (comment.trim() === heartbeat) pace.failures = 0;
    },
  };
  for await (const event of readEvents(body, options)) {
    if (isOver(input.signal)) return null;
    pace.failures = 0;
    if (event.event === 'end') {
      const { status, message } = readData(event, streamEnd) ?? { status: 503, message: '' };
      return isPassing(status) ? null : opened.refuse({ status, body: { success: false, message } });
    }
    takeFrame(event, input);
    if (event.id !== undefined) input.position.lastEventId = event.id;
  }
  return null;
}

function takeFrame(event: EventSourceMessage, { onRows, onGap }: FollowInput): void {
  if (event.event === 'gap') onGap(readData(event, streamGap)?.skipped ?? null);
  else if (event.event === 'rows') {
    const rows = readData(event, rowsFrame);
    // Rows that cannot be read are missing, and whoever watches must know.
    if (rows === null) onGap(null);
    else onRows(rows);
  }
}

function readData<S extends z.ZodType>({ data }: EventSourceMessage, schema: S): z.output<S> | null {
  try {
    return schema.safeParse(JSON.parse(data)).data ?? null;
  } catch {
    return null;
  }
}
