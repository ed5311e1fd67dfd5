import { messages, type FieldErrorMap } from '@switchyard/contract/envelope';

/** A refusal with a status and a message the caller may read; every refusal of the product is one of these. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly status: number;
  /** Goes into `data` of the answer (412, ingestion). */
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

/** More was asked than can be done: a queue was full, or a call waited in it for too long. */
export class Overload extends Refusal {
  override name = 'Overload';
  readonly reason: 'queue' | 'wait';

  constructor(reason: Overload['reason']) {
    super(503, messages.busy, { retryAfter: 2 });
    this.reason = reason;
  }
}

/** Field errors of a refused write, by dotted path (api 0.4). */
export class FieldErrors extends Error {
  override name = 'FieldErrors';
  readonly errors: FieldErrorMap;

  constructor(errors: FieldErrorMap) {
    super(messages.invalidData);
    this.errors = errors;
  }
}

/** No, unknown, expired or ended token; sign-in gives its own message. */
export function unauthorized(message: string = messages.unauthorized): Refusal {
  return new Refusal(401, message);
}

/** A permission is missing, or a rule on accounts and roles forbids it (api 0.12). */
export function forbidden(message: string = messages.forbidden): Refusal {
  return new Refusal(403, message);
}

/** The entity is missing, deleted, of the other panel or outside the caller's apps. */
export function notFound(message: string = messages.notFound): Refusal {
  return new Refusal(404, message);
}

/** The state of the entity forbids the call. */
export function conflict(message: string): Refusal {
  return new Refusal(409, message);
}

/** The entity has changed since the caller read it; `current` is what a GET would answer (api 0.9). */
export function stale(current: unknown): Refusal {
  return new Refusal(412, messages.stale, { data: { current } });
}

/** Too many tries; may be tried again after so many seconds. */
export function tooManyAttempts(retryAfter: number): Refusal {
  return new Refusal(429, messages.tooManyAttempts, { retryAfter });
}

/** The call cannot be served just now (api 0.3). */
export function unavailable(message: string, retryAfter = 2): Refusal {
  return new Refusal(503, message, { retryAfter });
}
