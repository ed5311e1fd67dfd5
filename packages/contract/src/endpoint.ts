import type { z } from 'zod';
import type { Permission } from './permissions.ts';

/**
 * Who may call an endpoint (api 15): anybody; any signed-in account; an account holding any of some
 * permissions; or a traffic server with its own token.
 */
export type Access =
  | { readonly kind: 'public' }
  | { readonly kind: 'session' }
  | { readonly kind: 'permissions'; readonly anyOf: readonly [Permission, ...Permission[]] }
  /** `polls`: asked so often that the token is looked for in memory, where every change shows at once (api [94]). */
  | { readonly kind: 'traffic-server'; readonly polls?: true };

export const publicAccess = { kind: 'public' } as const;
export const sessionAccess = { kind: 'session' } as const;
export const trafficServerAccess = { kind: 'traffic-server' } as const;

/** Access for accounts that hold at least one of the given permissions. */
export function anyPermission(...anyOf: readonly [Permission, ...Permission[]]) {
  return { kind: 'permissions', anyOf } as const;
}

/**
 * The shape of a successful answer (api 0.2): `data` in the envelope, a numbered or cursor page of
 * rows in the envelope, nothing (204), or a body outside the envelope. `etag` announces the `version` of the data (api 0.9).
 */
export type Answer =
  | { readonly kind: 'data'; readonly status: 200 | 201; readonly schema: z.ZodType; readonly etag?: true }
  | { readonly kind: 'page'; readonly row: z.ZodType }
  | { readonly kind: 'cursor'; readonly row: z.ZodType }
  /** Data of which one part is paged (api [75]). */
  | { readonly kind: 'paged-data'; readonly schema: z.ZodType }
  | { readonly kind: 'empty' }
  | RawAnswer;

/** A body outside the envelope. */
type RawAnswer = {
  readonly kind: 'raw';
  readonly contentType: string;
  readonly schema?: z.ZodType;
  /** Announces an etag, and answers 304 to an `If-None-Match` that names it. */
  readonly etag?: true;
  /** Sent as an attachment with a file name (api 0.8). */
  readonly file?: true;
  /** Statuses besides 200 that carry the same kind of body. */
  readonly alsoAt?: readonly number[];
  /** What the API reference shows of a text. */
  readonly example?: string;
};

/** One call of the API as plain data: the server binds it, the web calls it, OpenAPI describes it. */
export type Endpoint = {
  /** Number of the call in the contract, e.g. 11 for GET apps; unique. */
  readonly number: number;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Relative to `/api/` unless it begins with `/`; path parameters in braces, e.g. `apps/{id}`. */
  readonly path: string;
  /** One line for the API reference. */
  readonly summary: string;
  readonly access: Access;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /**
   * How the body arrives; `ingest` bodies are JSON or NDJSON, gzip allowed, checked row by row (api 13); `multipart` is a
   * form with files; `text` is plain text or a JSON string (api [73]).
   */
  readonly bodyForm?: 'json' | 'ingest' | 'multipart' | 'text';
  /** The handler judges the values of the body together with its own checks, so that one answer names them all (api 0.3, 0.4). */
  readonly judgesValues?: true;
  readonly answer: Answer;
  /**
   * Statuses besides the success and those that follow from access, path, query and body (401, 403, 404, 422, 400, 413,
   * 415) or may come anywhere (500, 503).
   */
  readonly refusals?: readonly number[];
};

/** A CSV file with these columns (api 0.8). */
export function csvFile(columns: readonly string[]) {
  return { kind: 'raw', contentType: 'text/csv', file: true, example: `${columns.join(',')}\r\n` } as const;
}

/** Keeps the exact type of an endpoint while checking that it states everything it must. */
export function defineEndpoint<const E extends Endpoint>(endpoint: E): E {
  return endpoint;
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

export type ParamsOf<E extends Endpoint> = Parsed<E['params']>;
export type QueryOf<E extends Endpoint> = Parsed<E['query']>;
export type BodyOf<E extends Endpoint> = Parsed<E['body']>;

/** What a caller may send as body: before defaults and conversions. */
export type BodyInputOf<E extends Endpoint> = E['body'] extends z.ZodType ? z.input<E['body']> : undefined;

/** What the caller gets out of a successful answer. */
export type AnswerOf<E extends Endpoint> = E['answer'] extends { kind: 'data' | 'paged-data'; schema: infer S extends z.ZodType }
  ? z.output<S>
  : E['answer'] extends { kind: 'page' | 'cursor'; row: infer R extends z.ZodType }
    ? z.output<R>[]
    : undefined;

/**
 * Statuses of every rejection that a call may answer with, ascending (api 0.3): those that follow from what it takes, its
 * own, and those that may come anywhere. Whatever writes reads a body, even where it knows no key of one.
 */
export function rejectionStatuses({ method, access, answer, bodyForm, params, query, refusals: own = [] }: Endpoint): number[] {
  const ofAccess = access.kind === 'public' ? [] : access.kind === 'permissions' ? [401, 403] : [401];
  const readsBody = method !== 'GET';
  const validates = query !== undefined || (readsBody && bodyForm !== 'text');
  const alike = answer.kind === 'raw' ? (answer.alsoAt ?? []) : [];
  const all = [...ofAccess, ...(params ? [404] : []), ...(validates ? [422] : []), ...(readsBody ? [400, 413, 415] : []), ...own, 500, 503];
  return [...new Set(all)].filter((status) => !alike.includes(status)).sort((a, b) => a - b);
}
