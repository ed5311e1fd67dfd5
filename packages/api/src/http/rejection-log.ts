import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import type { Caller } from './authenticate.ts';
import { addressOf, personOf, plainAddress } from './request-context.ts';

/** Lines of each kind in a minute. Further rejections are counted, so that a flood does not fill the disk. */
export const linesPerMinute = 30;
const minute = 60_000;

export type RejectionKind = 'not authenticated' | 'not permitted' | 'not found' | 'past a limit' | 'invalid input' | 'suspicious request';

/** Kinds that nobody causes by using the console. */
const warnings: ReadonlySet<RejectionKind> = new Set(['past a limit', 'suspicious request']);

type Rejection = { status: number; reason: string; ip: string } & Readonly<Record<string, unknown>>;

/** Logs rejected calls: who, which call and why, without paths, queries, bodies or tokens. */
export type RejectionLog = {
  /** A call that was answered with an error. */
  logAnswer: (request: FastifyRequest, rejection: { status: number; reason: string; fields?: readonly string[] }) => void;
  /** A request that reached no call because of its form. */
  logSuspiciousRequest: (request: FastifyRequest, rejection: { status: number; reason: string }) => void;
  /** Logs bytes that are no HTTP request. */
  logBrokenRequest: (socket: Pick<Socket, 'remoteAddress'>, rejection: { status: number; reason: string }) => void;
  /** Writes what was only counted. */
  flush: () => void;
};

export function createRejectionLog(logger: FastifyBaseLogger): RejectionLog {
  const minutes = new Map<RejectionKind, { lines: number; leftOut: number; timer: NodeJS.Timeout }>();

  function log(kind: RejectionKind, rejection: Rejection): void {
    const current = minutes.get(kind) ?? { lines: 0, leftOut: 0, timer: setTimeout(() => end(kind), minute).unref() };
    minutes.set(kind, current);
    if (current.lines === linesPerMinute) {
      current.leftOut += 1;
      return;
    }
    current.lines += 1;
    logger[warnings.has(kind) ? 'warn' : 'info'](rejection, `Call: rejected (${kind})`);
  }

  function end(kind: RejectionKind): void {
    const endedMinute = minutes.get(kind);
    clearTimeout(endedMinute?.timer);
    minutes.delete(kind);
    if (endedMinute && endedMinute.leftOut > 0) logger.warn({ count: endedMinute.leftOut }, `Calls: further ones rejected (${kind})`);
  }

  return {
    logAnswer(request, { status, ...rejection }) {
      const kind = kindOf(status, request);
      if (kind !== null) log(kind, { ...fieldsOf(request), status, ...rejection });
    },
    logSuspiciousRequest: (request, { status, reason }) => log('suspicious request', { ...fieldsOf(request), status, reason }),
    logBrokenRequest: (socket, { status, reason }) =>
      log('suspicious request', { ip: plainAddress(socket.remoteAddress ?? '') ?? '::', status, reason }),
    flush() {
      for (const kind of minutes.keys()) end(kind);
    },
  };
}

/** The pattern of the call that a request matches; it holds no id. */
export function routeOf(request: FastifyRequest): string {
  return request.routeOptions.config.pattern ?? (request.is404 ? 'unknown' : 'console');
}

function kindOf(status: number, request: FastifyRequest): RejectionKind | null {
  // Without a token it is a visitor. Failed sign-ins are in the audit trail.
  if (status === 401) return request.headers.authorization === undefined ? null : 'not authenticated';
  if (status === 403) return 'not permitted';
  // Rows outside the caller's apps are treated like rows that do not exist.
  if (status === 404) return request.caller === null ? null : 'not found';
  if (status === 429) return 'past a limit';
  return status === 400 || status === 413 || status === 415 || status === 422 ? 'invalid input' : null;
}

function fieldsOf(request: FastifyRequest) {
  const { id, method, caller } = request;
  return { request_id: id, method, route: routeOf(request), ip: addressOf(request), ...callerFields(caller) };
}

function callerFields(caller: Caller): Readonly<Record<string, number>> {
  if (caller === null) return {};
  if (caller.kind === 'traffic-server') return { server_id: caller.serverId };
  return { account_id: personOf(caller), ...(caller.by.kind === 'token' ? { token_id: caller.by.tokenId } : {}) };
}
