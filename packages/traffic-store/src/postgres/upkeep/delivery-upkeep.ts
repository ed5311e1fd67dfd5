import type { Microseconds } from '@switchyard/contract/dates';
import type pg from 'pg';
import { dayOfConversion, isPushSuccess } from '../deliveries/add-deliveries.ts';
import type { DeliveryKind } from '../../delivery-store.ts';
import { countKindDays, kindDayKey } from './kind-days.ts';
import { addToPlaceDays, countedPlace, placeTables } from '../deliveries/place-days.ts';
import { timestamp } from '../event-conditions.ts';
import { startOf } from '../rollups.ts';
import { retryOnDeadlock } from '../../database-errors.ts';

/** Rows deleted in one transaction: few enough that others do not wait long for their counters. */
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
    reported: { table: 'push_status_days', key: 'app_id, status', columns: 'status', sum: '', placed: '', ofKind: '' },
  },
  conversion: {
    table: 'conversions',
    time: 'created_at',
    identity: 'app_id, uuid, created_at',
    day: dayOfConversion('$1'),
    key: 'app_id, status_conversion, status, is_send, is_qa',
    read: 'app_id, status_conversion, status, is_send, is_qa',
    reported: {
      table: 'conversion_stream_days',
      key: 'app_id, stream_uid, status',
      columns: `coalesce(stream_uid, '') as stream_uid, coalesce(payout, 0) as payout`,
      sum: ', sum(payout) as payout',
      placed: ', stream_uid, status_conversion, payout',
      ofKind: `,
     by_kind as (
       update conversion_kind_days as kept set stored = kept.stored - gone.rows, payout = kept.payout - gone.payout
       from (select ${kindDayKey}, count(*) as rows, sum(payout) as payout from dropped group by ${kindDayKey} order by ${kindDayKey}) as gone
       where ${same(kindDayKey)}
     )`,
    },
  },
} as const;
type Kind = (typeof kinds)[DeliveryKind] & { name: DeliveryKind };
const allKinds: readonly Kind[] = [
  { name: 'push', ...kinds.push },
  { name: 'conversion', ...kinds.conversion },
];

/** Recounts the days and hours of pushes and conversions, within a transaction. */
export async function recountDeliveries(client: pg.ClientBase, offset: string): Promise<void> {
  // A batch that commits during the recount would be counted twice or never.
  await client.query(
    // In the order in which steps and batches change them.
    `lock table push_place_days, conversion_place_days, push_days, push_status_days, push_hours, conversion_days, conversion_stream_days,
     conversion_kind_days, conversion_hours in exclusive mode`,
  );
  await client.query('delete from conversion_kind_days');
  await client.query(countKindDays('$1', 'true'), [offset]);
  for (const { name, table, time, day, key, read, reported } of allKinds) {
    await client.query(`delete from ${name}_days`);
    await client.query(`delete from ${name}_hours`);
    await client.query(`delete from ${placeTables[name].days}`);
    await client.query(
      addToPlaceDays(
        name,
        `select ${countedPlace(name, { n: '1', offset: '$1' })} from ${table} as kept join ${placeTables[name].places} as place on place.id = kept.id`,
      ),
      [offset],
    );
    await client.query(
      `insert into ${name}_days (day, ${key}, stored)
       select day, ${key}, count(*) from (select ${day} as day, ${read} from ${table}) as counted group by day, ${key}`,
      [offset],
    );
    await client.query(`delete from ${reported.table}`);
    await client.query(
      `insert into ${reported.table} (day, ${reported.key}, stored${reported.sum === '' ? '' : ', payout'})
       select day, ${reported.key}, count(*)${reported.sum} from (select ${day} as day, ${read}, ${reported.columns} from ${table}) as counted
       group by day, ${reported.key}`,
      [offset],
    );
    await client.query(
      `insert into ${name}_hours (hour, app_id, stored)
       select hour, app_id, count(*) from (select ${startOf('1 hour', time, '$1')} as hour, app_id from ${table}) as counted group by hour, app_id`,
      [offset],
    );
  }
}

/** Deletes pushes and conversions before the instant with their counts; the all-time counts of deliveries stay. */
export async function dropDeliveriesBefore(pool: pg.Pool, cutoff: Microseconds, offset: string): Promise<void> {
  for (const kind of allKinds) {
    const apps = await pool.query<{ app_id: number }>(`select distinct app_id from ${kind.name}_totals where stored > 0`);
    for (const { app_id: appId } of apps.rows) {
      let droppedRows = batchRows;
      while (droppedRows === batchRows) droppedRows = await retryOnDeadlock(async () => dropBatch(pool, kind, { offset, appId, cutoff }));
    }
    await pool.query(`delete from ${kind.name}_days where stored = 0`);
    await pool.query(`delete from ${kind.reported.table} where stored = 0`);
    await pool.query(`delete from ${kind.name}_hours where stored = 0`);
    await pool.query(`delete from ${placeTables[kind.name].days} where stored = 0`);
  }
  await pool.query('delete from conversion_kind_days where stored = 0');
}

async function dropBatch(
  pool: pg.Pool,
  { name, table, time, identity, day, key, read, reported }: Kind,
  { offset, appId, cutoff }: { offset: string; appId: number; cutoff: Microseconds },
): Promise<number> {
  const { rows } = await pool.query<{ dropped: number }>(
    `with past as (
       select ${identity} from ${table} where app_id = $2 and ${time} < $3::timestamptz order by ${time} limit ${batchRows} for update skip locked
     ),
     dropped as (
       delete from ${table} where (${identity}) in (select ${identity} from past) returning id, ${read}, ${reported.columns}, ${day} as day, ${startOf('1 hour', time, '$1')} as hour
     ),
     in_all as (
       update ${name}_totals as kept set stored = kept.stored - gone.rows
       from (select ${key}, count(*) as rows from dropped group by ${key} order by ${key}) as gone where ${same(key)}
     ),
     by_day as (
       update ${name}_days as kept set stored = kept.stored - gone.rows
       from (select day, ${key}, count(*) as rows from dropped group by day, ${key} order by day, ${key}) as gone where ${same(`day, ${key}`)}
     ),
     by_status as (
       update ${reported.table} as kept set stored = kept.stored - gone.rows${reported.sum === '' ? '' : ', payout = kept.payout - gone.payout'}
       from (select day, ${reported.key}, count(*) as rows${reported.sum} from dropped group by day, ${reported.key} order by day, ${reported.key}) as gone
       where ${same(`day, ${reported.key}`)}
     ),
     places as (delete from ${placeTables[name].places} as place using dropped where place.id = dropped.id returning place.*),
     by_place as (${addToPlaceDays(
       name,
       `select day, app_id, country, asn, coalesce(server_id, 0) as server_id, bot, status, -1 as n${reported.placed} from dropped join places using (id)`,
     )}),
     by_hour as (
       update ${name}_hours as kept set stored = kept.stored - gone.rows
       from (select hour, app_id, count(*) as rows from dropped group by hour, app_id order by hour, app_id) as gone where ${same('hour, app_id')}
     )${reported.ofKind}
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
