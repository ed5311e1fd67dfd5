-- everything

with days as materialized (select day::text as day, extract(epoch from day)::bigint as starts, null as type, sum(requests)::bigint as matches, min(first_id) as first_id,
    max(last_id) as last_id from (select day, type, requests, first_id, last_id from traffic_all_days where day between (select min(day) from traffic_day_types) and (select max(day) from traffic_day_types)) as counted group by day order by day),
    placed as (select day::date as day, matches, sum(matches) over (order by day desc) as reached from days),
    held as materialized (select * from placed where reached > $1::bigint and reached - matches < $1::bigint + 20)
    select page, (select coalesce(sum(matches), 0)::bigint from days) as total from (select coalesce(json_agg(json_build_array(id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, case when ip <<= inet '::/96' and not ip <<= inet '::/112' then
    (select concat('::', to_hex(bytes[1]::integer * 256 + bytes[2]::integer), ':', to_hex(bytes[3]::integer * 256 + bytes[4]::integer)) from string_to_array(substr(host(ip), 3), '.') as bytes) else host(ip) end, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request::text, body_response::text, error::text, additional_data::text, server_id, (select bundle from apps where apps.id = selected.app_id), (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id))), '[]') as page from (select events.* from (select * from (select found.* from (select day as slice_day, app_id as slice_app, count(*) <= 20 and max(requests) <= 2 as has_ids,
    array_agg(first_id) || array_agg(last_id) as ids from traffic_day_types
    where day = any(array(select day from held)) group by day, app_id) as slice cross join lateral (
      (select one.* from (select distinct unnest(ids) as known_id) as known cross join lateral
        (select occurred_at, app_id, id from events where has_ids and id = known_id and app_id = slice_app and occurred_at >= (slice_day::timestamp - $2::interval) at time zone 'UTC' and occurred_at < (slice_day::timestamp + interval '1 day' - $2::interval) at time zone 'UTC' limit 1) as one)
      union all (select occurred_at, app_id, id from events where not has_ids and app_id = slice_app and occurred_at >= (slice_day::timestamp - $2::interval) at time zone 'UTC' and occurred_at < (slice_day::timestamp + interval '1 day' - $2::interval) at time zone 'UTC' order by events.occurred_at desc, events.id desc limit $1::bigint - (select min(reached - matches) from held) + 20)
    ) as found) as events order by events.occurred_at desc, events.id desc limit 20 offset $1::bigint - (select min(reached - matches) from held)) as keys cross join lateral (select * from events where events.occurred_at = keys.occurred_at
    and events.app_id = keys.app_id and events.id = keys.id limit 1) as events order by events.occurred_at desc, events.id desc) as selected) as found;

-- one app

with days as materialized (select day::text as day, extract(epoch from day)::bigint as starts, null as type, sum(requests)::bigint as matches, min(first_id) as first_id,
    max(last_id) as last_id from (select day, type, requests, first_id, last_id from traffic_day_types where day = any(array(select generate_series((select min(day) from traffic_day_types), (select max(day) from traffic_day_types), interval '1 day')::date)) and app_id = $1::integer) as counted group by day order by day),
    placed as (select day::date as day, matches, sum(matches) over (order by day desc) as reached from days),
    held as materialized (select * from placed where reached > $2::bigint and reached - matches < $2::bigint + 20)
    select page, (select coalesce(sum(matches), 0)::bigint from days) as total from (select coalesce(json_agg(json_build_array(id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, case when ip <<= inet '::/96' and not ip <<= inet '::/112' then
    (select concat('::', to_hex(bytes[1]::integer * 256 + bytes[2]::integer), ':', to_hex(bytes[3]::integer * 256 + bytes[4]::integer)) from string_to_array(substr(host(ip), 3), '.') as bytes) else host(ip) end, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request::text, body_response::text, error::text, additional_data::text, server_id, (select bundle from apps where apps.id = selected.app_id), (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id))), '[]') as page from (select events.* from (select * from (select found.* from (select day as slice_day, app_id as slice_app, count(*) <= 20 and max(requests) <= 2 as has_ids,
    array_agg(first_id) || array_agg(last_id) as ids from traffic_day_types
    where day = any(array(select day from held)) and app_id = $4::integer group by day, app_id) as slice cross join lateral (
      (select one.* from (select distinct unnest(ids) as known_id) as known cross join lateral
        (select occurred_at, app_id, id from events where has_ids and id = known_id and app_id = slice_app and occurred_at >= (slice_day::timestamp - $3::interval) at time zone 'UTC' and occurred_at < (slice_day::timestamp + interval '1 day' - $3::interval) at time zone 'UTC' limit 1) as one)
      union all (select occurred_at, app_id, id from events where not has_ids and app_id = slice_app and occurred_at >= (slice_day::timestamp - $3::interval) at time zone 'UTC' and occurred_at < (slice_day::timestamp + interval '1 day' - $3::interval) at time zone 'UTC' order by events.occurred_at desc, events.id desc limit $2::bigint - (select min(reached - matches) from held) + 20)
    ) as found) as events order by events.occurred_at desc, events.id desc limit 20 offset $2::bigint - (select min(reached - matches) from held)) as keys cross join lateral (select * from events where events.occurred_at = keys.occurred_at
    and events.app_id = keys.app_id and events.id = keys.id limit 1) as events order by events.occurred_at desc, events.id desc) as selected) as found;

