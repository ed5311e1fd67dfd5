-- event

select id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, host(ip), country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request, body_response, error, additional_data, server_id, (select bundle from apps where apps.id = selected.app_id), (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id) from (
    select events.* from (select distinct day from traffic_all_days where $1::bigint between first_id and last_id) as held
    cross join lateral (select * from events where id = $1::bigint and occurred_at >= (held.day::timestamp - $2::interval) at time zone 'UTC' and occurred_at < (held.day::timestamp + interval '1 day' - $2::interval) at time zone 'UTC' and app_id = any($3::integer[]) offset 0) as events) as selected;

-- oldest

select min(first_id) as id from traffic_all_days;
