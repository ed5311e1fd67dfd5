import type { AppScope } from '@switchyard/contract/app-scope';
import type { CounterSet } from '@switchyard/contract/app-statistics';
import type { Microseconds } from '@switchyard/contract/dates';
import type { RequestRow, RequestSortKey, RequestType } from '@switchyard/contract/requests';
import type { SortDirection } from '@switchyard/contract/listing';
import type { Readable } from 'node:stream';
import type { AskedOrigin, NewEvent, StoredEvent } from './event-fields.ts';
import type { DeliveryPlace, PlaceQuery } from './delivery-place.ts';
import type { Counts } from './group-columns.ts';
import type { Span } from './time-buckets.ts';
import type { ValueParts } from './value-filters.ts';

/** Addresses from `first` to `last`, both included, of one family. */
export type AddressRange = { first: string; last: string };

/** Events with any of these labels. `none` selects events without a label, `blocking` those with any label that marks a bot. */
export type BotLabels = { labels: readonly string[]; none: boolean; blocking?: boolean };

/** The meaning of a text search on events: exactly one of these. */
export type EventSearch = { kind: 'client-uid-prefix'; prefix: string } | ({ kind: 'ip-range' } & AddressRange);

/** Which events are asked for; a row has to match every part. */
export type EventFilter = ValueParts & {
  scope: AppScope;
  /** Searches are alternatives of each other: a row that fits any of them fits. */
  search?: readonly EventSearch[] | undefined;
  clientUid?: string | undefined;
  types?: readonly RequestType[] | undefined;
  typesNot?: readonly RequestType[] | undefined;
  bots?: BotLabels | undefined;
  /** Each of these has to fit as well: an event may be of several types, as an error, and have several labels. */
  furtherTypes?: readonly (readonly RequestType[])[] | undefined;
  furtherBots?: readonly BotLabels[] | undefined;
  botsNot?: BotLabels | undefined;
  addressesNot?: readonly AddressRange[] | undefined;
  /** Delivered by any of these traffic servers. */
  servers?: readonly number[] | undefined;
  from?: Microseconds | undefined;
  /** Exclusive end. */
  until?: Microseconds | undefined;
  emptyPostbacksDomain?: boolean | undefined;
};

export type EventSort = { orderBy: RequestSortKey; orderDirection: SortDirection };
/** A sort as it was asked for: what was left out comes from the cursor, else from the default (newest first). */
export type AskedSort = { [Part in keyof EventSort]?: EventSort[Part] | undefined };

/** Rows before or after a position in a sorted list; the position is opaque to callers. */
export type CursorPage = { rows: StoredEvent[]; previous: string | null; next: string | null };

/** A page of a numbered list with the exact number of all its rows. */
export type NumberedPage = { rows: StoredEvent[]; total: number };

/** The range of time to count and the length of its buckets; the end is exclusive. The range of the filter is ignored. */
export type HistogramQuery = { filter: EventFilter; from: Microseconds; until: Microseconds; bucketSeconds: number };

/** How many events of a type lie in the bucket that begins `at`. */
export type BucketCount = { at: Microseconds; type: RequestType; events: number };

/** Whose events are asked for: a client's, by its exact uid, or those of an address or a CIDR block in canonical form. */
export type EventSubject = { clientUid: string } | { address: string };

/** How many events there are, and when the first and the last of them occurred. */
export type SeenSpan = { events: number; first: Microseconds; last: Microseconds };

/** An address of a client, or a client of an address, with the country of its last event ('' where it is unknown). */
export type SeenWith = SeenSpan & { value: string; country: string };

/** Sums of the events of a subject. */
export type EventSummary = {
  /** Null: there are none. */
  all: SeenSpan | null;
  types: ReadonlyMap<RequestType, number>;
  /** Those with most events first. */
  apps: (SeenSpan & { appId: number })[];
  /** Those with most events first; the code is '' where it is unknown. */
  countries: { code: string; events: number }[];
  /** The latest addresses of a client, or clients of an address, last seen first, and how many there are in all. */
  latest: SeenWith[];
  total: number;
};

