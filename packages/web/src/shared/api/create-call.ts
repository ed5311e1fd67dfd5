import { writeExactly } from '@switchyard/contract/exact-json';
import type { AnswerOf, BodyInputOf, Endpoint, ParamsOf, QueryOf } from '@switchyard/contract/endpoint';
import { messages, pagination, type Pagination } from '@switchyard/contract/envelope';
import type { ReauthenticationMethod } from '@switchyard/contract/session';
import { z } from 'zod';
import { parseAnswer } from './parse-answer.ts';
import { CallError, isFactorDue, reactionTo, reauthenticationOf, type FailedAnswer, type Reaction } from './call-error.ts';
import { callKey, endpointUrl, type CallQuery, type PathParams } from './endpoint-url.ts';

/** Milliseconds after which a call without an answer fails. */
const defaultAnswerTimeout = 30_000;

type Options = {
  /** Aborts the call, which then rejects with the reason of the signal and shows nothing. */
  readonly signal?: AbortSignal | undefined;
  /** Does not show the loading bar. */
  readonly isSilent?: boolean;
  /** The statuses (null: no answer) whose failure the caller shows itself; the error policy then does nothing. */
  readonly showsFailureItself?: (status: number | null) => boolean;
  /** Uses this token instead of the one of the session. */
  readonly asToken?: string;
  /** Goes on when the page closes. */
  readonly outlivesPage?: boolean;
  /** Writes only while the entity still has this version; otherwise the answer is 412. */
  readonly ifMatch?: number;
  /** Milliseconds after which the call fails without an answer, if it may take longer than others. */
  readonly answerTimeout?: number;
  /** Sends the request instead of `fetch`, e.g. `sendWithProgress`. */
  readonly send?: Send;
};

type Loose<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** The body of a call: form data where the endpoint takes a multipart form, else what its schema reads. */
type CallBody<E extends Endpoint> = E extends { bodyForm: 'multipart' } ? FormData : BodyInputOf<E>;

/** Input of a call: parameters and body as its endpoint declares them, the query in any part. */
export type CallInput<E extends Endpoint> = Options &
  (undefined extends ParamsOf<E> ? unknown : { readonly params: ParamsOf<E> }) &
  (undefined extends QueryOf<E> ? unknown : { readonly query?: Loose<QueryOf<E>> }) &
  (undefined extends CallBody<E> ? unknown : { readonly body: CallBody<E> });

/** Result of a call: its data, and the pagination of a list; a 204 is the text 'Done!'. */
export type CallResult<E extends Endpoint> = E['answer'] extends { kind: 'page' | 'cursor' | 'paged-data' }
  ? { readonly data: AnswerOf<E>; readonly pagination: Pagination }
  : E['answer'] extends { kind: 'empty' }
    ? { readonly data: typeof messages.done }
    : E['answer'] extends { kind: 'raw' }
      ? { readonly data: string }
      : { readonly data: AnswerOf<E> };

type AnyInput = Options & { readonly params?: PathParams; readonly query?: CallQuery; readonly body?: unknown };
type AnyResult = { readonly data: unknown; readonly pagination?: Pagination };
type InputArguments<E extends Endpoint> =
  undefined extends ParamsOf<E> ? (undefined extends CallBody<E> ? [input?: CallInput<E>] : [input: CallInput<E>]) : [input: CallInput<E>];

export type Call = <E extends Endpoint>(endpoint: E, ...input: InputArguments<E>) => Promise<CallResult<E>>;

/** A request as `fetch` takes it, of which the parts that a call uses are known. */
export type CallInit = {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal;
  readonly body?: string | FormData;
  readonly keepalive?: boolean;
};

export type Send = (url: string, init: CallInit) => Promise<Response>;

