import { formatMicroseconds, type Microseconds } from '@switchyard/contract/dates';
import type { requestExportColumns, RequestRow, RequestType } from '@switchyard/contract/requests';
import { flagsOf } from './event-flags.ts';

/** What a store keeps of an event, by column. A value that is missing is '' where a roll-up counts by it, else null. */
export type EventColumns = {
  /** Assigned by the store in the order of arrival. */
  id: number;
  /** In lower case; with app and time it is the event's identity. */
  uuid: string;
  app_id: number;
  type: RequestType;
  /** Bits of `event-flags.ts`. */
  flags: number;
  occurred_at: Microseconds;
  /** Normalised address: IPv4, or compressed lower-case IPv6. */
  ip: string;
  /** Two upper-case letters. */
  country: string;
  client_uid: string;
  stream_uid: string;
  /** Bot labels joined by spaces. */
  bot: string;
  postbacks_domain: string;
  user_agent: string | null;
  body_request: unknown;
  body_response: unknown;
  error: Record<string, unknown> | null;
  additional_data: unknown;
  /** The traffic server that delivered it; null for events stored before servers were. */
  server_id: number | null;
};

/** An event that passed every check of ingestion, ready to be stored: its columns, and what else its flags follow from. */
export type NewEvent = Omit<EventColumns, 'id' | 'flags'> & { is_qa: boolean };

/** The kind of value a column holds; each engine has a type of its own for it. */
export type ColumnKind = 'id' | 'uuid' | 'app' | 'event-type' | 'flags' | 'instant' | 'address' | 'text' | 'json' | 'server';

type Field = {
  kind: ColumnKind;
  /** Its position in a `ListedEvent`; null: lists do not read it. */
  listedAt: number | null;
};

/**
 * Every column of an event, declared once: what ingestion inserts, what lists read and, with `exportCells`, what exports write
 * follow from it. The table knows no engine.
 */
export const eventFields = {
  id: { kind: 'id', listedAt: 0 },
  uuid: { kind: 'uuid', listedAt: 1 },
  app_id: { kind: 'app', listedAt: 2 },
  type: { kind: 'event-type', listedAt: 3 },
  flags: { kind: 'flags', listedAt: null },
  occurred_at: { kind: 'instant', listedAt: 4 },
  ip: { kind: 'address', listedAt: 5 },
  country: { kind: 'text', listedAt: 6 },
  client_uid: { kind: 'text', listedAt: 7 },
  stream_uid: { kind: 'text', listedAt: 8 },
  bot: { kind: 'text', listedAt: 9 },
  postbacks_domain: { kind: 'text', listedAt: 10 },
  user_agent: { kind: 'text', listedAt: 11 },
  body_request: { kind: 'json', listedAt: 12 },
  body_response: { kind: 'json', listedAt: 13 },
  error: { kind: 'json', listedAt: 14 },
  additional_data: { kind: 'json', listedAt: 15 },
  server_id: { kind: 'server', listedAt: 16 },
} as const satisfies { readonly [Column in keyof EventColumns]: Field };

/** The names of a table's entries, in their order. */
export function namesOf<Table extends object>(table: Table): Extract<keyof Table, string>[] {
  const names: Extract<keyof Table, string>[] = [];
  for (const name in table) names.push(name);
  return names;
}

export type EventColumn = keyof EventColumns;
const eventColumns = namesOf(eventFields);
/** Columns that ingestion fills; the store assigns the id. */
export const insertedColumns = eventColumns.filter((column) => column !== 'id');

/** A new event as a record of its columns; instants are UTC texts with microseconds. */
export function toRecord(event: NewEvent): Record<string, unknown> {
  return Object.fromEntries(insertedColumns.map((column) => [column, recordValue(column, event)]));
}

function recordValue(column: (typeof insertedColumns)[number], event: NewEvent): unknown {
  const value = column === 'flags' ? flagsOf(event) : event[column];
  return eventFields[column].kind === 'instant' && typeof value === 'number' ? `${formatMicroseconds(value)}+00` : value;
}

/** The present names of an event: the bundle of its app, and the name of its stream unless the stream is another app's. */
export type EventNames = { app_bundle: string | null; stream_name: string | null };

/** Positions of the names in a `ListedEvent`, behind the columns. */
const namesAt = { app_bundle: 17, stream_name: 18 } as const satisfies Record<keyof EventNames, number>;

/** An event as lists read it, before the names are known, which another database may hold. */
export type UnnamedEvent = {
  readonly [Column in EventColumn as Extract<(typeof eventFields)[Column]['listedAt'], number>]: EventColumns[Column];
};

/**
 * An event as lists read it: its values by position, because a page is parsed and shown with a tenth less processor time than
 * with the name of each value in each row.
 */
export type ListedEvent = UnnamedEvent & { readonly [Name in keyof EventNames as (typeof namesAt)[Name]]: EventNames[Name] };

/** The columns of an `UnnamedEvent`, in the order of the positions. */
export const listedColumns = eventColumns
  .filter((column) => eventFields[column].listedAt !== null)
  .toSorted((a, b) => positionOf(a) - positionOf(b));

