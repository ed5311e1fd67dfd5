import compress, { type FastifyCompressOptions } from '@fastify/compress';
import multipart from '@fastify/multipart';
import { sendDevRequest } from '@switchyard/contract/dev-tools';
import { getReference } from '@switchyard/contract/operations';
import type { Endpoint } from '@switchyard/contract/endpoint';
import { messages } from '@switchyard/contract/envelope';
import { clientUidCharacters } from '@switchyard/contract/limits';
import { constants } from 'node:zlib';
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { notFound, unavailable } from './errors.ts';
import { serveAppHost, type AppHost } from './http/app-host.ts';
import { serveReference, type Reference } from './http/api-reference.ts';
import type { Authenticators } from './http/authenticate.ts';
import type { Feature } from './http/bind.ts';
import { answerBrokenRequest } from './http/broken-request.ts';
import { malformedBody } from './http/collect-bytes.ts';
import { allowOrigin } from './http/cross-origin.ts';
import { createErrorHandler, type FaultKinds } from './http/error-handler.ts';
import { isSuspiciousPath, repeatsHost } from './http/suspicious-request.ts';
import { createRejectionLog, routeOf } from './http/rejection-log.ts';
import { serveQueryFrame, type QueryFrame } from './http/query-frame.ts';
import type { FindReauthentication } from './http/recent-sign-in.ts';
import type { ValidateQuery } from './http/parse-input.ts';
import type { Admission } from './http/admission.ts';
import { createEndpointTable } from './http/register-endpoint.ts';
import { requestIdOf, standardHeaders, transportHeaders } from './http/standard-headers.ts';
import { serveWeb, type StaticWeb } from './http/static-web.ts';

/** A finished request, for metrics; `route` is a pattern of the contract and holds no id. */
export type FinishedRequest = { method: string; route: string; status: number; seconds: number };

export type ApiDependencies = {
  logger: FastifyBaseLogger;
  isProduction: boolean;
  authenticators: Authenticators;
  features: readonly Feature[];
  faults: FaultKinds;
  /** Called when a call fails because a database has no room. */
  onStorageFull?: () => void;
  /** IP addresses and blocks whose `x-forwarded-for` counts; empty: nobody's. */
  trustedProxies: readonly string[];
  /** Whether people reach the console over https, so that browsers may insist on it. */
  isHttps: boolean;
  /** The one other web origin whose pages may read answers; null: none may (api 0.1). */
  webOrigin: string | null;
  /** True once the process is to end: calls get 503, probes go on. */
  isStopping: () => boolean;
  /** Milliseconds for which a caller stays known; other than usual in tests. */
  knownMilliseconds?: number;
  onFinished: (request: FinishedRequest) => void;
  /** Called for each live stream; gives the function to call when it is closed. */
  streamOpened: () => () => void;
  findReauthentication: FindReauthentication;
  /** Counts a call of an API token in its current minute. */
  tokenCall: (tokenId: number) => { calls: number; secondsLeft: number };
  /** Serves the domains of apps; null: nothing does. */
  appHost: AppHost | null;
  /** The frame of the developer page; null: the page is hidden. */
  queryFrame: QueryFrame | null;
  /** The API reference at `docs`; null: switched off, so there is no such path (api [99]). */
  reference: Reference | null;
  admission: Admission;
  /** Folder of the built console; null: the API alone. */
  webRoot: string | null;
  /** Whether the console may load pictures of pushes from other hosts. */
  loadsPushImages: boolean;
  /** Gives the errors of fields of a query that are valid alone but not together, e.g. an end before its start. */
  validateQuery?: ValidateQuery;
  /** The calls that must be bound; all of the contract by default. */
  endpoints?: readonly Endpoint[];
};

/**
 * Brotli at its fastest costs a list of 50 rows a sixth of the processor time of the usual quality and 2 % more bytes. Lists
 * are compressed in place: handing them to another thread costs more than that.
 */
const compression = {
  encodings: ['br', 'gzip'],
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 } },
  zlibOptions: { level: 1 },
  syncThreshold: 131_072,
} satisfies FastifyCompressOptions;

/**
 * In place of Fastify's own compilers of schemas, which are a tenth of the modules that a start would load. No route has a schema: the
 * contract's are checked by `parseInput` and `checkAnswer`.
 */
const compileNothing = () => (): never => {
  throw new Error('A route has a schema of Fastify');
};

/** Milliseconds for a request to arrive completely. */
const arrivalLimit = 60_000;

