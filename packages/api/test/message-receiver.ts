import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** A post that the receiver got. */
export type ReceivedPost = { path: string; headers: IncomingHttpHeaders; text: string; body: ReturnType<typeof JSON.parse> };

type Behaviour = { status: number; text?: string; headers?: Record<string, string> } | 'never' | ((response: ServerResponse) => void);

/** A real HTTP server that takes messages, and fails as a test wishes. It answers 200 where no behaviour is set for the path. */
export async function startMessageReceiver() {
  const posts: ReceivedPost[] = [];
  const behaviours = new Map<string, Behaviour>();
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request).catch(() => null);
      if (body === null) return;
      const path = request.url ?? '';
      posts.push({ path, headers: request.headers, text: body, body: JSON.parse(body) });
      const behaviour = behaviours.get(path) ?? { status: 200, text: 'ok' };
      if (behaviour === 'never') return;
      if (typeof behaviour === 'function') behaviour(response);
      else response.writeHead(behaviour.status, behaviour.headers).end(behaviour.text ?? '');
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return {
    url,
    posts,
    /** Reaction to posts to a path from now on. */
    behave: (path: string, behaviour: Behaviour) => void behaviours.set(path, behaviour),
    to: (path: string) => posts.filter((post) => post.path === path),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export type MessageReceiver = Awaited<ReturnType<typeof startMessageReceiver>>;