-- types, countries and streams

with days as materialized (select day::text as day, extract(epoch from day)::bigint as starts, null as type, sum(requests)::bigint as matches, min(first_id) as first_id,
    max(last_id) as last_id from (select day, type, requests, first_id, last_id from traffic_breakdown where day between (select min(day) from traffic_day_types) and (select max(day) from traffic_day_types) and app_id = any($1::integer[]) and (type = $2::request_type or flags = any('{1,3,5,7,9,11,13,15}'::smallint[])) and country = $3::text and stream_uid = $4::text) as counted group by day order by day),
    placed as (select day::date as day, matches, sum(matches) over (order by day desc) as reached from days),
    held as materialized (select * from placed where reached > $5::bigint and reached - matches < $5::bigint + 20)
    select page, (select coalesce(sum(matches), 0)::bigint from days) as total from (select coalesce(json_agg(json_build_array(id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, case when ip <<= inet '::/96' and not ip <<= inet '::/112' then
    (select concat('::', to_hex(bytes[1]::integer * 256 + bytes[2]::integer), ':', to_hex(bytes[3]::integer * 256 + bytes[4]::integer)) from string_to_array(substr(host(ip), 3), '.') as bytes) else host(ip) end, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request::text, body_response::text, error::text, additional_data::text, server_id, (select bundle from apps where apps.id = selected.app_id), (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id))), '[]') as page from (select events.* from (select * from (select found.* from (select day as slice_day, app_id as slice_app, count(*) <= 20 and max(requests) <= 2 as has_ids,
    array_agg(first_id) || array_agg(last_id) as ids from traffic_breakdown
    where day = any(array(select day from held)) and app_id = any($7::integer[]) and (type = $8::request_type or flags = any('{1,3,5,7,9,11,13,15}'::smallint[])) and country = $9::text and stream_uid = $10::text group by day, app_id) as slice cross join lateral (
      (select one.* from (select distinct unnest(ids) as known_id) as known cross join lateral
        (select occurred_at, app_id, id from events where has_ids and id = known_id and app_id = slice_app and occurred_at >= (slice_day::timestamp - $6::interval) at time zone 'UTC' and occurred_at < (slice_day::timestamp + interval '1 day' - $6::interval) at time zone 'UTC' and (type = $11::request_type or flags = any('{1,3,5,7,9,11,13,15}'::smallint[])) and country = $12::text and stream_uid = $13::text limit 1) as one)
      union all (select occurred_at, app_id, id from events where not has_ids and app_id = slice_app and occurred_at >= (slice_day::timestamp - $6::interval) at time zone 'UTC' and occurred_at < (slice_day::timestamp + interval '1 day' - $6::interval) at time zone 'UTC' and (type = $11::request_type or flags = any('{1,3,5,7,9,11,13,15}'::smallint[])) and country = $12::text and stream_uid = $13::text order by events.occurred_at desc, events.id desc limit $5::bigint - (select min(reached - matches) from held) + 20)
    ) as found) as events order by events.occurred_at desc, events.id desc limit 20 offset $5::bigint - (select min(reached - matches) from held)) as keys cross join lateral (select * from events where events.occurred_at = keys.occurred_at
    and events.app_id = keys.app_id and events.id = keys.id limit 1) as events order by events.occurred_at desc, events.id desc) as selected) as found;

-- a range that cuts days

