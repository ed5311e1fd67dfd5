with rows as materialized (
  select uuid, app_id, type, occurred_at, ip, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, coalesce((exact ->> 'body_request')::json, body_request) as body_request, coalesce((exact ->> 'body_response')::json, body_response) as body_response, coalesce((exact ->> 'error')::json, error) as error, coalesce((exact ->> 'additional_data')::json, additional_data) as additional_data, server_id, flags, asn from json_to_recordset($1) as given (uuid uuid, app_id integer, type request_type, occurred_at timestamptz, ip inet, country text, client_uid text, stream_uid text, bot text, postbacks_domain text, user_agent text, body_request json, body_response json, error json, additional_data json, server_id integer, flags smallint, asn text, exact json)
),
inserted as (
  insert into events (uuid, app_id, type, occurred_at, ip, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request, body_response, error, additional_data, server_id, flags, asn)
  select uuid, app_id, type, occurred_at, ip, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request, body_response, error, additional_data, server_id, flags, asn from rows order by occurred_at, app_id, uuid
  on conflict do nothing
  returning id, app_id, type, flags, country, stream_uid, asn, ip, left(lower(client_uid), 8) collate "C" as uid,
    flags & 8 <> 0 as is_qa, (occurred_at at time zone 'UTC' + $2::interval)::date as day,
    date_bin('1 hour', occurred_at, timestamptz 'epoch' - $2::interval) as hour, date_bin('15 minutes', occurred_at, timestamptz 'epoch' - $2::interval) as quarter
),
-- PostgreSQL runs these from the end. Rows that every batch changes come last, because batches wait for them until the one
-- before has committed.
all_days as (insert into traffic_all_days (day, type, requests, first_id, last_id, successes, bots, errors)
    select day, type, count(*), min(id), max(id), count(*) filter (where flags & 3 = 0), count(*) filter (where flags & 2 <> 0), count(*) filter (where flags & 1 <> 0) from inserted as counted
    group by day, type  order by day, type
    on conflict (day, type) do update set requests = traffic_all_days.requests + excluded.requests, first_id = least(traffic_all_days.first_id, excluded.first_id), last_id = greatest(traffic_all_days.last_id, excluded.last_id), successes = traffic_all_days.successes + excluded.successes, bots = traffic_all_days.bots + excluded.bots, errors = traffic_all_days.errors + excluded.errors),
all_hours as (insert into traffic_all_hours (hour, type, requests, successes, bots, errors)
    select hour, type, count(*), count(*) filter (where flags & 3 = 0), count(*) filter (where flags & 2 <> 0), count(*) filter (where flags & 1 <> 0) from inserted as counted
    group by hour, type  order by hour, type
    on conflict (hour, type) do update set requests = traffic_all_hours.requests + excluded.requests, successes = traffic_all_hours.successes + excluded.successes, bots = traffic_all_hours.bots + excluded.bots, errors = traffic_all_hours.errors + excluded.errors),
all_quarters as (insert into traffic_all_quarters (quarter, type, requests)
    select quarter, type, count(*) from inserted as counted
    group by quarter, type  order by quarter, type
    on conflict (quarter, type) do update set requests = traffic_all_quarters.requests + excluded.requests),
by_country as (insert into traffic_country_days (day, country, type, requests, successes, bots, errors)
    select day, country, type, count(*), count(*) filter (where flags & 3 = 0), count(*) filter (where flags & 2 <> 0), count(*) filter (where flags & 1 <> 0) from inserted as counted
    group by day, country, type  order by day, country, type
    on conflict (day, country, type) do update set requests = traffic_country_days.requests + excluded.requests, successes = traffic_country_days.successes + excluded.successes, bots = traffic_country_days.bots + excluded.bots, errors = traffic_country_days.errors + excluded.errors),
in_all as (insert into traffic_totals (app_id, is_qa, requests, creates, creates_ok, receives, receives_ok, bots, bots_ok)
    select app_id, is_qa, count(*), count(*) filter (where type = 'create'), count(*) filter (where type = 'create' and flags & 3 = 0), count(*) filter (where type = 'receive'), count(*) filter (where type = 'receive' and flags & 3 = 0), count(*) filter (where flags & 2 <> 0), count(*) filter (where flags & 3 = 2) from inserted as counted
    group by app_id, is_qa  order by app_id, is_qa
    on conflict (app_id, is_qa) do update set requests = traffic_totals.requests + excluded.requests, creates = traffic_totals.creates + excluded.creates, creates_ok = traffic_totals.creates_ok + excluded.creates_ok, receives = traffic_totals.receives + excluded.receives, receives_ok = traffic_totals.receives_ok + excluded.receives_ok, bots = traffic_totals.bots + excluded.bots, bots_ok = traffic_totals.bots_ok + excluded.bots_ok),
