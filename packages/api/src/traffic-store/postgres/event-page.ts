import {
  type ColumnKind,
  type EventNames,
  type Field,
  insertedFields,
  listedFields,
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
  server: 'integer',
};

/** How a list reads each kind of column: instants in microseconds since 1970, addresses without their netmask. */
const listedAs: Partial<Record<ColumnKind, (column: string) => string>> = {
  instant: (column) => `(extract(epoch from ${column}) * 1000000)::bigint`,
  address: (column) => `host(${column})`,
};

/** Columns of an insert, separated by commas. */
export const insertList = insertedFields.map(({ name }) => name).join(', ');
/** The same with their types, as `json_to_recordset` takes them. */
export const insertTypes = insertedFields.map(({ name, kind }) => `${name} ${columnTypes[kind]}`).join(', ');

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
  return rows;
}

/** A page of events as one JSON text, for statements that return a number with it, also when the page is empty. */
export type EventPage = { page: ListedEvent[] };

/** Makes a selection of events return an `EventPage`. */
export function asEventPage(selection: string): string {
  return `select coalesce(json_agg(json_build_array(${listList})), '[]') as page from (${selection}) as selected`;
}

/** Runs a prepared query for a page and the number of matches that a search found. */
export async function readMatches(reader: Reader, query: Query): Promise<{ rows: ListedEvent[]; matches: number }> {
  const { rows } = await reader.query<EventPage & { matches: number }>({ name: keptName(query.text), ...query });
  return { rows: rows.flatMap(({ page }) => page), matches: rows[0]?.matches ?? 0 };
}
