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
