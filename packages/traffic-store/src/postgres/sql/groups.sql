-- app

select coalesce(json_agg(key_0), '[]') as key_0, coalesce(json_agg(requests), '[]') as requests, coalesce(json_agg(successes), '[]') as successes, coalesce(json_agg(bots), '[]') as bots from (select key_0, sum(requests)::bigint as requests, sum(successes)::bigint as successes, sum(bots)::bigint as bots from (select app_id as key_0, requests, successes, bots from traffic_app_days where day between $1::date and $2::date and app_id = any($3::integer[])) as counted
       group by key_0 limit 100) as selected;

-- app and day

select coalesce(json_agg(key_0), '[]') as key_0, coalesce(json_agg(key_1), '[]') as key_1, coalesce(json_agg(requests), '[]') as requests, coalesce(json_agg(successes), '[]') as successes, coalesce(json_agg(bots), '[]') as bots from (select app_id as key_0, day - date '1970-01-01' as key_1, requests, successes, bots from traffic_app_days where day between $1::date and $2::date and app_id = any($3::integer[]) limit 100) as selected;

-- country and type

select coalesce(json_agg(key_0), '[]') as key_0, coalesce(json_agg(key_1), '[]') as key_1, coalesce(json_agg(requests), '[]') as requests, coalesce(json_agg(successes), '[]') as successes, coalesce(json_agg(bots), '[]') as bots from (select key_0, key_1, sum(requests)::bigint as requests, sum(successes)::bigint as successes, sum(bots)::bigint as bots from (select country as key_0, type as key_1, requests, case when flags & 3 = 0 then requests else 0 end as successes, case when flags & 2 <> 0 then requests else 0 end as bots from traffic_breakdown where day between $1::date and $2::date and app_id = any($3::integer[])) as counted
       group by key_0, key_1 limit 100) as selected;

-- stream

select coalesce(json_agg(key_0), '[]') as key_0, coalesce(json_agg(requests), '[]') as requests, coalesce(json_agg(successes), '[]') as successes, coalesce(json_agg(bots), '[]') as bots from (select key_0, sum(requests)::bigint as requests, sum(successes)::bigint as successes, sum(bots)::bigint as bots from (select stream_uid as key_0, requests, successes, bots from traffic_stream_days where day between $1::date and $2::date and app_id = any($3::integer[])) as counted
       group by key_0 limit 100) as selected;

-- asn and day

select coalesce(json_agg(key_0), '[]') as key_0, coalesce(json_agg(key_1), '[]') as key_1, coalesce(json_agg(requests), '[]') as requests, coalesce(json_agg(successes), '[]') as successes, coalesce(json_agg(bots), '[]') as bots from (select key_0, key_1, sum(requests)::bigint as requests, sum(successes)::bigint as successes, sum(bots)::bigint as bots from (select asn as key_0, day - date '1970-01-01' as key_1, requests, successes, bots from traffic_asn_days where day between $1::date and $2::date and app_id = any($3::integer[])) as counted
       group by key_0, key_1 limit 100) as selected;

-- hour

select coalesce(json_agg(key_0), '[]') as key_0, coalesce(json_agg(requests), '[]') as requests, coalesce(json_agg(successes), '[]') as successes, coalesce(json_agg(bots), '[]') as bots from (select key_0, sum(requests)::bigint as requests, sum(successes)::bigint as successes, sum(bots)::bigint as bots from (select extract(hour from ((hour at time zone 'UTC') + $4::interval))::integer as key_0, requests, case when flags & 3 = 0 then requests else 0 end as successes, case when flags & 2 <> 0 then requests else 0 end as bots from traffic_hours where hour >= $1::timestamptz and hour < $2::timestamptz and app_id = any($3::integer[])) as counted
       group by key_0 limit 100) as selected;

-- server

