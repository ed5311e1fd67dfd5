import type { ConversionRow, ConversionSortKey } from '@switchyard/contract/conversions';
import type { Microseconds } from '@switchyard/contract/dates';
import type { SortDirection } from '@switchyard/contract/listing';
import type { PushRow, PushSortKey } from '@switchyard/contract/pushes';
import type { Readable } from 'node:stream';
import type { DeliveryPlace } from './delivery-place.ts';
import type { CountersOf, EventFilter, StoredBatch } from './event-store.ts';
import type { Counts } from './group-columns.ts';
import type { TimeRange } from './time-range.ts';
import type { Span } from './time-buckets.ts';
import type { AppScope } from '@switchyard/contract/app-scope';

/** A push that passed every check of ingestion, ready to be stored. */
export type NewPush = {
  /** UUID in lower case; with the app it is the push's identity. */
  uuid: string;
  appId: number;
  pushId: string;
  name: string;
  /** JSON text as it was sent, or any other text. */
  message: string;
  uid: string | null;
  clientUid: string | null;
  campaignUid: string | null;
  sendAt: Microseconds;
  status: string;
  error: string | null;
  updatedAt: Microseconds;
};

/** Deliveries whose place matches; '' stands for an unknown country or system. */
export type PlaceFilter = Pick<
  EventFilter,
  'countries' | 'countriesNot' | 'asns' | 'asnsNot' | 'bots' | 'botsNot' | 'furtherBots' | 'servers'
>;

/** `place`: rows have their place. */
export type AskedPlace = { place?: boolean | undefined };

/** A row as stores return it: with its place if that was asked for; null: it is unknown. */
export type WithPlace<Row> = Omit<Row, 'place'> & { place?: DeliveryPlace | null };

/** Which pushes of an app are asked for; texts are substrings, dates are of `send_at`. */
export type PushFilter = TimeRange &
  PlaceFilter & {
    appId: number;
    uid?: string | undefined;
    campaignUid?: string | undefined;
    /** A substring of the push id; all digits are the row's own id as well. */
    pushId?: string | undefined;
  };

export type PushPage = AskedPlace & {
  filter: PushFilter;
  orderBy: PushSortKey;
  orderDirection: SortDirection;
  page: number;
  limit: number;
};

/** An export; aborted when the client disconnects. */
export type PushExport = Pick<PushPage, 'filter' | 'orderBy' | 'orderDirection' | 'place'> & { signal: AbortSignal };

/** How many rows of all apps in scope lie in each span of whole hours. */
export type SpanCounts = { scope: AppScope; spans: readonly Span[] };

/** A conversion that passed every check of ingestion, ready to be stored. */
export type NewConversion = {
  /** UUID in lower case; with app and time it is the conversion's identity. */
  uuid: string;
  appId: number;
  source: string;
  clientUid: string | null;
  streamUid: string | null;
  clickId: string | null;
  receiveApfUid: string | null;
  appInstanceId: string | null;
  statusConversion: string;
  /** Decimal text with at most 4 decimals. */
  payout: string | null;
  status: string;
  error: string | null;
  isSend: boolean;
  /** Whether it came by a tester's stream. */
  isQa: boolean;
  createdAt: Microseconds;
};

/** Which conversions of an app are asked for; uids are substrings, dates are of `created_at`. */
export type ConversionFilter = TimeRange &
  PlaceFilter & {
    appId: number;
    streamUid?: string | undefined;
    clientUid?: string | undefined;
    statusConversion?: string | undefined;
    status?: string | undefined;
    isSend?: boolean | undefined;
  };

export type ConversionPage = AskedPlace & {
  filter: ConversionFilter;
  orderBy: ConversionSortKey;
  orderDirection: SortDirection;
  page: number;
  limit: number;
};

/** An export; aborted when the client disconnects. */
export type ConversionExport = Pick<ConversionPage, 'filter' | 'orderBy' | 'orderDirection' | 'place'> & { signal: AbortSignal };

export type DeliveryKind = 'push' | 'conversion';

/** The deliveries to a client, by its exact uid, in the apps in scope. */
export type ClientScope = { clientUid: string; scope: AppScope };

/** Which of them: those before a position in time, those that arrived after the one with this id, or all. */
export type ClientDeliveries = ClientScope & AskedPlace & { before?: { at: Microseconds; id: number }; afterId?: number; limit: number };

/** A delivery with its app and the exact time that it is sorted by: `send_at` of a push, `created_at` of a conversion. */
export type ClientDelivery<Row> = { appId: number; at: Microseconds; row: WithPlace<Row> };

/**
 * Keys by which deliveries are grouped; only conversions have a stream and a kind. Days and hours of day are those of the server's offset. ''
 * stands for an unknown country, system or server. `chosenKind` is the kind if it is one of `chosenKinds`, otherwise ''.
 */
export type DeliveryGroupKey = 'app' | 'stream' | 'day' | 'hour' | 'country' | 'asn' | 'server' | 'kind' | 'chosenKind';

