import type { FastifyRequest } from 'fastify';
import { isIP } from 'node:net';
import type { RequestContext } from './bind.ts';

const mappedV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** An address as the product writes it: without zone, and IPv4 that arrived as mapped IPv6 without its prefix. */
function plainAddress(ip: string): string {
  const [address = ''] = ip.split('%', 1);
  return mappedV4.exec(address)?.[1] ?? address;
}

/** What a handler may know of the request itself. */
export function contextOf(request: FastifyRequest): RequestContext {
  const forwarded = plainAddress(request.ip);
  // A trusted proxy may still pass on nonsense that its client sent.
  const ip = isIP(forwarded) === 0 ? plainAddress(request.socket.remoteAddress ?? '::') : forwarded;
  return { requestId: request.id, ip, userAgent: request.headers['user-agent'] ?? null };
}
