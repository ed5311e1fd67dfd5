-- everything

select coalesce(max(seq), 0)::bigint as seq from request_batches;


    with given as (
      select *, committed_at > clock_timestamp() - interval '10 minutes'
        and sum(requests) over (order by seq desc) - requests < 200000 as is_near
      from request_batches where seq between $1::bigint and $3::bigint and (seq > $1::bigint or last_id > $2::bigint)
    ), matched as materialized (
      select given.seq, found.id from given
      -- Not to be flattened: joined by xmin, which no index knows, all events would be read.
      cross join lateral (select id from events where id between case when given.seq = $1::bigint then greatest(given.first_id, $2::bigint + 1) else given.first_id end and given.last_id and events.xmin = given.xid::xid offset 0) as found where given.is_near
    )
    select (select count(*) from matched)::integer as matches, (select count(*) from given where not is_near)::integer as far,
      coalesce((select min(seq) from request_batches) > $1::bigint + 1, false) as is_forgotten,
      (select coalesce(json_agg(json_build_array(seq, id)), '[]') from
        (select * from matched order by seq desc, id desc limit $4::integer) as newest) as places;

select id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, case when ip <<= inet '::/96' and not ip <<= inet '::/112' then
    (select concat('::', to_hex(bytes[1]::integer * 256 + bytes[2]::integer), ':', to_hex(bytes[3]::integer * 256 + bytes[4]::integer)) from string_to_array(substr(host(ip), 3), '.') as bytes) else host(ip) end, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request::text, body_response::text, error::text, additional_data::text, server_id, (select bundle from apps where apps.id = selected.app_id), (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id) from (
  select * from (
    select events.*, place, sum(
      coalesce(octet_length(body_request::text), 0) + coalesce(octet_length(body_response::text), 0)
      + coalesce(octet_length(additional_data::text), 0) + coalesce(octet_length(error::text), 0)
    ) over (order by place) as bytes
    from unnest($1::bigint[]) with ordinality as wanted (wanted_id, place) join events on events.id = wanted_id
  ) as sized where bytes <= 4000000 or place = 1 order by place) as selected;

-- one app

select coalesce(max(seq), 0)::bigint as seq from request_batches;


    with given as (
      select *, committed_at > clock_timestamp() - interval '10 minutes'
        and sum(requests) over (order by seq desc) - requests < 200000 as is_near
      from request_batches where seq between $1::bigint and $3::bigint and (seq > $1::bigint or last_id > $2::bigint)
    ), matched as materialized (
      select given.seq, found.id from given
      -- Not to be flattened: joined by xmin, which no index knows, all events would be read.
      cross join lateral (select id from events where id between case when given.seq = $1::bigint then greatest(given.first_id, $2::bigint + 1) else given.first_id end and given.last_id and events.xmin = given.xid::xid and app_id = $4::integer offset 0) as found where given.is_near
    )
    select (select count(*) from matched)::integer as matches, (select count(*) from given where not is_near)::integer as far,
      coalesce((select min(seq) from request_batches) > $1::bigint + 1, false) as is_forgotten,
      (select coalesce(json_agg(json_build_array(seq, id)), '[]') from
        (select * from matched order by seq desc, id desc limit $5::integer) as newest) as places;

select id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, case when ip <<= inet '::/96' and not ip <<= inet '::/112' then
    (select concat('::', to_hex(bytes[1]::integer * 256 + bytes[2]::integer), ':', to_hex(bytes[3]::integer * 256 + bytes[4]::integer)) from string_to_array(substr(host(ip), 3), '.') as bytes) else host(ip) end, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request::text, body_response::text, error::text, additional_data::text, server_id, (select bundle from apps where apps.id = selected.app_id), (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id) from (
  select * from (
    select events.*, place, sum(
      coalesce(octet_length(body_request::text), 0) + coalesce(octet_length(body_response::text), 0)
      + coalesce(octet_length(additional_data::text), 0) + coalesce(octet_length(error::text), 0)
    ) over (order by place) as bytes
    from unnest($1::bigint[]) with ordinality as wanted (wanted_id, place) join events on events.id = wanted_id
  ) as sized where bytes <= 4000000 or place = 1 order by place) as selected;

