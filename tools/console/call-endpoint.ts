import type { AnswerOf, BodyInputOf, Endpoint } from '@switchyard/contract/endpoint';

/** Who calls a console: signed in with a token, from an address that the console takes from a proxy that it trusts. */
export type Caller = { readonly url: string; readonly token?: string; readonly address?: string };

type Values = Readonly<Record<string, string | number>>;

/** A call was rejected. */
class CallRejected extends Error {
  override name = 'CallRejected';
  readonly status: number;

  constructor({ method, path }: Endpoint, status: number, answer: string) {
    super(`${method} ${path}: ${status} ${answer}`);
    this.status = status;
  }
}

/** Makes a call of the contract and gives the data of its answer. */
export async function callEndpoint<const E extends Endpoint>(
  { url, token, address }: Caller,
  endpoint: E,
  { params = {}, query = {}, body }: { params?: Values; query?: Values; body?: BodyInputOf<E> } = {},
): Promise<AnswerOf<E>> {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]));
  const response = await fetch(`${url}/api/${path}?${search.toString()}`, {
    method: endpoint.method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(address !== undefined && { 'x-forwarded-for': address }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new CallRejected(endpoint, response.status, text);
  const { data }: { data: AnswerOf<E> } = JSON.parse(text === '' ? '{}' : text);
  return data;
}
