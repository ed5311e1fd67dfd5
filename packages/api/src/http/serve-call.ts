import { apiTokenCallsPerMinute } from '@switchyard/contract/api-tokens';
import { asksForExcel, byteOrderMark } from '@switchyard/contract/csv-format';
import type { Endpoint } from '@switchyard/contract/endpoint';
import { readQuery } from '@switchyard/contract/listing';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressKey } from '../overload/address-limit.ts';
import { tooManyAttempts, unauthorized } from '../errors.ts';
import type { Limiter, LimiterCaller, Release } from '../overload/limiter.ts';
import type { Admission } from './admission.ts';
import { authenticate, identify, requireAccess, type Authenticators, type Caller } from './authenticate.ts';
import type { AccountCaller, BindOptions } from './bind.ts';
import { checkAnswer, type AnswerMismatch } from './check-answer.ts';
import { readIfMatch, readIfNoneMatch } from './conditional-headers.ts';
import { disconnectionOf } from './disconnection.ts';
import { sendEvents } from './event-stream.ts';
import { parseInput, parsePath, type ParsedInput, type ParsedPath, type ValidateQuery } from './parse-input.ts';
import type { createBodyReader } from './read-body.ts';
import { readMultipart } from './read-multipart.ts';
import { guardRecentSignIn, type FindReauthentication } from './recent-sign-in.ts';
import { addressOf, contextOf, isLoopbackClient, personOf } from './request-context.ts';
import type { createDownloads } from './send-download.ts';
import { sendResult, withCharset } from './send-result.ts';
import { Download, EventFeed } from './streamed-result.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Result of the checks before the body, and when they passed, by `performance.now()`; null before. */
    admittedCall: { path: ParsedPath; caller: Caller; at: number } | null;
    /** The caller, as soon as the token is known; null before, and for public calls. */
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** Path pattern for metrics and logs, e.g. `apps/{id}`; never holds an id. */
    pattern?: string;
  }
}

/** Method notation on purpose: what a call holds was parsed by the very schemas its type comes from. */
export type AnyHandler = { run(call: unknown): Promise<unknown>; requireEntity(call: unknown): Promise<void> };

export type ServingDependencies = {
  authenticators: Authenticators;
  isProduction: boolean;
  findReauthentication: FindReauthentication;
  /** Counts a call of an API token in its current minute. */
  tokenCall: (tokenId: number) => { calls: number; secondsLeft: number };
  isStopping: () => boolean;
  /** Milliseconds for which a caller stays known; other than usual in tests. */
  knownMilliseconds?: number | undefined;
  admission: Admission;
  /** Called for each live stream; gives the function to call when it is closed. */
  streamOpened: () => () => void;
  /** Gives the errors of fields of a query that are valid alone but not together; none by default. */
  validateQuery?: ValidateQuery;
};

/** For so long a caller stays known. Looking each up again that waits for a slot costs lists at ten connections a tenth of their rate. */
const knownMilliseconds = 1000;

/** An endpoint with its handler, and what all endpoints are served with. */
export type ServedEndpoint = {
  endpoint: Endpoint;
  handler: AnyHandler;
  options: Pick<BindOptions, 'admit' | 'onMisfit' | 'slots'>;
  deps: ServingDependencies & { bodies: ReturnType<typeof createBodyReader>; sendDownload: ReturnType<typeof createDownloads> };
};

/** Checks a call before its body is read: path, sign-in limit, token, permission and the other limits, in this order. */
export async function checkBeforeBody(
  { endpoint, options, deps }: ServedEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const path = parsePath(endpoint, request.params);
  const { authorization } = request.headers;
  await options.admit?.({ request: contextOf(request), authorization, isLoopback: isLoopbackClient(request) });
  const caller = await identify(endpoint.access, { authorization, ip: addressOf(request) }, deps.authenticators);
  request.caller = caller;
  requireAccess(endpoint, caller);
  if (caller?.kind === 'account' && caller.by.kind === 'token') countTokenCall(reply, deps.tokenCall(caller.by.tokenId));
  if (endpoint.bodyForm === 'ingest' && caller?.kind === 'traffic-server') hold(reply, await deps.admission.takeBatch(caller.serverId));
  request.admittedCall = { path, caller, at: performance.now() };
}

