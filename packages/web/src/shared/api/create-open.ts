import type { Endpoint } from '@switchyard/contract/endpoint';
import { CallError, reactionTo, type FailedAnswer } from './call-error.ts';
import { readBody, retryAfterConfirmation, type CallDependencies, type CallInput } from './create-call.ts';
import { callKey, endpointUrl, type CallQuery, type PathParams } from './endpoint-url.ts';

/** An endpoint whose answer is a file or a stream. */
export type RawEndpoint = Endpoint & { readonly answer: { readonly kind: 'raw'; readonly contentType: string } };

/** Input of opening a response: parameters, query and form as the endpoint declares them, and the signal that ends the reading. */
export type OpenInput<E extends RawEndpoint> = { readonly signal: AbortSignal } & Pick<
  CallInput<E>,
  Extract<keyof CallInput<E>, 'params' | 'query' | 'body' | 'showsFailureItself'>
>;

/** An answer that has begun; its body is still to be read and fails when the connection is cut. */
export type OpenResponse = {
  readonly response: Response;
  /** Handles an error that the server reports within a stream like a failed call, and returns its CallError. */
  readonly refuse: (answer: { status: number; body: unknown }) => CallError;
};

export type Open = <E extends RawEndpoint>(endpoint: E, input: OpenInput<E>) => Promise<OpenResponse>;

type AnyInput = Pick<CallInput<Endpoint>, 'showsFailureItself'> & {
  readonly signal: AbortSignal;
  readonly params?: PathParams;
  readonly query?: CallQuery;
  readonly body?: FormData;
};

/**
 * Creates the client for streamed answers. There is no timeout, because an export may wait for the limiter and the
 * database. A rejection before the first byte is shown by the error policy and rejects with a CallError, as in
 * `createCall`. The loading bar is not shown; the reader shows its own progress.
 */
export function createOpen({
  send,
  accessToken,
  react,
  confirmIdentity,
  setUpFactor,
  signInAgain,
  observe,
}: Omit<CallDependencies, 'count' | 'onSucceeded'>): Open {
  function open<E extends RawEndpoint>(endpoint: E, input: OpenInput<E>): Promise<OpenResponse>;
  async function open(endpoint: RawEndpoint, input: AnyInput): Promise<OpenResponse> {
    return retryAfterConfirmation(async () => attempt(endpoint, input), input, { confirmIdentity, setUpFactor, signInAgain });
  }

  async function attempt(endpoint: RawEndpoint, input: AnyInput): Promise<OpenResponse> {
    const token = accessToken();
    const fail = (answer: FailedAnswer): CallError => {
      const reaction = reactionTo(answer);
      if (input.showsFailureItself?.(answer?.status ?? null) !== true) react(reaction, token, callKey(endpoint, input.params));
      return new CallError(answer, reaction);
    };
    const headers = {
      accept: `${endpoint.answer.contentType}, application/json`,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    };
    try {
      const url = endpointUrl(endpoint.path, input.params, input.query);
      const body = input.body === undefined ? {} : { body: input.body };
      const response = await send(url, { method: endpoint.method, headers, signal: input.signal, ...body });
      observe({ kind: 'answer', status: response.status, date: response.headers.get('date') });
      if (!response.ok) throw fail({ status: response.status, body: await readBody(response) });
      return { response, refuse: fail };
    } catch (error) {
      if (error instanceof CallError || input.signal.aborted) throw error;
      observe({ kind: 'unreachable' });
      throw fail(null);
    }
  }

  return open;
}