with days as materialized (select day::text as day, extract(epoch from day)::bigint as starts, null as type, sum(requests)::bigint as matches, min(first_id) as first_id,
    max(last_id) as last_id from (select day, type, requests, first_id, last_id from traffic_all_days where day between $1::date and $2::date and (type = $3::request_type) union all select (start at time zone 'UTC' + $7::interval)::date as day, type, requests, first_id, last_id from (select date_bin('1 day', occurred_at, timestamptz 'epoch' - $7::interval) as start, null::request_type as type,
    count(*) as requests, min(id) as first_id, max(id) as last_id
    from events where true and (type = $4::request_type) and occurred_at >= $5::timestamptz and occurred_at < $6::timestamptz group by 1, 2) as binned union all select (start at time zone 'UTC' + $11::interval)::date as day, type, requests, first_id, last_id from (select date_bin('1 day', occurred_at, timestamptz 'epoch' - $11::interval) as start, null::request_type as type,
    count(*) as requests, min(id) as first_id, max(id) as last_id
    from events where true and (type = $8::request_type) and occurred_at >= $9::timestamptz and occurred_at < $10::timestamptz group by 1, 2) as binned) as counted group by day order by day),
    placed as (select day::date as day, matches, sum(matches) over (order by day desc) as reached from days),
    held as materialized (select * from placed where reached > $12::bigint and reached - matches < $12::bigint + 20)
    select page, (select coalesce(sum(matches), 0)::bigint from days) as total from (select coalesce(json_agg(json_build_array(id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, case when ip <<= inet '::/96' and not ip <<= inet '::/112' then
    (select concat('::', to_hex(bytes[1]::integer * 256 + bytes[2]::integer), ':', to_hex(bytes[3]::integer * 256 + bytes[4]::integer)) from string_to_array(substr(host(ip), 3), '.') as bytes) else host(ip) end, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request::text, body_response::text, error::text, additional_data::text, server_id, (select bundle from apps where apps.id = selected.app_id), (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id))), '[]') as page from (select events.* from (select * from (select found.* from (select day as slice_day, app_id as slice_app, count(*) <= 20 and max(requests) <= 2 as has_ids,
    array_agg(first_id) || array_agg(last_id) as ids from traffic_day_types
    where day = any(array(select day from held)) and (type = $14::request_type) group by day, app_id) as slice cross join lateral (
      (select one.* from (select distinct unnest(ids) as known_id) as known cross join lateral
        (select occurred_at, app_id, id from events where has_ids and id = known_id and app_id = slice_app and occurred_at >= (slice_day::timestamp - $13::interval) at time zone 'UTC' and occurred_at < (slice_day::timestamp + interval '1 day' - $13::interval) at time zone 'UTC' and (type = $15::request_type) and occurred_at >= $16::timestamptz and occurred_at < $17::timestamptz limit 1) as one)
      union all (select occurred_at, app_id, id from events where not has_ids and app_id = slice_app and occurred_at >= (slice_day::timestamp - $13::interval) at time zone 'UTC' and occurred_at < (slice_day::timestamp + interval '1 day' - $13::interval) at time zone 'UTC' and (type = $15::request_type) and occurred_at >= $16::timestamptz and occurred_at < $17::timestamptz order by events.occurred_at desc, events.id desc limit $12::bigint - (select min(reached - matches) from held) + 20)
    ) as found) as events order by events.occurred_at desc, events.id desc limit 20 offset $12::bigint - (select min(reached - matches) from held)) as keys cross join lateral (select * from events where events.occurred_at = keys.occurred_at
    and events.app_id = keys.app_id and events.id = keys.id limit 1) as events order by events.occurred_at desc, events.id desc) as selected) as found;

-- an address block

select day::text as day from (select distinct day from traffic_app_days where day between (select min(day) from traffic_day_types) and (select max(day) from traffic_day_types) and not ((starts_with(first_uid, lower($1)) and starts_with(last_uid, lower($1))) or (first_ip >= $2::inet and last_ip <= $3::inet)) limit 9) as found;

select day::text as day, extract(epoch from day)::bigint as starts, null as type, sum(requests)::bigint as matches, min(first_id) as first_id,
    max(last_id) as last_id from (select (start at time zone 'UTC' + $5::interval)::date as day, type, requests, first_id, last_id from (select date_bin('1 day', occurred_at, timestamptz 'epoch' - $5::interval) as start, null::request_type as type,
    count(*) as requests, min(id) as first_id, max(id) as last_id
    from events where true and (ip between $1::inet and $2::inet or (client_uid collate "C" between $3::text and $4::text and lower(client_uid) collate "C" between (lower($3::text) collate "C") and (lower($4::text) collate "C"))) group by 1, 2) as binned) as counted group by day order by day;

-- one client

select day::text as day, extract(epoch from day)::bigint as starts, null as type, sum(requests)::bigint as matches, min(first_id) as first_id,
    max(last_id) as last_id from (select (start at time zone 'UTC' + $2::interval)::date as day, type, requests, first_id, last_id from (select date_bin('1 day', occurred_at, timestamptz 'epoch' - $2::interval) as start, null::request_type as type,
    count(*) as requests, min(id) as first_id, max(id) as last_id
    from events where true and lower(client_uid) collate "C" = lower($1) collate "C" and client_uid = $1 group by 1, 2) as binned) as counted group by day order by day;

