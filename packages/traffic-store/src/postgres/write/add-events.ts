import type pg from 'pg';
import { JsonText, writeExactly } from '@switchyard/contract/exact-json';
import { isJsonField, listedFields, type NewEvent, toRecord } from '../../event-fields.ts';
import { mayHoldUnstorableText } from '../../unstorable-text.ts';
import { addToRollup, countedColumns } from '../rollups.ts';
import { insertList, insertTypes, insertValues } from '../event-page.ts';

/**
 * Stores rows of these columns and their roll-ups in one statement, so that they commit together and duplicates are not counted.
 * $1: the rows as JSON. $2: the offset in which days are cut, as an interval.
 */
function addingStatement({ withId, afterwards }: { withId: boolean; afterwards: string }): string {
  const id = withId ? 'id, ' : '';
  const columns = `${id}${insertList}`;
  return `
with rows as materialized (
  select ${id}${insertValues} from json_to_recordset($1) as given (${withId ? 'id bigint, ' : ''}${insertTypes})
),
inserted as (
  insert into events (${columns})
  select ${columns} from rows order by occurred_at, app_id, uuid
  on conflict do nothing
  returning ${countedColumns('$2')}
),
-- PostgreSQL runs these from the end. Rows that every batch changes come last, because batches wait for them until the one
-- before has committed.
all_days as (${addToRollup('traffic_all_days', 'inserted')}),
all_hours as (${addToRollup('traffic_all_hours', 'inserted')}),
all_quarters as (${addToRollup('traffic_all_quarters', 'inserted')}),
by_country as (${addToRollup('traffic_country_days', 'inserted')}),
in_all as (${addToRollup('traffic_totals', 'inserted')}),
by_app as (${addToRollup('traffic_app_days', 'inserted')}),
by_type as (${addToRollup('traffic_day_types', 'inserted')}),
by_stream as (${addToRollup('traffic_stream_days', 'inserted')}),
by_asn as (${addToRollup('traffic_asn_days', 'inserted')}),
by_day as (${addToRollup('traffic_days', 'inserted')}),
by_hour as (${addToRollup('traffic_hours', 'inserted')}),
seen as (${addToRollup('traffic_seen', 'inserted')}),
broken_down as (${addToRollup('traffic_breakdown', 'inserted')})${afterwards}
select count(*)::integer as accepted from inserted`;
}

/** Stores a new batch; `request_batches` notifies live streams. */
export const addEventsStatement = addingStatement({
  withId: false,
  afterwards: `,
logged as (
  insert into request_batches (first_id, last_id, requests) select min(id), max(id), count(*) from inserted having count(*) > 0
)`,
});

/** Stores events of another store with their ids. Live streams have had them there. */
export const copyEventsStatement = addingStatement({ withId: true, afterwards: '' });

/** The rows as JSON, as the statement reads them. */
export function toRecords(rows: readonly NewEvent[]): string {
  return writeRecords(rows.map(toRecord));
}

const jsonColumns = listedFields.filter(isJsonField).map(({ name }) => name);

/** Records of events as JSON. Where the database would not read the JSON of one to the letter, that of all is in `exact`, as texts. */
export function writeRecords(records: readonly Readonly<Record<string, unknown>>[]): string {
  const isPlain = !records.some((record) => jsonColumns.some((column) => record[column] instanceof JsonText));
  const json = isPlain ? JSON.stringify(records) : null;
  if (json !== null && !mayHoldUnstorableText(json)) return json;
  return JSON.stringify(
    records.map((record) => {
      const texts = jsonColumns.flatMap((column) => {
        const value = record[column] ?? null;
        return value === null ? [] : [[column, writeExactly(value)]];
      });
      return { ...record, ...Object.fromEntries(jsonColumns.map((column) => [column, null])), exact: Object.fromEntries(texts) };
    }),
  );
}

/** Stores a batch and returns how many rows were new. The partitions of the rows' times must exist. */
export async function insertEvents(pool: pg.Pool, rows: readonly NewEvent[], offset: string): Promise<number> {
  const values = [toRecords(rows), offset];
  const result = await pool.query<{ accepted: number }>({ name: 'add-events', text: addEventsStatement, values });
  return result.rows[0]?.accepted ?? 0;
}
