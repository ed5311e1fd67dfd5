import { formatMicroseconds } from '@switchyard/contract/dates';
import type pg from 'pg';
import type { NewConversion } from '../../conversion-store.ts';

const given = `uuid uuid, app_id integer, source text, client_uid text, stream_uid text, click_id text, receive_apf_uid text,
  app_instance_id text, status_conversion text, payout numeric, status text, error text, is_send boolean, is_qa boolean,
  created_at timestamptz`;
const columns = given.replaceAll(/(\w+) \w+/g, '$1');
const counted = 'app_id, status_conversion, status, is_send, is_qa';

/** SQL of the day a conversion falls in; `offset` is a placeholder of the server's offset. */
export function dayOfConversion(offset: string): string {
  return `(created_at at time zone 'UTC' + ${offset}::interval)::date`;
}

/**
 * Stores a batch and its counts in one statement, so that they commit together and a row that was there already is
 * counted nowhere. Ids go in the order of the batch, while rows are stored in order of identity, so that batches which
 * meet never wait for each other in a circle; of rows with one identity the first stays. $1 the rows as JSON, $2 the offset in which days are cut, as an interval.
 */
const text = `
with numbered as materialized (
  select nextval(pg_get_serial_sequence('conversions', 'id')) as id, given.* from json_to_recordset($1) as given (${given})
),
inserted as (
  insert into conversions (id, ${columns}) overriding system value
  select id, ${columns} from numbered order by app_id, uuid, created_at, id
  on conflict do nothing
  returning ${counted}, ${dayOfConversion('$2')} as day
),
in_all as (
  insert into conversion_totals as kept (${counted}, delivered, stored)
  select ${counted}, count(*), count(*) from inserted group by ${counted} order by ${counted}
  on conflict (${counted}) do update set delivered = kept.delivered + excluded.delivered, stored = kept.stored + excluded.stored
),
by_day as (
  insert into conversion_days as kept (day, ${counted}, stored)
  select day, ${counted}, count(*) from inserted group by day, ${counted} order by day, ${counted}
  on conflict (day, ${counted}) do update set stored = kept.stored + excluded.stored
)
select count(*)::integer as accepted from inserted`;

/** Stores a batch; gives how many rows were new. */
export async function addConversions(pool: pg.Pool, rows: readonly NewConversion[], offset: string): Promise<number> {
  const values = [JSON.stringify(rows.map(toRecord)), offset];
  const result = await pool.query<{ accepted: number }>({ name: 'add-conversions', text, values });
  return result.rows[0]?.accepted ?? 0;
}

function toRecord(row: NewConversion): Record<string, unknown> {
  return {
    uuid: row.uuid,
    app_id: row.appId,
    source: row.source,
    client_uid: row.clientUid,
    stream_uid: row.streamUid,
    click_id: row.clickId,
    receive_apf_uid: row.receiveApfUid,
    app_instance_id: row.appInstanceId,
    status_conversion: row.statusConversion,
    payout: row.payout,
    status: row.status,
    error: row.error,
    is_send: row.isSend,
    is_qa: row.isQa,
    created_at: `${formatMicroseconds(row.createdAt)}+00`,
  };
}
