import { allEndpoints } from '@switchyard/contract/all-endpoints';
import { decidesRecentSignIn, type Endpoint } from '@switchyard/contract/endpoint';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Bind } from './bind.ts';
import { createBodyReader } from './read-body.ts';
import { createDownloads } from './send-download.ts';
import { checkBeforeBody, nameOf, serveCall, type ServedEndpoint, type ServingDependencies } from './serve-call.ts';

export type EndpointDependencies = ServingDependencies & {
  /** The calls that must be bound; all of the contract by default. */
  endpoints?: readonly Endpoint[];
};

export type EndpointTable = {
  bind: Bind;
  /** States that a call is served by other means than `bind`, e.g. by a plugin. */
  markBound(endpoint: Endpoint): void;
  /** Throws when a call of the contract has no handler. */
  assertComplete(): void;
};

const statedAccess = z.object({ access: z.object({ kind: z.enum(['public', 'session', 'permissions', 'traffic-server']) }) });

/**
 * Binds endpoints of the contract to Fastify, each exactly once and none without access; a breach throws,
 * so that the server does not start. The order of checks is that of api 0.3: route, sign-in limit,
 * token, permission, other limits, body, shapes, entity, values; only then the handler.
 */
export function createEndpointTable(fastify: FastifyInstance, deps: EndpointDependencies): EndpointTable {
  const endpoints = deps.endpoints ?? allEndpoints;
  const boundNumbers = new Set<number>();
  const { downloads, yieldToInteractive } = deps.admission;
  const sendDownload = createDownloads({ isStopping: deps.isStopping, limiter: downloads, yieldToInteractive });
  const serving = { ...deps, bodies: createBodyReader(fastify), sendDownload };
  fastify.decorateRequest('admittedCall', null);
  fastify.decorateRequest('caller', null);

  function markBound(endpoint: Endpoint): void {
    if (!statedAccess.safeParse(endpoint).success) throw new Error(`${nameOf(endpoint)} states no access`);
    if (decidesRecentSignIn(endpoint) && endpoint.recentSignIn === undefined)
      throw new Error(`${nameOf(endpoint)} does not state whether it needs a recent sign-in`);
    if (!endpoints.includes(endpoint)) throw new Error(`${nameOf(endpoint)} is not in the list of the contract's calls`);
    if (boundNumbers.has(endpoint.number)) throw new Error(`${nameOf(endpoint)} is bound twice`);
    boundNumbers.add(endpoint.number);
  }

  function register(endpoint: ServedEndpoint): void {
    const { method, path } = endpoint.endpoint;
    markBound(endpoint.endpoint);
    for (const url of urlsOf(endpoint.endpoint))
      fastify.route({
        method,
        url,
        config: { pattern: path },
        onRequest: async (request, reply) => checkBeforeBody(endpoint, request, reply),
        handler: async (request, reply) => serveCall(endpoint, request, reply),
      });
  }

  return {
    bind: (endpoint, run, { requireEntity = async () => undefined, ...options } = {}) =>
      register({ endpoint, handler: { run, requireEntity }, options, deps: serving }),
    markBound,
    assertComplete() {
      const missing = endpoints.filter((endpoint) => !boundNumbers.has(endpoint.number));
      if (missing.length > 0) throw new Error(`Calls without a handler: ${missing.map(nameOf).join(', ')}`);
    },
  };
}

/** Paths of a call as the server listens for them; one that ends in a slash is served without it too (api 0.1). */
function urlsOf({ path }: Endpoint): string[] {
  const absolute = path.startsWith('/') ? path : `/api/${path}`;
  const url = absolute.replaceAll(/\{(\w+)\}/g, ':$1');
  return url.length > 1 && url.endsWith('/') ? [url, url.slice(0, -1)] : [url];
}
