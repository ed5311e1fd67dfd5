-- everything

select (extract(epoch from bucket) * 1000000)::bigint as at, type, sum(requests)::bigint as events
    from (select date_bin(interval '10800 seconds', hour, timestamptz 'epoch' - $1::interval) as bucket, type, sum(requests) as requests from traffic_all_hours where hour >= $2::timestamptz and hour < $3::timestamptz group by 1, 2 union all select date_bin(interval '10800 seconds', quarter, timestamptz 'epoch' - $1::interval) as bucket, type, sum(requests) as requests from traffic_all_quarters where quarter >= $4::timestamptz and quarter < $5::timestamptz group by 1, 2 union all select date_bin(interval '10800 seconds', occurred_at, timestamptz 'epoch' - $1::interval) as bucket, type, count(*) as requests from events where occurred_at >= $6::timestamptz and occurred_at < $7::timestamptz group by 1, 2) as counted group by bucket, type;

-- one app

select (extract(epoch from bucket) * 1000000)::bigint as at, type, sum(requests)::bigint as events
    from (select date_bin(interval '10800 seconds', hour, timestamptz 'epoch' - $1::interval) as bucket, type, sum(requests) as requests from traffic_hours where hour = any(array(select generate_series($2::timestamptz, $3::timestamptz - interval '1 hour', interval '1 hour'))) and app_id = $4::integer group by 1, 2 union all select date_bin(interval '10800 seconds', occurred_at, timestamptz 'epoch' - $1::interval) as bucket, type, count(*) as requests from events where occurred_at >= $5::timestamptz and occurred_at < $6::timestamptz and app_id = $7::integer group by 1, 2) as counted group by bucket, type;

-- types, countries and streams

select (extract(epoch from bucket) * 1000000)::bigint as at, type, sum(requests)::bigint as events
    from (select date_bin(interval '10800 seconds', occurred_at, timestamptz 'epoch' - $1::interval) as bucket, type, count(*) as requests from events where occurred_at >= $2::timestamptz and occurred_at < $3::timestamptz and app_id = any($4::integer[]) and (type = $5::request_type or flags = any('{1,3,5,7,9,11,13,15}'::smallint[])) and country = $6::text and stream_uid = $7::text group by 1, 2) as counted group by bucket, type;

-- a range that cuts days

select (extract(epoch from bucket) * 1000000)::bigint as at, type, sum(requests)::bigint as events
    from (select date_bin(interval '10800 seconds', hour, timestamptz 'epoch' - $1::interval) as bucket, type, sum(requests) as requests from traffic_all_hours where hour >= $2::timestamptz and hour < $3::timestamptz and (type = $4::request_type) group by 1, 2 union all select date_bin(interval '10800 seconds', quarter, timestamptz 'epoch' - $1::interval) as bucket, type, sum(requests) as requests from traffic_all_quarters where quarter >= $5::timestamptz and quarter < $6::timestamptz and (type = $7::request_type) group by 1, 2 union all select date_bin(interval '10800 seconds', occurred_at, timestamptz 'epoch' - $1::interval) as bucket, type, count(*) as requests from events where occurred_at >= $8::timestamptz and occurred_at < $9::timestamptz and (type = $10::request_type) group by 1, 2) as counted group by bucket, type;

-- an address block

select day::text as day from (select distinct day from traffic_app_days where day between $1::date and $2::date and not ((starts_with(first_uid, lower($3)) and starts_with(last_uid, lower($3))) or (first_ip >= $4::inet and last_ip <= $5::inet)) limit 9) as found;

select (extract(epoch from bucket) * 1000000)::bigint as at, type, sum(requests)::bigint as events
    from (select date_bin(interval '10800 seconds', occurred_at, timestamptz 'epoch' - $1::interval) as bucket, type, count(*) as requests from events where occurred_at >= $2::timestamptz and occurred_at < $3::timestamptz and (ip between $4::inet and $5::inet or (client_uid collate "C" between $6::text and $7::text and lower(client_uid) collate "C" between (lower($6::text) collate "C") and (lower($7::text) collate "C"))) group by 1, 2) as counted group by bucket, type;

-- one client

select (extract(epoch from bucket) * 1000000)::bigint as at, type, sum(requests)::bigint as events
    from (select date_bin(interval '10800 seconds', occurred_at, timestamptz 'epoch' - $1::interval) as bucket, type, count(*) as requests from events where occurred_at >= $2::timestamptz and occurred_at < $3::timestamptz and lower(client_uid) collate "C" = lower($4) collate "C" and client_uid = $4 group by 1, 2) as counted group by bucket, type;

-- autonomous systems

select (extract(epoch from bucket) * 1000000)::bigint as at, type, sum(requests)::bigint as events
    from (select date_bin(interval '10800 seconds', occurred_at, timestamptz 'epoch' - $1::interval) as bucket, type, count(*) as requests from events where occurred_at >= $2::timestamptz and occurred_at < $3::timestamptz and asn = $4::text group by 1, 2) as counted group by bucket, type;

-- labels, and all but a country

select (extract(epoch from bucket) * 1000000)::bigint as at, type, sum(requests)::bigint as events
    from (select date_bin(interval '10800 seconds', occurred_at, timestamptz 'epoch' - $1::interval) as bucket, type, count(*) as requests from events where occurred_at >= $2::timestamptz and occurred_at < $3::timestamptz and country <> all($4::text[]) and (flags = any('{2,3,6,7,10,11,14,15}'::smallint[]) and string_to_array(bot, ' ') && $5::text[] or bot = '') group by 1, 2) as counted group by bucket, type;
