import type { FieldErrorMap } from '@switchyard/contract/envelope';
import type { FailedAnswer, Reaction } from './error-policy.ts';

/** A call that failed; what the user sees of it has already been shown by the error policy (ERR-001). */
export class CallError extends Error {
  override readonly name = 'CallError';
  /** HTTP status, or null when no answer came. */
  readonly status: number | null;
  /** The server's body as it came. */
  readonly body: unknown;
  /** Messages by field of a 422, for the form that asked. */
  readonly fields: FieldErrorMap;
  readonly hasServerMessage: boolean;
  /** Seconds after which the server wants to be asked again, or null. */
  readonly retryAfter: number | null;

  constructor(answer: FailedAnswer, reaction: Reaction) {
    super(reaction.message);
    this.status = answer?.status ?? null;
    this.body = answer?.body;
    this.fields = reaction.fields;
    this.hasServerMessage = reaction.hasServerMessage;
    this.retryAfter = answer?.retryAfter ?? null;
  }
}

/** Whether a failure means that access is missing, for the "No access" state of a page (AMB-062). */
export function isForbidden(error: unknown): boolean {
  return error instanceof CallError && error.status === 403;
}
