import { formatMicroseconds, type Microseconds } from '@switchyard/contract/dates';
import type { requestExportColumns } from '@switchyard/contract/request-exports';
import type { RequestType } from '@switchyard/contract/requests';
import { flagsOf } from './request-flags.ts';
import type { NewRequest, StoredRequest } from './traffic-store.ts';

/** What a store keeps of an event, by column. A value that is missing is '' where a roll-up counts by it, else null. */
export type EventColumns = {
  /** Assigned by the store in the order of arrival. */
  id: number;
  uuid: string;
  app_id: number;
  type: RequestType;
  /** Bits of `request-flags.ts`. */
  flags: number;
  occurred_at: Microseconds;
  ip: string;
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
};

/** The kind of value a column holds; each engine has a type of its own for it. */
export type ColumnKind = 'id' | 'uuid' | 'app' | 'event-type' | 'flags' | 'instant' | 'address' | 'text' | 'json';

type Field<Value> = {
  kind: ColumnKind;
  /** The value of a new event; null: the store assigns it. */
  valueOf: ((event: NewRequest) => Value) | null;
  /** Whether lists read it. */
  isListed: boolean;
};

/**
 * Every column of an event, declared once: what ingestion inserts, what lists read and, with `exportCells`, what exports write
 * follow from it. The table knows no engine.
 */
export const eventFields: { readonly [Column in keyof EventColumns]: Field<EventColumns[Column]> } = {
  id: { kind: 'id', valueOf: null, isListed: true },
  uuid: { kind: 'uuid', valueOf: (event) => event.uuid, isListed: true },
  app_id: { kind: 'app', valueOf: (event) => event.appId, isListed: true },
  type: { kind: 'event-type', valueOf: (event) => event.type, isListed: true },
  flags: { kind: 'flags', valueOf: flagsOf, isListed: false },
  occurred_at: { kind: 'instant', valueOf: (event) => event.occurredAt, isListed: true },
  ip: { kind: 'address', valueOf: (event) => event.ip, isListed: true },
  country: { kind: 'text', valueOf: (event) => event.country ?? '', isListed: true },
  client_uid: { kind: 'text', valueOf: (event) => event.clientUid, isListed: true },
  stream_uid: { kind: 'text', valueOf: (event) => event.streamUid ?? '', isListed: true },
  bot: { kind: 'text', valueOf: (event) => event.bot, isListed: true },
  postbacks_domain: { kind: 'text', valueOf: (event) => event.postbacksDomain, isListed: true },
  user_agent: { kind: 'text', valueOf: (event) => event.userAgent, isListed: true },
  body_request: { kind: 'json', valueOf: (event) => event.bodyRequest, isListed: true },
  body_response: { kind: 'json', valueOf: (event) => event.bodyResponse, isListed: true },
  error: { kind: 'json', valueOf: (event) => event.error, isListed: true },
  additional_data: { kind: 'json', valueOf: (event) => event.additionalData, isListed: true },
};

/** The names of a table's entries, in their order. */
export function namesOf<Table extends object>(table: Table): Extract<keyof Table, string>[] {
  const names: Extract<keyof Table, string>[] = [];
  for (const name in table) names.push(name);
  return names;
}

export type EventColumn = keyof EventColumns;
const eventColumns = namesOf(eventFields);
/** Columns that ingestion fills. */
export const insertedColumns = eventColumns.filter((column) => eventFields[column].valueOf !== null);
/** Columns that lists read. */
export const listedColumns = eventColumns.filter((column) => eventFields[column].isListed);

/** A new event as a record of its columns; an instant is a text of UTC with microseconds. */
export function toRecord(event: NewRequest): Record<string, unknown> {
  return Object.fromEntries(insertedColumns.map((column) => [column, recordValue(column, event)]));
}

function recordValue(column: EventColumn, event: NewRequest): unknown {
  const { kind, valueOf } = eventFields[column];
  const value = valueOf?.(event);
  return kind === 'instant' && typeof value === 'number' ? `${formatMicroseconds(value)}+00` : value;
}

/** The names that belong to an event now (O32): the bundle of its app, and of its stream unless that is another app's. */
export type EventNames = { app_bundle: string | null; stream_name: string | null };

/** An event as a list reads it. */
export type ListedEvent = Omit<EventColumns, 'flags'> & EventNames;

/** How a value becomes a cell of CSV; only `text` and `json` may begin a formula and are guarded (S24). */
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

/** A body counts as present when it is neither null nor empty (api 0.13). */
function isPresent(value: unknown): boolean {
  if (value === null || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** The event in the form of the wire. */
export function toStoredRequest(event: ListedEvent): StoredRequest {
  const { occurred_at, stream_uid, stream_name, app_bundle, country, ...same } = event;
  const instant = formatMicroseconds(occurred_at);
  return {
    ...same,
    app_bundle: app_bundle ?? '',
    stream: stream_uid === '' ? null : { uid: stream_uid, name: stream_name },
    country: country === '' ? null : country,
    date: instant.slice(0, 'YYYY-MM-DD HH:mm:ss'.length),
    concatenated_date: instant,
    has_body: isPresent(event.body_request),
    has_response: isPresent(event.body_response),
    has_error: isPresent(event.error),
    has_additional_data: isPresent(event.additional_data),
    has_user_agent: isPresent(event.user_agent),
  };
}
