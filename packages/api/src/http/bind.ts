import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '@switchyard/contract/endpoint';
import type { Pagination } from '@switchyard/contract/envelope';
import type { RawQuery } from '@switchyard/contract/listing';
import type { Readable } from 'node:stream';
import type { Background } from '../background.ts';
import type { SlotKind } from './admission.ts';
import type { AccountCaller, Reader, RequestContext, ServerCaller, SessionCaller, TokenCaller } from './request-context.ts';
import type { Download, EventFeed } from './streamed-result.ts';

// Parameters of handlers, for the features that declare them.
export type { AccountCaller, Reader, RequestContext, ServerCaller, SessionCaller, TokenCaller };

type CallerOf<E extends Endpoint> = E['access'] extends { kind: 'public' }
  ? null
  : E['access'] extends { kind: 'traffic-server' }
    ? ServerCaller
    : E['access'] extends { peopleOnly: true }
      ? SessionCaller
      : AccountCaller;

/** A body outside the envelope. */
type RawResult = { body: string | Buffer | Readable; headers?: Readonly<Record<string, string>>; status?: number };

/** The result of a handler: the HTTP layer wraps it into the envelope and checks it. */
type ResultOf<E extends Endpoint> = E['answer'] extends { kind: 'page' | 'cursor' }
  ? { rows: AnswerOf<E>; pagination: Pagination }
  : E['answer'] extends { kind: 'paged-data' }
    ? { data: AnswerOf<E>; pagination: Pagination }
    : E['answer'] extends { kind: 'empty' }
      ? void
      : E['answer'] extends { kind: 'raw' }
        ? RawResult | Download | EventFeed
        : AnswerOf<E>;

/** The body of an ingestion call as decompressed bytes; its rows are validated one by one later. */
export type IngestBody = { contentType: 'application/json' | 'application/x-ndjson'; bytes: Buffer };

/**
 * A body whose values the handler validates, after it found the entity, and together with what only it can know, e.g. that
 * a name is taken (api 0.3, 0.4).
 */
export type Draft<B> = {
  /** The fields that fit by themselves, converted as the schema says. */
  readonly fields: Readonly<Partial<B>>;
  /** The whole body. Throws FieldErrors that name the fields that do not fit and those of `fieldMessages`. */
  validate(fieldMessages: Readonly<Record<string, string>>): B;
};

type NeedsOf<E extends Endpoint> = E['access'] extends { kind: 'permissions'; anyOf: infer P } ? P : null;

/** A call of an endpoint, as its handler gets it and the command that serves it takes it. */
export type Call<E extends Endpoint> = {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: E extends { bodyForm: 'ingest' } ? IngestBody : E extends { validatesValues: true } ? Draft<BodyOf<E>> : BodyOf<E>;
  caller: CallerOf<E>;
  /** Any of these permissions admits the caller, for commands that check that again in their transaction; null: none is needed. */
  needs: NeedsOf<E>;
  /** Whether the caller's `If-Match` allows a command to change this version of the entity. */
  matchesIfMatch: (version: number) => boolean;
  /** Whether the caller has the response with this etag, by `If-None-Match`. */
  holds: (etag: string) => boolean;
  request: RequestContext;
};

/** A call over HTTP. */
type ServedCall<E extends Endpoint> = Call<E> & {
  /** Is aborted when the client disconnects. */
  signal: () => AbortSignal;
  /** Authenticates the caller again. @throws HttpError if the session has ended or a permission was revoked. */
  renew: () => Promise<void>;
};

/** The part of a call that the audit trail names. */
export type AccountCall = { caller: AccountCaller; request: RequestContext };

/** Facts about a call before its body is read. */
type Admission = {
  request: RequestContext;
  authorization: string | undefined;
  /** Whether the client is on this machine: see `isLoopbackClient`. */
  isLoopback: boolean;
};

export type BindOptions<E extends Endpoint = Endpoint> = {
  /** Rejects a call, by throwing, before its token is checked and its body is read, e.g. for the sign-in limit. */
  admit?: (admission: Admission) => Promise<void>;
  /** Called with a body that does not fit the endpoint, before the call is rejected with 422. */
  onMisfit?: (body: unknown) => Promise<void>;
  /** The kind of slot that the call of an account occupies; by default connections to the database. */
  slots?: SlotKind | ((query: RawQuery) => SlotKind);
  /** Throws 404 if the entity is unknown or not the caller's, before values of the query are validated. */
  requireEntity?: (call: Pick<Call<E>, 'params' | 'caller'>) => Promise<void>;
};

/** Ties a handler to an endpoint of the contract. */
export type Bind = <E extends Endpoint>(
  endpoint: E,
  handler: (call: ServedCall<E>) => Promise<ResultOf<E>>,
  options?: BindOptions<E>,
) => void;

/** A feature offers its calls by binding each of them once, and declares what it does beside them. */
export type Feature = Background & { bindRoutes: (bind: Bind) => void };