/** Events that were committed after a position, oldest commit first, and the position after them. */
export type EventsAfter = {
  rows: RequestRow[];
  position: string;
  /** False: some were left out, because there were more than asked for or the position is too old. */
  isWhole: boolean;
};

/** A frame of a live stream: new rows, oldest first, or a gap where rows were skipped; `id` is the position to resume from. */
export type TailFrame =
  | { kind: 'start'; id: string }
  | { kind: 'rows'; id: string; rows: StoredEvent[] }
  | { kind: 'gap'; id: string; skipped: number | null };

/**
 * Keys by which events are grouped: columns, days of the server's offset (`YYYY-MM-DD`), its hours of day (0 to 23), and the traffic server,
 * which only the events know. '' is a missing value.
 */
export type GroupKey = 'app' | 'country' | 'stream' | 'asn' | 'type' | 'day' | 'hour' | 'server';

/** The events of a type, or those of them that succeeded. */
export type TypeFigure = { type: RequestType; succeeded: boolean };

/** Which events to count by which keys, and of which types beside; at most `limit` groups. */
export type EventGroups = {
  filter: EventFilter;
  by: readonly GroupKey[];
  typeFigures?: readonly TypeFigure[];
  limit: number;
  /** Only these groups are needed; a store may return all. */
  first?: FirstGroups | undefined;
  /** Cancels the statement. */
  signal?: AbortSignal | undefined;
};

/** The first `count` groups in the order of a figure, or of that of a type by its number; those that tie with the last one, too. */
export type FirstGroups = { by: keyof EventFigures | number; direction: SortDirection; count: number };

/** How many events a group has. A success has neither error nor blocking label. */
export type EventFigures = { events: number; successes: number; bots: number };
/** Counts by group, whose keys are in the order asked for, and a column for each figure of a type. */
type CountedEvents = Counts<EventFigures> & { readonly types: readonly (readonly number[])[] };
/** `rest`: how many groups are left out, and what they add up to, if only the first ones were asked for. */
export type EventCounts = CountedEvents & { readonly rest?: { groups: number; counts: CountedEvents } };

/**
 * Fields whose top values are counted. An event counts for each of its bot labels, and `error` beside its type; `error-kind` is the
 * exception type of events with an error.
 */
export type TopField = 'app' | 'country' | 'type' | 'stream' | 'bot' | 'asn' | 'error-kind';

/** How many events have a value. '' is a missing one, the label `none` events without a label. */
export type ValueCount = { value: string; count: number };

/** The most frequent values first. `rows` events were read, `newest` if these are not all. */
export type TopValues = { values: ValueCount[]; rows: number; counted: 'all' | 'newest' };

/** The values by which an app's events can be filtered. */
export type SeenValues = { countries: string[]; streamUids: string[] };

/** Events of the types that lists of apps count. */
export type EventSums = { create: number; receive: number };

/** The spans of time that counters are shown for; `qa` counts testers' traffic of all time. */
export type CounterSpan = 'today' | 'allTime' | 'qa';
/** Some of the counters of an app, for each span. */
export type CountersOf<Name extends keyof CounterSet> = Record<CounterSpan, Pick<CounterSet, Name>>;
export type EventCounters = CountersOf<'create' | 'receive' | 'bots'>;

/** Decides the autonomous system of a canonical address. */
export type SystemOf = (ip: string) => string;

/** How many of all events have no system, and the newest day of the server's offset that has some; null: all have one. */
export type UndecidedSystems = { events: number; total: number; newestDay: string | null };

/** The outcome of a batch: rows that were new, and rows that were stored before. */
export type StoredBatch = { accepted: number; duplicates: number };

/**
 * Stores events and answers every question about them. An acknowledged row is on disk and visible; a row delivered twice is
 * stored and counted once; every total equals a direct count of the stored rows.
 */
