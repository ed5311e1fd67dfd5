import type { FastifyRequest } from 'fastify';
import type { RequestContext } from './bind.ts';

const mappedV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Peer address as the product writes it: an IPv4 address that arrived as mapped IPv6 loses its prefix. */
export function peerAddress(ip: string): string {
  return mappedV4.exec(ip)?.[1] ?? ip;
}

/** What a handler may know of the request itself. */
export function contextOf(request: FastifyRequest): RequestContext {
  return { requestId: request.id, ip: peerAddress(request.ip), userAgent: request.headers['user-agent'] ?? null };
}