export type CallDependencies = {
  /** The browser's fetch, or a stand-in for tests. */
  readonly send: Send;
  /** The bearer token of the current session. */
  readonly accessToken: () => string | null;
  /** Counts a running call; the returned function ends the count. */
  readonly count: () => () => void;
  /** Applies what a failure does to the console; gets the session's token if the failed call carried it, and the call's key. */
  readonly react: (reaction: Reaction, usedToken: string | null, key: string) => void;
  /** Called with the key of every successful call. */
  readonly onSucceeded?: (key: string) => void;
  /** Lets the reader confirm their identity in one of these ways; false when they do not. The call is repeated afterwards. */
  readonly confirmIdentity?: (methods: readonly ReauthenticationMethod[]) => Promise<boolean>;
  /** Lets the reader set up the second factor that the account needs; false when they do not. The call is repeated afterwards. */
  readonly setUpFactor?: () => Promise<boolean>;
  /** Lets the account of a page whose session has ended sign in again; false if it does not. The call is repeated afterwards. */
  readonly signInAgain?: () => Promise<boolean>;
  /** Called for every answer, with its `Date` header, and for every call without an answer. */
  readonly observe: (outcome: CallOutcome) => void;
};

/** Outcome of a call: the response's status and its `Date` header; `timeout` if no response came in time. */
export type CallOutcome =
  | { readonly kind: 'answer'; readonly status: number; readonly date: string | null }
  | { readonly kind: 'unreachable' | 'timeout' };

function requestBody(body: unknown): string | FormData | undefined {
  if (body === undefined || body instanceof FormData) return body;
  return writeExactly(body);
}

/** A body as the error policy takes it: JSON where it is some, else its text. `isData`: the answer is data of a sender. */
export async function readBody(response: Response, { isData = false } = {}): Promise<unknown> {
  const text = await response.text();
  if (!(response.headers.get('content-type') ?? '').includes('json')) return text;
  try {
    return parseAnswer(text, { isData });
  } catch {
    return text;
  }
}

/** The seconds of the `Retry-After` header, or null. */
function retryAfterOf({ headers }: Response): number | null {
  const seconds = Number.parseInt(headers.get('retry-after') ?? '', 10);
  return Number.isNaN(seconds) ? null : seconds;
}

/** The content of the envelope, validated against the contract; null when it does not match. */
function readEnvelope(endpoint: Endpoint, body: unknown): AnyResult | null {
  const { answer } = endpoint;
  if (answer.kind === 'page' || answer.kind === 'cursor' || answer.kind === 'paged-data') {
    const data = answer.kind === 'paged-data' ? answer.schema : z.array(answer.row);
    return z.object({ data, pagination }).safeParse(body).data ?? null;
  }
  if (answer.kind !== 'data') return { data: body };
  const parsedBody = z.object({ data: answer.schema }).safeParse(body);
  return parsedBody.success ? { data: parsedBody.data.data } : null;
}

type Confirmations = { [K in 'confirmIdentity' | 'setUpFactor' | 'signInAgain']: CallDependencies[K] | undefined };

/**
 * Makes a call again once the user has signed in again, confirmed who they are, or set up a second factor, if it failed for
 * want of that.
 */
export async function retryAfterConfirmation<T>(
  attempt: () => Promise<T>,
  { asToken, showsFailureItself }: Pick<Options, 'asToken' | 'showsFailureItself'>,
  { confirmIdentity, setUpFactor, signInAgain }: Confirmations,
): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      // A call may wait for a sign-in, then for a second factor and then for a confirmation.
      if (attempts === 4 || !(await isSettled(error))) throw error;
    }
  }

  /** Whether the user has done what a call waited for. */
  async function isSettled(error: unknown): Promise<boolean> {
    // Calls that show a 401 themselves, or carry another token, do not end the session of the page.
    const endsSession = asToken === undefined && showsFailureItself?.(401) !== true;
    if (endsSession && error instanceof CallError && error.status === 401) return signInAgain !== undefined && signInAgain();
    if (isFactorDue(error)) return setUpFactor !== undefined && setUpFactor();
    const methods = error instanceof CallError ? reauthenticationOf(error.body) : null;
    return methods !== null && confirmIdentity !== undefined && confirmIdentity(methods);
  }
}

/**
 * Creates the API client: builds the address, sends the token, reads and validates the envelope. When a call fails,
 * the error policy shows the failure and the call rejects with a CallError.
 */
