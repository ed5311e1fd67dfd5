import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * What the console's page may load: its own files only. Mantine writes style elements, hence
 * 'unsafe-inline' for styles; scripts never. Text becomes HTML only through the page's own default policy,
 * which refuses markup (S31).
 */
const consolePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
  'trusted-types default',
  "frame-ancestors 'none'",
].join('; ');

const page = 'index.html';
/** Assets carry a hash of their content in their name. */
const immutable = 'public, max-age=31536000, immutable';
const notPages = /^\/(?:api|assets)(?:\/|$)|^\/(?:livez|readyz|metrics)$/;

export type StaticWeb = {
  /** Whether a request that fits no route asks for a page of the console, whose paths only the browser knows. */
  isPage: (request: FastifyRequest) => boolean;
  sendPage: (reply: FastifyReply) => FastifyReply;
};

/** Serves the built console from a folder as it is at the start of the process. */
export async function serveWeb(fastify: FastifyInstance, { root }: { root: string }): Promise<StaticWeb> {
  await fastify.register(fastifyStatic, {
    root,
    wildcard: false,
    cacheControl: false,
    setHeaders(reply, path) {
      reply.header('cache-control', path.includes('/assets/') ? immutable : 'no-cache');
      if (path.endsWith('.html')) reply.header('content-security-policy', consolePolicy);
    },
  });
  return {
    isPage(request) {
      const [path = ''] = request.url.split('?', 1);
      return request.method === 'GET' && !notPages.test(path) && (request.headers.accept ?? '').includes('text/html');
    },
    sendPage: (reply) => reply.sendFile(page),
  };
}
