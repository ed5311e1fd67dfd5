import { once } from 'node:events';
import { createServer, request as askUpstream, type ServerResponse } from 'node:http';

/** A way to the console that can fail in the middle of an answer. */
export type CuttingProxy = {
  readonly url: string;
  /** Resets every connection on which an answer is under way. */
  readonly cut: () => void;
  /** From now on nobody is let through, or everybody again. */
  readonly close: (isClosed: boolean) => void;
  readonly stop: () => Promise<void>;
};

/**
 * Passes requests on to the console as they are. Of the answers to the paths in `holds` only the first bytes get
 * through; the rest never comes.
 */
export async function startCuttingProxy(target: string, holds?: { path: RegExp; bytes: number }): Promise<CuttingProxy> {
  const running = new Set<ServerResponse>();
  let isClosed = false;
  const proxy = createServer((request, response) => {
    if (isClosed) {
      request.socket.destroy();
      return;
    }
    running.add(response);
    response.on('close', () => running.delete(response));
    const upstream = askUpstream(new URL(request.url ?? '/', target), { method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      if (holds?.path.test(request.url ?? '') === true) {
        let heldBytes = Buffer.alloc(0);
        answer.on('data', (part: Buffer) => {
          const before = heldBytes.length;
          heldBytes = Buffer.concat([heldBytes, part]).subarray(0, holds.bytes);
          // In one piece, however many they come in: the page draws one that follows at once only later.
          if (before < holds.bytes && heldBytes.length === holds.bytes) response.write(heldBytes);
        });
      } else answer.pipe(response);
    });
    upstream.on('error', () => response.destroy());
    response.on('close', () => upstream.destroy());
    request.pipe(upstream);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    cut: () => {
      for (const response of running) response.socket?.resetAndDestroy();
    },
    close: (next) => {
      isClosed = next;
    },
    stop: async () => {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
