import type { CounterSet } from '@switchyard/contract/app-statistics';
import type { Microseconds } from '@switchyard/contract/dates';
import type { RequestRow, RequestSortKey, RequestType } from '@switchyard/contract/requests';
import type { SortDirection } from '@switchyard/contract/listing';
import type { Readable } from 'node:stream';
import type { Span } from './time-buckets.ts';

/** Which apps a reader sees: every one, or exactly these (an empty list: none). */
export type AppScope = 'all' | readonly number[];

/** A request that passed every check of ingestion, ready to be stored. */
export type NewRequest = {
  /** UUID in lower case; with app and time it is the request's identity. */
  uuid: string;
  appId: number;
  type: RequestType;
  occurredAt: Microseconds;
  /** Normalised address: IPv4, or compressed lower-case IPv6. */
  ip: string;
  clientUid: string;
  streamUid: string | null;
  /** Two upper-case letters or null when unknown. */
  country: string | null;
  /** Bot labels joined by spaces, "" when none. */
  bot: string;
  userAgent: string | null;
  bodyRequest: unknown;
  bodyResponse: unknown;
  additionalData: unknown;
  error: Readonly<Record<string, unknown>> | null;
  /** "" when the request named no postbacks domain. */
  postbacksDomain: string;
  isQa: boolean;
};

/** What a text search on requests means (O24): exactly one of these. */
export type RequestSearch =
  | { kind: 'client-uid-prefix'; prefix: string }
  /** Addresses from `first` to `last`, both included, of one family. */
  | { kind: 'ip-range'; first: string; last: string };

/** Which requests are asked for; every part narrows (api 0.13). */
export type RequestFilter = {
  scope: AppScope;
  /** Searches are alternatives of each other: a row that fits any of them fits. */
  search?: readonly RequestSearch[] | undefined;
  clientUid?: string | undefined;
  types?: readonly RequestType[] | undefined;
  countries?: readonly string[] | undefined;
  streamUids?: readonly string[] | undefined;
  from?: Microseconds | undefined;
  /** Exclusive end. */
  until?: Microseconds | undefined;
  emptyPostbacksDomain?: boolean | undefined;
};

/** A stored request as the wire shows it, with the names that its app and its stream have now (O32). */
export type StoredRequest = RequestRow;

export type RequestSort = { orderBy: RequestSortKey; orderDirection: SortDirection };
/** A sort as it was asked for: what was left out comes from the cursor, else from the default (newest first). */
export type AskedSort = { [Part in keyof RequestSort]?: RequestSort[Part] | undefined };

/** Rows before or after a position in a sorted list; the position is opaque to callers. */
export type CursorPage = { rows: StoredRequest[]; previous: string | null; next: string | null };

/** A page of a numbered list with the exact number of all its rows. */
export type NumberedPage = { rows: StoredRequest[]; total: number };

/** Which range of time is counted in buckets of which length; the end is exclusive. Time in the filter is not looked at. */
export type HistogramQuery = { filter: RequestFilter; from: Microseconds; until: Microseconds; bucketSeconds: number };

/** How many requests of a type lie in the bucket that begins `at`. */
export type BucketCount = { at: Microseconds; type: RequestType; requests: number };

/** What a live stream tells: new rows, oldest first, or that some were left out; `id` is where to go on behind it. */
export type TailEvent = { kind: 'rows'; id: string; rows: StoredRequest[] } | { kind: 'gap'; id: string; skipped: number | null };

/** What an app's requests may be filtered by. */
export type SeenValues = { countries: string[]; streamUids: string[] };

/** Requests of the types that lists of apps count. */
export type RequestSums = { create: number; receive: number };

/** An app that had requests yesterday and has none today. */
export type StoppedApp = { appId: number; requestsYesterday: number };

/** Counters of one app, or of many summed up. */
export type TrafficCounters = { today: CounterSet; allTime: CounterSet; qa: CounterSet };

/**
 * Stores and answers for traffic. Promises: an acknowledged row is on disk and visible; a row delivered
 * twice is kept and counted once; every total equals a direct count of the stored rows.
 */
export type TrafficStore = {
  /** Stores a batch in one transaction with its roll-ups; says how many rows were new. */
  addRequests(rows: readonly NewRequest[]): Promise<{ accepted: number; duplicates: number }>;
  /** A page of the cursor list; a cursor that does not fit the sort or cannot be read gives the first page. */
  listRequestsByCursor(query: { filter: RequestFilter; sort: AskedSort; cursor: string | undefined; limit: number }): Promise<CursorPage>;
  /** A page of the numbered list; total and rows are of one moment. A page beyond the end has no rows. */
  listRequestsByPage(query: { filter: RequestFilter; sort: RequestSort; page: number; limit: number }): Promise<NumberedPage>;
  /** How many requests match. */
  countRequests(filter: RequestFilter): Promise<number>;
  /** Matches by bucket and type; buckets begin at multiples of their length in the server's offset, empty ones are absent. */
  countByBucket(query: HistogramQuery): Promise<BucketCount[]>;
  /** All matches as CSV with a header row (api [25]), of one moment; fails, but never ends early, when it is cut. */
  exportRequests(query: { filter: RequestFilter; sort: RequestSort; signal: AbortSignal }): Promise<Readable>;
  /**
   * Matches that are committed from now on, or after an event's id, each once (api 0.14); rejects when aborted. The filter
   * is asked for again and again, because a scope may change.
   */
  followRequests(query: { filter: () => RequestFilter; after: string | undefined; signal: AbortSignal }): Promise<AsyncIterable<TailEvent>>;
  /** Countries and streams that the app's requests have, in no order. */
  seenValues(appId: number): Promise<SeenValues>;
  /** Counters by app id; an app without traffic is absent. `today` is the day of `now` in the server's offset. */
  countersByApp(appIds: readonly number[], now: Microseconds): Promise<ReadonlyMap<number, TrafficCounters>>;
  /** Requests in spans of whole hours, an entry each. Costs the same at any number of requests. */
  sumRequests(query: { scope: AppScope; spans: readonly Span[] }): Promise<RequestSums[]>;
  /**
   * Apps without any request from `from` on, which had `atLeast` of them in the same span a day before, those with the most
   * first. The span is of whole hours. Costs the same at any number of requests.
   */
  findStoppedApps(query: Span & { scope: AppScope; atLeast: number }): Promise<StoppedApp[]>;
  /** Which of these apps have end clients: a create or receive request, or a conversion (AMB-107). */
  appsWithClients(appIds: readonly number[]): Promise<ReadonlySet<number>>;
  /** Makes room for coming days and drops what is past retention; safe to run in several processes at once. */
  maintain(now: Microseconds): Promise<void>;
};
