-- of apps


select app_id, 'today' as part, creates, creates_ok, receives, receives_ok, bots, bots_ok from traffic_app_days where day = $2 and app_id = any($1::integer[])
union all
select app_id, case when is_qa then 'testers' else 'others' end, creates, creates_ok, receives, receives_ok, bots, bots_ok from traffic_totals where app_id = any($1::integer[]);

-- of spans


select span.at::integer - 1 as at, counted.type, counted.requests
from unnest($1::timestamptz[], $2::timestamptz[]) with ordinality as span (since, until, at)
cross join lateral (
  select type, sum(requests)::bigint as requests from traffic_hours
  where hour >= span.since and hour < span.until and type in ('create', 'receive') and app_id = any($3::integer[])
  group by type
) as counted;

-- apps by type

select coalesce(json_agg(key_0), '[]') as key_0, coalesce(json_agg(key_1), '[]') as key_1, coalesce(json_agg(requests), '[]') as requests, coalesce(json_agg(successes), '[]') as successes, coalesce(json_agg(bots), '[]') as bots from (select key_0, key_1, sum(requests)::bigint as requests, sum(successes)::bigint as successes, sum(bots)::bigint as bots from (select app_id as key_0, type as key_1, requests, case when flags & 3 = 0 then requests else 0 end as successes, case when flags & 2 <> 0 then requests else 0 end as bots from traffic_hours where hour >= $1::timestamptz and hour < $2::timestamptz) as counted
       group by key_0, key_1 limit 1000) as selected;

-- values of an app

select country, stream_uid from traffic_seen where app_id = $1;

-- apps with clients

select distinct app_id from traffic_totals where app_id = any($1::integer[]) and creates + receives > 0;
