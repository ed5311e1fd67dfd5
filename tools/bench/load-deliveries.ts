import { formatDateTime, type Microseconds } from '@switchyard/contract/dates';
import type pg from 'pg';
import { recountDeliveries } from '@switchyard/traffic-store/postgres/upkeep/delivery-upkeep';
import { isPushSuccess } from '@switchyard/traffic-store/postgres/deliveries/add-deliveries';

/** Factor by which pushes, and conversions, are fewer than events. */
export const eventsPerDelivery = 10;

/**
 * Loads this number of pushes and of conversions over the 90 days before `end`: half of them belong to app 1, whose lists are deep,
 * the others to the first 200 apps.
 */
export async function loadDeliveries(client: pg.ClientBase, total: number, end: Microseconds): Promise<void> {
  const values = [total, `${formatDateTime(end)}+00`];
  await client.query('begin');
  // Vacuum marks no page as visible to all whose commit is not on disk yet.
  await client.query('set local synchronous_commit = on');
  await client.query(insertPushes, values);
  await client.query(insertConversions, values);
  await recountDeliveries(client, '+00:00');
  await client.query(countTotals);
  await client.query('commit');
  await client.query('vacuum analyze pushes');
  await client.query('vacuum analyze conversions');
}

/** $1 how many, $2 their end: each of them a little younger than the one before. */
const deliveries = `
  select n, case when random() < 0.5 then 1 else 1 + floor(200 * power(random(), 2))::int end as app,
    $2::timestamptz - ($1::bigint - n + random()) / $1::bigint * interval '90 days' as at, random() as chance,
    'c-' || substr(md5(random()::text), 1, 8) as client
  from generate_series(1, $1::bigint) n`;

const insertPushes = `
insert into pushes (app_id, uuid, push_id, push_name, push_message, uid, client_uid, push_campaign_uid, send_at, status, error, updated_at)
select app, gen_random_uuid(), 'p-' || n, 'Welcome ' || n, json_build_object('notification', json_build_object('title', 'Hello', 'body', md5(n::text))),
  'u-' || substr(md5(n::text), 1, 8), client, 'pc-' || n % 40, at,
  case when chance < 0.7 then 'sent' when chance < 0.9 then 'success' when chance < 0.95 then 'pending' else 'error' end,
  case when chance >= 0.95 then 'NotRegistered' end, at
from (${deliveries}) as made`;

const insertConversions = `
insert into conversions (app_id, uuid, source, client_uid, stream_uid, click_id, status_conversion, payout, status, error, is_send, is_qa, created_at)
select app, gen_random_uuid(), 'appsflyer', client, 'st_' || app || '_' || 1 + n % 5, md5(n::text),
  case when chance < 0.6 then 'install' when chance < 0.8 then 'registration' else 'deposit' end, (chance * 100)::numeric(16, 4),
  case when chance < 0.9 then 'success' when chance < 0.95 then 'duplicate' else 'error' end, case when chance >= 0.95 then 'Rejected' end,
  n % 3 <> 0, n % 100 = 0, at
from (${deliveries}) as made`;

const countTotals = `
insert into push_totals (app_id, is_success, delivered, stored)
  select app_id, ${isPushSuccess} as is_success, count(*), count(*) from pushes group by 1, 2;
insert into conversion_totals (app_id, status_conversion, status, is_send, is_qa, delivered, stored)
  select app_id, status_conversion, status, is_send, is_qa, count(*), count(*) from conversions group by 1, 2, 3, 4, 5`;