-- types, countries and streams

select coalesce(max(seq), 0)::bigint as seq from request_batches;


    with given as (
      select *, committed_at > clock_timestamp() - interval '10 minutes'
        and sum(requests) over (order by seq desc) - requests < 200000 as is_near
      from request_batches where seq between $1::bigint and $3::bigint and (seq > $1::bigint or last_id > $2::bigint)
    ), matched as materialized (
      select given.seq, found.id from given
      -- Not to be flattened: joined by xmin, which no index knows, all events would be read.
      cross join lateral (select id from events where id between case when given.seq = $1::bigint then greatest(given.first_id, $2::bigint + 1) else given.first_id end and given.last_id and events.xmin = given.xid::xid and app_id = any($4::integer[]) and (type = $5::request_type or flags = any('{1,3,5,7,9,11,13,15}'::smallint[])) and country = $6::text and stream_uid = $7::text offset 0) as found where given.is_near
    )
    select (select count(*) from matched)::integer as matches, (select count(*) from given where not is_near)::integer as far,
      coalesce((select min(seq) from request_batches) > $1::bigint + 1, false) as is_forgotten,
      (select coalesce(json_agg(json_build_array(seq, id)), '[]') from
        (select * from matched order by seq desc, id desc limit $8::integer) as newest) as places;

select id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, case when ip <<= inet '::/96' and not ip <<= inet '::/112' then
    (select concat('::', to_hex(bytes[1]::integer * 256 + bytes[2]::integer), ':', to_hex(bytes[3]::integer * 256 + bytes[4]::integer)) from string_to_array(substr(host(ip), 3), '.') as bytes) else host(ip) end, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request::text, body_response::text, error::text, additional_data::text, server_id, (select bundle from apps where apps.id = selected.app_id), (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id) from (
  select * from (
    select events.*, place, sum(
      coalesce(octet_length(body_request::text), 0) + coalesce(octet_length(body_response::text), 0)
      + coalesce(octet_length(additional_data::text), 0) + coalesce(octet_length(error::text), 0)
    ) over (order by place) as bytes
    from unnest($1::bigint[]) with ordinality as wanted (wanted_id, place) join events on events.id = wanted_id
  ) as sized where bytes <= 4000000 or place = 1 order by place) as selected;

-- a range that cuts days

select coalesce(max(seq), 0)::bigint as seq from request_batches;


    with given as (
      select *, committed_at > clock_timestamp() - interval '10 minutes'
        and sum(requests) over (order by seq desc) - requests < 200000 as is_near
      from request_batches where seq between $1::bigint and $3::bigint and (seq > $1::bigint or last_id > $2::bigint)
    ), matched as materialized (
      select given.seq, found.id from given
      -- Not to be flattened: joined by xmin, which no index knows, all events would be read.
      cross join lateral (select id from events where id between case when given.seq = $1::bigint then greatest(given.first_id, $2::bigint + 1) else given.first_id end and given.last_id and events.xmin = given.xid::xid and (type = $4::request_type) and occurred_at >= $5::timestamptz and occurred_at < $6::timestamptz offset 0) as found where given.is_near
    )
    select (select count(*) from matched)::integer as matches, (select count(*) from given where not is_near)::integer as far,
      coalesce((select min(seq) from request_batches) > $1::bigint + 1, false) as is_forgotten,
      (select coalesce(json_agg(json_build_array(seq, id)), '[]') from
        (select * from matched order by seq desc, id desc limit $7::integer) as newest) as places;

select id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, case when ip <<= inet '::/96' and not ip <<= inet '::/112' then
    (select concat('::', to_hex(bytes[1]::integer * 256 + bytes[2]::integer), ':', to_hex(bytes[3]::integer * 256 + bytes[4]::integer)) from string_to_array(substr(host(ip), 3), '.') as bytes) else host(ip) end, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request::text, body_response::text, error::text, additional_data::text, server_id, (select bundle from apps where apps.id = selected.app_id), (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id) from (
  select * from (
    select events.*, place, sum(
      coalesce(octet_length(body_request::text), 0) + coalesce(octet_length(body_response::text), 0)
      + coalesce(octet_length(additional_data::text), 0) + coalesce(octet_length(error::text), 0)
    ) over (order by place) as bytes
    from unnest($1::bigint[]) with ordinality as wanted (wanted_id, place) join events on events.id = wanted_id
  ) as sized where bytes <= 4000000 or place = 1 order by place) as selected;

