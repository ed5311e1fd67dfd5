-- event

select id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, case when ip <<= inet '::/96' and not ip <<= inet '::/112' then
    (select concat('::', to_hex(bytes[1]::integer * 256 + bytes[2]::integer), ':', to_hex(bytes[3]::integer * 256 + bytes[4]::integer)) from string_to_array(substr(host(ip), 3), '.') as bytes) else host(ip) end, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request::text, body_response::text, error::text, additional_data::text, server_id, (select bundle from apps where apps.id = selected.app_id), (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id) from (
    select events.* from (select distinct day from traffic_all_days where $1::bigint between first_id and last_id) as held
    cross join lateral (select * from events where id = $1::bigint and occurred_at >= (held.day::timestamp - $2::interval) at time zone 'UTC' and occurred_at < (held.day::timestamp + interval '1 day' - $2::interval) at time zone 'UTC' and app_id = any($3::integer[]) offset 0) as events) as selected;

-- oldest

select min(first_id) as id from traffic_all_days;
