import { canonicalIp } from '@switchyard/contract/ip-address';
import type { FastifyRequest } from 'fastify';
import type { SessionUser } from '@switchyard/contract/session';
import type { AppScope } from '@switchyard/contract/app-scope';

/**
 * Throws 403 if a write needs a recent sign-in. Gets the changed fields of its audit entry, and whether the call carried the
 * current password of the caller: that is enough for a new one if the account has no second factor.
 */
export type WriteGuard = (write: { fields: readonly string[]; hasProvenPassword: boolean }) => void;

type BySession = {
  kind: 'session';
  sessionId: number;
  /** When the owner of the session last proved their identity. */
  authenticatedAt: Date;
};
/** A read-only view as a role or an account, begun by a session of the viewer. Its account is nobody's: the id is 0. */
type ByViewAs = { kind: 'view-as'; viewerId: number; permissionIds: ReadonlySet<number> };
type ByToken = { kind: 'token'; tokenId: number; name: string; permissionIds: ReadonlySet<number> };

/** An account that is signed in or whose API token is used, read from the database for each request. */
export type AccountCaller = {
  kind: 'account';
  by: BySession | ByToken | ByViewAs;
  /** Whether the account first has to set up a second factor; until then only calls on its own security are open. */
  mustSetUpFactor: boolean;
  /**
   * With an API token, permissions and scope are those that the token has and its owner still has; in a view, those that the viewer and
   * the viewed role or account both have.
   */
  account: SessionUser;
  scope: AppScope;
};
/** Whose rights decide what a list or a file contains. */
export type Reader = Pick<AccountCaller, 'account' | 'scope'>;
/** The caller of a call that API tokens cannot make. */
export type SessionCaller = AccountCaller & { by: BySession };
export type TokenCaller = AccountCaller & { by: ByToken };

/** The account that makes a call: in a view the viewer's. */
export function personOf({ by, account }: AccountCaller): number {
  return by.kind === 'view-as' ? by.viewerId : account.id;
}

/** A traffic server that was authenticated by its token. */
export type ServerCaller = { kind: 'traffic-server'; serverId: number; serverName: string };

/** Facts about a request beside the input of its endpoint. Audit entries store it. */
export type RequestContext = {
  requestId: string;
  ip: string;
  userAgent: string | null;
  /** The API token or the traffic server that made the call. */
  via?: { kind: 'token' | 'server'; id: number; name: string };
  /** Applied to each write of the call before it is committed; null: any write may be. */
  guardWrite: WriteGuard | null;
  /** The call carried the current password of the caller. */
  hasProvenPassword?: true;
  /** The entry of the audit trail to whose state the call goes back. */
  restoredEntry?: number;
};

/** The address of the sender. */
export function addressOf(request: FastifyRequest): string {
  // A trusted proxy may pass on an invalid address that its client sent.
  return plainAddress(request.ip) ?? plainAddress(request.socket.remoteAddress ?? '') ?? '::';
}

/** The canonical form of an address, without its zone; null if the text is not an address. */
export function plainAddress(text: string): string | null {
  const [address = ''] = text.split('%', 1);
  return canonicalIp(address);
}

/** The context of a request, as far as it is known: caller and guard are known after the first checks. */
export function contextOf(
  request: FastifyRequest,
  caller: AccountCaller | ServerCaller | null = null,
  guardWrite: WriteGuard | null = null,
): RequestContext {
  const context = { requestId: request.id, ip: addressOf(request), userAgent: request.headers['user-agent'] ?? null, guardWrite };
  if (caller?.kind === 'traffic-server') return { ...context, via: { kind: 'server', id: caller.serverId, name: caller.serverName } };
  if (caller?.by.kind !== 'token') return context;
  return { ...context, via: { kind: 'token', id: caller.by.tokenId, name: caller.by.name } };
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