-- an address block

select coalesce(max(seq), 0)::bigint as seq from request_batches;


    with given as (
      select *, committed_at > clock_timestamp() - interval '10 minutes'
        and sum(requests) over (order by seq desc) - requests < 200000 as is_near
      from request_batches where seq between $1::bigint and $3::bigint and (seq > $1::bigint or last_id > $2::bigint)
    ), matched as materialized (
      select given.seq, found.id from given
      -- Not to be flattened: joined by xmin, which no index knows, all events would be read.
      cross join lateral (select id from events where id between case when given.seq = $1::bigint then greatest(given.first_id, $2::bigint + 1) else given.first_id end and given.last_id and events.xmin = given.xid::xid and (ip between $4::inet and $5::inet or (client_uid collate "C" between $6::text and $7::text and lower(client_uid) collate "C" between (lower($6::text) collate "C") and (lower($7::text) collate "C"))) offset 0) as found where given.is_near
    )
    select (select count(*) from matched)::integer as matches, (select count(*) from given where not is_near)::integer as far,
      coalesce((select min(seq) from request_batches) > $1::bigint + 1, false) as is_forgotten,
      (select coalesce(json_agg(json_build_array(seq, id)), '[]') from
        (select * from matched order by seq desc, id desc limit $8::integer) as newest) as places;

select id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, case when ip <<= inet '::/96' and not ip <<= inet '::/112' then
    (select concat('::', to_hex(bytes[1]::integer * 256 + bytes[2]::integer), ':', to_hex(bytes[3]::integer * 256 + bytes[4]::integer)) from string_to_array(substr(host(ip), 3), '.') as bytes) else host(ip) end, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request::text, body_response::text, error::text, additional_data::text, server_id, (select bundle from apps where apps.id = selected.app_id), (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id) from (
  select * from (
    select events.*, place, sum(
      coalesce(octet_length(body_request::text), 0) + coalesce(octet_length(body_response::text), 0)
      + coalesce(octet_length(additional_data::text), 0) + coalesce(octet_length(error::text), 0)
    ) over (order by place) as bytes
    from unnest($1::bigint[]) with ordinality as wanted (wanted_id, place) join events on events.id = wanted_id
  ) as sized where bytes <= 4000000 or place = 1 order by place) as selected;

-- one client

select coalesce(max(seq), 0)::bigint as seq from request_batches;


    with given as (
      select *, committed_at > clock_timestamp() - interval '10 minutes'
        and sum(requests) over (order by seq desc) - requests < 200000 as is_near
      from request_batches where seq between $1::bigint and $3::bigint and (seq > $1::bigint or last_id > $2::bigint)
    ), matched as materialized (
      select given.seq, found.id from given
      -- Not to be flattened: joined by xmin, which no index knows, all events would be read.
      cross join lateral (select id from events where id between case when given.seq = $1::bigint then greatest(given.first_id, $2::bigint + 1) else given.first_id end and given.last_id and events.xmin = given.xid::xid and lower(client_uid) collate "C" = lower($4) collate "C" and client_uid = $4 offset 0) as found where given.is_near
    )
    select (select count(*) from matched)::integer as matches, (select count(*) from given where not is_near)::integer as far,
      coalesce((select min(seq) from request_batches) > $1::bigint + 1, false) as is_forgotten,
      (select coalesce(json_agg(json_build_array(seq, id)), '[]') from
        (select * from matched order by seq desc, id desc limit $5::integer) as newest) as places;