/** Whole days of the apps in scope, and the filters on places, and on streams and kinds of conversions; at most `limit` rows. */
export type DeliveryGroups = Span &
  PlaceFilter & {
    scope: AppScope;
    streamUids?: readonly string[] | undefined;
    streamUidsNot?: readonly string[] | undefined;
    kinds?: readonly string[] | undefined;
    kindsNot?: readonly string[] | undefined;
    chosenKinds?: readonly string[] | undefined;
    by: readonly DeliveryGroupKey[];
    limit: number;
    /** Cancels the statement. */
    signal?: AbortSignal | undefined;
  };

/** How many deliveries of a group have a status, and the sum of their payouts as decimal text. */
export type DeliveryFigures = { status: string; stored: number; payout: string };

/** How many conversions an app has in the hour that begins `at`, by the server's offset. */
export type ConversionHour = { appId: number; at: Microseconds; conversions: number };

export type DeliveryCounters = CountersOf<'push' | 'conversion'>;

/**
 * Stores and lists deliveries: pushes and conversions. Promises what `EventStore` promises, and stays in PostgreSQL whatever
 * engine stores the events.
 */
export type DeliveryStore = {
  /**
   * Stores a batch of pushes in one transaction with its counts. A row whose `updatedAt` is newer than that of the stored push
   * replaces its name, message, time, status and error, and counts as accepted; any other row of a stored push is a duplicate.
   * The rows of a batch apply in their order.
   */
  insertPushes(rows: readonly NewPush[]): Promise<StoredBatch>;
  /** Stores a batch of conversions in one statement with its counts. */
  insertConversions(rows: readonly NewConversion[]): Promise<StoredBatch>;
  /**
   * Decides the places of some deliveries, which is due when they arrive, and a few times later, because their events may arrive after
   * them; false: none is due.
   * @throws EventStoreUnavailable
   */
  updatePlaces(now: Microseconds): Promise<boolean>;
  /** A page of an app's pushes and how many match in all, both of one moment. */
  listPushes(query: PushPage): Promise<{ rows: WithPlace<PushRow>[]; total: number }>;
  /** A page of an app's conversions and how many match in all, both of one moment. */
  listConversions(query: ConversionPage): Promise<{ rows: WithPlace<ConversionRow>[]; total: number }>;
  /** All matches as CSV with a header row, of one moment; a broken export fails and never ends early. */
  exportPushes(query: PushExport): Promise<Readable>;
  /** The conversions that match, as `exportPushes` gives pushes. */
  exportConversions(query: ConversionExport): Promise<Readable>;
  /** Pushes to a client in all apps in scope, newest first; ties go by id, newest first. */
  listPushesOfClient(query: ClientDeliveries): Promise<ClientDelivery<PushRow>[]>;
  /** Conversions of a client, as `listPushesOfClient` gives pushes. */
  listConversionsOfClient(query: ClientDeliveries): Promise<ClientDelivery<ConversionRow>[]>;
  /** How many deliveries to a client there are, and the id of the one that arrived last (0: none). */
  countDeliveriesOfClient(kind: DeliveryKind, query: ClientScope): Promise<{ total: number; lastId: number }>;
  /** Every stored value of the column for the apps in scope, by name. Costs the same at any number of conversions. */
  findConversionValues(column: 'status_conversion' | 'status', scope: AppScope): Promise<string[]>;
  /** Pushes by `send_at`, a number each span. Costs the same at any number of pushes. */
  countPushesBySpan(query: SpanCounts): Promise<number[]>;
  /** Conversions by `created_at`, a number each span. Costs the same at any number of conversions. */
  countConversionsBySpan(query: SpanCounts): Promise<number[]>;
  /** Conversions by `created_at`, by app and hour that has any. Costs the same at any number of conversions. */
  countConversionHours(query: Span & { scope: AppScope }): Promise<ConversionHour[]>;
  /** Pushes by `send_at`, by group and status. By day it costs the same at any number of pushes. */
  countPushGroups(query: DeliveryGroups): Promise<Counts<DeliveryFigures>>;
  /** Conversions by `created_at`, by group and status. By day it costs the same at any number of conversions. */
  countConversionGroups(query: DeliveryGroups): Promise<Counts<DeliveryFigures>>;
  /** Counters of pushes and conversions by app id; an app without any is absent. */
  countDeliveriesByApp(appIds: readonly number[], now: Microseconds): Promise<ReadonlyMap<number, DeliveryCounters>>;
  /** Which of these apps ever had a conversion. */
  findAppsWithConversions(appIds: readonly number[]): Promise<ReadonlySet<number>>;
  /**
   * Counts the newest day whose conversions are not counted by kind, or not any more, e.g. those that an earlier version stored; false: there
   * is none. Days are visited once, from the newest on, until it returns false.
   */
  updateKindCounts(): Promise<boolean>;
  /** Drops what is past retention; safe to run in several processes at once. */
  maintain(now: Microseconds): Promise<void>;
};
