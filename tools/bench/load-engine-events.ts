import type { ClickHouseClient } from '@clickhouse/client';
import { formatDateTime } from '@switchyard/contract/dates';
import { allApps, busiestClient, busyApps, clientsOf, type EventLoad, loadByDay, type LoadedDay } from './load-events.ts';
import { countrySql, typeSql } from './traffic-shape.ts';

/**
 * Loads the same events into ClickHouse, made inside the engine. Each week ends as one part, as in a server whose weeks were merged in
 * the background.
 */
export async function loadEngineEvents(client: ClickHouseClient, load: EventLoad): Promise<void> {
  const insert = async ({ start, ...size }: LoadedDay) =>
    client.command({
      query: insertDay,
      query_params: { ...size, start: formatDateTime(start), clients: clientsOf(load), isOneApp: load.isOneApp ?? false },
      clickhouse_settings: { max_insert_threads: '1' },
    });
  // Each event is merged once instead of several times.
  await client.command({ query: 'system stop merges events' });
  await loadByDay(load, [insert, insert]);
  await client.command({ query: 'system start merges events' });
  const weeks = await client.query({
    query: 'select distinct toMonday(occurred_at) as week from events order by week',
    format: 'JSONEachRow',
  });
  for (const { week } of await weeks.json<{ week: string }>()) {
    await client.command({ query: `optimize table events partition '${week}' final` });
  }
}

/** The columns of `schema.ts`; `row` has the values of a `ListedEvent` at their positions. Each chance has a number, so that no two are the same. */
const insertDay = `
insert into events (id, batch, uuid, app_id, occurred_at, type, flags, country, stream_uid, bot, ip, client_uid, row)
select id, 0, uuid, app, fromUnixTimestamp64Micro(at, 'UTC'), type,
  if(type = 'error' or failed, 1, 0) + if(bot = 'L1 BOT', 2, 0) + if(domain = '', 4, 0) + if(qa, 8, 0),
  country, stream, bot, toIPv6(ip), uid,
  concat('[', id, ',"', uuid, '",', app, ',"', type, '",', at, ',"', ip, '","', country, '","', uid, '","', stream, '","', bot, '","', domain,
    '","Mozilla/5.0 (Linux; Android 14; SM-A546B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/13', id % 10, '.0.0.0 Mobile Safari/537.36",',
    '{"gaid":"', generateUUIDv4(1), '","device":"SM-A546B","os":"android 14","lang":"', lower(country), '","sub1":"', lower(hex(MD5(toString(n)))), '","sub2":', client, '},',
    '{"url":"https://offer.example/', lower(hex(MD5(toString(client)))), '","code":200},',
    if(failed, '{"exception_type":"Notice","message":"Undefined index: sub1"}', 'null'), ',null]')
from (
  select n, {before:UInt64} + n as id, generateUUIDv4(2) as uuid, app, client, failed, qa, bot, domain,
    toUnixTimestamp64Micro(toDateTime64({start:String}, 6, 'UTC')) + toInt64((n - randCanonical(1)) / {rows:UInt64} * 86400000000) as at,
    ${typeSql('type_chance')} as type, ${countrySql('country_chance')} as country,
    if(stream_number = 0 or app > ${busyApps}, '', concat('st_', app, '_', stream_number)) as stream,
    IPv4NumToString(toUInt32(16777216 + client * 97 % 3500000000)) as ip,
    concat('c-', leftPad(lower(hex(client * 2654435761 % 4294967296)), 8, '0')) as uid
  from (
    select number + 1 as n, randCanonical(2) as type_chance, randCanonical(3) as country_chance,
      randCanonical(4) < 0.03 as failed, randCanonical(5) < 0.01 as qa,
      multiIf({isOneApp:Bool}, 1, randCanonical(6) < 0.95, 1 + floor(${busyApps} * pow(randCanonical(7), 2)), 1 + floor(${allApps} * randCanonical(8)))::Int32 as app,
      if(n % greatest(intDiv({rows:UInt64}, ${busiestClient.perDay}), 50) = 0, 0, floor(randCanonical(9) * {clients:UInt64}))::UInt64 as client, floor(randCanonical(10) * 6)::UInt8 as stream_number,
      multiIf(randCanonical(11) < 0.05, 'L1 BOT', randCanonical(12) < 0.1, 'CF', '') as bot,
      if(randCanonical(13) < 0.08, '', 'pb.bench.example') as domain
    from numbers({rows:UInt64})
  )
)`;
