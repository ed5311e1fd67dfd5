import type { z } from 'zod';
import type { Permission } from './permissions.ts';

/** Who may call an endpoint: anyone, any signed-in account, an account with any of the permissions, or a traffic server with its token. */
export type Access =
  | { readonly kind: 'public' }
  /**
   * `ownSecurity`: also open to accounts that first have to set up a second factor. `peopleOnly`: part of account security,
   * so API tokens are rejected with 403.
   */
  | { readonly kind: 'session'; readonly ownSecurity?: true; readonly peopleOnly?: true }
  | PermissionAccess
  /** `polls`: called so often that tokens are looked up in a snapshot that shows every change at once. */
  | { readonly kind: 'traffic-server'; readonly polls?: true };

/** `allApps`: not open to accounts that are limited to some apps, which are rejected with 403 and this sentence. */
type PermissionAccess = {
  readonly kind: 'permissions';
  readonly anyOf: readonly [Permission, ...Permission[]];
  readonly peopleOnly?: true;
  readonly allApps?: string;
};

export const publicAccess = { kind: 'public' } as const;
export const sessionAccess = { kind: 'session' } as const;
export const peopleAccess = { kind: 'session', peopleOnly: true } as const;
export const ownAccountAccess = { kind: 'session', ownSecurity: true } as const;
export const ownSecurityAccess = { kind: 'session', ownSecurity: true, peopleOnly: true } as const;
export const trafficServerAccess = { kind: 'traffic-server' } as const;

/** Access for accounts with at least one of the given permissions. */
export function anyPermission(...anyOf: readonly [Permission, ...Permission[]]) {
  return { kind: 'permissions', anyOf } as const;
}

/** Access for signed-in people with at least one of the given permissions, not for API tokens. */
export function peopleWith(...anyOf: readonly [Permission, ...Permission[]]) {
  return { kind: 'permissions', anyOf, peopleOnly: true } as const;
}

/** Whether a call can be made with an API token. */
export function servesTokens(access: Access): boolean {
  return (access.kind === 'session' || access.kind === 'permissions') && access.peopleOnly !== true;
}

/**
 * Whether a view as a role or an account admits a call: a read that is no part of account security. Files are left out, because handing
 * them out is recorded as an act of the reader.
 */
export function servesViews({ method, access, answer }: Pick<Endpoint, 'method' | 'access' | 'answer'>): boolean {
  return method === 'GET' && servesTokens(access) && !isFile(answer);
}

/** Whether a successful response is a file to store. */
export function isFile(answer: Answer): boolean {
  return answer.kind === 'raw' && answer.file === true;
}

/**
 * When a call needs a sign-in or a confirmation ([177]) of the last 15 minutes; API tokens pass.
 * `call`: before anything is read or begun. `write`: before its write is committed. `change`: before a write that changes one
 * of these fields of its audit entry.
 */
export type RecentSignIn =
  | { readonly before: 'call' | 'write' }
  | { readonly before: 'change'; readonly of: readonly [string, ...string[]] };

/** Whether an endpoint has to state whether it needs a recent sign-in: writes by accounts have to. */
export function decidesRecentSignIn({ method, access }: Pick<Endpoint, 'method' | 'access'>): boolean {
  return method !== 'GET' && (access.kind === 'session' || access.kind === 'permissions');
}

/** The recent sign-in that a call needs in words, as documents list it; null if it needs none. */
export function describeRecentSignIn({ recentSignIn }: Pick<Endpoint, 'recentSignIn'>): string | null {
  if (!recentSignIn) return null;
  return recentSignIn.before === 'change' ? `for ${recentSignIn.of.join(', ')}` : 'always';
}

/**
 * A successful response: `data` in the envelope, a numbered or cursor page of rows in the envelope, nothing (204), or a
 * body outside the envelope. `etag` sends the `version` of the data.
 */
export type Answer =
  /** `isData`: the answer is data of a sender, to the letter. */
  | { readonly kind: 'data'; readonly status: 200 | 201; readonly schema: z.ZodType; readonly etag?: true; readonly isData?: true }
  | { readonly kind: 'page'; readonly row: z.ZodType }
  | { readonly kind: 'cursor'; readonly row: z.ZodType }
  /** Data with one paged part. */
  | { readonly kind: 'paged-data'; readonly schema: z.ZodType }
  | { readonly kind: 'empty' }
  | RawAnswer;