/** What lists read, in the order of the positions. */
export const listedValues: readonly (EventColumn | keyof EventNames)[] = [...listedColumns, ...namesOf(namesAt)].toSorted(
  (a, b) => positionOf(a) - positionOf(b),
);

/** A new event with its id as the JSON text of an `UnnamedEvent`, for stores that keep it whole. */
export function toListedText(event: NewEvent, id: number): string {
  return JSON.stringify(listedColumns.map((column) => (column === 'id' ? id : column === 'flags' ? flagsOf(event) : event[column])));
}

/** The event with its names. */
export function withNames(event: UnnamedEvent, names: EventNames): ListedEvent {
  return { ...event, [namesAt.app_bundle]: names.app_bundle, [namesAt.stream_name]: names.stream_name };
}

function positionOf(name: EventColumn | keyof EventNames): number {
  return name === 'app_bundle' || name === 'stream_name' ? namesAt[name] : (eventFields[name].listedAt ?? -1);
}

/** How a value becomes a cell of CSV; only `text` and `json` may begin a formula and are guarded. */
export type CellKind = 'plain' | 'text' | 'json' | 'object' | 'instant';

/** What each column of an export holds. */
export const exportCells: {
  readonly [Column in (typeof requestExportColumns)[number]]: { from: EventColumn | keyof EventNames; kind: CellKind };
} = {
  id: { from: 'id', kind: 'plain' },
  uuid: { from: 'uuid', kind: 'plain' },
  app_id: { from: 'app_id', kind: 'plain' },
  app_bundle: { from: 'app_bundle', kind: 'text' },
  stream_uid: { from: 'stream_uid', kind: 'text' },
  stream_name: { from: 'stream_name', kind: 'text' },
  client_uid: { from: 'client_uid', kind: 'text' },
  ip: { from: 'ip', kind: 'plain' },
  country: { from: 'country', kind: 'plain' },
  bot: { from: 'bot', kind: 'plain' },
  type: { from: 'type', kind: 'plain' },
  date_utc: { from: 'occurred_at', kind: 'instant' },
  postbacks_domain: { from: 'postbacks_domain', kind: 'text' },
  user_agent: { from: 'user_agent', kind: 'text' },
  body_request: { from: 'body_request', kind: 'json' },
  body_response: { from: 'body_response', kind: 'json' },
  error: { from: 'error', kind: 'object' },
  additional_data: { from: 'additional_data', kind: 'json' },
};

/** A body counts as present when it is neither null nor empty. */
function isPresent(value: unknown): boolean {
  if (value === null || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** A request as stores hand it out; `server_id` is there if `origin` was asked for. */
export type StoredRequest = RequestRow & { server_id?: number | null };

/** Whether rows shall have the id of the server that delivered them. */
export type AskedOrigin = { origin?: boolean | undefined };

/** Events in the form of the wire, and with their servers where these were asked for. */
export function toRequestRows(events: readonly ListedEvent[], { origin = false }: AskedOrigin): StoredRequest[] {
  if (!origin) return events.map((event) => toRequestRow(event));
  // Texts of events that ClickHouse stored before servers were end before this position.
  return events.map((event) => ({ ...toRequestRow(event), server_id: event[eventFields.server_id.listedAt] ?? null }));
}

/** The event in the form of the wire. Each value is named here: copying the rest of an object takes a sixth of the time of a page. */
export function toRequestRow(event: ListedEvent): RequestRow {
  const at = eventFields;
  const instant = formatMicroseconds(event[at.occurred_at.listedAt]);
  const streamUid = event[at.stream_uid.listedAt];
  const country = event[at.country.listedAt];
  const userAgent = event[at.user_agent.listedAt];
  const bodyRequest = event[at.body_request.listedAt];
  const bodyResponse = event[at.body_response.listedAt];
  const error = event[at.error.listedAt];
  const additionalData = event[at.additional_data.listedAt];
  return {
    id: event[at.id.listedAt],
    uuid: event[at.uuid.listedAt],
    app_id: event[at.app_id.listedAt],
    type: event[at.type.listedAt],
    ip: event[at.ip.listedAt],
    client_uid: event[at.client_uid.listedAt],
    bot: event[at.bot.listedAt],
    postbacks_domain: event[at.postbacks_domain.listedAt],
    user_agent: userAgent,
    body_request: bodyRequest,
    body_response: bodyResponse,
    error,
    additional_data: additionalData,
    app_bundle: event[namesAt.app_bundle] ?? '',
    stream: streamUid === '' ? null : { uid: streamUid, name: event[namesAt.stream_name] },
    country: country === '' ? null : country,
    date: instant.slice(0, 'YYYY-MM-DD HH:mm:ss'.length),
    concatenated_date: instant,
    has_body: isPresent(bodyRequest),
    has_response: isPresent(bodyResponse),
    has_error: isPresent(error),
    has_additional_data: isPresent(additionalData),
    has_user_agent: isPresent(userAgent),
  };
}
