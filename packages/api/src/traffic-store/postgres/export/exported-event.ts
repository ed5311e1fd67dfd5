import { type CellKind, type EventColumn, type EventNames, exportCells, namesOf } from '../../event-fields.ts';
import { guarded, plainCell, quotedAsNeeded, rowEndCell, textCell } from './csv-cells.ts';

/**
 * JSON as it is stored, which is compact; a string as the text it holds (api [25]). Objects, which nearly all are, begin
 * with a brace and are settled by that.
 */
function jsonCell(column: string): string {
  const jsonText = quotedAsNeeded(`${column}::text`, `${column}::text`);
  return `case when ${column} is null then '' when ascii(${column}::text) = 123 then ${jsonText}
    else case json_typeof(${column}) when 'string' then ${textCell(`(${column} #>> '{}')`)}
      when 'number' then ${guarded(`${column}::text`)} else ${jsonText} end end`;
}

/**
 * An instant of UTC with all six digits. PostgreSQL's own form of it is cheaper than a format, but leaves zeros at the
 * end away. Needs the time zone and the date style that `copyAsCsv` sets.
 */
function instantCell(column: string): string {
  return `case when ${column} = ${column}::timestamptz(5) then to_char(${column}, 'YYYY-MM-DD HH24:MI:SS.US')
    else ${column}::timestamp::text end`;
}

const nameCells: Readonly<Record<keyof EventNames, string>> = { app_bundle: 'app.bundle', stream_name: 'stream.name' };

/** How each kind of cell is written; ids, addresses, countries, labels and dates cannot begin a formula. */
const cellOf: Readonly<Record<CellKind, (column: EventColumn) => string>> = {
  plain: (column) => `event.${column}`,
  text: (column) => textCell(`event.${column}`),
  json: (column) => jsonCell(`event.${column}`),
  object: (column) => quotedAsNeeded(`event.${column}::text`, plainCell(`event.${column}`)),
  instant: (column) => instantCell(`event.${column}`),
};

const cells = [
  ...namesOf(exportCells).map((name) => {
    const { from, kind } = exportCells[name];
    // The laterals below guard the names already, once for each app and stream.
    return from === 'app_bundle' || from === 'stream_name' ? plainCell(nameCells[from]) : cellOf[kind](from);
  }),
  rowEndCell,
].join(', ');

/**
 * The names of app and stream, as a list shows them (O32). Laterals that may not be flattened leave the planner only
 * loops that keep the order of the events, and it remembers what it looked up.
 */
const names = `left join lateral (select ${textCell('bundle')} as bundle from apps where apps.id = event.app_id offset 0) as app on true
  left join lateral (
    select ${textCell('name')} as name from streams where streams.uid = event.stream_uid and streams.app_id = event.app_id offset 0
  ) as stream on true`;

/** The rows of an export, from SQL that gives whole events. */
export function exportedRows(events: string, order: string): string {
  return `select ${cells} from ${events} as event ${names} order by ${order}`;
}