/** A body outside the envelope. */
type RawAnswer = {
  readonly kind: 'raw';
  readonly contentType: string;
  readonly schema?: z.ZodType;
  /** Sends an etag, and returns 304 if `If-None-Match` contains it. */
  readonly etag?: true;
  /** Sent as an attachment with a file name. */
  readonly file?: true;
  /** Statuses besides 200 with the same body schema. */
  readonly alsoAt?: readonly number[];
  /** Example for the API reference. */
  readonly example?: string;
};

/** An API call as plain data. The server binds it, the web calls it, OpenAPI describes it. */
export type Endpoint = {
  /** Unique number of the call in the contract, e.g. 11 for GET apps. */
  readonly number: number;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Relative to `/api/` unless it begins with `/`. Path parameters are in braces, e.g. `apps/{id}`. */
  readonly path: string;
  /** One line for the API reference. */
  readonly summary: string;
  readonly access: Access;
  /** Null: none is needed. Writes by accounts state it, so that no call is without a decision. */
  readonly recentSignIn?: RecentSignIn | null;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /**
   * Format of the body. `ingest`: JSON or NDJSON, optionally gzipped, validated row by row. `multipart`: a form with
   * files. `text`: plain text or a JSON string.
   */
  readonly bodyForm?: 'json' | 'ingest' | 'multipart' | 'text';
  /** Size of a multipart form; 5 MiB unless stated. */
  readonly maximumBytes?: number;
  /** Fields of a JSON body whose values are data of the sender: kept to the letter, any keys allowed. */
  readonly dataFields?: readonly string[];
  /** The handler validates values together with its own checks, so that one response contains all errors. */
  readonly validatesValues?: true;
  readonly answer: Answer;
  /**
   * Rejection statuses besides those that follow from access, path, query and body (401, 403, 404, 422, 400, 413, 415)
   * and those of every call (500, 503).
   */
  readonly rejections?: readonly number[];
};

/** A CSV file with these columns. */
export function csvFile(columns: readonly string[]) {
  return { kind: 'raw', contentType: 'text/csv', file: true, example: `${columns.join(',')}\r\n` } as const;
}

/** Checks that an endpoint is complete and keeps its exact type. */
export function defineEndpoint<const E extends Endpoint>(endpoint: E): E {
  return endpoint;
}

type ParsedBy<S> = S extends z.ZodType ? z.output<S> : undefined;

export type ParamsOf<E extends Endpoint> = ParsedBy<E['params']>;
export type QueryOf<E extends Endpoint> = ParsedBy<E['query']>;
export type BodyOf<E extends Endpoint> = ParsedBy<E['body']>;

/** Body as the caller sends it, before defaults and conversions. */
export type BodyInputOf<E extends Endpoint> = E['body'] extends z.ZodType ? z.input<E['body']> : undefined;

/** Data of a successful response. */
export type AnswerOf<E extends Endpoint> = E['answer'] extends { kind: 'data' | 'paged-data'; schema: infer S extends z.ZodType }
  ? z.output<S>
  : E['answer'] extends { kind: 'page' | 'cursor'; row: infer R extends z.ZodType }
    ? z.output<R>[]
    : undefined;

/**
 * All rejection statuses of a call, ascending: those that follow from its definition, its own, and those of every call.
 * Every writing call reads a body, even if its schema has none.
 */
export function rejectionStatuses({ method, access, answer, bodyForm, params, query, rejections: own = [] }: Endpoint): number[] {
  // An account that first has to set up a second factor gets 403 from all but the calls that are about its own security.
  const isOpen = access.kind === 'session' && access.ownSecurity === true && servesTokens(access);
  const ofAccounts = [401, ...(isOpen ? [] : [403]), ...(servesTokens(access) ? [429] : [])];
  const ofAccess = access.kind === 'public' ? [] : access.kind === 'traffic-server' ? [401] : ofAccounts;
  const readsBody = method !== 'GET';
  const validates = query !== undefined || (readsBody && bodyForm !== 'text');
  const alike = answer.kind === 'raw' ? (answer.alsoAt ?? []) : [];
  const all = [...ofAccess, ...(params ? [404] : []), ...(validates ? [422] : []), ...(readsBody ? [400, 413, 415] : []), ...own, 500, 503];
  return [...new Set(all)].filter((status) => !alike.includes(status)).sort((a, b) => a - b);
}
