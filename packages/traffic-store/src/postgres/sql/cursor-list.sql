-- everything

select id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, case when ip <<= inet '::/96' and not ip <<= inet '::/112' then
    (select concat('::', to_hex(bytes[1]::integer * 256 + bytes[2]::integer), ':', to_hex(bytes[3]::integer * 256 + bytes[4]::integer)) from string_to_array(substr(host(ip), 3), '.') as bytes) else host(ip) end, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request::text, body_response::text, error::text, additional_data::text, server_id, (select bundle from apps where apps.id = selected.app_id), (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id) from (select * from events  order by occurred_at desc, id desc limit 21) as selected;

-- one app

select id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, case when ip <<= inet '::/96' and not ip <<= inet '::/112' then
    (select concat('::', to_hex(bytes[1]::integer * 256 + bytes[2]::integer), ':', to_hex(bytes[3]::integer * 256 + bytes[4]::integer)) from string_to_array(substr(host(ip), 3), '.') as bytes) else host(ip) end, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request::text, body_response::text, error::text, additional_data::text, server_id, (select bundle from apps where apps.id = selected.app_id), (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id) from (select * from (select * from events where app_id = $1::integer order by occurred_at desc, id desc limit 5) as near  order by occurred_at desc, id desc limit 21) as selected;

select id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, case when ip <<= inet '::/96' and not ip <<= inet '::/112' then
    (select concat('::', to_hex(bytes[1]::integer * 256 + bytes[2]::integer), ':', to_hex(bytes[3]::integer * 256 + bytes[4]::integer)) from string_to_array(substr(host(ip), 3), '.') as bytes) else host(ip) end, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request::text, body_response::text, error::text, additional_data::text, server_id, (select bundle from apps where apps.id = selected.app_id), (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id) from (select * from (select * from events where app_id = $1::integer order by occurred_at desc, id desc limit 40) as near  order by occurred_at desc, id desc limit 21) as selected;

-- types, countries and streams

select id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, case when ip <<= inet '::/96' and not ip <<= inet '::/112' then
    (select concat('::', to_hex(bytes[1]::integer * 256 + bytes[2]::integer), ':', to_hex(bytes[3]::integer * 256 + bytes[4]::integer)) from string_to_array(substr(host(ip), 3), '.') as bytes) else host(ip) end, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request::text, body_response::text, error::text, additional_data::text, server_id, (select bundle from apps where apps.id = selected.app_id), (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id) from (select * from (select * from events  order by occurred_at desc, id desc limit 5) as near where app_id = any((select $1)::integer[]) and (type = (select $2)::request_type or flags = any('{1,3,5,7,9,11,13,15}'::smallint[])) and country = (select $3)::text and stream_uid = (select $4)::text order by occurred_at desc, id desc limit 21) as selected;

select day::text as day, extract(epoch from day)::bigint as starts, null as type, sum(requests)::bigint as matches, min(first_id) as first_id,
    max(last_id) as last_id from (select day, type, requests, first_id, last_id from traffic_all_days where day between (select min(day) from traffic_day_types) and (select max(day) from traffic_day_types)) as counted group by day order by day;

select day::text as day, extract(epoch from day)::bigint as starts, null as type, sum(requests)::bigint as matches, min(first_id) as first_id,
    max(last_id) as last_id from (select day, type, requests, first_id, last_id from traffic_breakdown where day = any($1::date[]) and app_id = any($2::integer[]) and (type = $3::request_type or flags = any('{1,3,5,7,9,11,13,15}'::smallint[])) and country = $4::text and stream_uid = $5::text) as counted group by day order by day;

select id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, case when ip <<= inet '::/96' and not ip <<= inet '::/112' then
    (select concat('::', to_hex(bytes[1]::integer * 256 + bytes[2]::integer), ':', to_hex(bytes[3]::integer * 256 + bytes[4]::integer)) from string_to_array(substr(host(ip), 3), '.') as bytes) else host(ip) end, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request::text, body_response::text, error::text, additional_data::text, server_id, (select bundle from apps where apps.id = selected.app_id), (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id) from (select found.* from (select day as slice_day, app_id as slice_app, count(*) <= 20 and max(requests) <= 2 as has_ids,
    array_agg(first_id) || array_agg(last_id) as ids from traffic_breakdown
    where day = any($1::date[]) and app_id = any($3::integer[]) and (type = $4::request_type or flags = any('{1,3,5,7,9,11,13,15}'::smallint[])) and country = $5::text and stream_uid = $6::text group by day, app_id) as slice cross join lateral (
      (select one.* from (select distinct unnest(ids) as known_id) as known cross join lateral
        (select * from events where has_ids and id = known_id and app_id = slice_app and occurred_at >= (slice_day::timestamp - $2::interval) at time zone 'UTC' and occurred_at < (slice_day::timestamp + interval '1 day' - $2::interval) at time zone 'UTC' and (type = $7::request_type or flags = any('{1,3,5,7,9,11,13,15}'::smallint[])) and country = $8::text and stream_uid = $9::text limit 1) as one)
      union all (select * from events where not has_ids and app_id = slice_app and occurred_at >= (slice_day::timestamp - $2::interval) at time zone 'UTC' and occurred_at < (slice_day::timestamp + interval '1 day' - $2::interval) at time zone 'UTC' and (type = $7::request_type or flags = any('{1,3,5,7,9,11,13,15}'::smallint[])) and country = $8::text and stream_uid = $9::text order by occurred_at desc, id desc limit 21)
    ) as found  order by occurred_at desc, id desc limit 21) as selected;

