import { apiTokenCallsPerMinute } from '@switchyard/contract/api-tokens';
import { allEndpoints } from '@switchyard/contract/all-endpoints';
import { decidesRecentSignIn, type Endpoint } from '@switchyard/contract/endpoint';
import { readQuery } from '@switchyard/contract/listing';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { tooManyAttempts, unauthorized } from '../errors.ts';
import type { Admission } from './admission.ts';
import { authenticate, identify, requireAccess, type Authenticators, type Caller } from './authenticate.ts';
import type { AccountCaller, Bind, BindOptions } from './bind.ts';
import { checkAnswer, type AnswerMismatch } from './check-answer.ts';
import { readIfMatch, readIfNoneMatch } from './conditional-headers.ts';
import { parseInput, parsePath, type ValidateQuery, type ParsedInput, type ParsedPath } from './parse-input.ts';
import type { Limiter, LimiterCaller, Release } from '../limiter.ts';
import { guardRecentSignIn, type FindReauthentication } from './recent-sign-in.ts';
import { createBodyReader } from './read-body.ts';
import { readMultipart } from './read-multipart.ts';
import { addressOf, contextOf, isLoopbackClient } from './request-context.ts';
import { createDownloads } from './send-download.ts';
import { sendEvents } from './event-stream.ts';
import { sendResult, withCharset } from './send-result.ts';
import { Download, EventFeed } from './streamed-result.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the checks before the body found out; null until they passed. */
    admitted: { path: ParsedPath; caller: Caller } | null;
    /** Who calls, as soon as the token is known; null before, and for public calls. */
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** Path pattern for metrics and logs, e.g. `apps/{id}`; never holds an id. */
    pattern?: string;
  }
}

/** Method notation on purpose: what `input` holds was parsed by the very schemas its type comes from. */
type AnyHandler = { run(input: unknown): Promise<unknown>; requireEntity(call: unknown): Promise<void> };

export type EndpointDependencies = {
  authenticators: Authenticators;
  isProduction: boolean;
  findReauthentication: FindReauthentication;
  /** Counts a call of an API token in its current minute. */
  tokenCall: (tokenId: number) => { calls: number; secondsLeft: number };
  isStopping: () => boolean;
  admission: Admission;
  /** Told of every live stream; gives what to call when it is closed. */
  streamOpened: () => () => void;
  /** What fits by itself in a query but not together; nothing by default. */
  validateQuery?: ValidateQuery;
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
  const bound = new Set<number>();
  const bodies = createBodyReader(fastify);
  const { downloads, yieldToInteractive } = deps.admission;
  const sendDownload = createDownloads({ isStopping: deps.isStopping, limiter: downloads, yieldToInteractive });
  fastify.decorateRequest('admitted', null);
  fastify.decorateRequest('caller', null);

  function markBound(endpoint: Endpoint): void {
    if (!statedAccess.safeParse(endpoint).success) throw new Error(`${nameOf(endpoint)} states no access`);
    if (decidesRecentSignIn(endpoint) && endpoint.recentSignIn === undefined)
      throw new Error(`${nameOf(endpoint)} does not state whether it needs a recent sign-in`);
    if (!endpoints.includes(endpoint)) throw new Error(`${nameOf(endpoint)} is not in the list of the contract's calls`);
    if (bound.has(endpoint.number)) throw new Error(`${nameOf(endpoint)} is bound twice`);
    bound.add(endpoint.number);
  }

  function register(
    endpoint: Endpoint,
    handler: AnyHandler,
    { admit, onMisfit, slots = 'database' }: Pick<BindOptions, 'admit' | 'onMisfit' | 'slots'>,
  ): void {
    markBound(endpoint);
    async function checkBeforeBody(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const path = parsePath(endpoint, request.params);
      const { authorization } = request.headers;
      await admit?.({ request: contextOf(request), authorization, isLoopback: isLoopbackClient(request) });
      const caller = await identify(endpoint.access, { authorization, ip: addressOf(request) }, deps.authenticators);
      request.caller = caller;
      requireAccess(endpoint.access, caller);
      if (caller?.kind === 'account' && caller.by.kind === 'token') countTokenCall(reply, deps.tokenCall(caller.by.tokenId));
      if (endpoint.bodyForm === 'ingest' && caller?.kind === 'traffic-server') hold(reply, await deps.admission.takeBatch(caller.serverId));
      request.admitted = { path, caller };
    }

    async function renewed(request: FastifyRequest): Promise<AccountCaller> {
      const { authorization } = request.headers;
      const caller = await authenticate(endpoint.access, { authorization, ip: addressOf(request) }, deps.authenticators);
      if (caller?.kind !== 'account') throw unauthorized();
      return caller;
    }

    async function readBody(request: FastifyRequest): Promise<unknown> {
      if (endpoint.method === 'GET') return undefined;
      if (endpoint.bodyForm === 'multipart') return readMultipart(request);
      return endpoint.bodyForm === 'ingest' ? bodies.readIngest(request) : bodies.readJson(request);
    }

    async function parsed(raw: Parameters<typeof parseInput>[1]): Promise<ParsedInput> {
      try {
        return parseInput(endpoint, raw, deps.validateQuery ?? (() => ({})));
      } catch (error) {
        await onMisfit?.(raw.body);
        throw error;
      }
    }

    async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      if (!request.admitted) throw new Error(`${nameOf(endpoint)} was reached without its checks`);
      const { path, caller } = request.admitted;
      const body = await readBody(request);
      const release = await slotFor(request, reply, caller);
      try {
        const result = await handle(request, { path, caller, body });
        if (result instanceof Download) {
          release();
          return await sendDownload(reply, { contentType: contentTypeOf(endpoint), download: result, caller: callerKey(caller) });
        }
        if (result instanceof EventFeed && caller?.kind === 'account') {
          release();
          return await sendEvents(reply, { feed: result, caller }, { ...deps, ...deps.admission, renew: async () => renewed(request) });
        }
        const report = (mismatch: AnswerMismatch) => {
          request.log.error({ err: mismatch, request_id: request.id }, 'Response: does not match the contract');
        };
        return sendResult(reply, endpoint, checkAnswer(endpoint, result, { isProduction: deps.isProduction, report }));
      } finally {
        release();
      }
    }

    /** Waits for the slot that a call takes while it is worked on; one whose sender has gone waits no longer. */
    async function slotFor(request: FastifyRequest, reply: FastifyReply, caller: Caller): Promise<Release> {
      const limiter = limiterFor(request, caller);
      if (limiter === null) return () => undefined;
      const key = callerKey(caller);
      const free = limiter.tryAcquire(key);
      if (free !== null) return free;
      const gone = new AbortController();
      const onClose = (): void => gone.abort();
      reply.raw.once('close', onClose);
      try {
        return await limiter.acquire(key, gone.signal);
      } finally {
        reply.raw.off('close', onClose);
      }
    }

    function limiterFor(request: FastifyRequest, caller: Caller): Limiter | null {
      if (endpoint.bodyForm === 'ingest') return deps.admission.ingestion;
      if (endpoint.answer.kind === 'raw' && endpoint.answer.file === true) return deps.admission.downloadChecks;
      if (caller?.kind !== 'account') return null;
      const kind = typeof slots === 'function' ? slots(readQuery(searchOf(request))) : slots;
      return kind === 'none' ? null : deps.admission.interactive[kind];
    }

    async function handle(
      request: FastifyRequest,
      { path, caller, body }: { path: ParsedPath; caller: Caller; body: unknown },
    ): Promise<unknown> {
      const isIngest = endpoint.bodyForm === 'ingest';
      const input = await parsed({ refusedPath: path.refused, search: searchOf(request), body: isIngest ? undefined : body });
      await handler.requireEntity({ params: path.params, caller });
      input.rejectValues();
      const guard = caller?.kind === 'account' ? await guardRecentSignIn(endpoint, caller, deps.findReauthentication) : null;
      return handler.run({
        params: path.params,
        query: input.query,
        body: isIngest ? body : input.body,
        caller,
        matchesIfMatch: readIfMatch(request.headers['if-match']),
        holds: readIfNoneMatch(request.headers['if-none-match']),
        request: contextOf(request, caller, guard),
      });
    }

    for (const url of urlsOf(endpoint))
      fastify.route({ method: endpoint.method, url, config: { pattern: endpoint.path }, onRequest: checkBeforeBody, handler: answer });
  }

  return {
    bind: (endpoint, run, { requireEntity = async () => undefined, ...options } = {}) =>
      register(endpoint, { run, requireEntity }, options),
    markBound,
    assertComplete() {
      const missing = endpoints.filter((endpoint) => !bound.has(endpoint.number));
      if (missing.length > 0) throw new Error(`Calls without a handler: ${missing.map(nameOf).join(', ')}`);
    },
  };
}

