import { messages, type Failure } from '@switchyard/contract/envelope';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { FieldErrors, HttpError, Overload, rejectionOf, unavailable } from '../errors.ts';
import type { RejectionLog } from './rejection-log.ts';

/** Distinguishes faults of the database from defects of our own. */
export type FaultKinds = {
  isDatabaseUnavailable: (error: unknown) => boolean;
  /** No connection was free in time, because of an overload or because the database hangs. */
  isPoolTimeout: (error: unknown) => boolean;
  /** Distinguishes the two. */
  isDatabaseReachable: () => Promise<boolean>;
  isStorageFull: (error: unknown) => boolean;
  /** A statement or a lock took longer than it may. */
  isStatementTimeout: (error: unknown) => boolean;
};

type Answer = { status: number; body: Failure; headers?: Record<string, string> };

/**
 * The one place where errors become statuses (api 0.3). A defect is logged under the request's id, which
 * the caller gets, and shows nothing of itself.
 */
export function createErrorHandler(
  faults: FaultKinds,
  { logAnswer, onStorageFull }: Pick<RejectionLog, 'logAnswer'> & { onStorageFull?: (() => void) | undefined },
) {
  function send(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { status, body, headers = {} } = answerFor(error, faults, request.id);
    if (status === 503 && faults.isStorageFull(error)) onStorageFull?.();
    // An overload makes thousands of these, and the metrics count them.
    if (error instanceof Overload) request.log.debug({ request_id: request.id }, body.message);
    else if (status === 500) request.log.error({ err: error, request_id: request.id }, 'Request: failed');
    else if (status === 503) request.log.warn({ err: error, request_id: request.id }, body.message);
    else logAnswer(request, { status, reason: body.message, ...(error instanceof FieldErrors && { fields: namesOf(error) }) });
    return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(JSON.stringify(body));
  }

  return function answerError(
    error: FastifyError | Error,
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply | Promise<FastifyReply> {
    const isTimeout = faults.isPoolTimeout(error) || (error instanceof Overload && error.reason === 'wait');
    if (!isTimeout) return send(error, request, reply);
    return faults.isDatabaseReachable().then((isReachable) => {
      const unavailableError = unavailable(isReachable ? messages.busy : messages.databaseUnavailable);
      return send(isReachable && error instanceof Overload ? error : unavailableError, request, reply);
    });
  };
}

/** The names of rejected fields, never their values. Names of unknown fields are the caller's, so they are cut. */
function namesOf({ errors }: FieldErrors): string[] {
  return Object.keys(errors)
    .slice(0, 20)
    .map((name) => name.slice(0, 64));
}

function answerFor(error: FastifyError | Error, faults: FaultKinds, requestId: string): Answer {
  const rejection = rejectionOf(error);
  if (rejection !== null) return answerOf(rejection);
  if (error instanceof FieldErrors) {
    return { status: 422, body: { success: false, message: error.message, errors: error.errors, data: { errors: error.errors } } };
  }
  if (faults.isStorageFull(error)) return answerOf(unavailable(messages.storageFull));
  if (faults.isDatabaseUnavailable(error)) return answerOf(unavailable(messages.databaseUnavailable));
  if (faults.isStatementTimeout(error)) return answerOf(unavailable(messages.busy));
  const ofFramework = frameworkError(error);
  if (ofFramework) return answerOf(ofFramework);
  return { status: 500, body: { success: false, message: messages.somethingWrong, request_id: requestId } };
}

function answerOf({ status, message, data, retryAfter }: HttpError): Answer {
  return {
    status,
    body: { success: false, message, ...(data === undefined ? {} : { data }) },
    headers: {
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    },
  };
}

/** Refusals of the framework itself, e.g. a path that cannot be decoded, in the contract's words. */
function frameworkError(error: FastifyError | Error): HttpError | null {
  const status = 'statusCode' in error ? error.statusCode : undefined;
  const code = 'code' in error ? error.code : undefined;
  const isNoPath = code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH';
  if (isNoPath || status === 403 || status === 404) return new HttpError(404, messages.notFound);
  if (status === 413) return new HttpError(413, messages.bodyTooLarge);
  if (status === 415) return new HttpError(415, messages.unsupportedMediaType);
  return status === 400 ? new HttpError(400, messages.malformedBody) : null;
}
