import { exactJson } from '@switchyard/contract/exact-json';
import {
  type ColumnKind,
  type EventNames,
  type Field,
  insertedFields,
  listedFields,
  isJsonField,
  nameFields,
  type ListedEvent,
} from '../event-fields.ts';
import { keptName, type Query, type Reader } from './statements.ts';

/** The type in which PostgreSQL stores each kind of column. */
const columnTypes: Readonly<Record<ColumnKind, string>> = {
  id: 'bigint',
  uuid: 'uuid',
  app: 'integer',
  'event-type': 'request_type',
  flags: 'smallint',
  instant: 'timestamptz',
  address: 'inet',
  text: 'text',
  'optional-text': 'text',
  json: 'json',
  object: 'json',
  'optional-integer': 'integer',
};

/**
 * SQL of an address as `normalizeIp` writes it (RFC 5952). The database alone writes the last 32 bits of an IPv4-compatible one like
 * those of IPv4.
 */
export function addressSql(column: string): string {
  const groups = [1, 3].map((at) => `to_hex(bytes[${at}]::integer * 256 + bytes[${at + 1}]::integer)`);
  return `case when ${column} <<= inet '::/96' and not ${column} <<= inet '::/112' then
    (select concat('::', ${groups.join(`, ':', `)}) from string_to_array(substr(host(${column}), 3), '.') as bytes) else host(${column}) end`;
}

/** How a list reads each kind of column: instants in microseconds since 1970, addresses without their netmask, JSON to the letter. */
const listedAs: Partial<Record<ColumnKind, (column: string) => string>> = {
  instant: (column) => `(extract(epoch from ${column}) * 1000000)::bigint`,
  address: addressSql,
  json: (column) => `${column}::text`,
  object: (column) => `${column}::text`,
};

/** Columns of an insert, separated by commas. */
export const insertList = insertedFields.map(({ name }) => name).join(', ');
/** The columns with their types, as `json_to_recordset` takes them. It reads escapes in JSON, so JSON to the letter is a text in `exact`. */
export const insertTypes = [...insertedFields.map(({ name, kind }) => `${name} ${columnTypes[kind]}`), 'exact json'].join(', ');
/** Columns of an insert as they are read from its records. */
export const insertValues = insertedFields
  .map((field) => (isJsonField(field) ? `coalesce((exact ->> '${field.name}')::json, ${field.name}) as ${field.name}` : field.name))
  .join(', ');

/**
 * The present bundle of the app, and the name of the stream. An unknown stream, or one of another app, has no name; a deleted one
 * keeps its name. Joins would make a page half as expensive again.
 */
const nameColumns: Readonly<Record<keyof EventNames, string>> = {
  app_bundle: '(select bundle from apps where apps.id = selected.app_id)',
  stream_name: '(select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id)',
};

const listList = [...listedFields.map(listedExpression), ...nameFields.map(({ name }) => nameColumns[name])].join(', ');

/** How a list reads a column. */
export function listedExpression({ name, kind }: Field): string {
  return listedAs[kind]?.(name) ?? name;
}

/**
 * Makes a selection of events return the values of a `ListedEvent` in each row. Writing them as JSON would cost the database a third of its
 * processor time for a page, and reading that text saves the console nothing.
 */
export function asEventRows(selection: string): string {
  return `select ${listList} from (${selection}) as selected`;
}

/**
 * Runs a query for the rows of a page. Planning over the partitions takes longer than reading a page, so statements are prepared unless
 * `isKept` is false.
 */
export async function readRows(reader: Reader, query: Query, { isKept } = { isKept: true }): Promise<ListedEvent[]> {
  const name = isKept ? { name: keptName(query.text) } : {};
  const { rows } = await reader.query<[...ListedEvent]>({ ...name, ...query, rowMode: 'array' });
  return rows.map(withJson);
}

/** A page of events as one JSON text, for statements that return a number with it, also when the page is empty; `readPage` reads it. */
export type EventPage = { page: ListedEvent[] };

/** The events of a page as the statement gave it. */
export function eventsOf({ page }: EventPage): ListedEvent[] {
  return page.map(withJson);
}

const jsonPositions = listedFields.flatMap((field, position) => (isJsonField(field) ? [position] : []));

/** The event with the values of its JSON, of which lists read the text. */
function withJson(event: ListedEvent): ListedEvent {
  const values: [...ListedEvent] = [...event];
  for (const position of jsonPositions) {
    const text: unknown = values[position];
    if (typeof text === 'string') Reflect.set(values, position, exactJson(text));
  }
  return values;
}

/** Makes a selection of events return an `EventPage`. */
export function asEventPage(selection: string): string {
  return `select coalesce(json_agg(json_build_array(${listList})), '[]') as page from (${selection}) as selected`;
}

/** Runs a prepared query for a page and the number of matches that a search found. */
export async function readMatches(reader: Reader, query: Query): Promise<{ rows: ListedEvent[]; matches: number }> {
  const { rows } = await reader.query<EventPage & { matches: number }>({ name: keptName(query.text), ...query });
  return { rows: rows.flatMap(eventsOf), matches: rows[0]?.matches ?? 0 };
}
