import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The console's page may load its own files, and pictures of pushes unless they are switched off. Mantine writes style elements,
 * hence 'unsafe-inline' for styles; scripts never. Text becomes HTML only through the page's own default policy, which rejects
 * markup.
 */
function consolePolicy({ loadsPushImages, framesPages }: Omit<WebOptions, 'root'>): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    // Pictures of pushes come from hosts that nobody knows beforehand.
    loadsPushImages ? "img-src 'self' https:" : "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    // Files of the developer page: the frame that sends to the hosts of apps, and the guide, which is read with the token and so has no address.
    ...(framesPages ? ["frame-src 'self' blob:"] : []),
    "manifest-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "form-action 'self'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
    "frame-ancestors 'none'",
  ].join('; ');
}

const page = 'index.html';
/** Assets carry a hash of their content in their name. */
const immutable = 'public, max-age=31536000, immutable';
const notPages = /^\/(?:api|assets)(?:\/|$)|^\/(?:livez|readyz|metrics)$/;

type WebOptions = {
  root: string;
  /** Whether pictures of pushes may be loaded from other hosts, over https. */
  loadsPushImages: boolean;
  /** Whether pages of its own origin may be framed, as the developer page does. */
  framesPages: boolean;
};

export type StaticWeb = {
  /** Whether a request that fits no route asks for a page of the console, whose paths only the browser knows. */
  isPage: (request: FastifyRequest) => boolean;
  sendPage: (reply: FastifyReply) => FastifyReply;
};

/** Serves the built console from a folder as it is at the start of the process. */
export async function serveWeb(fastify: FastifyInstance, { root, ...may }: WebOptions): Promise<StaticWeb> {
  const policy = consolePolicy(may);
  await fastify.register(fastifyStatic, {
    root,
    wildcard: false,
    globIgnore: ['assets/**'],
    cacheControl: false,
    // The build puts compressed scripts and styles beside the plain ones. Pages have none: the headers below go by their name.
    preCompressed: true,
    setHeaders(reply, path) {
      reply.header('cache-control', path.includes('/assets/') ? immutable : 'no-cache');
      if (!path.endsWith('.html')) return;
      reply.header('content-security-policy', policy);
      // Whatever comes from another host comes without the reader's cookies there. A page framed by this one needs the same.
      reply.header('cross-origin-embedder-policy', 'credentialless');
    },
  });
  // One route for all of them: hundreds, one for each and again for HEAD, take a start 100 ms.
  const assetFolder = join(root, 'assets');
  const assets = new Set(existsSync(assetFolder) ? readdirSync(assetFolder).filter((name) => !name.endsWith('.br')) : []);
  fastify.route<{ Params: { name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/assets/:name',
    handler: (request, reply) => (assets.has(request.params.name) ? reply.sendFile(`assets/${request.params.name}`) : reply.callNotFound()),
  });
  return {
    isPage(request) {
      const [path = ''] = request.url.split('?', 1);
      return request.method === 'GET' && !notPages.test(path) && (request.headers.accept ?? '').includes('text/html');
    },
    sendPage: (reply) => reply.sendFile(page),
  };
}