/** Keeps a place until the answer is over; without one the call is refused with 429. */
function hold(reply: FastifyReply, leave: (() => void) | null): void {
  if (!leave) throw tooManyAttempts(1);
  if (reply.raw.destroyed) leave();
  else reply.raw.once('close', leave);
}

/** Tells an API token what is left of its minute, and rejects with 429 what is beyond it. */
function countTokenCall(reply: FastifyReply, { calls, secondsLeft }: { calls: number; secondsLeft: number }): void {
  reply.headers({
    'ratelimit-limit': String(apiTokenCallsPerMinute),
    'ratelimit-remaining': String(Math.max(0, apiTokenCallsPerMinute - calls)),
    'ratelimit-reset': String(secondsLeft),
  });
  if (calls > apiTokenCallsPerMinute) throw tooManyAttempts(secondsLeft);
}

/** Whose share a call counts against. */
function callerKey(caller: Caller): LimiterCaller {
  if (caller === null) return '';
  return caller.kind === 'account' ? caller.account.id : caller.serverId;
}

function contentTypeOf({ answer }: Endpoint): string {
  return withCharset(answer.kind === 'raw' ? answer.contentType : 'application/octet-stream');
}

/** The query as it was sent, without its question mark. */
function searchOf(request: FastifyRequest): string {
  const target = request.raw.url ?? '';
  const start = target.indexOf('?');
  return start === -1 ? '' : target.slice(start + 1);
}

/** Paths of a call as the server listens for them; one that ends in a slash is served without it too (api 0.1). */
function urlsOf({ path }: Endpoint): string[] {
  const absolute = path.startsWith('/') ? path : `/api/${path}`;
  const url = absolute.replaceAll(/\{(\w+)\}/g, ':$1');
  return url.length > 1 && url.endsWith('/') ? [url, url.slice(0, -1)] : [url];
}

function nameOf({ number, method, path }: Endpoint): string {
  return `[${number}] ${method} ${path}`;
}
