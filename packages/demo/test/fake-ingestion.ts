import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { EdgeConfig } from '@switchyard/contract/edge';
import { ingestedEvent, ingestedPush, ingestedConversion, ingestedStream } from '@switchyard/contract/ingest';
import { z } from 'zod';

const batch = z.strictObject({ events: z.array(ingestedEvent) });
const others = z.union([
  z.strictObject({ pushes: z.array(ingestedPush) }),
  z.strictObject({ conversions: z.array(ingestedConversion) }),
  z.strictObject({ streams: z.array(ingestedStream) }),
]);

/** A server that accepts traffic as ingestion does, and remembers it. Replaces ingestion in tests of the sender. */
export async function startFakeIngestion() {
  const ids = new Set<string>();
  const rowsOfKind = new Map<string, number>();
  const refusedTokens = new Set<string>();
  const events: z.output<typeof ingestedEvent>[] = [];
  let config: EdgeConfig | null = null;
  let answeredFrom: number | null = null;
  let toldFrom: number | null = null;
  let batches = 0;
  let onBatch: ((count: number) => void) | undefined;
  const server = createServer((request, response) => {
    void (async () => {
      // A sender that was stopped, or killed, leaves its request unfinished.
      const body = await buffer(request).catch(() => null);
      if (body === null) return;
      if (refusedTokens.has(request.headers.authorization?.replace('Bearer ', '') ?? '')) {
        answer(response, 401, { success: false, message: 'You are not authorized' });
        return;
      }
      if (request.url === '/api/edge/config?networks=1') {
        if (config === null) return answer(response, 404, { success: false, message: 'Not found' });
        response.setHeader('etag', '"told"');
        if (request.headers['if-none-match'] !== '"told"') {
          answeredFrom = events.length;
          return answer(response, 200, { success: true, data: config });
        }
        // A call that names the answer has received it: an answer that came too late was dropped.
        toldFrom ??= answeredFrom;
        return response.writeHead(304).end();
      }
      const sentBody: unknown = JSON.parse(gunzipSync(body).toString());
      if (!request.url?.endsWith('/events')) {
        const [kind = '', rows = []] = Object.entries(others.parse(sentBody))[0] ?? [];
        rowsOfKind.set(kind, (rowsOfKind.get(kind) ?? 0) + rows.length);
        answer(response, 200, { success: true, data: { accepted: rows.length, duplicates: 0, rejected: [] } });
        return;
      }
      const { events: rows } = batch.parse(sentBody);
      const before = ids.size;
      for (const event of rows) ids.add(event.id ?? '');
      events.push(...rows);
      const acceptedCount = ids.size - before;
      answer(response, 200, { success: true, data: { accepted: acceptedCount, duplicates: rows.length - acceptedCount, rejected: [] } });
      onBatch?.(++batches);
    })();
  });
  // Never cuts a connection that a sender, put off by a busy machine, is just about to use again.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    /** Ids of the events that arrived. */
    ids,
    /** The events that arrived, in their order. */
    events,
    /** Returns this configuration to servers that ask for theirs from now on. */
    tellEdge: (newConfig: EdgeConfig) => {
      config = newConfig;
    },
    /** The number of events that had arrived when a server first got a configuration; null until it asks. */
    toldFrom: () => toldFrom,
    /** How many rows of other kinds arrived, repeated ones included. */
    rowsOfKind,
    refusedTokens,
    /** Calls back after each batch of events with how many there were. */
    whenBatchArrives: (callback: (count: number) => void) => {
      onBatch = callback;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export type FakeIngestion = Awaited<ReturnType<typeof startFakeIngestion>>;

function answer(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
