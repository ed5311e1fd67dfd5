import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendDevRequest } from '@switchyard/contract/dev-tools';

const exposedHeaders = 'etag, x-request-id, retry-after, content-disposition';
const sendable = 'authorization, content-type, if-match, if-none-match, last-event-id, x-request-id';
const methods = 'GET, POST, PUT, DELETE';
/** Seconds for which browsers cache the preflight response. */
const preflightSeconds = '600';

/**
 * Lets pages of one other web origin read the API's responses, without cookies (api 0.1).
 * @param origin null: no other origin.
 * @returns true for a preflight request, which the caller answers with 204.
 */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply, origin: string | null): boolean {
  // The call at the domains of apps has its own rule (api [73]).
  if (origin === null || !request.url.startsWith('/api/') || request.routeOptions.config.pattern === sendDevRequest.path) return false;
  reply.header('vary', 'Origin');
  if (request.headers.origin !== origin) return false;
  reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': exposedHeaders });
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false;
  reply.headers({
    'access-control-allow-methods': methods,
    'access-control-allow-headers': sendable,
    'access-control-max-age': preflightSeconds,
  });
  return true;
}