/**
 * The HTTP server as a value: `inject` answers without a port, `listen` opens one. Throws when a call of
 * the contract is not bound exactly once or states no access.
 */
export async function buildApi(deps: ApiDependencies): Promise<FastifyInstance> {
  const everywhere = { ...standardHeaders, ...(deps.isHttps ? transportHeaders : {}) };
  const setStandardHeaders = (request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers({ ...everywhere, 'x-request-id': request.id });
  };
  const rejections = createRejectionLog(deps.logger);
  const answerError = createErrorHandler(deps.faults, { ...rejections, onStorageFull: deps.onStorageFull });
  const api = fastify({
    loggerInstance: deps.logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestIdOf,
    requestIdHeader: false,
    trustProxy: deps.trustedProxies.length > 0 ? [...deps.trustedProxies] : false,
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: { buildValidator: compileNothing, buildSerializer: compileNothing } },
    return503OnClosing: false,
    requestTimeout: arrivalLimit,
    // Node.js would reject these without our headers and body, so we do it ourselves.
    http: { requireHostHeader: false },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, rejections),
    frameworkErrors(error, request, reply) {
      setStandardHeaders(request, reply);
      // Decorations of requests do not exist here.
      request.caller = null;
      // The message of the error has the path, which may hold anything.
      rejections.logSuspiciousRequest(request, { status: 404, reason: messages.notFound });
      void answerError(error, request, reply);
    },
    // Queries are read by the contract's own `readQuery`.
    // The longest parameter of a path is the uid of a client.
    routerOptions: { querystringParser: () => ({}), maxParamLength: clientUidCharacters },
  });
  let web: StaticWeb | null = null;

  api.setErrorHandler(answerError);
  // Bodies are read after the checks that need none, so no parser may touch them before.
  api.removeAllContentTypeParsers();
  api.addContentTypeParser('*', (_request, _body, callback) => callback(null));
  api.addHook('onRequest', async (request, reply) => {
    setStandardHeaders(request, reply);
    const { httpVersion } = request.raw;
    // Node.js also accepts a request line without a version, and versions that it does not speak.
    if (httpVersion !== '1.1' && httpVersion !== '1.0') throw malformedBody();
    if ((request.headers.host === undefined && httpVersion === '1.1') || repeatsHost(request.raw)) throw malformedBody();
    if (allowOrigin(request, reply, deps.webOrigin)) {
      await reply.code(204).send();
      return;
    }
    const { url, config } = request.routeOptions;
    if (isSuspiciousPath(request.raw.url ?? '', url)) {
      rejections.logSuspiciousRequest(request, { status: 404, reason: messages.notFound });
      throw notFound();
    }
    if (deps.isStopping() && config.pattern?.startsWith('/') !== true) throw unavailable(messages.shuttingDown);
    if (request.is404 && web?.isPage(request) !== true) throw notFound();
  });
  api.setNotFoundHandler((request, reply) => {
    if (web?.isPage(request) === true) return web.sendPage(reply);
    throw notFound();
  });
  // Expectations that we do not know may be ignored (RFC 9110 10.1.1); Node.js would reject them in a form of its own.
  api.server.on('checkExpectation', (request, response) => api.server.emit('request', request, response));
  api.addHook('onResponse', async (request, reply) => {
    const finishedCall = { method: request.method, route: routeOf(request), status: reply.statusCode, seconds: reply.elapsedTime / 1000 };
    deps.onFinished(finishedCall);
    request.log.debug(finishedCall, 'request');
  });
  api.addHook('onClose', async () => rejections.flush());

  await api.register(compress, { ...compression, globalDecompression: false });
  await api.register(multipart);
  const table = createEndpointTable(api, deps);
  for (const feature of deps.features) feature.bindRoutes(table.bind);
  if (deps.appHost !== null) {
    serveAppHost(api, deps.appHost);
    table.markBound(sendDevRequest);
  }
  if (deps.reference !== null) await serveReference(api, deps.reference);
  if (deps.endpoints?.includes(getReference) !== false) table.markBound(getReference);
  table.assertComplete();
  if (deps.webRoot !== null) {
    const { webRoot: root, loadsPushImages, queryFrame } = deps;
    web = await serveWeb(api, { root, loadsPushImages, framesPages: queryFrame !== null });
    if (queryFrame !== null) serveQueryFrame(api, root, queryFrame);
  }
  return api;
}
