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

-- stopped apps


with silent as materialized (
  select known.app_id from (
    select distinct app_id from traffic_app_days where day in ($1::date, $2::date)
      and app_id = any($6::integer[])
  ) as known
  where not exists (
    select from generate_series($3::timestamptz, $4::timestamptz + interval '24 hours', interval '1 hour') as recent (hour)
    join traffic_hours as counted on counted.hour = recent.hour and counted.app_id = known.app_id
  )
)
select silent.app_id as "appId", sum(counted.requests)::bigint as "eventsYesterday"
from silent
cross join lateral generate_series(($3::timestamptz - interval '24 hours')::timestamptz, ($4::timestamptz - interval '24 hours')::timestamptz - interval '1 hour', interval '1 hour') as earlier (hour)
join traffic_hours as counted on counted.hour = earlier.hour and counted.app_id = silent.app_id
group by silent.app_id having sum(counted.requests) >= $5
order by 2 desc, 1;

-- values of an app

select country, stream_uid from traffic_seen where app_id = $1;

-- apps with clients

select distinct app_id from traffic_totals where app_id = any($1::integer[]) and creates + receives > 0;
