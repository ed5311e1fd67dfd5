import type pg from 'pg';
import { type NewEvent, toRecord } from '../../event-fields.ts';
import { addToRollup, countedColumns } from '../rollups.ts';
import { insertList, insertTypes } from '../event-page.ts';

/**
 * Stores a batch and its roll-ups in one statement, so that they commit together and duplicates are not counted; `request_batches`
 * notifies live streams. $1: the rows as JSON. $2: the offset in which days are cut, as an interval.
 */
export const addEventsStatement = `
with rows as materialized (
  select ${insertList} from json_to_recordset($1) as given (${insertTypes})
),
inserted as (
  insert into events (${insertList})
  select ${insertList} from rows order by occurred_at, app_id, uuid
  on conflict do nothing
  returning ${countedColumns('$2')}
),
-- PostgreSQL runs these from the end. Rows that every batch changes come last, because batches wait for them until the one
-- before has committed.
all_days as (${addToRollup('traffic_all_days', 'inserted')}),
all_hours as (${addToRollup('traffic_all_hours', 'inserted')}),
all_quarters as (${addToRollup('traffic_all_quarters', 'inserted')}),
in_all as (${addToRollup('traffic_totals', 'inserted')}),
by_app as (${addToRollup('traffic_app_days', 'inserted')}),
by_type as (${addToRollup('traffic_day_types', 'inserted')}),
by_day as (${addToRollup('traffic_days', 'inserted')}),
by_hour as (${addToRollup('traffic_hours', 'inserted')}),
seen as (${addToRollup('traffic_seen', 'inserted')}),
broken_down as (${addToRollup('traffic_breakdown', 'inserted')}),
logged as (
  insert into request_batches (first_id, last_id, requests) select min(id), max(id), count(*) from inserted having count(*) > 0
)
select count(*)::integer as accepted from inserted`;

/** The rows as JSON, as the statement reads them. */
export function toRecords(rows: readonly NewEvent[]): string {
  return JSON.stringify(rows.map(toRecord));
}

/** Stores a batch and returns how many rows were new. The partitions of the rows' times must exist. */
export async function insertEvents(pool: pg.Pool, rows: readonly NewEvent[], offset: string): Promise<number> {
  const values = [toRecords(rows), offset];
  const result = await pool.query<{ accepted: number }>({ name: 'add-events', text: addEventsStatement, values });
  return result.rows[0]?.accepted ?? 0;
}
