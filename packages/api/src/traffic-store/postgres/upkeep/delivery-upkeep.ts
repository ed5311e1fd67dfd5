import type { Microseconds } from '@switchyard/contract/dates';
import type pg from 'pg';
import { dayOfConversion } from '../deliveries/add-conversions.ts';
import { isPushSuccess } from '../deliveries/push-counts.ts';
import { timestamp } from '../event-conditions.ts';

/** Rows that are dropped in one transaction: few enough that nobody waits long for their counts. */
const batchRows = 5000;

const dayOfPush = `(send_at at time zone 'UTC' + $1::interval)::date`;

const kinds = {
  push: {
    table: 'pushes',
    time: 'send_at',
    identity: 'app_id, uuid',
    day: dayOfPush,
    key: 'app_id, is_success',
    read: `app_id, ${isPushSuccess} as is_success`,
  },
  conversion: {
    table: 'conversions',
    time: 'created_at',
    identity: 'app_id, uuid, created_at',
    day: dayOfConversion('$1'),
    key: 'app_id, status_conversion, status, is_send, is_qa',
    read: 'app_id, status_conversion, status, is_send, is_qa',
  },
} as const;
type Kind = (typeof kinds)[keyof typeof kinds] & { name: string };
const allKinds: readonly Kind[] = Object.entries(kinds).map(([name, kind]) => ({ name, ...kind }));

/** Counts the days of pushes and conversions anew, within a transaction. */
export async function recountDeliveryDays(client: pg.ClientBase, offset: string): Promise<void> {
  // A batch that commits while we count would be counted twice or never.
  await client.query('lock table push_days, conversion_days in exclusive mode');
  for (const { name, table, day, key, read } of allKinds) {
    await client.query(`delete from ${name}_days`);
    await client.query(
      `insert into ${name}_days (day, ${key}, stored)
       select day, ${key}, count(*) from (select ${day} as day, ${read} from ${table}) as counted group by day, ${key}`,
      [offset],
    );
  }
}

/** Drops pushes and conversions of before the instant, with what counted them; what was ever delivered stays counted. */
export async function dropDeliveriesBefore(pool: pg.Pool, cutoff: Microseconds, offset: string): Promise<void> {
  for (const kind of allKinds) {
    const apps = await pool.query<{ app_id: number }>(`select distinct app_id from ${kind.name}_totals where stored > 0`);
    for (const { app_id: appId } of apps.rows) {
      let dropped = batchRows;
      while (dropped === batchRows) dropped = await dropBatch(pool, kind, { offset, appId, cutoff });
    }
    await pool.query(`delete from ${kind.name}_days where stored = 0`);
  }
}

async function dropBatch(
  pool: pg.Pool,
  { name, table, time, identity, day, key, read }: Kind,
  { offset, appId, cutoff }: { offset: string; appId: number; cutoff: Microseconds },
): Promise<number> {
  const { rows } = await pool.query<{ dropped: number }>(
    `with past as (
       select ${identity} from ${table} where app_id = $2 and ${time} < $3::timestamptz order by ${time} limit ${batchRows} for update skip locked
     ),
     dropped as (
       delete from ${table} where (${identity}) in (select ${identity} from past) returning ${read}, ${day} as day
     ),
     in_all as (
       update ${name}_totals as kept set stored = kept.stored - gone.rows
       from (select ${key}, count(*) as rows from dropped group by ${key} order by ${key}) as gone where ${same(key)}
     ),
     by_day as (
       update ${name}_days as kept set stored = kept.stored - gone.rows
       from (select day, ${key}, count(*) as rows from dropped group by day, ${key} order by day, ${key}) as gone where ${same(`day, ${key}`)}
     )
     select count(*)::integer as dropped from dropped`,
    [offset, appId, timestamp(cutoff)],
  );
  return rows[0]?.dropped ?? 0;
}

function same(key: string): string {
  return key
    .split(', ')
    .map((column) => `kept.${column} = gone.${column}`)
    .join(' and ');
}
