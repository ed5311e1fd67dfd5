import { describe, expect, it } from 'vitest';
import { gunzipSync } from 'node:zlib';
import { BatchRejected, sendBatch } from './send-batch.ts';
import type { EventRow } from './ingest-rows.ts';

const rows: EventRow[] = [
  {
    id: '01936b0e-7c1e-7a52-9f0b-3c5d2e7a9b10',
    date: '2026-11-20T10:11:12.345678Z',
    bundle: 'com.acme.bet',
    type: 'create',
    ip: '203.0.113.9',
  },
];
const target = { url: 'http://api.example', token: 'swd_token' };
const doneBody = { success: true, data: { accepted: 1, duplicates: 0, rejected: [] } };

type Step = Response | Error;
const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });

/** An API that behaves step by step, and a clock that only notes how long it was to wait. */
function setUp(...steps: Step[]) {
  const calls: { url: string; init: RequestInit | undefined }[] = [];
  const waits: number[] = [];
  const reasons: string[] = [];
  const send = async (signal: AbortSignal = new AbortController().signal) =>
    sendBatch(
      target,
      { kind: 'events', rows },
      {
        signal,
        onRetry: (reason) => reasons.push(reason),
        wait: async (milliseconds) => void waits.push(milliseconds),
        fetch: async (input, init) => {
          calls.push({ url: input instanceof Request ? input.url : String(input), init });
          const step = steps.shift();
          if (step instanceof Response) return step;
          throw step ?? new Error('no more steps');
        },
      },
    );
  return { send, calls, waits, reasons };
}

describe('sending a batch', () => {
  it('hands it in as gzipped JSON with the server token', async () => {
    const { send, calls } = setUp(answer(200, doneBody));
    expect(await send()).toEqual({ accepted: 1, duplicates: 0, rejected: 0 });
    expect(calls[0]?.url).toBe('http://api.example/api/ingest/events');
    const headers = new Headers(calls[0]?.init?.headers);
    expect([headers.get('authorization'), headers.get('content-encoding')]).toEqual(['Bearer swd_token', 'gzip']);
    const body = calls[0]?.init?.body;
    expect(body).toBeInstanceOf(Uint8Array);
    expect(JSON.parse(gunzipSync(body instanceof Uint8Array ? body : Buffer.alloc(0)).toString())).toEqual({ events: rows });
  });

  it.each([
    ['429', answer(429, { success: false, message: 'Too many attempts. Try again later' })],
    ['503', answer(503, { success: false, message: 'Database is unavailable, try again' })],
    ['a gateway that reaches nobody', answer(502, {})],
    ['a lost connection', new TypeError('fetch failed', { cause: Object.assign(new Error('gone'), { code: 'ECONNRESET' }) })],
    ['an answer that was cut off', new Response(new ReadableStream({ pull: (stream) => stream.error(new Error('cut off')) }))],
  ])('sends the very same batch again after %s', async (_, step) => {
    const { send, calls, reasons } = setUp(step, answer(200, doneBody));
    expect(await send()).toEqual({ accepted: 1, duplicates: 0, rejected: 0 });
    expect(calls).toHaveLength(2);
    expect(calls[1]?.init?.body).toBe(calls[0]?.init?.body);
    expect(reasons).toHaveLength(1);
  });

  it('waits as long as the API asks, else longer each time up to half a minute', async () => {
    const failures = Array.from({ length: 12 }, () => new TypeError('fetch failed'));
    const { send, waits } = setUp(answer(503, {}, { 'retry-after': '7' }), ...failures, answer(200, doneBody));
    await send();
    expect(waits[0]).toBe(7_000);
    expect(waits[3]).toBeGreaterThan(waits[1] ?? Infinity);
    expect(Math.max(...waits)).toBeLessThanOrEqual(37_500);
  });

  it.each([400, 401, 403, 404, 413, 415, 422])('never sends again after %i', async (status) => {
    const { send, calls } = setUp(answer(status, { success: false, message: 'No.' }));
    await expect(send()).rejects.toThrow(BatchRejected);
    expect(calls).toHaveLength(1);
  });

  it('counts the rows of a batch that was rejected as a whole', async () => {
    const rejections = [{ index: 0, id: null, errors: { bundle: ['Unknown app.'] } }];
    const { send } = setUp(
      answer(422, { success: false, message: 'Every row was rejected.', data: { accepted: 0, duplicates: 0, rejected: rejections } }),
    );
    expect(await send()).toEqual({ accepted: 0, duplicates: 0, rejected: 1 });
  });

  it('gives up on a defect after five tries', async () => {
    const { send, calls } = setUp(...Array.from({ length: 6 }, () => answer(500, { success: false, message: 'Something went wrong' })));
    await expect(send()).rejects.toThrow('500 Something went wrong');
    expect(calls).toHaveLength(5);
  });

  it('stops when it is aborted', async () => {
    const stopping = new AbortController();
    stopping.abort();
    const { send, calls } = setUp(answer(200, doneBody));
    await expect(send(stopping.signal)).rejects.toThrow();
    expect(calls).toHaveLength(0);
  });
});
