import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendDevRequest } from '@switchyard/contract/dev-tools';

const exposed = 'etag, x-request-id, retry-after, content-disposition';
const sendable = 'authorization, content-type, if-match, if-none-match, last-event-id, x-request-id';
const methods = 'GET, POST, PUT, DELETE';
/** Seconds for which a browser need not ask again. */
const remembered = '600';

/**
 * Lets pages of one other web origin read the API's answers, without cookies (api 0.1, S32).
 * @param origin null: no page of another origin may read anything.
 * @returns true for the question a browser asks before such a call: the headers say it all, and 204 ends it.
 */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply, origin: string | null): boolean {
  // What answers at the domains of apps has a rule of its own (api [73]).
  if (origin === null || !request.url.startsWith('/api/') || request.routeOptions.config.pattern === sendDevRequest.path) return false;
  reply.header('vary', 'Origin');
  if (request.headers.origin !== origin) return false;
  reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed });
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false;
  reply.headers({
    'access-control-allow-methods': methods,
    'access-control-allow-headers': sendable,
    'access-control-max-age': remembered,
  });
  return true;
}
