-- everything

select day::text as day, null as type, sum(requests)::bigint as requests, min(first_id) as first_id,
    max(last_id) as last_id from (select day, type, requests, first_id, last_id from traffic_all_days where day between (select min(day) from traffic_day_types) and (select max(day) from traffic_day_types)) as counted group by day order by day;

select coalesce(json_agg(listed), '[]') as page from (select id as id, uuid as uuid, app_id as app_id, type as type, (extract(epoch from occurred_at) * 1000000)::bigint as occurred_at, host(ip) as ip, country as country, client_uid as client_uid, stream_uid as stream_uid, bot as bot, postbacks_domain as postbacks_domain, user_agent as user_agent, body_request as body_request, body_response as body_response, error as error, additional_data as additional_data, (select bundle from apps where apps.id = selected.app_id) as app_bundle, (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id) as stream_name from (select events.* from events where occurred_at >= $1::timestamptz and occurred_at < $2::timestamptz order by events.occurred_at desc, events.id desc limit 20 offset 0) as selected) as listed;

-- one app

select day::text as day, null as type, sum(requests)::bigint as requests, min(first_id) as first_id,
    max(last_id) as last_id from (select day, type, requests, first_id, last_id from traffic_day_types where day = any(array(select generate_series((select min(day) from traffic_day_types), (select max(day) from traffic_day_types), interval '1 day')::date)) and app_id = $1::integer) as counted group by day order by day;

select coalesce(json_agg(listed), '[]') as page from (select id as id, uuid as uuid, app_id as app_id, type as type, (extract(epoch from occurred_at) * 1000000)::bigint as occurred_at, host(ip) as ip, country as country, client_uid as client_uid, stream_uid as stream_uid, bot as bot, postbacks_domain as postbacks_domain, user_agent as user_agent, body_request as body_request, body_response as body_response, error as error, additional_data as additional_data, (select bundle from apps where apps.id = selected.app_id) as app_bundle, (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id) as stream_name from (select events.* from events where app_id = $1::integer and occurred_at >= $2::timestamptz and occurred_at < $3::timestamptz order by events.occurred_at desc, events.id desc limit 20 offset 0) as selected) as listed;

-- types, countries and streams

select day::text as day, null as type, sum(requests)::bigint as requests, min(first_id) as first_id,
    max(last_id) as last_id from (select day, type, requests, first_id, last_id from traffic_breakdown where day between (select min(day) from traffic_day_types) and (select max(day) from traffic_day_types) and app_id = any($1::integer[]) and (type = $2::request_type or flags = any('{1,3,5,7,9,11,13,15}'::smallint[])) and country = $3::text and stream_uid = $4::text) as counted group by day order by day;

-- a range that cuts days

select day::text as day, null as type, sum(requests)::bigint as requests, min(first_id) as first_id,
    max(last_id) as last_id from (select day, type, requests, first_id, last_id from traffic_all_days where day between greatest($1::date, (select min(day) from traffic_day_types)) and least($2::date, (select max(day) from traffic_day_types)) and (type = $3::request_type) union all select (start at time zone 'UTC' + $7::interval)::date as day, type, requests, first_id, last_id from (select date_bin('1 day', occurred_at, timestamptz 'epoch' - $7::interval) as start, null::request_type as type,
    count(*) as requests, min(id) as first_id, max(id) as last_id
    from events where (type = $4::request_type) and occurred_at >= $5::timestamptz and occurred_at < $6::timestamptz group by 1, 2) as binned union all select (start at time zone 'UTC' + $11::interval)::date as day, type, requests, first_id, last_id from (select date_bin('1 day', occurred_at, timestamptz 'epoch' - $11::interval) as start, null::request_type as type,
    count(*) as requests, min(id) as first_id, max(id) as last_id
    from events where (type = $8::request_type) and occurred_at >= $9::timestamptz and occurred_at < $10::timestamptz group by 1, 2) as binned) as counted group by day order by day;

-- an address block

select day::text as day from (select distinct day from traffic_app_days where day between (select min(day) from traffic_day_types) and (select max(day) from traffic_day_types) and not ((starts_with(first_uid, lower($1)) and starts_with(last_uid, lower($1))) or (first_ip >= $2::inet and last_ip <= $3::inet)) limit 9) as found;

select day::text as day, null as type, sum(requests)::bigint as requests, min(first_id) as first_id,
    max(last_id) as last_id from (select (start at time zone 'UTC' + $5::interval)::date as day, type, requests, first_id, last_id from (select date_bin('1 day', occurred_at, timestamptz 'epoch' - $5::interval) as start, null::request_type as type,
    count(*) as requests, min(id) as first_id, max(id) as last_id
    from events where (ip between $1::inet and $2::inet or lower(client_uid) collate "C" between (lower($3) collate "C") and (lower($4) collate "C")) group by 1, 2) as binned) as counted group by day order by day;

-- one client

select day::text as day, null as type, sum(requests)::bigint as requests, min(first_id) as first_id,
    max(last_id) as last_id from (select (start at time zone 'UTC' + $2::interval)::date as day, type, requests, first_id, last_id from (select date_bin('1 day', occurred_at, timestamptz 'epoch' - $2::interval) as start, null::request_type as type,
    count(*) as requests, min(id) as first_id, max(id) as last_id
    from events where lower(client_uid) collate "C" = lower($1) collate "C" and client_uid = $1 group by 1, 2) as binned) as counted group by day order by day;