export function createCall({
  send,
  accessToken,
  count,
  react,
  onSucceeded,
  confirmIdentity,
  setUpFactor,
  signInAgain,
  observe,
}: CallDependencies): Call {
  /** Pages are loaded again until the event store is back, so each call is reported once until it succeeds. */
  const reportedOutages = new Set<string>();

  /** The session's token, which a call carries unless it has one of its own. */
  const ownToken = ({ asToken }: AnyInput): string | null => (asToken === undefined ? accessToken() : null);
  /** Whether the account that made the call has left the page. */
  const isLeft = (token: string | null): boolean => token !== null && accessToken() === null;

  function fail(endpoint: Endpoint, answer: FailedAnswer, token: string | null, input: AnyInput): CallError {
    const reaction = reactionTo(answer, endpoint.method !== 'GET');
    const key = callKey(endpoint, input.params);
    const isRepeated = reaction.message === messages.eventStoreUnavailable && reportedOutages.has(key);
    if (!isRepeated && !isLeft(token) && input.showsFailureItself?.(answer?.status ?? null) !== true) {
      react(reaction, token, key);
      if (reaction.message === messages.eventStoreUnavailable) reportedOutages.add(key);
    }
    return new CallError(answer, reaction);
  }

  async function exchange(endpoint: Endpoint, input: AnyInput, signal: AbortSignal): Promise<Response> {
    const body = requestBody(input.body);
    const token = input.asToken ?? accessToken();
    const init: CallInit = {
      method: endpoint.method,
      headers: {
        accept: 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(input.ifMatch === undefined ? {} : { 'if-match': `"v${input.ifMatch}"` }),
        // The browser itself names the boundary of a form.
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
      },
      signal,
      ...(body === undefined ? {} : { body }),
      ...(input.outlivesPage === true && { keepalive: true }),
    };
    const response = await (input.send ?? send)(endpointUrl(endpoint.path, input.params, input.query), init);
    observe({ kind: 'answer', status: response.status, date: response.headers.get('date') });
    return response;
  }

  function call<E extends Endpoint>(endpoint: E, ...input: InputArguments<E>): Promise<CallResult<E>>;
  async function call(endpoint: Endpoint, input: AnyInput = {}): Promise<AnyResult> {
    const token = ownToken(input);
    const result = await retryAfterConfirmation(() => attempt(endpoint, input), input, { confirmIdentity, setUpFactor, signInAgain });
    // A form that has saved would open a page or report it to whoever uses the browser by now.
    return endpoint.method !== 'GET' && isLeft(token) ? new Promise(() => undefined) : result;
  }

  async function attempt(endpoint: Endpoint, input: AnyInput): Promise<AnyResult> {
    const token = ownToken(input);
    const countOut = input.isSilent === true ? undefined : count();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), input.answerTimeout ?? defaultAnswerTimeout);
    const signal = input.signal ? AbortSignal.any([input.signal, late.signal]) : late.signal;
    try {
      const response = await exchange(endpoint, input, signal);
      if (response.ok) {
        const key = callKey(endpoint, input.params);
        reportedOutages.delete(key);
        onSucceeded?.(key);
      }
      if (response.status === 204) return { data: messages.done };
      const body = await readBody(response, { isData: endpoint.answer.kind === 'data' && endpoint.answer.isData === true });
      if (!response.ok) throw fail(endpoint, { status: response.status, body, retryAfter: retryAfterOf(response) }, token, input);
      if (typeof body === 'string') return { data: body };
      const parsedBody = readEnvelope(endpoint, body);
      if (parsedBody === null) throw fail(endpoint, { status: response.status, body: null }, token, input);
      return parsedBody;
    } catch (error) {
      if (error instanceof CallError || input.signal?.aborted === true) throw error;
      observe({ kind: late.signal.aborted ? 'timeout' : 'unreachable' });
      throw fail(endpoint, null, token, input);
    } finally {
      clearTimeout(timer);
      countOut?.();
    }
  }

  return call;
}
