import { type FieldErrorMap, fieldErrorMap, messages } from '@switchyard/contract/envelope';
import { factorSetUpRequest, reauthenticationRequest, type ReauthenticationMethod } from '@switchyard/contract/session';
import { viewAsRejection } from '@switchyard/contract/view-as';
import { z } from 'zod';

/** A call that failed; what the user sees of it has already been shown by the error policy. */
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

/** Whether a failure means that access is missing, for the "No access" state of a page. */
export function isForbidden(error: unknown): boolean {
  return error instanceof CallError && error.status === 403 && !isUnconfirmed(error) && !isReadOnlyView(error.body);
}

/** Whether a call failed because a view is read-only; the error policy says so. */
function isReadOnlyView(body: unknown): boolean {
  return withViewRejection.safeParse(body).success;
}

/** Whether a call failed because its confirmation was cancelled, which is no error to show. */
export function isUnconfirmed({ body }: CallError): boolean {
  return reauthenticationOf(body) !== null;
}

/** The ways to confirm one's identity that a 403 asks for; null for other answers. */
export function reauthenticationOf(body: unknown): readonly ReauthenticationMethod[] | null {
  return withReauthentication.safeParse(body).data?.data.reauthentication.methods ?? null;
}

/** Whether a failed call waits for a second factor of the account. */
export function isFactorDue(error: unknown): boolean {
  return error instanceof CallError && error.status === 403 && withFactorSetUp.safeParse(error.body).success;
}

/** A call that did not succeed: what the server answered, or null when no answer came at all. */
export type FailedAnswer = {
  readonly status: number;
  readonly body: unknown;
  /** Seconds after which to try again. */ readonly retryAfter?: number | null;
} | null;

/** Effects of a failed call on the console. */
export type Reaction = {
  /** The text of the failure, also for screens that show it in place. */
  readonly message: string;
  /** Whether the server itself gave a message. */
  readonly hasServerMessage: boolean;
  /** Messages by field; empty except for a 422. */
  readonly fields: FieldErrorMap;
  /** Whether the stored token and user are cleared and the login page opens. */
  readonly endsSession: boolean;
  /** The new auth error: a text, null to clear it, undefined to leave it. */
  readonly authError: string | null | undefined;
  /** The text of the danger toast, or null for none. */
  readonly toast: string | null;
};

const withFactorSetUp = z.object({ data: factorSetUpRequest });
const withViewRejection = z.object({ data: viewAsRejection });
const withReauthentication = z.object({ data: reauthenticationRequest });
const withMessage = z.object({ message: z.string().min(1) });
const withNestedErrors = z.object({ data: z.object({ errors: fieldErrorMap }) });
const withErrors = z.object({ errors: fieldErrorMap });

/** A proxy's error page says nothing to a reader, and a long text would fill the screen. */
function rawText(status: number, body: string): string {
  const text = body.trim();
  return text.startsWith('<') || text.length > 300 ? `The server answered with status ${status}` : text;
}

function messageOf(status: number, body: unknown): { message: string; hasServerMessage: boolean } {
  const own = withMessage.safeParse(body).data?.message;
  if (own !== undefined) return { message: own, hasServerMessage: true };
  const raw = typeof body === 'string' ? rawText(status, body) : '';
  return { message: raw === '' ? messages.somethingWrong : raw, hasServerMessage: false };
}

/** Field messages of a 422: `data.errors` first, then `errors`. */
function fieldsOf(body: unknown): FieldErrorMap {
  return withNestedErrors.safeParse(body).data?.data.errors ?? withErrors.safeParse(body).data?.errors ?? {};
}

/** What a screen says of a write without an answer: the server may have handled it before the connection broke. */
export const unknownOutcome = 'No answer came, so it is unknown whether this was carried out. Check before you repeat it.';

/**
 * The error catalogue as a function: 401 ends the session; 401, 402 and 404 set the
 * auth error without a toast; 403 stays silent, except for a write in a read-only view; 422 joins the field messages into one toast; every other
 * failure shows a toast with the server's message or the raw error.
 */
export function reactionTo(answer: FailedAnswer, isWrite = false): Reaction {
  if (answer === null) {
    const toast = messages.undefinedResponse;
    const message = isWrite ? unknownOutcome : toast;
    return { message, hasServerMessage: false, fields: {}, endsSession: false, authError: undefined, toast };
  }
  const { status, body } = answer;
  const { message, hasServerMessage } = messageOf(status, body);
  const quiet = { message, hasServerMessage, fields: {}, endsSession: status === 401, authError: undefined, toast: null };
  switch (status) {
    case 401:
    case 402:
    case 404:
      return { ...quiet, authError: message };
    case 403:
      return isReadOnlyView(body) ? { ...quiet, toast: message } : quiet;
    case 422: {
      const fields = fieldsOf(body);
      const joinedText = Object.values(fields)
        .map((texts) => texts.join(' '))
        .join('\n');
      return { ...quiet, fields, authError: null, toast: joinedText === '' ? message : joinedText };
    }
    default:
      return { ...quiet, toast: message };
  }
}
