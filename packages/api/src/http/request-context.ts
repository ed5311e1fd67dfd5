import { canonicalIp } from '@switchyard/contract/ip-address';
import type { FastifyRequest } from 'fastify';
import type { RequestContext } from './bind.ts';

/** An address without zone as the product writes it, however it was spelled; null when the text is none. */
function plainAddress(text: string): string | null {
  const [address = ''] = text.split('%', 1);
  return canonicalIp(address);
}

/** What a handler may know of the request itself. */
export function contextOf(request: FastifyRequest): RequestContext {
  // A trusted proxy may still pass on nonsense that its client sent.
  const ip = plainAddress(request.ip) ?? plainAddress(request.socket.remoteAddress ?? '') ?? '::';
  return { requestId: request.id, ip, userAgent: request.headers['user-agent'] ?? null };
}

/** What proxies add to the requests that they pass on. */
const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'] as const;

/**
 * Whether the client itself is on this machine. Of a request from a trusted proxy that names its client, that client
 * counts. Every other request that a proxy passed on came from nobody knows where, also when the proxy is on this machine.
 */
export function isLoopbackClient(request: FastifyRequest): boolean {
  // The peer alone, or the peer and those in front of it whose word is believed.
  const namesClient = (request.ips ?? []).length > 1;
  if (!namesClient && forwardingHeaders.some((name) => request.headers[name] !== undefined)) return false;
  const address = plainAddress(request.ip);
  return address !== null && (address === '::1' || address.startsWith('127.'));
}