-- autonomous systems

with days as materialized (select day::text as day, extract(epoch from day)::bigint as starts, null as type, sum(requests)::bigint as matches, min(first_id) as first_id,
    max(last_id) as last_id from (select day, type, requests, first_id, last_id from traffic_asn_days where day between (select min(day) from traffic_day_types) and (select max(day) from traffic_day_types) and asn = $1::text) as counted group by day order by day),
    placed as (select day::date as day, matches, sum(matches) over (order by day desc) as reached from days),
    held as materialized (select * from placed where reached > $2::bigint and reached - matches < $2::bigint + 20)
    select page, (select coalesce(sum(matches), 0)::bigint from days) as total from (select coalesce(json_agg(json_build_array(id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, case when ip <<= inet '::/96' and not ip <<= inet '::/112' then
    (select concat('::', to_hex(bytes[1]::integer * 256 + bytes[2]::integer), ':', to_hex(bytes[3]::integer * 256 + bytes[4]::integer)) from string_to_array(substr(host(ip), 3), '.') as bytes) else host(ip) end, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request::text, body_response::text, error::text, additional_data::text, server_id, (select bundle from apps where apps.id = selected.app_id), (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id))), '[]') as page from (select events.* from (select * from (select found.* from (select day as slice_day, app_id as slice_app, count(*) <= 20 and max(requests) <= 2 as has_ids,
    array_agg(first_id) || array_agg(last_id) as ids from traffic_asn_days
    where day = any(array(select day from held)) and asn = $4::text group by day, app_id) as slice cross join lateral (
      (select one.* from (select distinct unnest(ids) as known_id) as known cross join lateral
        (select occurred_at, app_id, id from events where has_ids and id = known_id and app_id = slice_app and occurred_at >= (slice_day::timestamp - $3::interval) at time zone 'UTC' and occurred_at < (slice_day::timestamp + interval '1 day' - $3::interval) at time zone 'UTC' and asn = $5::text limit 1) as one)
      union all (select occurred_at, app_id, id from events where not has_ids and app_id = slice_app and occurred_at >= (slice_day::timestamp - $3::interval) at time zone 'UTC' and occurred_at < (slice_day::timestamp + interval '1 day' - $3::interval) at time zone 'UTC' and asn = $5::text order by events.occurred_at desc, events.id desc limit $2::bigint - (select min(reached - matches) from held) + 20)
    ) as found) as events order by events.occurred_at desc, events.id desc limit 20 offset $2::bigint - (select min(reached - matches) from held)) as keys cross join lateral (select * from events where events.occurred_at = keys.occurred_at
    and events.app_id = keys.app_id and events.id = keys.id limit 1) as events order by events.occurred_at desc, events.id desc) as selected) as found;

-- labels, and all but a country

select day::text as day, extract(epoch from day)::bigint as starts, null as type, sum(requests)::bigint as matches, min(first_id) as first_id,
    max(last_id) as last_id from (select (start at time zone 'UTC' + $3::interval)::date as day, type, requests, first_id, last_id from (select date_bin('1 day', occurred_at, timestamptz 'epoch' - $3::interval) as start, null::request_type as type,
    count(*) as requests, min(id) as first_id, max(id) as last_id
    from events where true and country <> all($1::text[]) and (flags = any('{2,3,6,7,10,11,14,15}'::smallint[]) and string_to_array(bot, ' ') && $2::text[] or bot = '') group by 1, 2) as binned) as counted group by day order by day;

select id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, case when ip <<= inet '::/96' and not ip <<= inet '::/112' then
    (select concat('::', to_hex(bytes[1]::integer * 256 + bytes[2]::integer), ':', to_hex(bytes[3]::integer * 256 + bytes[4]::integer)) from string_to_array(substr(host(ip), 3), '.') as bytes) else host(ip) end, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request::text, body_response::text, error::text, additional_data::text, server_id, (select bundle from apps where apps.id = selected.app_id), (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id) from (select events.* from (select events.* from unnest($3::timestamptz[], $4::timestamptz[]) as span (span_from, span_until)
    cross join lateral (select events.occurred_at, events.app_id, events.id from events where occurred_at >= span_from and occurred_at < span_until and country <> all($1::text[]) and (flags = any('{2,3,6,7,10,11,14,15}'::smallint[]) and string_to_array(bot, ' ') && $2::text[] or bot = '') order by events.occurred_at desc, events.id desc limit 20) as events order by events.occurred_at desc, events.id desc limit 20 offset 0) as keys cross join lateral (select * from events where events.occurred_at = keys.occurred_at
    and events.app_id = keys.app_id and events.id = keys.id limit 1) as events order by events.occurred_at desc, events.id desc) as selected;
