import { unknownParameterMessage } from '@switchyard/contract/listing';
import { apiTokenMessages } from '@switchyard/contract/api-tokens';
import { messages, type FieldErrorMap } from '@switchyard/contract/envelope';
import { viewAsMessages } from '@switchyard/contract/view-as';
import { EventStoreUnavailable } from '@switchyard/traffic-store/event-store-unavailable';

/** The rejection of a call, with a status and a message that the caller may read. */
export class HttpError extends Error {
  override name = 'HttpError';
  readonly status: number;
  /** The `data` of the response (412, ingestion). */
  readonly data: unknown;
  /** Seconds of the `retry-after` header. */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, detail: { data?: unknown; retryAfter?: number } = {}) {
    super(message);
    this.status = status;
    this.data = detail.data;
    this.retryAfter = detail.retryAfter;
  }
}

/** The console is overloaded: a queue was full, or a call waited in it for too long. */
export class Overload extends HttpError {
  override name = 'Overload';
  readonly reason: 'queue' | 'wait';

  constructor(reason: Overload['reason']) {
    super(503, messages.busy, { retryAfter: 2 });
    this.reason = reason;
  }
}

/** The rejection that an error means for a call; null if it is a fault or a defect. */
export function rejectionOf(error: unknown): HttpError | null {
  if (error instanceof EventStoreUnavailable) return unavailable(messages.eventStoreUnavailable);
  return error instanceof HttpError ? error : null;
}

/** The rejection of a call with field errors, by dotted path. */
export class FieldErrors extends Error {
  override name = 'FieldErrors';
  readonly errors: FieldErrorMap;

  constructor(errors: FieldErrorMap) {
    super(messages.invalidData);
    this.errors = errors;
  }
}

/** The token is missing, unknown, expired or ended; sign-in has messages of its own. */
export function unauthorized(message: string = messages.unauthorized): HttpError {
  return new HttpError(401, message);
}

/** A permission is missing, or a rule on accounts and roles forbids the call. */
export function forbidden(message: string = messages.forbidden): HttpError {
  return new HttpError(403, message);
}

/** The call is part of account security, which API tokens cannot change. */
export function peopleOnly(): HttpError {
  return new HttpError(403, apiTokenMessages.people);
}

/** A view as a role or an account changes nothing and hands out no files. */
export function viewIsReadOnly(): HttpError {
  return new HttpError(403, viewAsMessages.readOnly, { data: { view_as: 'read_only' } });
}

/** The caller has to confirm their identity in one of these ways before repeating the call. */
export function reauthenticationRequired(methods: readonly string[]): HttpError {
  return new HttpError(403, messages.confirmIdentity, { data: { reauthentication: { methods } } });
}

/** The account first has to set up a second factor. */
export function factorSetUpRequired(): HttpError {
  return new HttpError(403, messages.setUpFactor, { data: { second_factor: 'set_up' } });
}

/** The entity is unknown, deleted, of the other panel or outside the caller's apps. */
export function notFound(message: string = messages.notFound): HttpError {
  return new HttpError(404, message);
}

/** The state of the entity forbids the call. */
export function conflict(message: string): HttpError {
  return new HttpError(409, message);
}

/** The entity has changed since the caller read it; `current` is what a GET would give. */
export function stale(current: unknown): HttpError {
  return new HttpError(412, messages.stale, { data: { current } });
}

/** Too many attempts. The caller may try again after this number of seconds. */
export function tooManyAttempts(retryAfter: number): HttpError {
  return new HttpError(429, messages.tooManyAttempts, { retryAfter });
}

/** The call cannot be served at the moment. */
export function unavailable(message: string, retryAfter = 2): HttpError {
  return new HttpError(503, message, { retryAfter });
}

/** Throws 422 that names each parameter, if there is any: an ignored filter would choose more than the caller wants. */
export function rejectUnknownParameters(names: readonly string[]): void {
  if (names.length > 0) throw new FieldErrors(Object.fromEntries(names.map((name) => [name, [unknownParameterMessage]])));
}
