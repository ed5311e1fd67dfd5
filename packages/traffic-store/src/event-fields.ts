import { formatMicroseconds, type Microseconds } from '@switchyard/contract/dates';
import { exactJson, isWritten, jsonMembers, JsonText, writeExactly } from '@switchyard/contract/exact-json';
import type { JsonObject, requestExportColumns, RequestRow, RequestType } from '@switchyard/contract/requests';
import { flagsOf } from './event-flags.ts';

/** Type of the values in each kind of column. A missing value is '' where a roll-up counts by the column, else null. */
type ValueOfKind = {
  id: number;
  uuid: string;
  app: number;
  'event-type': RequestType;
  /** Bits of `event-flags.ts`. */
  flags: number;
  instant: Microseconds;
  /** Normalised address: IPv4, or compressed lower-case IPv6. */
  address: string;
  text: string;
  'optional-text': string | null;
  /** Data of the sender: a `JsonText` where JavaScript does not hold it exactly. */
  json: unknown;
  object: JsonObject | null;
  'optional-integer': number | null;
};

/** The kind of value a column holds; each engine has a type of its own for it. */
export type ColumnKind = keyof ValueOfKind;

/** Kinds whose value may be missing. */
export const mayBeNull: { readonly [Kind in ColumnKind]: null extends ValueOfKind[Kind] ? true : false } = {
  id: false,
  uuid: false,
  app: false,
  'event-type': false,
  flags: false,
  instant: false,
  address: false,
  text: false,
  'optional-text': true,
  json: true,
  object: true,
  'optional-integer': true,
};

export type Field = { readonly name: string; readonly kind: ColumnKind };

/** `older` is the value of rows that were stored before the column was. */
type AddedField = { [Kind in ColumnKind]: { readonly name: string; readonly kind: Kind; readonly older: ValueOfKind[Kind] } }[ColumnKind];

/** Columns of the first version. Stored rows rely on their order: a new column goes to `addedFields`. */
const firstFields = [
  // Assigned by the store in the order of arrival.
  { name: 'id', kind: 'id' },
  // In lower case; with app and time it is the event's identity.
  { name: 'uuid', kind: 'uuid' },
  { name: 'app_id', kind: 'app' },
  { name: 'type', kind: 'event-type' },
  { name: 'occurred_at', kind: 'instant' },
  { name: 'ip', kind: 'address' },
  // Two upper-case letters.
  { name: 'country', kind: 'text' },
  { name: 'client_uid', kind: 'text' },
  { name: 'stream_uid', kind: 'text' },
  // Bot labels joined by spaces.
  { name: 'bot', kind: 'text' },
  { name: 'postbacks_domain', kind: 'text' },
  { name: 'user_agent', kind: 'optional-text' },
  { name: 'body_request', kind: 'json' },
  { name: 'body_response', kind: 'json' },
  { name: 'error', kind: 'object' },
  { name: 'additional_data', kind: 'json' },
] as const satisfies readonly Field[];

/** Columns of later versions, the newest last. */
const addedFields = [
  // The traffic server that delivered the event.
  { name: 'server_id', kind: 'optional-integer', older: null },
] as const satisfies readonly AddedField[];

/** Columns that lists read, in the order of their positions. */
export const listedFields = [...firstFields, ...addedFields] as const;

/**
 * Every column of an event: what ingestion inserts, what lists read and, with `exportCells`, what exports write follow from it. Filters and
 * counts use the columns that lists do not read. The table knows no engine.
 */
export const eventFields = [
  ...listedFields,
  { name: 'flags', kind: 'flags' },
  // Code of the autonomous system of the address; '0' if the registry had none, '' if it was not decided when the event was stored.
  { name: 'asn', kind: 'text' },
] as const;

/** Columns that ingestion fills; the store assigns the id. */
export const insertedFields = eventFields.filter(({ name }) => name !== 'id');