-- a range that cuts days

select id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, case when ip <<= inet '::/96' and not ip <<= inet '::/112' then
    (select concat('::', to_hex(bytes[1]::integer * 256 + bytes[2]::integer), ':', to_hex(bytes[3]::integer * 256 + bytes[4]::integer)) from string_to_array(substr(host(ip), 3), '.') as bytes) else host(ip) end, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request::text, body_response::text, error::text, additional_data::text, server_id, (select bundle from apps where apps.id = selected.app_id), (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id) from (select * from (select * from events where occurred_at >= $1::timestamptz and occurred_at < $2::timestamptz order by occurred_at desc, id desc limit 5) as near where (type = (select $3)::request_type) order by occurred_at desc, id desc limit 21) as selected;

select day::text as day, extract(epoch from day)::bigint as starts, null as type, sum(requests)::bigint as matches, min(first_id) as first_id,
    max(last_id) as last_id from (select day, type, requests, first_id, last_id from traffic_all_days where day between $1::date and $2::date) as counted group by day order by day;

select day::text as day, extract(epoch from day)::bigint as starts, null as type, sum(requests)::bigint as matches, min(first_id) as first_id,
    max(last_id) as last_id from (select day, type, requests, first_id, last_id from traffic_all_days where day = any($1::date[]) and (type = $2::request_type)) as counted group by day order by day;

select id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, case when ip <<= inet '::/96' and not ip <<= inet '::/112' then
    (select concat('::', to_hex(bytes[1]::integer * 256 + bytes[2]::integer), ':', to_hex(bytes[3]::integer * 256 + bytes[4]::integer)) from string_to_array(substr(host(ip), 3), '.') as bytes) else host(ip) end, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request::text, body_response::text, error::text, additional_data::text, server_id, (select bundle from apps where apps.id = selected.app_id), (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id) from (select found.* from (select day as slice_day, app_id as slice_app, count(*) <= 20 and max(requests) <= 2 as has_ids,
    array_agg(first_id) || array_agg(last_id) as ids from traffic_day_types
    where day = any($1::date[]) and (type = $3::request_type) group by day, app_id) as slice cross join lateral (
      (select one.* from (select distinct unnest(ids) as known_id) as known cross join lateral
        (select * from events where has_ids and id = known_id and app_id = slice_app and occurred_at >= (slice_day::timestamp - $2::interval) at time zone 'UTC' and occurred_at < (slice_day::timestamp + interval '1 day' - $2::interval) at time zone 'UTC' and (type = $4::request_type) and occurred_at >= $5::timestamptz and occurred_at < $6::timestamptz limit 1) as one)
      union all (select * from events where not has_ids and app_id = slice_app and occurred_at >= (slice_day::timestamp - $2::interval) at time zone 'UTC' and occurred_at < (slice_day::timestamp + interval '1 day' - $2::interval) at time zone 'UTC' and (type = $4::request_type) and occurred_at >= $5::timestamptz and occurred_at < $6::timestamptz order by occurred_at desc, id desc limit 21)
    ) as found  order by occurred_at desc, id desc limit 21) as selected;

-- an address block