/** Serves a call that passed `checkBeforeBody`: body, slot, shapes, entity, values, handler and response. */
export async function serveCall(served: ServedEndpoint, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { endpoint, deps } = served;
  if (!request.admittedCall) throw new Error(`${nameOf(endpoint)} was reached without its checks`);
  const { path, caller: admitted, at } = request.admittedCall;
  const body = await readBody(served, request);
  const release = await acquireSlot(limiterFor(served, request, admitted), reply, slotOwner(endpoint, request, admitted));
  try {
    // Whoever holds back the end of a body, or waits for a slot, may have lost the account or a right meanwhile.
    const isLate = performance.now() - at > (deps.knownMilliseconds ?? knownMilliseconds);
    const caller = admitted !== null && isLate ? await renewCaller(served, request) : admitted;
    const call = {
      path,
      body,
      signal: () => disconnectionOf(reply),
      renew: async () => void (await renewCaller(served, request)),
    };
    const result = await handle(served, request, { ...call, caller });
    if (result instanceof Download) {
      release();
      // A download may wait for its slot for so long that the caller has lost a permission or an app meanwhile.
      const renew = async () => handle(served, request, { ...call, caller: await renewCaller(served, request) });
      return await deps.sendDownload(reply, {
        contentType: contentTypeOf(endpoint),
        prefix: asksForExcel(readQuery(searchOf(request))) && isCsv(endpoint) ? byteOrderMark : '',
        renew,
        caller: callerKey(caller),
      });
    }
    if (result instanceof EventFeed && caller?.kind === 'account') {
      release();
      const renew = async () => requireAccount(await renewCaller(served, request));
      return await sendEvents(reply, { feed: result, caller }, { ...deps, ...deps.admission, renew });
    }
    const report = (mismatch: AnswerMismatch) => {
      request.log.error({ err: mismatch, request_id: request.id }, 'Response: does not match the contract');
    };
    return sendResult(reply, endpoint, checkAnswer(endpoint, result, { isProduction: deps.isProduction, report }));
  } finally {
    release();
  }
}

/** Authenticates the caller of a live stream, a download, a search or a call that had to wait again. */
async function renewCaller({ endpoint, deps }: ServedEndpoint, request: FastifyRequest): Promise<Caller> {
  const { authorization } = request.headers;
  return authenticate(endpoint, { authorization, ip: addressOf(request) }, deps.authenticators);
}

function requireAccount(caller: Caller): AccountCaller {
  if (caller?.kind !== 'account') throw unauthorized();
  return caller;
}

async function readBody({ endpoint, deps: { bodies } }: ServedEndpoint, request: FastifyRequest): Promise<unknown> {
  if (endpoint.method === 'GET') return undefined;
  if (endpoint.bodyForm === 'multipart') return readMultipart(request, endpoint.maximumBytes);
  return endpoint.bodyForm === 'ingest'
    ? bodies.readIngest(request)
    : bodies.readJson(request, { dataFields: endpoint.dataFields ?? [], isPublic: endpoint.access.kind === 'public' });
}

function limiterFor(
  { endpoint, options: { slots = 'database' }, deps }: ServedEndpoint,
  request: FastifyRequest,
  caller: Caller,
): Limiter | null {
  if (endpoint.bodyForm === 'ingest') return deps.admission.ingestion;
  // Probes and settings take none, so that a flood never hides whether the console is alive.
  if (endpoint.access.kind === 'public' && endpoint.method !== 'GET') return deps.admission.publicCalls;
  if (endpoint.answer.kind === 'raw' && endpoint.answer.file === true) return deps.admission.downloadChecks;
  if (caller?.kind !== 'account') return null;
  const kind = typeof slots === 'function' ? slots(readQuery(searchOf(request))) : slots;
  return kind === 'none' ? null : deps.admission.interactive[kind];
}

