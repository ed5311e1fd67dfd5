import { ingestResult } from '@switchyard/contract/ingest';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { z } from 'zod';
import type { ConversionRow, PushRow } from './delivery-rows.ts';
import type { EventRow, streamRowOf } from './ingest-rows.ts';

/** Rows a batch holds at most: well below what a call may carry (api 13). */
export const batchRows = 2_000;

/** The outcome of the rows of one batch, or of many summed up. */
export type SentRows = { accepted: number; duplicates: number; rejected: number };

/** The API rejected the batch for good: sending it again would change nothing. */
export class BatchRejected extends Error {
  override name = 'BatchRejected';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Rows of one kind, under the key and at the address that ingestion gives them (api 13). */
export type Batch =
  | { kind: 'events'; rows: readonly EventRow[] }
  | { kind: 'pushes'; rows: readonly PushRow[] }
  | { kind: 'conversions'; rows: readonly ConversionRow[] }
  | { kind: 'streams'; rows: readonly ReturnType<typeof streamRowOf>[] };

export type BatchTarget = {
  /** Address of the API, without a slash at its end. */
  url: string;
  /** Token of a traffic server. */
  token: string;
};

type Options = {
  signal: AbortSignal;
  /** Called with the reason why a batch is sent again, and the delay in milliseconds. */
  onRetry?: (reason: string, wait: number) => void;
  /** Only tests give their own. */
  fetch?: typeof fetch;
  /** The pause before a batch is sent again; what it throws ends the batch. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
};

const answerMilliseconds = 30_000;
const firstWait = 500;
const longestWait = 30_000;
/** A defect of the API is retried a few times, an unavailable or busy API any number of times. */
const defectTries = 5;

const compress = promisify(gzip);
const answer = z.object({ message: z.string().optional(), data: z.unknown().optional() });

/**
 * Hands a batch in, gzipped, by the sender's rule of api 13: on 429, 503 or a lost connection the same
 * batch goes out again after a growing pause or as `retry-after` says; other rejections are final and throw
 * BatchRejected. Rows keep their ids, so a batch that did arrive is counted once.
 */
export async function sendBatch(target: BatchTarget, { kind, rows }: Batch, options: Options): Promise<SentRows> {
  const { signal, onRetry, wait = pause } = options;
  const body = await compress(JSON.stringify({ [kind]: rows }));
  for (let tries = 1; ; tries++) {
    signal.throwIfAborted();
    const attempt = await attemptOnce(`${target.url}/api/ingest/${kind}`, { body, token: target.token }, options);
    if (attempt.kind === 'sent') return attempt.rows;
    if (attempt.kind === 'defect' && tries >= defectTries) throw new BatchRejected(500, attempt.reason);
    const milliseconds = attempt.retryAfter ?? Math.min(longestWait, firstWait * 2 ** Math.min(tries - 1, 10)) * (0.75 + Math.random() / 2);
    onRetry?.(attempt.reason, milliseconds);
    await wait(milliseconds, signal);
  }
}

type Attempt = { kind: 'sent'; rows: SentRows } | { kind: 'again' | 'defect'; reason: string; retryAfter: number | undefined };

async function attemptOnce(
  url: string,
  { body, token }: { body: Uint8Array<ArrayBuffer>; token: string },
  options: Options,
): Promise<Attempt> {
  // A signal of its own for each call: AbortSignal.any on a signal that lives for days would keep growing.
  const ending = new AbortController();
  const end = () => ending.abort(options.signal.reason);
  const timer = setTimeout(() => ending.abort(new Error('timeout')), answerMilliseconds);
  options.signal.addEventListener('abort', end, { once: true });
  try {
    const response = await (options.fetch ?? fetch)(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body,
      redirect: 'error',
      signal: ending.signal,
    });
    return readAttempt(response, await response.text());
  } catch (error) {
    if (error instanceof BatchRejected) throw error;
    options.signal.throwIfAborted();
    return { kind: 'again', reason: `no answer (${reasonOf(error)})`, retryAfter: undefined };
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', end);
  }
}

function readAttempt(response: Response, text: string): Attempt {
  const { status } = response;
  const body = answer.safeParse(asJson(text)).data ?? {};
  const rows = ingestResult.safeParse(body.data).data;
  // A batch of which every row was bad gets a 422 with its rows (api 13).
  if (rows && (status === 200 || status === 422)) {
    return { kind: 'sent', rows: { accepted: rows.accepted, duplicates: rows.duplicates, rejected: rows.rejected.length } };
  }
  const reason = `${status} ${body.message ?? response.statusText}`.trim();
  if (status === 429 || status === 503 || status === 502 || status === 504) {
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    return { kind: 'again', reason, retryAfter: seconds > 0 ? seconds * 1000 : undefined };
  }
  if (status >= 500 || status === 200) return { kind: 'defect', reason, retryAfter: undefined };
  throw new BatchRejected(status, reason);
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  const cause = error.cause;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return error.message;
}

export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal });
}

/** Adds what became of one batch to a sum. */
export function addRows(sum: SentRows, rows: SentRows): SentRows {
  return { accepted: sum.accepted + rows.accepted, duplicates: sum.duplicates + rows.duplicates, rejected: sum.rejected + rows.rejected };
}
