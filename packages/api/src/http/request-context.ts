import { canonicalIp } from '@switchyard/contract/ip-address';
import type { FastifyRequest } from 'fastify';
import type { SessionUser } from '@switchyard/contract/session';
import type { AppScope } from '../app-scope.ts';

/** A signed-in account, read from the database for each request. */
export type AccountCaller = { kind: 'account'; sessionId: number; account: SessionUser; scope: AppScope };

/** A traffic server that was authenticated by its token. */
export type ServerCaller = { kind: 'traffic-server'; serverId: number; serverName: string };

/** What is known of a request besides the input of its endpoint. Audit entries store it. */
export type RequestContext = { requestId: string; ip: string; userAgent: string | null };

/** The canonical form of an address, without its zone; null if the text is not an address. */
function plainAddress(text: string): string | null {
  const [address = ''] = text.split('%', 1);
  return canonicalIp(address);
}

/** The context of a request. */
export function contextOf(request: FastifyRequest): RequestContext {
  // A trusted proxy may pass on an invalid address that its client sent.
  const ip = plainAddress(request.ip) ?? plainAddress(request.socket.remoteAddress ?? '') ?? '::';
  return { requestId: request.id, ip, userAgent: request.headers['user-agent'] ?? null };
}

/** Headers that proxies add to forwarded requests. */
const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'] as const;

/**
 * Whether the client is on this machine. If a trusted proxy names its client, the address of that client decides. Any other
 * forwarded request counts as remote, even if the proxy runs on this machine.
 */
export function isLoopbackClient(request: FastifyRequest): boolean {
  // The peer, followed by the addresses that trusted proxies report.
  const namesClient = (request.ips ?? []).length > 1;
  if (!namesClient && forwardingHeaders.some((name) => request.headers[name] !== undefined)) return false;
  const address = plainAddress(request.ip);
  return address !== null && (address === '::1' || address.startsWith('127.'));
}