/** Waits for the slot that a call needs while it is worked on. The wait ends if the client disconnects. */
async function acquireSlot(limiter: Limiter | null, reply: FastifyReply, key: LimiterCaller): Promise<Release> {
  if (limiter === null) return () => undefined;
  const free = limiter.tryAcquire(key);
  if (free !== null) return free;
  const disconnect = new AbortController();
  const onClose = (): void => disconnect.abort();
  reply.raw.once('close', onClose);
  try {
    return await limiter.acquire(key, disconnect.signal);
  } finally {
    reply.raw.off('close', onClose);
  }
}

type HandledCall = { path: ParsedPath; caller: Caller; body: unknown; signal: () => AbortSignal; renew: () => Promise<void> };

async function handle(
  { endpoint, handler, options, deps }: ServedEndpoint,
  request: FastifyRequest,
  { path, caller, body, ...connection }: HandledCall,
): Promise<unknown> {
  const isIngest = endpoint.bodyForm === 'ingest';
  let input: ParsedInput;
  try {
    const raw = { pathErrors: path.errors, search: searchOf(request), body: isIngest ? undefined : body };
    input = parseInput(endpoint, raw, deps.validateQuery ?? (() => ({})));
  } catch (error) {
    await options.onMisfit?.(isIngest ? undefined : body);
    throw error;
  }
  await handler.requireEntity({ params: path.params, caller });
  input.rejectValues();
  const guard = caller?.kind === 'account' ? await guardRecentSignIn(endpoint, caller, deps.findReauthentication) : null;
  return handler.run({
    params: path.params,
    query: input.query,
    body: isIngest ? body : input.body,
    caller,
    needs: endpoint.access.kind === 'permissions' ? endpoint.access.anyOf : null,
    matchesIfMatch: readIfMatch(request.headers['if-match']),
    holds: readIfNoneMatch(request.headers['if-none-match']),
    request: contextOf(request, caller, guard),
    ...connection,
  });
}

/** Keeps a slot of ingestion until the response is sent; throws 429 if there is none. */
function hold(reply: FastifyReply, release: (() => void) | null): void {
  if (!release) throw tooManyAttempts(1);
  if (reply.raw.destroyed) release();
  else reply.raw.once('close', release);
}

/** Sets the headers about the rate limit of an API token; throws 429 past it. */
function countTokenCall(reply: FastifyReply, { calls, secondsLeft }: { calls: number; secondsLeft: number }): void {
  reply.headers({
    'ratelimit-limit': String(apiTokenCallsPerMinute),
    'ratelimit-remaining': String(Math.max(0, apiTokenCallsPerMinute - calls)),
    'ratelimit-reset': String(secondsLeft),
  });
  if (calls > apiTokenCallsPerMinute) throw tooManyAttempts(secondsLeft);
}

/** Against whose share of the slots a call counts: that of its caller, or of the address if anybody may make it. */
function slotOwner({ access }: Endpoint, request: FastifyRequest, caller: Caller): LimiterCaller {
  return access.kind === 'public' ? addressKey(addressOf(request)) : callerKey(caller);
}

/** The caller against whose share a call counts. */
function callerKey(caller: Caller): LimiterCaller {
  if (caller === null) return '';
  return caller.kind === 'account' ? personOf(caller) : caller.serverId;
}

function contentTypeOf({ answer }: Endpoint): string {
  return withCharset(answer.kind === 'raw' ? answer.contentType : 'application/octet-stream');
}

function isCsv({ answer }: Endpoint): boolean {
  return answer.kind === 'raw' && answer.contentType === 'text/csv';
}

/** The query as it was sent, without its question mark. */
function searchOf(request: FastifyRequest): string {
  const target = request.raw.url ?? '';
  const start = target.indexOf('?');
  return start === -1 ? '' : target.slice(start + 1);
}

/** The name of an endpoint in errors. */
export function nameOf({ number, method, path }: Endpoint): string {
  return `[${number}] ${method} ${path}`;
}
