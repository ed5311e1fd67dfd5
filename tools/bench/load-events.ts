import { dayOf, formatDateTime, type Microseconds } from '@switchyard/contract/dates';
import type pg from 'pg';
import { addToRollup, countedColumns } from '@switchyard/traffic-store/postgres/rollups';
import { countrySql, typeSql } from './traffic-shape.ts';

const day = 86_400_000_000;
const days = 90;

/** Apps that carry nearly all traffic, and how many there are in all. */
export const busyApps = 200;
export const allApps = 1000;

/** Apps, their streams and the buyer who owns them; apps have the ids 1 to `allApps`. */
export async function loadApps(client: pg.ClientBase): Promise<void> {
  await client.query(`
    insert into accounts (panel, name, email) values ('buyer', 'Bench Buyer', 'buyer@bench.example');
    insert into apps (name, bundle, domain, vertical, response_message)
      select 'Bench app ' || n, 'com.bench.app' || n, 'app' || n || '.bench.example', 'bet', '{}' from generate_series(1, ${allApps}) n;
    insert into streams (uid, app_id, buyer_id, name, created_at, updated_at)
      select 'st_' || n || '_' || s, n, (select max(id) from accounts), 'Stream ' || s || ' of ' || n, now(), now()
      from generate_series(1, ${busyApps}) n, generate_series(1, 5) s;
  `);
}

export type EventLoad = {
  total: number;
  end: Microseconds;
  /** All events belong to app 1, whose lists and files are as large as can be. */
  isOneApp?: boolean;
  onProgress: (doneEvents: number) => void;
};

/** A day to be loaded: how many events are loaded before it, how many it has, and when it begins. */
export type LoadedDay = { before: number; rows: number; start: Microseconds };
type InsertDay = (loadedDay: LoadedDay) => Promise<unknown>;

/** Loads the 90 days before the end, each in order of arrival; the older half and the younger half at the same time. */
export async function loadByDay({ total, end, onProgress }: EventLoad, inserts: readonly [InsertDay, InsertDay]): Promise<void> {
  const perDay = Math.floor(total / days);
  let loadedEvents = 0;
  const loadDays = async (insert: InsertDay, from: number, until: number): Promise<void> => {
    for (let index = from; index < until; index += 1) {
      const rows = index === days - 1 ? total - perDay * (days - 1) : perDay;
      await insert({ before: index * perDay, rows, start: end - (days - index) * day });
      const before = loadedEvents;
      loadedEvents += rows;
      if (Math.floor((loadedEvents * 10) / total) > Math.floor((before * 10) / total)) onProgress(loadedEvents);
    }
  };
  await Promise.all([loadDays(inserts[0], 0, days / 2), loadDays(inserts[1], days / 2, days)]);
}

/** Number of end clients for a number of events. */
export function clientsOf({ total }: EventLoad): number {
  return Math.max(1000, Math.round(total / 8));
}

/** The first client, of one address, has about 10,000 events: this number a day, but at most one event in fifty. */
export const busiestClient = { uid: 'c-00000000', ip: '1.0.0.0', perDay: 112 } as const;

/**
 * Loads events of about 650 bytes over the 90 days before `end`, made inside the database. Indexes are built afterwards, as for any
 * bulk load, and the roll-ups are counted from the events.
 */
export async function loadEvents([first, second]: readonly [pg.ClientBase, pg.ClientBase], load: EventLoad): Promise<void> {
  const restore = await dropIndexes(first);
  const insertBy =
    (client: pg.ClientBase): InsertDay =>
    async ({ before, rows, start }) =>
      client.query(insertDay, [before, rows, `${formatDateTime(start)}+00`, clientsOf(load), load.isOneApp ?? false]);
  await loadByDay(load, [insertBy(first), insertBy(second)]);
  await raiseIds(first, load.total);
  for (const statement of restore) await first.query(statement);
  await countRollups(first);
  await first.query('vacuum analyze');
  await first.query('checkpoint');
}

/** Events that arrive later get ids after the loaded ones. */
export async function raiseIds(client: pg.ClientBase, loadedEvents: number): Promise<void> {
  await client.query(`select setval('events_id_seq', $1)`, [loadedEvents]);
}

/** Removes what makes single inserts slow; gives the statements that bring it back. */
async function dropIndexes(client: pg.ClientBase): Promise<string[]> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, replace(indexdef, ' ON ONLY ', ' ON ') as definition from pg_indexes
     where tablename = 'events' and indexname <> 'events_pkey'`,
  );
  const { rows: keys } = await client.query<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint where conrelid = 'events'::regclass and contype = 'p'`,
  );
  for (const index of indexes) await client.query(`drop index ${index.name}`);
  if (keys.length > 0) await client.query('alter table events drop constraint events_pkey');
  return [
    ...keys.map((key) => `alter table events add constraint events_pkey ${key.definition}`),
    ...indexes.map((index) => index.definition),
  ];
}

