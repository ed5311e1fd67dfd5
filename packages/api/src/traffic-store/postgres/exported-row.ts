import { guarded, textCell } from './csv-cells.ts';

/** JSON as it is stored, which is compact; a string as the text it holds (api [25]). Objects and arrays begin with a brace. */
function jsonCell(column: string): string {
  return `case json_typeof(${column}) when 'string' then ${textCell(`(${column} #>> '{}')`)}
    when 'number' then ${guarded(`${column}::text`)} else ${column}::text end`;
}

/** The cells of `requestExportColumns`. Ids, addresses, countries, labels and dates cannot begin a formula; an error is an object. */
const cells = `event.id, event.uuid, event.app_id, app.bundle, ${textCell('event.stream_uid')}, stream.name, ${textCell('event.client_uid')},
  host(event.ip), nullif(event.country, ''), nullif(event.bot, ''), event.type,
  to_char(event.occurred_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'), ${textCell('event.postbacks_domain')},
  ${textCell('event.user_agent')}, ${jsonCell('event.body_request')}, ${jsonCell('event.body_response')}, event.error,
  ${jsonCell('event.additional_data')}`;

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