/** The present names of an event: the bundle of its app, and the name of its stream unless the stream is another app's. */
export const nameFields = [
  { name: 'app_bundle', kind: 'optional-text' },
  { name: 'stream_name', kind: 'optional-text' },
] as const satisfies readonly Field[];

/** Parts that lists read, in the order of the positions: the columns, and behind them the names. */
const listedValues = [...listedFields, ...nameFields] as const;

export type EventColumns = { [F in (typeof eventFields)[number] as F['name']]: ValueOfKind[F['kind']] };
export type EventColumn = keyof EventColumns;
export type ListedColumn = (typeof listedFields)[number]['name'];
export type EventNames = { [F in (typeof nameFields)[number] as F['name']]: ValueOfKind[F['kind']] };

/** An event that passed every check of ingestion, ready to be stored: its columns, and what else its flags follow from. */
export type NewEvent = Omit<EventColumns, 'id' | 'flags'> & { is_qa: boolean };

type ValuesOf<Fields extends readonly Field[]> = { readonly [At in keyof Fields]: ValueOfKind[Fields[At]['kind']] };

/** An event as lists read it, before the names are known, which another database may hold. */
export type UnnamedEvent = ValuesOf<typeof listedFields>;

/**
 * An event as lists read it: its values by position, because a page is parsed and shown with a tenth less processor time than
 * with the name of each value in each row.
 */
export type ListedEvent = ValuesOf<typeof listedValues>;

type Positions<Fields extends readonly Field[]> = {
  readonly [At in keyof Fields & `${number}` as Fields[At]['name']]: At extends `${infer Position extends number}` ? Position : never;
};

/** Position of each value in a `ListedEvent`; that of a column is the same in an `UnnamedEvent`. */
export const positions = positionsOf(Object.fromEntries(listedValues.map(({ name }, position) => [name, position])));

function positionsOf(byName: Readonly<Record<string, number>>): Positions<typeof listedValues> {
  if (!hasPositions(byName)) throw new Error('Two columns of an event have the same name');
  return byName;
}

function hasPositions(byName: Readonly<Record<string, number>>): byName is Positions<typeof listedValues> {
  return listedValues.every(({ name }, position) => byName[name] === position);
}

/** A new event as a record of its columns; instants are UTC texts with microseconds. */
export function toRecord(event: NewEvent): Record<string, unknown> {
  return Object.fromEntries(
    eventFields.flatMap(({ name }) => {
      if (name === 'id') return [];
      return [[name, name === 'flags' ? flagsOf(event) : name === 'occurred_at' ? `${formatMicroseconds(event[name])}+00` : event[name]]];
    }),
  );
}

const [, ...fieldsBehindId] = listedFields;

/** The values behind the id of an `UnnamedEvent`, separated by commas, in JSON: a text that is made before the id is known. */
export function toListedEnd(event: NewEvent): string {
  return writeExactly(fieldsBehindId.map(({ name }) => event[name])).slice(1, -1);
}

/** A new event with its id as the JSON text of an `UnnamedEvent`, for stores that keep it whole. */
export function toListedText(event: NewEvent, id: number): string {
  return `[${id},${toListedEnd(event)}]`;
}

/** Events from their JSON texts. */
export function parseListed(texts: readonly string[]): UnnamedEvent[] {
  return parseStored(texts).map(toListed);
}

/** The values of stored rows from their JSON texts, which have no white space. */
function parseStored(texts: readonly string[]): (readonly unknown[])[] {
  const json = `[${texts.join(',')}]`;
  const rows: (readonly unknown[])[] = JSON.parse(json);
  // Nearly always JavaScript holds all of them exactly.
  return isWritten(rows, json) ? rows : texts.map(parseExactRow);
}

/** The values of a stored row. */
export function parseExactRow(text: string): readonly unknown[] {
  return (jsonMembers(text)?.list ?? []).map((value, position) =>
    isJsonField(listedFields[position]) ? exactJson(value.text) : JSON.parse(value.text),
  );
}