/** $1 ids before, $2 rows, $3 start of the day, $4 number of end clients, $5 whether all is of app 1. */
const insertDay = `
insert into events (id, uuid, app_id, type, flags, occurred_at, ip, country, client_uid, stream_uid, bot, postbacks_domain,
  user_agent, body_request, body_response, error, additional_data)
select $1::bigint + n, gen_random_uuid(), app, type,
  (case when type = 'error' or failed then 1 else 0 end + case when bot = 'L1 BOT' then 2 else 0 end
    + case when domain = '' then 4 else 0 end + case when qa then 8 else 0 end)::smallint,
  $3::timestamptz + ((n - random()) / $2::bigint * interval '1 day'),
  '1.0.0.0'::inet + (client * 97 % 3500000000), country, 'c-' || lpad(to_hex(client * 2654435761 % 4294967296), 8, '0'),
  case when stream = 0 or app > ${busyApps} then '' else 'st_' || app || '_' || stream end, bot, domain,
  'Mozilla/5.0 (Linux; Android 14; SM-A546B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/13' || n % 10 || '.0.0.0 Mobile Safari/537.36',
  json_build_object('gaid', gen_random_uuid(), 'device', 'SM-A546B', 'os', 'android 14', 'lang', lower(country), 'sub1', md5(n::text), 'sub2', client),
  json_build_object('url', 'https://offer.example/' || md5(client::text), 'code', 200),
  case when failed then '{"exception_type":"Notice","message":"Undefined index: sub1"}'::json end, null
from (
  select n, ${typeSql('type_chance')}::request_type as type, ${countrySql('country_chance')} as country, random() < 0.03 as failed, random() < 0.01 as qa,
    case when $5::boolean then 1 when random() < 0.95 then 1 + floor(${busyApps} * power(random(), 2))::int else 1 + floor(${allApps} * random())::int end as app,
    case when n % greatest($2::bigint / ${busiestClient.perDay}, 50) = 0 then 0 else floor(random() * $4)::bigint end as client, floor(random() * 6)::int as stream,
    case when random() < 0.05 then 'L1 BOT' when random() < 0.1 then 'CF' else '' end as bot,
    case when random() < 0.08 then '' else 'pb.bench.example' end as domain
  from generate_series(1, $2::bigint) n,
    lateral (select random() + 0 * n as type_chance, random() + 0 * n as country_chance) as drawn
) as made`;

/** Each roll-up from the next finer one, so that the events themselves are read only a few times. */
async function countRollups(client: pg.ClientBase): Promise<void> {
  const events = `(select ${countedColumns("'+00:00'")} from events)`;
  for (const table of ['traffic_breakdown', 'traffic_hours', 'traffic_all_quarters', 'traffic_app_days', 'traffic_totals'] as const) {
    await client.query(addToRollup(table, events));
  }
  const ids = 'sum(requests), min(first_id), max(last_id)';
  const outcomes = 'coalesce(sum(requests) filter (where flags & 3 = 0), 0), coalesce(sum(requests) filter (where flags & 2 <> 0), 0)';
  const ofTypes = `${outcomes}, coalesce(sum(requests) filter (where flags & 1 <> 0), 0)`;
  await client.query(`
    insert into traffic_days select day, app_id, type, flags, ${ids} from traffic_breakdown group by 1, 2, 3, 4;
    insert into traffic_day_types select day, app_id, type, ${ids}, ${ofTypes} from traffic_days group by 1, 2, 3;
    insert into traffic_country_days select day, country, type, sum(requests), ${ofTypes} from traffic_breakdown group by 1, 2, 3;
    insert into traffic_stream_days select day, app_id, stream_uid, sum(requests), ${outcomes} from traffic_breakdown group by 1, 2, 3;
    insert into traffic_asn_days
      select day, '', app_id, type, requests, first_id, last_id, successes, bots, errors from traffic_day_types;
    insert into traffic_all_days select day, type, ${ids}, sum(successes), sum(bots), sum(errors) from traffic_day_types group by 1, 2;
    insert into traffic_all_hours select hour, type, sum(requests), ${ofTypes} from traffic_hours group by 1, 2;
    insert into traffic_seen select app_id, country, stream_uid, max(day) from traffic_breakdown group by 1, 2, 3`);
}

/** Size of the events on disk, indexes included, and how many rows the roll-up of all dimensions has. */
export async function describeLoad(client: pg.ClientBase, end: Microseconds): Promise<string> {
  const { rows } = await client.query<{ events: string; breakdown: number; rows: number }>(`
    select pg_size_pretty(sum(pg_total_relation_size(inhrelid))) as events,
      (select count(*) from traffic_breakdown) as breakdown, (select sum(requests)::bigint from traffic_totals) as rows
    from pg_inherits where inhparent = 'events'::regclass`);
  const [row] = rows;
  return `${row?.rows} events until ${dayOf(end, '+00:00')}: ${row?.events} on disk with indexes, ${row?.breakdown} rows in the daily roll-up`;
}