export type EventStore = {
  /** Stores a batch in one transaction with its roll-ups. */
  insertEvents(rows: readonly NewEvent[]): Promise<StoredBatch>;
  /** A page of the cursor list; a cursor that does not fit the sort or cannot be read gives the first page. */
  listEventsByCursor(
    query: AskedOrigin & { filter: EventFilter; sort: AskedSort; cursor: string | undefined; limit: number },
  ): Promise<CursorPage>;
  /** A page of the numbered list; total and rows are of one moment. A page beyond the end has no rows. */
  listEventsByPage(query: AskedOrigin & { filter: EventFilter; sort: EventSort; page: number; limit: number }): Promise<NumberedPage>;
  /** The event with this id and its server, if its app lies in the scope. */
  findEvent(query: { id: number; scope: AppScope }): Promise<StoredEvent | null>;
  /** The least id of all stored events; null: none are stored. */
  findOldestId(): Promise<number | null>;
  /** How many events match. */
  countEvents(filter: EventFilter): Promise<number>;
  /** Matches by bucket and type; buckets begin at multiples of their length in the server's offset, empty ones are absent. */
  countByBucket(query: HistogramQuery): Promise<BucketCount[]>;
  /** Matches by group, in no order. */
  countGroups(query: EventGroups): Promise<EventCounts>;
  /**
   * The `limit` most frequent values among the matches; null: all values. Exact where roll-ups count by the field; otherwise the
   * newest matches are counted, up to a number that takes no longer than a list may.
   */
  findTopValues(query: { filter: EventFilter; field: TopField; limit: number | null }): Promise<TopValues>;
  /** All matches as CSV with a header row, of one moment; a broken export fails and never ends early. */
  exportEvents(query: { filter: EventFilter; sort: EventSort; signal: AbortSignal }): Promise<Readable>;
  /**
   * Matches that are committed from now on, or after the id of a frame, each once; rejects when aborted. The filter is read
   * again for every frame, because a scope may change.
   */
  followEvents(
    query: AskedOrigin & { filter: () => EventFilter; after: string | undefined; signal: AbortSignal },
  ): Promise<AsyncIterable<TailFrame>>;
  /**
   * Matches that were committed after a position, each once, at most the newest `limit`. Without a position: none, and the position to
   * start from.
   */
  listEventsAfter(query: { filter: EventFilter; after: string | undefined; limit: number }): Promise<EventsAfter>;
  /** Sums up the events of a client or an address in scope, with its latest `limit` addresses or clients. */
  getEventSummary(query: { scope: AppScope; subject: EventSubject; limit: number }): Promise<EventSummary>;
  /**
   * The places of deliveries, in their order: of the newest create of the same client and app that is not after the delivery, otherwise of
   * their newest event. Null: there is none. The order in which events arrived does not matter.
   */
  findPlaces(query: PlaceQuery): Promise<(DeliveryPlace | null)[]>;
  /** Countries and streams of the app's events, in no order. */
  findSeenValues(appId: number): Promise<SeenValues>;
  /** Counters of events by app id; an app without events is absent. `today` is the day of `now` in the server's offset. */
  countEventsByApp(appIds: readonly number[], now: Microseconds): Promise<ReadonlyMap<number, EventCounters>>;
  /** Events in spans of whole hours, an entry each. Costs the same at any number of events. */
  countEventsBySpan(query: { scope: AppScope; spans: readonly Span[] }): Promise<EventSums[]>;
  /** Which of these apps ever had a create or receive event. */
  findAppsWithClients(appIds: readonly number[]): Promise<ReadonlySet<number>>;
  /** Counts the events whose system was not decided when they were stored. */
  countUndecidedSystems(): Promise<UndecidedSystems>;
  /** Decides the systems of some of the newest of these; false: there were none. */
  updateSystems(systemOf: SystemOf, signal: AbortSignal): Promise<boolean>;
  /** Makes room for coming days and drops what is past retention; safe to run in several processes at once. */
  maintain(now: Microseconds): Promise<void>;
};
