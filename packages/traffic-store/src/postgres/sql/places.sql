-- the places of deliveries


select place.country, place.asn, place.server_id as "serverId", place.bot
from unnest($1::integer[], $2::text[], $3::timestamptz[]) with ordinality as asked (app_id, client_uid, at, number)
left join lateral (
  (
    select country, asn, server_id, bot from (
      select occurred_at, uuid, app_id, type, country, asn, server_id, bot from events
      where lower(events.client_uid) collate "C" = lower(asked.client_uid) collate "C" and events.client_uid = asked.client_uid
        and occurred_at <= asked.at and occurred_at >= asked.at - $4::interval
      order by occurred_at desc limit 10000
    ) as own where app_id = asked.app_id and type = 'create' order by occurred_at desc, uuid desc limit 1
  ) union all (
    select country, asn, server_id, bot from (
      select occurred_at, uuid, app_id, type, country, asn, server_id, bot from events
      where lower(events.client_uid) collate "C" = lower(asked.client_uid) collate "C" and events.client_uid = asked.client_uid
        and occurred_at <= asked.at and occurred_at >= asked.at - $4::interval
      order by occurred_at desc limit 10000
    ) as own where app_id = asked.app_id  order by occurred_at desc, uuid desc limit 1
  ) limit 1
) as place on true
order by number;
