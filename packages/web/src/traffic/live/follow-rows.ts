import { streamLimits } from '@switchyard/contract/limits';
import { streamEnd, streamGap } from '@switchyard/contract/request-streams';
import type { EventSourceMessage } from 'eventsource-parser';
import type { z } from 'zod';
import { CallError } from '../../shared/api/call-error.ts';
import type { OpenResponse } from '../../shared/api/create-open.ts';
import { parseAnswer } from '../../shared/api/parse-answer.ts';
import { readEvents } from '../../shared/api/read-events.ts';

/** State of the connection: being opened, delivering rows, or lost and waiting for the next attempt. */
export type Connection = 'connecting' | 'live' | 'lost';

export type GapReason = z.output<typeof streamGap>['reason'];

/** Where a stream continues; updated with every event. */
export type StreamPosition = { lastEventId: string | undefined };

export type FollowInput<Row> = {
  /** The data of an event with rows. */
  readonly rowsOfEvent: z.ZodType<Row[]>;
  readonly position: StreamPosition;
  readonly signal: AbortSignal;
  readonly open: (lastEventId: string | undefined, signal: AbortSignal) => Promise<OpenResponse>;
  readonly onConnection: (connection: Connection) => void;
  /** The stream starts from now: the list has to be read for what was stored before. */
  readonly onStart: () => void;
  /** New rows, oldest first. */
  readonly onRows: (rows: Row[]) => void;
  /** Rows are missing here; null when their number is unknown. Streams of logs say why. */
  readonly onGap: (skippedCount: number | null, reason?: GapReason) => void;
  /** Resolves after this number of milliseconds, or when the signal is aborted. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Jitter from 0 to 1, so that many readers do not reconnect at once. */
  readonly random: () => number;
};

/** The longest pause between two attempts, in milliseconds. */
const longestPause = 60_000;
/** After three missed heartbeats the connection counts as lost. */
const stallTimeout = streamLimits.heartbeatMilliseconds * 3;

const heartbeat = 'hb';

/** Why a stream ended for good: null when the signal was aborted, `replaced` when the account opened newer ones. */
type StreamOutcome = CallError | 'replaced' | null;

/**
 * Follows a stream of rows until it ends for good. A lost connection is reopened with exponential backoff and continues
 * after the last event received.
 */
export async function followRows<Row>(input: FollowInput<Row>): Promise<StreamOutcome> {
  const { position, signal } = input;
  const pace = { retry: streamLimits.retryMilliseconds, failures: 0 };
  while (!signal.aborted) {
    input.onConnection('connecting');
    try {
      const isNew = position.lastEventId === undefined;
      const openStream = await input.open(position.lastEventId, signal);
      input.onConnection('live');
      if (isNew) input.onStart();
      const outcome = await readFrames(openStream, input, pace);
      if (outcome !== null) return outcome;
    } catch (error) {
      if (error instanceof CallError && !isTransient(error.status)) return isAborted(signal) ? null : error;
    }
    if (isAborted(signal)) break;
    input.onConnection('lost');
    const pause = Math.min(longestPause, pace.retry * 2 ** pace.failures);
    pace.failures += 1;
    await input.wait(pause * (0.75 + input.random() / 2), signal);
  }
  return null;
}

/** A function, so that the signal is read again after every await. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** Whether a retry may help: no answer, or an error of the server. */
export function isTransient(status: number | null): boolean {
  return status === null || status >= 500;
}

async function readFrames<Row>(
  openResponse: OpenResponse,
  input: FollowInput<Row>,
  pace: { retry: number; failures: number },
): Promise<StreamOutcome> {
  const { body } = openResponse.response;
  if (body === null) return null;
  const options = {
    silence: stallTimeout,
    onRetry: (milliseconds: number): void => {
      pace.retry = milliseconds;
    },
    onComment: (comment: string): void => {
      // The first comment comes with the connection; only a heartbeat proves that it works.
      if (comment.trim() === heartbeat) pace.failures = 0;
    },
  };
  for await (const event of readEvents(body, options)) {
    if (isAborted(input.signal)) return null;
    pace.failures = 0;
    if (event.event === 'end') {
      const end = readData(event, streamEnd) ?? { status: 503, message: '' };
      if ('reason' in end) return end.reason;
      const { status, message } = end;
      return isTransient(status) ? null : openResponse.refuse({ status, body: { success: false, message } });
    }
    handleEvent(event, input);
    if (event.id !== undefined) input.position.lastEventId = event.id;
  }
  return null;
}

function handleEvent<Row>(event: EventSourceMessage, { rowsOfEvent, onRows, onGap }: FollowInput<Row>): void {
  if (event.event === 'gap') {
    const gap = readData(event, streamGap);
    onGap(gap?.skipped ?? null, gap?.reason);
  } else if (event.event === 'rows') {
    const rows = readData(event, rowsOfEvent);
    // Rows that cannot be parsed count as missing.
    if (rows === null) onGap(null);
    else onRows(rows);
  }
}

function readData<S extends z.ZodType>({ data }: EventSourceMessage, schema: S): z.output<S> | null {
  try {
    return schema.safeParse(parseAnswer(data)).data ?? null;
  } catch {
    return null;
  }
}
