import { streamAllRequests } from '@switchyard/contract/request-streams';
import type { ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { sampleRequest } from '../../testing/sample-request.ts';
import { startSmallServer } from '../../testing/small-server.ts';
import { createOpen } from '../../shared/api/create-open.ts';
import type { Reaction } from '../../shared/api/call-error.ts';
import { requestRow } from '@switchyard/contract/requests';
import { z } from 'zod';
import { followRows, isTransient } from './follow-rows.ts';

type Turn = (response: ServerResponse, lastEventId: string | null) => void;

const begin = (response: ServerResponse): ServerResponse => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 100\n: ok\n\n');
  return response;
};
const rowsText = (id: string, ...ids: number[]): string => `id: ${id}\nevent: rows\ndata: ${JSON.stringify(ids.map(sampleRequest))}\n\n`;
const refuse = (response: ServerResponse, status: number): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ success: false, message: `No ${status}` }));
};

/** Follows a server that answers the first connection with the first turn, and so on, until it fails or is stopped. */
async function follow(...turns: Turn[]) {
  const remainingTurns = [...turns];
  const lastEventIds: (string | null)[] = [];
  const base = await startSmallServer(({ url }, response) => {
    const lastEventId = new URL(url ?? '', 'http://x').searchParams.get('lastEventId');
    lastEventIds.push(lastEventId);
    remainingTurns.shift()?.(response, lastEventId);
  });
  const reactions: Reaction[] = [];
  const open = createOpen({
    send: (url, init) => fetch(base + url, init),
    accessToken: () => null,
    react: (reaction) => reactions.push(reaction),
    observe: () => undefined,
  });
  const stop = new AbortController();
  const received = { rows: new Array<number>(), gaps: new Array<number | null>(), starts: 0, pauses: new Array<number>(), connections: '' };
  const outcome = followRows({
    rowsOfEvent: z.array(requestRow),
    position: { lastEventId: undefined },
    signal: stop.signal,
    open: (lastEventId, signal) => open(streamAllRequests, { query: { lastEventId }, signal, showsFailureItself: isTransient }),
    onConnection: (connection) => {
      received.connections += `${connection} `;
    },
    onStart: () => {
      received.starts += 1;
    },
    onRows: (rows) => received.rows.push(...rows.map(({ id }) => id)),
    onGap: (skippedCount) => received.gaps.push(skippedCount),
    wait: async (milliseconds) => {
      received.pauses.push(milliseconds);
    },
    random: () => 0.5,
  });
  return { received, lastEventIds, reactions, outcome, stop: () => stop.abort() };
}

const lastWord: Turn = (response) => refuse(response, 403);

describe('following a stream of requests (api 0.14)', () => {
  it('takes rows and gaps as they come, and goes on behind the last of them after a cut', async () => {
    const { received, lastEventIds, outcome } = await follow(
      (response) => begin(response).write(rowsText('a1', 1, 2), () => response.socket?.resetAndDestroy()),
      (response) => begin(response).end(`id: a2\nevent: gap\ndata: {"skipped":9}\n\n${rowsText('a3', 3)}`),
      (response) => begin(response).end('id: a4\nevent: gap\ndata: {"skipped":null}\n\n'),
      lastWord,
    );
    expect(await outcome).toMatchObject({ status: 403, message: 'No 403' });
    expect(lastEventIds).toEqual([null, 'a1', 'a3', 'a4']);
    expect(received).toMatchObject({ rows: [1, 2, 3], gaps: [9, null], starts: 1 });
    expect(received.connections).toBe('connecting live lost connecting live lost connecting live lost connecting ');
  });

  it('waits longer after each failure, as long as the server asks at first, never more than a minute', async () => {
    const failing = Array.from({ length: 11 }, (): Turn => (response) => refuse(response, 503));
    const { received, outcome } = await follow((response) => begin(response).end(), ...failing, lastWord);
    await outcome;
    expect(received.pauses.slice(0, 5)).toEqual([100, 200, 400, 800, 1_600]);
    expect(received.pauses.at(-1)).toBe(60_000);
    expect(received.starts, 'without an id it starts from the beginning').toBe(1);
  });

  it('[IDN-124] ends for good when a newer stream of the account replaces it', async () => {
    const { lastEventIds, outcome } = await follow(
      (response) => begin(response).end('event: end\ndata: {"reason":"replaced"}\n\n'),
      lastWord,
    );
    expect(await outcome).toBe('replaced');
    expect(lastEventIds).toEqual([null]);
  });

  it('counts failures from the start again once rows or a heartbeat have come', async () => {
    const { received, outcome } = await follow(
      (response) => refuse(response, 503),
      (response) => begin(response).end(': hb\n\n'),
      (response) => begin(response).end(rowsText('a1', 1)),
      lastWord,
    );
    await outcome;
    expect(received.pauses).toEqual([3_000, 100, 100]);
  });

  it('reloads the list for every stream that begins without an id', async () => {
    const { received, outcome } = await follow(
      (response) => begin(response).end(),
      (response) => begin(response).end(),
      lastWord,
    );
    await outcome;
    expect(received.starts).toBe(2);
  });

  it.each([401, 403])('[ERR-004, ERR-009, AUTH-058] ends when the server returns %i, as failed calls do', async (status) => {
    const word = `event: end\ndata: {"status":${status},"message":"Over"}\n\n`;
    const { outcome, reactions, lastEventIds } = await follow((response) => begin(response).end(word), lastWord);
    expect(await outcome).toMatchObject({ status, message: 'Over' });
    expect(reactions).toMatchObject([{ endsSession: status === 401 }]);
    expect(lastEventIds).toHaveLength(1);
  });

  it('reconnects after a server shuts down, and when no server answers', async () => {
    const { received, outcome, reactions } = await follow(
      (response) => begin(response).end('event: end\ndata: {"status":503,"message":"Stopping"}\n\n'),
      (response) => response.socket?.destroy(),
      (response) => begin(response).end(rowsText('a1', 1)),
      lastWord,
    );
    await outcome;
    expect(received.rows).toEqual([1]);
    expect(reactions, 'only the last word is for the error policy').toHaveLength(1);
  });

  it('reports a gap where rows cannot be read', async () => {
    const { received, outcome } = await follow((response) => begin(response).end('id: a1\nevent: rows\ndata: [{"id":1}]\n\n'), lastWord);
    await outcome;
    expect(received).toMatchObject({ rows: [], gaps: [null] });
  });

  it('lets the connection go when nobody follows any more', async () => {
    const onClose = vi.fn<() => void>();
    const { received, outcome, stop } = await follow((response) => {
      begin(response).write(rowsText('a1', 1));
      response.on('close', onClose);
    });
    await vi.waitFor(() => expect(received.rows).toEqual([1]), 30_000);
    stop();
    expect(await outcome).toBeNull();
    await vi.waitFor(() => expect(onClose).toHaveBeenCalled(), 30_000);
  });
});
