-- app, everything

with grouped as (select value, sum(requests)::bigint as count from (select app_id::text as value, requests from traffic_app_days where day between (select min(day) from traffic_day_types) and (select max(day) from traffic_day_types)) as found group by 1)
    select value, count, (select sum(count)::bigint from grouped) as rows from grouped
    order by count desc, value collate "C" limit 10;

-- app, an address block

select day::text as day from (select distinct day from traffic_app_days where day between (select min(day) from traffic_day_types) and (select max(day) from traffic_day_types) and not ((starts_with(first_uid, lower($1)) and starts_with(last_uid, lower($1))) or (first_ip >= $2::inet and last_ip <= $3::inet)) limit 9) as found;

with grouped as (select value, sum(requests)::bigint as count from (select app_id::text as value, 1 as requests from events where true and (ip between $1::inet and $2::inet or (client_uid collate "C" between $3::text and $4::text and lower(client_uid) collate "C" between (lower($3::text) collate "C") and (lower($4::text) collate "C"))) order by occurred_at desc, id desc limit 200000) as found group by 1)
    select value, count, (select sum(count)::bigint from grouped) as rows from grouped
    order by count desc, value collate "C" limit 10;

-- country, everything

with grouped as (select value, sum(requests)::bigint as count from (select country as value, requests from traffic_country_days where day between (select min(day) from traffic_day_types) and (select max(day) from traffic_day_types)) as found group by 1)
    select value, count, (select sum(count)::bigint from grouped) as rows from grouped
    order by count desc, value collate "C" limit 10;

-- country, an address block

select day::text as day from (select distinct day from traffic_app_days where day between (select min(day) from traffic_day_types) and (select max(day) from traffic_day_types) and not ((starts_with(first_uid, lower($1)) and starts_with(last_uid, lower($1))) or (first_ip >= $2::inet and last_ip <= $3::inet)) limit 9) as found;

with grouped as (select value, sum(requests)::bigint as count from (select country as value, 1 as requests from events where true and (ip between $1::inet and $2::inet or (client_uid collate "C" between $3::text and $4::text and lower(client_uid) collate "C" between (lower($3::text) collate "C") and (lower($4::text) collate "C"))) order by occurred_at desc, id desc limit 200000) as found group by 1)
    select value, count, (select sum(count)::bigint from grouped) as rows from grouped
    order by count desc, value collate "C" limit 10;

-- type, everything

select value as type, sum(requests)::bigint as count, sum(errors)::bigint as errors from (select type::text as value, requests, errors from traffic_all_days where day between (select min(day) from traffic_day_types) and (select max(day) from traffic_day_types)) as found group by 1;

-- type, an address block

select day::text as day from (select distinct day from traffic_app_days where day between (select min(day) from traffic_day_types) and (select max(day) from traffic_day_types) and not ((starts_with(first_uid, lower($1)) and starts_with(last_uid, lower($1))) or (first_ip >= $2::inet and last_ip <= $3::inet)) limit 9) as found;

select value as type, sum(requests)::bigint as count, sum(errors)::bigint as errors from (select type::text as value, 1 as requests, case when flags & 1 <> 0 then 1 else 0 end as errors from events where true and (ip between $1::inet and $2::inet or (client_uid collate "C" between $3::text and $4::text and lower(client_uid) collate "C" between (lower($3::text) collate "C") and (lower($4::text) collate "C"))) order by occurred_at desc, id desc limit 200000) as found group by 1;

-- stream, everything

with grouped as (select value, sum(requests)::bigint as count from (select stream_uid as value, requests from traffic_stream_days where day between (select min(day) from traffic_day_types) and (select max(day) from traffic_day_types)) as found group by 1)
    select value, count, (select sum(count)::bigint from grouped) as rows from grouped
    order by count desc, value collate "C" limit 10;

-- stream, an address block

select day::text as day from (select distinct day from traffic_app_days where day between (select min(day) from traffic_day_types) and (select max(day) from traffic_day_types) and not ((starts_with(first_uid, lower($1)) and starts_with(last_uid, lower($1))) or (first_ip >= $2::inet and last_ip <= $3::inet)) limit 9) as found;

with grouped as (select value, sum(requests)::bigint as count from (select stream_uid as value, 1 as requests from events where true and (ip between $1::inet and $2::inet or (client_uid collate "C" between $3::text and $4::text and lower(client_uid) collate "C" between (lower($3::text) collate "C") and (lower($4::text) collate "C"))) order by occurred_at desc, id desc limit 200000) as found group by 1)
    select value, count, (select sum(count)::bigint from grouped) as rows from grouped
    order by count desc, value collate "C" limit 10;

-- bot, everything

with grouped as (select value, sum(requests)::bigint as count from (select bot as value, 1 as requests from events where true order by occurred_at desc, id desc limit 200000) as found group by 1)
    select value, count, (select sum(count)::bigint from grouped) as rows from (select label as value, sum(count)::bigint as count from grouped cross join lateral (select distinct unnest(case when value = '' then array['none'] else string_to_array(value, ' ') end) as label) as labels group by 1) as labelled
    order by count desc, value collate "C" limit 10;

