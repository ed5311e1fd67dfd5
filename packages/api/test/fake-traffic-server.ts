import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const order = z.strictObject({ action: z.string(), domain: z.string(), only_cloudflare: z.boolean(), server_id: z.int() });

/** One call that the server got; `isGenuine` when it was signed with the hash of the server's token. */
export type SeenCall = z.output<typeof order> & { id: string; isGenuine: boolean; path: string };

/** The server's reaction to a call: an answer, silence, a broken answer, a cut connection or anything at all. */
export type Behaviour =
  | { status: number; body?: unknown; text?: string; headers?: Record<string, string> }
  | 'silent'
  | 'cut'
  | 'cut midway'
  | ((response: ServerResponse) => void);

/** A real HTTP server that speaks the protocol of docs/provisioning.md, and fails as a test wishes. */
export async function startFakeTrafficServer(token: string) {
  const calls: SeenCall[] = [];
  const script: { action: string; behaviour: Behaviour }[] = [];
  const key = createHash('sha256').update(token).digest();
  const server = createServer((request, response) => {
    void (async () => {
      // A caller that gave up leaves its request unfinished.
      const body = await text(request).catch(() => null);
      if (body === null) return;
      const { 'webhook-id': id = '', 'webhook-timestamp': at = '', 'webhook-signature': signature = '' } = request.headers;
      const due = Buffer.from(
        `v1,${createHmac('sha256', key)
          .update(`${String(id)}.${String(at)}.${body}`)
          .digest('base64')}`,
      );
      const signatureBytes = Buffer.from(String(signature));
      const isGenuine = due.length === signatureBytes.length && timingSafeEqual(due, signatureBytes);
      const call = { ...order.parse(JSON.parse(body)), id: String(id), isGenuine, path: `${request.method} ${request.url}` };
      calls.push(call);
      const next = script.findIndex(({ action }) => action === call.action);
      const [step] = next === -1 ? [] : script.splice(next, 1);
      behave(response, step?.behaviour ?? { status: 200, body: call.action === 'add' ? { registrar: 'Namecheap' } : {} });
    })();
  });
  // Never cuts a connection that a caller, put off by a busy machine, is just about to use again.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    /** Reactions to the next calls of an action, in order; afterwards calls succeed again. */
    plan: (action: string, ...behaviours: readonly Behaviour[]) => {
      script.push(...behaviours.map((behaviour) => ({ action, behaviour })));
    },
    /** Forgets calls and plans. */
    reset: () => {
      calls.length = 0;
      script.length = 0;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export type FakeTrafficServer = Awaited<ReturnType<typeof startFakeTrafficServer>>;

function behave(response: ServerResponse, behaviour: Behaviour): void {
  if (behaviour === 'silent') return;
  if (typeof behaviour === 'function') behaviour(response);
  else if (behaviour === 'cut') response.destroy();
  else if (behaviour === 'cut midway') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
    response.write('{"registrar":', () => response.destroy());
  } else {
    const { status, body = {}, headers = {} } = behaviour;
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(behaviour.text ?? JSON.stringify(body));
  }
}