/** Whether the column holds data of the sender. */
export function isJsonField(field: Field | undefined): boolean {
  return field?.kind === 'json' || field?.kind === 'object';
}

/**
 * A stored row as lists read it. A row that was stored before a column was gets the value that the column has in older rows, and values
 * of a newer version's columns are left out.
 */
export function toListed(storedValues: readonly unknown[]): UnnamedEvent {
  const { length } = listedFields;
  const values =
    storedValues.length === length
      ? storedValues
      : [...storedValues, ...olderValues.slice(storedValues.length - firstFields.length)].slice(0, length);
  if (!isComplete(values)) throw new Error(`Stored event: has ${storedValues.length} values, too few for the first version`);
  return values;
}

function isComplete(values: readonly unknown[]): values is UnnamedEvent {
  return values.length === listedFields.length;
}

const olderValues: readonly unknown[] = addedFields.map(({ older }) => older);

/** The event with its names. */
export function withNames(event: UnnamedEvent, names: EventNames): ListedEvent {
  return [...event, names.app_bundle, names.stream_name];
}

/** The names of a table's entries, in their order. */
export function namesOf<Table extends object>(table: Table): Extract<keyof Table, string>[] {
  const names: Extract<keyof Table, string>[] = [];
  for (const name in table) names.push(name);
  return names;
}

/** How a value becomes a cell of CSV; only `text` and `json` may begin a formula and are guarded. */
export type CellKind = 'plain' | 'address' | 'text' | 'json' | 'object' | 'instant';

/** Field and kind of each column of an export. */
export const exportCells: {
  readonly [Column in (typeof requestExportColumns)[number]]: { from: ListedColumn | keyof EventNames; kind: CellKind };
} = {
  id: { from: 'id', kind: 'plain' },
  uuid: { from: 'uuid', kind: 'plain' },
  app_id: { from: 'app_id', kind: 'plain' },
  app_bundle: { from: 'app_bundle', kind: 'text' },
  stream_uid: { from: 'stream_uid', kind: 'text' },
  stream_name: { from: 'stream_name', kind: 'text' },
  client_uid: { from: 'client_uid', kind: 'text' },
  ip: { from: 'ip', kind: 'address' },
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
  if (value instanceof JsonText) return true;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** An event as stores return it, in its wire form; `server_id` is present if `origin` was asked for. */
export type StoredEvent = RequestRow & { server_id?: number | null };

/** `origin`: rows include the id of the server that delivered them. */
export type AskedOrigin = { origin?: boolean | undefined };

/** Events in the form of the wire, and with their servers where these were asked for. */
export function toRequestRows(events: readonly ListedEvent[], { origin = false }: AskedOrigin): StoredEvent[] {
  if (!origin) return events.map((event) => toRequestRow(event));
  return events.map((event) => ({ ...toRequestRow(event), server_id: event[positions.server_id] }));
}

/** The event in the form of the wire. Each value is named here: copying the rest of an object takes a sixth of the time of a page. */
export function toRequestRow(event: ListedEvent): RequestRow {
  const instant = formatMicroseconds(event[positions.occurred_at]);
  const streamUid = event[positions.stream_uid];
  const country = event[positions.country];
  const userAgent = event[positions.user_agent];
  const bodyRequest = event[positions.body_request];
  const bodyResponse = event[positions.body_response];
  const error = event[positions.error];
  const additionalData = event[positions.additional_data];
  return {
    id: event[positions.id],
    uuid: event[positions.uuid],
    app_id: event[positions.app_id],
    type: event[positions.type],
    ip: event[positions.ip],
    client_uid: event[positions.client_uid],
    bot: event[positions.bot],
    postbacks_domain: event[positions.postbacks_domain],
    user_agent: userAgent,
    body_request: bodyRequest,
    body_response: bodyResponse,
    error,
    additional_data: additionalData,
    app_bundle: event[positions.app_bundle] ?? '',
    stream: streamUid === '' ? null : { uid: streamUid, name: event[positions.stream_name] },
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
