import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { eventRow } from '@switchyard/contract/ingest';
import { z } from 'zod';

const batch = z.object({ events: z.array(eventRow) });

/** A server that takes traffic as ingestion does, and remembers it; stands in where only the sender is tested. */
export async function startFakeIngestion() {
  const ids = new Set<string>();
  const refusedTokens = new Set<string>();
  let batches = 0;
  let onBatch: ((count: number) => void) | undefined;
  const server = createServer((request, response) => {
    void (async () => {
      const body = await buffer(request);
      if (refusedTokens.has(request.headers.authorization?.replace('Bearer ', '') ?? '')) {
        answer(response, 401, { success: false, message: 'You are not authorized' });
        return;
      }
      const { events } = batch.parse(JSON.parse(gunzipSync(body).toString()));
      const before = ids.size;
      for (const event of events) ids.add(event.id ?? '');
      const accepted = ids.size - before;
      answer(response, 200, { success: true, data: { accepted, duplicates: events.length - accepted, rejected: [] } });
      onBatch?.(++batches);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    /** Ids of the rows that arrived. */
    ids,
    refusedTokens,
    /** Calls back after each batch with how many there were. */
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
