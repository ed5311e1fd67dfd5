import { anyPermission, defineEndpoint, publicAccess } from '@switchyard/contract/endpoint';
import fastify from 'fastify';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { bearer, buildEndpointApi, callerWith, knownTokens } from '../../test/endpoint-api.ts';
import { listenForTest, openAnswer } from '../../test/listening-api.ts';
import { soon } from '../../test/soon.ts';
import { HttpError } from '../errors.ts';
import { type Admission, createAdmission } from './admission.ts';
import type { AccountCaller } from './bind.ts';
import { createDownloads } from './send-download.ts';
import { Download } from './streamed-result.ts';

const file = defineEndpoint({
  number: 34,
  method: 'GET',
  path: 'file',
  summary: 'A file',
  access: publicAccess,
  answer: { kind: 'raw', contentType: 'text/csv' },
});

type DownloadCall = { signal: AbortSignal };

async function serve(open: (call: DownloadCall) => Promise<Readable>, changes: { isStopping?: () => boolean; admission?: Admission } = {}) {
  const signals: AbortSignal[] = [];
  const api = await buildEndpointApi(
    [file],
    (bind) =>
      bind(
        file,
        async () =>
          new Download('file.csv', (signal) => {
            signals.push(signal);
            return open({ signal });
          }),
      ),
    changes,
  );
  return { url: `${await listenForTest(api)}/api/file`, signals };
}

async function* endless(): AsyncGenerator<Buffer> {
  for (;;) yield Buffer.alloc(65_536, 'a');
}

/** A body that the test breaks. */
function breakable(): { body: Readable; fail: () => void } {
  const body = new Readable({ read: () => undefined });
  body.push('first line\r\n');
  return { body, fail: () => void body.destroy(new Error('the database went away')) };
}