select id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, case when ip <<= inet '::/96' and not ip <<= inet '::/112' then
    (select concat('::', to_hex(bytes[1]::integer * 256 + bytes[2]::integer), ':', to_hex(bytes[3]::integer * 256 + bytes[4]::integer)) from string_to_array(substr(host(ip), 3), '.') as bytes) else host(ip) end, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request::text, body_response::text, error::text, additional_data::text, server_id, (select bundle from apps where apps.id = selected.app_id), (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id) from (
  select * from (
    select events.*, place, sum(
      coalesce(octet_length(body_request::text), 0) + coalesce(octet_length(body_response::text), 0)
      + coalesce(octet_length(additional_data::text), 0) + coalesce(octet_length(error::text), 0)
    ) over (order by place) as bytes
    from unnest($1::bigint[]) with ordinality as wanted (wanted_id, place) join events on events.id = wanted_id
  ) as sized where bytes <= 4000000 or place = 1 order by place) as selected;

-- autonomous systems

select coalesce(max(seq), 0)::bigint as seq from request_batches;


    with given as (
      select *, committed_at > clock_timestamp() - interval '10 minutes'
        and sum(requests) over (order by seq desc) - requests < 200000 as is_near
      from request_batches where seq between $1::bigint and $3::bigint and (seq > $1::bigint or last_id > $2::bigint)
    ), matched as materialized (
      select given.seq, found.id from given
      -- Not to be flattened: joined by xmin, which no index knows, all events would be read.
      cross join lateral (select id from events where id between case when given.seq = $1::bigint then greatest(given.first_id, $2::bigint + 1) else given.first_id end and given.last_id and events.xmin = given.xid::xid and asn = $4::text offset 0) as found where given.is_near
    )
    select (select count(*) from matched)::integer as matches, (select count(*) from given where not is_near)::integer as far,
      coalesce((select min(seq) from request_batches) > $1::bigint + 1, false) as is_forgotten,
      (select coalesce(json_agg(json_build_array(seq, id)), '[]') from
        (select * from matched order by seq desc, id desc limit $5::integer) as newest) as places;

-- labels, and all but a country

select coalesce(max(seq), 0)::bigint as seq from request_batches;


    with given as (
      select *, committed_at > clock_timestamp() - interval '10 minutes'
        and sum(requests) over (order by seq desc) - requests < 200000 as is_near
      from request_batches where seq between $1::bigint and $3::bigint and (seq > $1::bigint or last_id > $2::bigint)
    ), matched as materialized (
      select given.seq, found.id from given
      -- Not to be flattened: joined by xmin, which no index knows, all events would be read.
      cross join lateral (select id from events where id between case when given.seq = $1::bigint then greatest(given.first_id, $2::bigint + 1) else given.first_id end and given.last_id and events.xmin = given.xid::xid and country <> all($4::text[]) and (flags = any('{2,3,6,7,10,11,14,15}'::smallint[]) and string_to_array(bot, ' ') && $5::text[] or bot = '') offset 0) as found where given.is_near
    )
    select (select count(*) from matched)::integer as matches, (select count(*) from given where not is_near)::integer as far,
      coalesce((select min(seq) from request_batches) > $1::bigint + 1, false) as is_forgotten,
      (select coalesce(json_agg(json_build_array(seq, id)), '[]') from
        (select * from matched order by seq desc, id desc limit $6::integer) as newest) as places;

select id, uuid, app_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, case when ip <<= inet '::/96' and not ip <<= inet '::/112' then
    (select concat('::', to_hex(bytes[1]::integer * 256 + bytes[2]::integer), ':', to_hex(bytes[3]::integer * 256 + bytes[4]::integer)) from string_to_array(substr(host(ip), 3), '.') as bytes) else host(ip) end, country, client_uid, stream_uid, bot, postbacks_domain, user_agent, body_request::text, body_response::text, error::text, additional_data::text, server_id, (select bundle from apps where apps.id = selected.app_id), (select name from streams where streams.uid = selected.stream_uid and streams.app_id = selected.app_id) from (
  select * from (
    select events.*, place, sum(
      coalesce(octet_length(body_request::text), 0) + coalesce(octet_length(body_response::text), 0)
      + coalesce(octet_length(additional_data::text), 0) + coalesce(octet_length(error::text), 0)
    ) over (order by place) as bytes
    from unnest($1::bigint[]) with ordinality as wanted (wanted_id, place) join events on events.id = wanted_id
  ) as sized where bytes <= 4000000 or place = 1 order by place) as selected;
