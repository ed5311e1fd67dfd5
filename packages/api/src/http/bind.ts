import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '@switchyard/contract/endpoint';
import type { Pagination } from '@switchyard/contract/envelope';
import type { Readable } from 'node:stream';
import type { SlotKind } from './admission.ts';
import type { AccountCaller, ServerCaller } from './callers.ts';
import type { Download, EventFeed } from './streamed-result.ts';

/** What is known of a request besides what its endpoint declares; goes into the audit trail. */
export type RequestContext = { requestId: string; ip: string; userAgent: string | null };

// Features meet a caller as what their handlers are given.
export type { AccountCaller, ServerCaller };

type CallerOf<E extends Endpoint> = E['access'] extends { kind: 'public' }
  ? null
  : E['access'] extends { kind: 'traffic-server' }
    ? ServerCaller
    : AccountCaller;

/** A body outside the envelope. */
type RawResult = { body: string | Buffer | Readable; headers?: Readonly<Record<string, string>>; status?: number };

/** What a handler gives back: the HTTP layer wraps it into the envelope and checks it. */
type ResultOf<E extends Endpoint> = E['answer'] extends { kind: 'page' | 'cursor' }
  ? { rows: AnswerOf<E>; pagination: Pagination }
  : E['answer'] extends { kind: 'paged-data' }
    ? { data: AnswerOf<E>; pagination: Pagination }
    : E['answer'] extends { kind: 'empty' }
      ? void
      : E['answer'] extends { kind: 'raw' }
        ? RawResult | Download | EventFeed
        : AnswerOf<E>;

/** The rows of an ingestion call before they are judged one by one: `raw` bytes, already inflated (api 13). */
export type IngestBody = { contentType: 'application/json' | 'application/x-ndjson'; bytes: Buffer };

/**
 * A body whose values the handler judges, after it found the entity, and together with what only it can know, e.g. that
 * a name is taken (api 0.3, 0.4).
 */
export type Draft<B> = {
  /** The fields that fit by themselves, converted as the schema says. */
  readonly fields: Readonly<Partial<B>>;
  /** The whole body. Throws FieldErrors that name the fields that do not fit and those `found` has a message for. */
  judge(found: Readonly<Record<string, string>>): B;
};

type HandlerInput<E extends Endpoint> = {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: E extends { bodyForm: 'ingest' } ? IngestBody : E extends { judgesValues: true } ? Draft<BodyOf<E>> : BodyOf<E>;
  caller: CallerOf<E>;
  /** Whether the caller's `If-Match` lets a write overwrite this version of the entity (api 0.9). */
  mayOverwrite: (version: number) => boolean;
  /** Whether the caller says in `If-None-Match` that he has the answer with this etag already. */
  holds: (etag: string) => boolean;
  request: RequestContext;
};

/** What is known before anything of the body was read. */
type Admission = {
  request: RequestContext;
  authorization: string | undefined;
  /** Whether the client is on this machine: see `isLoopbackClient`. */
  isLoopback: boolean;
};

export type BindOptions<E extends Endpoint = Endpoint> = {
  /** Refuses a call before its token is looked at and its body is read, e.g. for the sign-in limit (api 0.3), by throwing. */
  admit?: (admission: Admission) => Promise<void>;
  /** Told of a body that is no good for the endpoint, before the caller is refused with 422. */
  onMisfit?: (body: unknown) => Promise<void>;
  /** What the call of an account takes while it is worked on; by default connections to the database. */
  slots?: SlotKind;
  /** Refuses a call on an entity that is missing or not the caller's with 404, before values of the query are judged (api 0.3). */
  requireEntity?: (call: Pick<HandlerInput<E>, 'params' | 'caller'>) => Promise<void>;
};

/** Ties a handler to an endpoint of the contract. */
export type Bind = <E extends Endpoint>(
  endpoint: E,
  handler: (input: HandlerInput<E>) => Promise<ResultOf<E>>,
  options?: BindOptions<E>,
) => void;

/** A feature offers its calls by binding each of them once. */
export type Feature = { bindRoutes: (bind: Bind) => void };