describe('downloads', () => {
  it('[CONST-029, API-029] carry the type, the name and the headers of every answer, and are never compressed', async () => {
    const { url } = await serve(async () => Readable.from(['a,b\r\n', '1,2\r\n'.repeat(5000)]));
    const answer = await openAnswer(url, { 'accept-encoding': 'gzip, br' });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="file.csv"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'transfer-encoding': 'chunked',
    });
    expect(answer.headers['x-request-id']).toMatch(/./);
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect((await text(answer)).length).toBe(5 + 5000 * 5);
  });

  it('[API-084] that fail before the first byte are answered in JSON and leave their place', async () => {
    const { url } = await serve(async () => {
      throw new HttpError(503, 'Database is unavailable, try again', { retryAfter: 2 });
    });
    for (let time = 0; time < 5; time += 1) {
      const answer = await openAnswer(url, {});
      expect([answer.statusCode, answer.headers['content-type'], answer.headers['content-disposition']]).toEqual([
        503,
        'application/json; charset=utf-8',
        undefined,
      ]);
      expect(JSON.parse(await text(answer))).toEqual({ success: false, message: 'Database is unavailable, try again' });
    }
  });

  it('[API-029, API-084] that break later are cut, never ended: HTTP/1.1 sees no last chunk, HTTP/1.0 a reset', async () => {
    const bodies: (() => void)[] = [];
    const { url } = await serve(async () => {
      const { body, fail } = breakable();
      bodies.push(fail);
      return body;
    });
    const answer = await openAnswer(url, {});
    await once(answer, 'data');
    bodies[0]?.();
    await expect(buffer(answer)).rejects.toMatchObject({ code: 'ECONNRESET' });

    const { port, hostname, pathname } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET ${pathname} HTTP/1.0\r\n\r\n`);
    let receivedText = '';
    socket.on('data', (part) => {
      receivedText += String(part);
      if (receivedText.includes('first line')) bodies[1]?.();
    });
    const [error] = await once(socket, 'error');
    expect(error).toMatchObject({ code: 'ECONNRESET' });
  });

  it('[API-084] run three at a time: a fourth waits for its turn, in the order of arrival', async () => {
    const running: { body: Readable; finish: () => void }[] = [];
    const { url } = await serve(async () => {
      const body = new Readable({ read: () => undefined });
      body.push('begun');
      running.push({ body, finish: () => void body.push(null) });
      return body;
    });
    const first = await Promise.all([1, 2, 3].map(async () => openAnswer(url, {})));
    const fourth = openAnswer(url, {});
    const onSettled = vi.fn<() => void>();
    void fourth.then(onSettled);
    await Promise.all(first.map(async (answer) => once(answer, 'data')));
    expect(running).toHaveLength(3);
    expect(onSettled).not.toHaveBeenCalled();
    running[1]?.finish();
    expect((await fourth).statusCode).toBe(200);
    expect(running).toHaveLength(4);
    first[0]?.destroy();
    expect((await openAnswer(url, {})).statusCode).toBe(200);
  });

  it('[API-084] notice at once that their reader disconnected, and stop reading', async () => {
    let isStopped = false;
    const { url, signals } = await serve(async () =>
      Readable.from(
        (async function* () {
          try {
            yield* endless();
          } finally {
            isStopped = true;
          }
        })(),
      ),
    );
    const answer = await openAnswer(url, {});
    await once(answer, 'data');
    answer.destroy();
    await vi.waitFor(() => expect([signals[0]?.aborted, isStopped]).toEqual([true, true]), soon);
  });

  it('[API-084] wait for a slow reader instead of keeping what it has not taken', async () => {
    let downloadCount = 0;
    const { url } = await serve(async () =>
      Readable.from(
        (async function* () {
          for await (const part of endless()) {
            downloadCount += part.length;
            yield part;
          }
        })(),
      ),
    );
    const answer = await openAnswer(url, {});
    answer.pause();
    let before = -1;
    await vi.waitFor(
      () => {
        const now = downloadCount;
        const isStill = now === before;
        before = now;
        expect(isStill).toBe(true);
      },
      { ...soon, interval: 200 },
    );
    // Buffers of the kernel on both sides, not of ours.
    expect(downloadCount).toBeLessThan(32 * 1024 * 1024);
  });

  it('[API-084] are cut when their reader stalls, and release their slot', async () => {
    const signals: AbortSignal[] = [];
    const api = fastify({ logger: false });
    onTestFinished(() => api.close());
    const { downloads: limiter, yieldToInteractive } = createAdmission();
    const send = createDownloads({ isStopping: () => false, limiter, yieldToInteractive, stallMilliseconds: 200 });
    const download = new Download('file.csv', async (signal) => {
      signals.push(signal);
      return Readable.from(endless());
    });
    api.get('/api/file', async (_request, reply) => send(reply, { contentType: 'text/csv', renew: async () => download, caller: 1 }));
    const url = `${await listenForTest(api)}/api/file`;
    const stalledDownloads = await Promise.all([1, 2, 3].map(async () => openAnswer(url, {})));
    for (const answer of stalledDownloads) answer.pause();
    const fourth = await openAnswer(url, {});
    expect(fourth.statusCode).toBe(200);
    // Read again before it is cut, a download would no longer be stalled, and never end.
    await vi.waitFor(() => expect(signals.slice(0, 3).map(({ aborted }) => aborted)).toEqual([true, true, true]), soon);
    await expect(Promise.any(stalledDownloads.map(buffer))).rejects.toThrow(AggregateError);
  });

  it('[API-084] wait while three run, and are rejected when that takes too long', async () => {
    const heldDownloads = Array.from({ length: 4 }, () => breakable());
    let openedCount = 0;
    const { url } = await serve(async () => heldDownloads[openedCount++]?.body ?? Readable.from(['a']), {
      admission: createAdmission({ downloadWait: 50 }),
    });
    const running = await Promise.all([1, 2, 3].map(async () => openAnswer(url, {})));
    const fourth = await openAnswer(url, {});
    expect([fourth.statusCode, fourth.headers['retry-after'], JSON.parse(await text(fourth))]).toEqual([
      503,
      '2',
      { success: false, message: 'Too many downloads are running, try again' },
    ]);
    expect(openedCount).toBe(3);
    heldDownloads[0]?.fail();
    await expect(buffer(running[0] ?? Readable.from([]))).rejects.toThrow();
    await vi.waitFor(async () => expect((await openAnswer(url, {})).statusCode).toBe(200), soon);
  });

  it('[API-084] wait no longer once the process is to end', async () => {
    const state = { stopping: false };
    const admission = createAdmission();
    const { url, signals } = await serve(async () => breakable().body, { isStopping: () => state.stopping, admission });
    await Promise.all([1, 2, 3].map(async () => openAnswer(url, {})));
    const fourth = openAnswer(url, {});
    await vi.waitFor(() => expect(signals).toHaveLength(3), soon);
    // It has passed the check of new calls when it waits; one sent later would be rejected by that.
    await expect.poll(() => admission.downloads.waiting(), soon).toBe(1);
    state.stopping = true;
    const answer = await fourth;
    expect([answer.statusCode, JSON.parse(await text(answer))]).toEqual([
      503,
      { success: false, message: 'The server is shutting down, try again' },
    ]);
  });

  it('[API-084] [S6] are of what their account may see when their turn comes', async () => {
    const ofAccount = defineEndpoint({ ...file, access: anyPermission('manager_app_edit') });
    let account: AccountCaller | null = { ...callerWith(['manager_app_edit']), scope: [1, 2] };
    let whileWaiting: AccountCaller | null = account;
    const usual = createAdmission();
    const acquire: Admission['downloads']['acquire'] = async (...call) => {
      account = whileWaiting;
      return usual.downloads.acquire(...call);
    };
    const opened: AccountCaller['scope'][] = [];
    const api = await buildEndpointApi(
      [ofAccount],
      (bind) =>
        bind(
          ofAccount,
          async ({ caller: { scope } }) =>
            new Download('file.csv', async () => {
              opened.push(scope);
              return Readable.from(['a']);
            }),
        ),
      {
        admission: { ...usual, downloads: { ...usual.downloads, acquire } },
        authenticators: { account: async () => account, trafficServer: async () => null, pollingServer: async () => null },
      },
    );
    const download = async (changed: AccountCaller | null): Promise<number> => {
      account = { ...callerWith(['manager_app_edit']), scope: [1, 2] };
      whileWaiting = changed;
      return (await api.inject({ url: '/api/file', headers: bearer(knownTokens.account) })).statusCode;
    };
    expect(await download({ ...callerWith(['manager_app_edit']), scope: [2] })).toBe(200);
    expect(opened).toEqual([[2]]);
    expect(await download(callerWith(['manager_app_create']))).toBe(403);
    expect(await download(null)).toBe(401);
    expect(opened).toHaveLength(1);
    expect(usual.downloads.running()).toBe(0);
  });
});