-- bot, an address block

select day::text as day from (select distinct day from traffic_app_days where day between (select min(day) from traffic_day_types) and (select max(day) from traffic_day_types) and not ((starts_with(first_uid, lower($1)) and starts_with(last_uid, lower($1))) or (first_ip >= $2::inet and last_ip <= $3::inet)) limit 9) as found;

with grouped as (select value, sum(requests)::bigint as count from (select bot as value, 1 as requests from events where true and (ip between $1::inet and $2::inet or (client_uid collate "C" between $3::text and $4::text and lower(client_uid) collate "C" between (lower($3::text) collate "C") and (lower($4::text) collate "C"))) order by occurred_at desc, id desc limit 200000) as found group by 1)
    select value, count, (select sum(count)::bigint from grouped) as rows from (select label as value, sum(count)::bigint as count from grouped cross join lateral (select distinct unnest(case when value = '' then array['none'] else string_to_array(value, ' ') end) as label) as labels group by 1) as labelled
    order by count desc, value collate "C" limit 10;

-- asn, everything

with grouped as (select value, sum(requests)::bigint as count from (select asn as value, requests from traffic_asn_days where day between (select min(day) from traffic_day_types) and (select max(day) from traffic_day_types)) as found group by 1)
    select value, count, (select sum(count)::bigint from grouped) as rows from grouped
    order by count desc, value collate "C" limit 10;

-- asn, an address block

select day::text as day from (select distinct day from traffic_app_days where day between (select min(day) from traffic_day_types) and (select max(day) from traffic_day_types) and not ((starts_with(first_uid, lower($1)) and starts_with(last_uid, lower($1))) or (first_ip >= $2::inet and last_ip <= $3::inet)) limit 9) as found;

with grouped as (select value, sum(requests)::bigint as count from (select asn as value, 1 as requests from events where true and (ip between $1::inet and $2::inet or (client_uid collate "C" between $3::text and $4::text and lower(client_uid) collate "C" between (lower($3::text) collate "C") and (lower($4::text) collate "C"))) order by occurred_at desc, id desc limit 200000) as found group by 1)
    select value, count, (select sum(count)::bigint from grouped) as rows from grouped
    order by count desc, value collate "C" limit 10;

-- error-kind, everything

with grouped as (select value, sum(requests)::bigint as count from (select left(case when error is null then '' else (select case when json_typeof(kind) = 'string' then kind #>> '{}' else '' end from (select (case when (position('\u' in error::text) > 0 and regexp_replace(error::text, '\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}', '', 'g') ~ '\\u(0000|[dD][89a-fA-F])') then replace(regexp_replace(regexp_replace(replace(error::text, '\\', '\u005c'), '\\(u[dD][89abAB][0-9a-fA-F]{2})\\(u[dD][c-fC-F][0-9a-fA-F]{2})', '\\P\1\\P\2', 'g'), '\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '�', 'g'), '\P', '\')::json else error end) -> 'exception_type' as kind) as error_kind) end, 255) as value, 1 as requests from events where true and flags = any('{1,3,5,7,9,11,13,15}'::smallint[]) order by occurred_at desc, id desc limit 50000) as found group by 1)
    select value, count, (select sum(count)::bigint from grouped) as rows from grouped
    order by count desc, value collate "C" limit 10;

-- error-kind, an address block

select day::text as day from (select distinct day from traffic_app_days where day between (select min(day) from traffic_day_types) and (select max(day) from traffic_day_types) and not ((starts_with(first_uid, lower($1)) and starts_with(last_uid, lower($1))) or (first_ip >= $2::inet and last_ip <= $3::inet)) limit 9) as found;

with grouped as (select value, sum(requests)::bigint as count from (select left(case when error is null then '' else (select case when json_typeof(kind) = 'string' then kind #>> '{}' else '' end from (select (case when (position('\u' in error::text) > 0 and regexp_replace(error::text, '\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}', '', 'g') ~ '\\u(0000|[dD][89a-fA-F])') then replace(regexp_replace(regexp_replace(replace(error::text, '\\', '\u005c'), '\\(u[dD][89abAB][0-9a-fA-F]{2})\\(u[dD][c-fC-F][0-9a-fA-F]{2})', '\\P\1\\P\2', 'g'), '\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '�', 'g'), '\P', '\')::json else error end) -> 'exception_type' as kind) as error_kind) end, 255) as value, 1 as requests from events where true and (ip between $1::inet and $2::inet or (client_uid collate "C" between $3::text and $4::text and lower(client_uid) collate "C" between (lower($3::text) collate "C") and (lower($4::text) collate "C"))) and flags = any('{1,3,5,7,9,11,13,15}'::smallint[]) order by occurred_at desc, id desc limit 50000) as found group by 1)
    select value, count, (select sum(count)::bigint from grouped) as rows from grouped
    order by count desc, value collate "C" limit 10;
