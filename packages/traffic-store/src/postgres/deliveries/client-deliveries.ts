import type { ConversionRow } from '@switchyard/contract/conversions';
import type { Microseconds } from '@switchyard/contract/dates';
import type { PushRow } from '@switchyard/contract/pushes';
import type pg from 'pg';
import type { ClientDeliveries, ClientDelivery, ClientScope, DeliveryKind } from '../../delivery-store.ts';
import { newParameters, type Parameters, timestamp } from '../event-conditions.ts';
import { columnsOf, conversionList, type FoundConversion, type FoundPush, pushList } from './list-deliveries.ts';

/** Pushes to a client, newest first. */
export async function listPushesOfClient(pool: pg.Pool, query: ClientDeliveries): Promise<ClientDelivery<PushRow>[]> {
  const rows = await readRows<FoundPush>(pool, { table: 'pushes', time: 'send_at', columns: columnsOf(pushList, query.place) }, query);
  return rows.map(({ app_id: appId, ...row }) => ({ appId, at: row.send_at, row: pushList.toRow(row) }));
}

/** Conversions of a client, newest first. */
export async function listConversionsOfClient(pool: pg.Pool, query: ClientDeliveries): Promise<ClientDelivery<ConversionRow>[]> {
  const rows = await readRows<FoundConversion>(
    pool,
    { table: 'conversions', time: 'created_at', columns: columnsOf(conversionList, query.place) },
    query,
  );
  return rows.map(({ app_id: appId, ...row }) => ({ appId, at: row.created_at, row: conversionList.toRow(row) }));
}

/** How many deliveries to a client there are, and the id of the one that arrived last. */
export async function countDeliveriesOfClient(
  pool: pg.Pool,
  kind: DeliveryKind,
  query: ClientScope,
): Promise<{ total: number; lastId: number }> {
  const parameters = newParameters();
  const table = kind === 'push' ? 'pushes' : 'conversions';
  const { rows } = await pool.query<{ total: number; last_id: number }>({
    text: `select count(*) as total, coalesce(max(id), 0) as last_id from ${table} where ${conditionsOf(query, parameters).join(' and ')}`,
    values: parameters.values,
  });
  return { total: rows[0]?.total ?? 0, lastId: rows[0]?.last_id ?? 0 };
}

type Source = { table: 'pushes' | 'conversions'; time: 'send_at' | 'created_at'; columns: string };

async function readRows<Found extends { send_at: Microseconds } | { created_at: Microseconds }>(
  pool: pg.Pool,
  { table, time, columns }: Source,
  query: ClientDeliveries,
): Promise<(Found & { app_id: number })[]> {
  const parameters = newParameters();
  const conditions = conditionsOf(query, parameters);
  if (query.before !== undefined) {
    const at = `${parameters.add(timestamp(query.before.at))}::timestamptz`;
    conditions.push(`(${time}, id) < (${at}, ${parameters.add(query.before.id)}::bigint)`);
  }
  if (query.afterId !== undefined) conditions.push(`id > ${parameters.add(query.afterId)}::bigint`);
  const text = `select app_id, ${columns} from ${table} as kept where ${conditions.join(' and ')}
    order by kept.${time} desc, kept.id desc limit ${parameters.add(query.limit)}::integer`;
  return (await pool.query<Found & { app_id: number }>({ text, values: parameters.values })).rows;
}

function conditionsOf({ clientUid, scope }: ClientScope, parameters: Parameters): string[] {
  const client = `client_uid collate "C" = ${parameters.add(clientUid)}::text`;
  return scope === 'all' ? [client] : [client, `app_id = any(${parameters.add(scope)}::integer[])`];
}