with matched as materialized ((select * from events where (client_uid collate "C" between $1::text and $2::text and lower(client_uid) collate "C" between (lower($1::text) collate "C") and (lower($2::text) collate "C")) limit 500) union all (select * from events where ip between $3::inet and $4::inet and not ((client_uid collate "C" between $1::text and $2::text and lower(client_uid) collate "C" between (lower($1::text) collate "C") and (lower($2::text) collate "C"))) limit 500))
    select page, (select count(*)::integer from matched) as matches from (select coalesce(json_agg(json_build_array(id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, case when ip <<= inet '::/96' and not ip <<= inet '::/112' then
    (select concat('::', to_hex(bytes[1]::integer * 256 + bytes[2]::integer), ':', to_hex(bytes[3]::integer * 256 + bytes[4]::integer)) from string_to_array(substr(host(ip), 3), '.') as bytes) else host(ip) end, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request::text, body_response::text, error::text, additional_data::text, server_id, (select bundle from apps where apps.id = selected.app_id), (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id))), '[]') as page from (select * from matched where (ip between $5::inet and $6::inet or (client_uid collate "C" between $7::text and $8::text and lower(client_uid) collate "C" between (lower($7::text) collate "C") and (lower($8::text) collate "C"))) order by occurred_at desc, id desc limit 21) as selected) as found;

-- one client

with matched as materialized ((select * from events where lower(client_uid) collate "C" = lower($1) collate "C" and client_uid = $1 limit 500))
    select page, (select count(*)::integer from matched) as matches from (select coalesce(json_agg(json_build_array(id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, case when ip <<= inet '::/96' and not ip <<= inet '::/112' then
    (select concat('::', to_hex(bytes[1]::integer * 256 + bytes[2]::integer), ':', to_hex(bytes[3]::integer * 256 + bytes[4]::integer)) from string_to_array(substr(host(ip), 3), '.') as bytes) else host(ip) end, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request::text, body_response::text, error::text, additional_data::text, server_id, (select bundle from apps where apps.id = selected.app_id), (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id))), '[]') as page from (select * from matched where lower(client_uid) collate "C" = lower($2) collate "C" and client_uid = $2 order by occurred_at desc, id desc limit 21) as selected) as found;

-- autonomous systems

select id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, case when ip <<= inet '::/96' and not ip <<= inet '::/112' then
    (select concat('::', to_hex(bytes[1]::integer * 256 + bytes[2]::integer), ':', to_hex(bytes[3]::integer * 256 + bytes[4]::integer)) from string_to_array(substr(host(ip), 3), '.') as bytes) else host(ip) end, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request::text, body_response::text, error::text, additional_data::text, server_id, (select bundle from apps where apps.id = selected.app_id), (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id) from (select * from (select * from events  order by occurred_at desc, id desc limit 5) as near where asn = (select $1)::text order by occurred_at desc, id desc limit 21) as selected;

select day::text as day, extract(epoch from day)::bigint as starts, null as type, sum(requests)::bigint as matches, min(first_id) as first_id,
    max(last_id) as last_id from (select day, type, requests, first_id, last_id from traffic_all_days where day between (select min(day) from traffic_day_types) and (select max(day) from traffic_day_types)) as counted group by day order by day;

select day::text as day, extract(epoch from day)::bigint as starts, null as type, sum(requests)::bigint as matches, min(first_id) as first_id,
    max(last_id) as last_id from (select day, type, requests, first_id, last_id from traffic_asn_days where day = any($1::date[]) and asn = $2::text) as counted group by day order by day;

-- labels, and all but a country

select id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, case when ip <<= inet '::/96' and not ip <<= inet '::/112' then
    (select concat('::', to_hex(bytes[1]::integer * 256 + bytes[2]::integer), ':', to_hex(bytes[3]::integer * 256 + bytes[4]::integer)) from string_to_array(substr(host(ip), 3), '.') as bytes) else host(ip) end, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request::text, body_response::text, error::text, additional_data::text, server_id, (select bundle from apps where apps.id = selected.app_id), (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id) from (select * from (select * from events  order by occurred_at desc, id desc limit 5) as near where country <> all((select $1)::text[]) and (flags = any('{2,3,6,7,10,11,14,15}'::smallint[]) and string_to_array(bot, ' ') && (select $2)::text[] or bot = '') order by occurred_at desc, id desc limit 21) as selected;

select id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, case when ip <<= inet '::/96' and not ip <<= inet '::/112' then
    (select concat('::', to_hex(bytes[1]::integer * 256 + bytes[2]::integer), ':', to_hex(bytes[3]::integer * 256 + bytes[4]::integer)) from string_to_array(substr(host(ip), 3), '.') as bytes) else host(ip) end, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request::text, body_response::text, error::text, additional_data::text, server_id, (select bundle from apps where apps.id = selected.app_id), (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id) from (select * from events where country <> all($1::text[]) and (flags = any('{2,3,6,7,10,11,14,15}'::smallint[]) and string_to_array(bot, ' ') && $2::text[] or bot = '') order by occurred_at desc, id desc limit 21) as selected;