select coalesce(json_agg(key_0), '[]') as key_0, coalesce(json_agg(requests), '[]') as requests, coalesce(json_agg(successes), '[]') as successes, coalesce(json_agg(bots), '[]') as bots from (select key_0, sum(requests)::bigint as requests, sum(successes)::bigint as successes, sum(bots)::bigint as bots from (select coalesce(server_id::text, '') as key_0, 1 as requests, case when flags & 3 = 0 then 1 else 0 end as successes, case when flags & 2 <> 0 then 1 else 0 end as bots from events where true and occurred_at >= $2::timestamptz and occurred_at < $3::timestamptz and app_id = any($1::integer[])) as counted
       group by key_0 limit 100) as selected;

-- apps of servers

select coalesce(json_agg(key_0), '[]') as key_0, coalesce(json_agg(requests), '[]') as requests, coalesce(json_agg(successes), '[]') as successes, coalesce(json_agg(bots), '[]') as bots from (select key_0, sum(requests)::bigint as requests, sum(successes)::bigint as successes, sum(bots)::bigint as bots from (select app_id as key_0, 1 as requests, case when flags & 3 = 0 then 1 else 0 end as successes, case when flags & 2 <> 0 then 1 else 0 end as bots from events where true and occurred_at >= $2::timestamptz and occurred_at < $3::timestamptz and app_id = any($1::integer[]) and server_id = any($4::integer[])) as counted
       group by key_0 limit 100) as selected;

-- first apps and days

select coalesce(json_agg(key_0), '[]') as key_0, coalesce(json_agg(key_1), '[]') as key_1, coalesce(json_agg(requests), '[]') as requests, coalesce(json_agg(successes), '[]') as successes, coalesce(json_agg(bots), '[]') as bots, coalesce(json_agg(all_groups), '[]') as all_groups from (with counted as not materialized (select app_id as key_0, day - date '1970-01-01' as key_1, requests, successes, bots from traffic_app_days where day between $1::date and $2::date and app_id = any($3::integer[]))
      select key_0, key_1, requests, successes, bots, null::bigint as all_groups from counted where coalesce(requests >= (select requests from counted order by requests desc limit 1 offset 4), true)
      union all select null, null, coalesce(sum(requests), 0)::bigint, coalesce(sum(successes), 0)::bigint, coalesce(sum(bots), 0)::bigint, count(*) from counted) as selected;

-- creates and receives

select coalesce(json_agg(key_0), '[]') as key_0, coalesce(json_agg(key_1), '[]') as key_1, coalesce(json_agg(requests), '[]') as requests, coalesce(json_agg(successes), '[]') as successes, coalesce(json_agg(bots), '[]') as bots, coalesce(json_agg(type_0), '[]') as type_0, coalesce(json_agg(type_1), '[]') as type_1 from (select app_id as key_0, day - date '1970-01-01' as key_1, requests, successes, bots, creates_ok as type_0, receives as type_1 from traffic_app_days where day between $1::date and $2::date and app_id = any($3::integer[]) limit 100) as selected;

-- errors and tokens

select coalesce(json_agg(key_0), '[]') as key_0, coalesce(json_agg(key_1), '[]') as key_1, coalesce(json_agg(requests), '[]') as requests, coalesce(json_agg(successes), '[]') as successes, coalesce(json_agg(bots), '[]') as bots, coalesce(json_agg(type_0), '[]') as type_0, coalesce(json_agg(type_1), '[]') as type_1 from (select key_0, key_1, sum(requests)::bigint as requests, sum(successes)::bigint as successes, sum(bots)::bigint as bots, sum(type_0)::bigint as type_0, sum(type_1)::bigint as type_1 from (select app_id as key_0, day - date '1970-01-01' as key_1, requests, successes, bots, case when type = 'error' then requests else 0 end as type_0, case when type = 'token' then successes else 0 end as type_1 from traffic_day_types where day between $1::date and $2::date and app_id = any($3::integer[])) as counted
       group by key_0, key_1 limit 100) as selected;
