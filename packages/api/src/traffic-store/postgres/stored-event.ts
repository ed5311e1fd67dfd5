import {
  type ColumnKind,
  type EventColumn,
  eventFields,
  type EventNames,
  insertedColumns,
  type ListedEvent,
  listedColumns,
  namesOf,
} from '../event-fields.ts';

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
  json: 'json',
};

/** How a list reads each kind of column: instants in microseconds since 1970, addresses without their netmask. */
const listedAs: Partial<Record<ColumnKind, (column: string) => string>> = {
  instant: (column) => `(extract(epoch from ${column}) * 1000000)::bigint`,
  address: (column) => `host(${column})`,
};

/** Columns of an insert, separated by commas. */
export const insertList = insertedColumns.join(', ');
/** The same with their types, as `json_to_recordset` takes them. */
export const insertTypes = insertedColumns.map((column) => `${column} ${columnTypes[eventFields[column].kind]}`).join(', ');

/**
 * The bundle that the app has now, and the name of the stream: that of another app, or an unknown one, has none (O32), a deleted
 * one keeps its own (api [93]). A lookup by joins would cost a page half as much again.
 */
const nameColumns: Readonly<Record<keyof EventNames, string>> = {
  app_bundle: '(select bundle from apps where apps.id = selected.app_id)',
  stream_name: '(select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id)',
};

const listList = [
  ...listedColumns.map((column) => `${listedExpression(column)} as ${column}`),
  ...namesOf(nameColumns).map((name) => `${nameColumns[name]} as ${name}`),
].join(', ');

function listedExpression(column: EventColumn): string {
  return listedAs[eventFields[column].kind]?.(column) ?? column;
}

/** A page of events as one JSON text. */
export type EventPage = { page: ListedEvent[] };

/**
 * Makes a selection of events return an `EventPage`. One text is parsed in one go: taking 50 rows apart field by field costs the
 * process that serves everybody half as much again.
 */
export function asEventPage(selection: string): string {
  return `select coalesce(json_agg(listed), '[]') as page from (select ${listList} from (${selection}) as selected) as listed`;
}