by_app as (insert into traffic_app_days (day, app_id, requests, creates, creates_ok, receives, receives_ok, bots, bots_ok, successes, first_ip, last_ip, first_uid, last_uid)
    select day, app_id, count(*), count(*) filter (where type = 'create'), count(*) filter (where type = 'create' and flags & 3 = 0), count(*) filter (where type = 'receive'), count(*) filter (where type = 'receive' and flags & 3 = 0), count(*) filter (where flags & 2 <> 0), count(*) filter (where flags & 3 = 2), count(*) filter (where flags & 3 = 0), min(ip), max(ip), min(uid), max(uid) from inserted as counted
    group by day, app_id  order by day, app_id
    on conflict (day, app_id) do update set requests = traffic_app_days.requests + excluded.requests, creates = traffic_app_days.creates + excluded.creates, creates_ok = traffic_app_days.creates_ok + excluded.creates_ok, receives = traffic_app_days.receives + excluded.receives, receives_ok = traffic_app_days.receives_ok + excluded.receives_ok, bots = traffic_app_days.bots + excluded.bots, bots_ok = traffic_app_days.bots_ok + excluded.bots_ok, successes = traffic_app_days.successes + excluded.successes, first_ip = least(traffic_app_days.first_ip, excluded.first_ip), last_ip = greatest(traffic_app_days.last_ip, excluded.last_ip), first_uid = least(traffic_app_days.first_uid, excluded.first_uid), last_uid = greatest(traffic_app_days.last_uid, excluded.last_uid)),
by_type as (insert into traffic_day_types (day, app_id, type, requests, first_id, last_id, successes, bots, errors)
    select day, app_id, type, count(*), min(id), max(id), count(*) filter (where flags & 3 = 0), count(*) filter (where flags & 2 <> 0), count(*) filter (where flags & 1 <> 0) from inserted as counted
    group by day, app_id, type  order by day, app_id, type
    on conflict (day, app_id, type) do update set requests = traffic_day_types.requests + excluded.requests, first_id = least(traffic_day_types.first_id, excluded.first_id), last_id = greatest(traffic_day_types.last_id, excluded.last_id), successes = traffic_day_types.successes + excluded.successes, bots = traffic_day_types.bots + excluded.bots, errors = traffic_day_types.errors + excluded.errors),
by_stream as (insert into traffic_stream_days (day, app_id, stream_uid, requests, successes, bots)
    select day, app_id, stream_uid, count(*), count(*) filter (where flags & 3 = 0), count(*) filter (where flags & 2 <> 0) from inserted as counted
    group by day, app_id, stream_uid  order by day, app_id, stream_uid
    on conflict (day, app_id, stream_uid) do update set requests = traffic_stream_days.requests + excluded.requests, successes = traffic_stream_days.successes + excluded.successes, bots = traffic_stream_days.bots + excluded.bots),
by_asn as (insert into traffic_asn_days (day, asn, app_id, type, requests, first_id, last_id, successes, bots, errors)
    select day, asn, app_id, type, count(*), min(id), max(id), count(*) filter (where flags & 3 = 0), count(*) filter (where flags & 2 <> 0), count(*) filter (where flags & 1 <> 0) from inserted as counted
    group by day, asn, app_id, type  order by day, asn, app_id, type
    on conflict (day, asn, app_id, type) do update set requests = traffic_asn_days.requests + excluded.requests, first_id = least(traffic_asn_days.first_id, excluded.first_id), last_id = greatest(traffic_asn_days.last_id, excluded.last_id), successes = traffic_asn_days.successes + excluded.successes, bots = traffic_asn_days.bots + excluded.bots, errors = traffic_asn_days.errors + excluded.errors),
by_day as (insert into traffic_days (day, app_id, type, flags, requests, first_id, last_id)
    select day, app_id, type, flags, count(*), min(id), max(id) from inserted as counted
    group by day, app_id, type, flags  order by day, app_id, type, flags
    on conflict (day, app_id, type, flags) do update set requests = traffic_days.requests + excluded.requests, first_id = least(traffic_days.first_id, excluded.first_id), last_id = greatest(traffic_days.last_id, excluded.last_id)),
by_hour as (insert into traffic_hours (hour, app_id, type, flags, requests)
    select hour, app_id, type, flags, count(*) from inserted as counted
    group by hour, app_id, type, flags  order by hour, app_id, type, flags
    on conflict (hour, app_id, type, flags) do update set requests = traffic_hours.requests + excluded.requests),
seen as (insert into traffic_seen (app_id, country, stream_uid, day)
    select app_id, country, stream_uid, max(day) from inserted as counted
    group by app_id, country, stream_uid having not exists (select from traffic_seen as known where known.app_id = counted.app_id and known.country = counted.country
    and known.stream_uid = counted.stream_uid and known.day >= max(counted.day)) order by app_id, country, stream_uid
    on conflict (app_id, country, stream_uid) do update set day = greatest(traffic_seen.day, excluded.day)),
broken_down as (insert into traffic_breakdown (day, app_id, type, country, stream_uid, flags, requests, first_id, last_id)
    select day, app_id, type, country, stream_uid, flags, count(*), min(id), max(id) from inserted as counted
    group by day, app_id, type, country, stream_uid, flags  order by day, app_id, type, country, stream_uid, flags
    on conflict (day, app_id, type, country, stream_uid, flags) do update set requests = traffic_breakdown.requests + excluded.requests, first_id = least(traffic_breakdown.first_id, excluded.first_id), last_id = greatest(traffic_breakdown.last_id, excluded.last_id)),
logged as (
  insert into request_batches (first_id, last_id, requests) select min(id), max(id), count(*) from inserted having count(*) > 0
)
select count(*)::integer as accepted from inserted;
