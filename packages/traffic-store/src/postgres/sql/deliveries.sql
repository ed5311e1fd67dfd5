-- list of pushes

select count(*) as total from pushes where app_id = $1::integer and lower(uid) like lower($2::text) and (lower(push_id) like lower($3::text) or id = $4::bigint) and send_at >= $5::timestamptz and send_at < $6::timestamptz;

-- pushes of a campaign

with recursive known as (
    (select push_campaign_uid collate "C" as uid, 1 as place from pushes where app_id = $1::integer and push_campaign_uid is not null
      order by push_campaign_uid collate "C" limit 1)
    union all
    select (select push_campaign_uid collate "C" from pushes where app_id = $1::integer and push_campaign_uid collate "C" > known.uid
      order by push_campaign_uid collate "C" limit 1), place + 1
    from known where uid is not null and place <= 500
  )
  select coalesce(array_agg(uid) filter (where lower(uid collate "default") like lower($2::text)), '{}') as uids, coalesce(max(place), 0) as campaigns
  from known where uid is not null;

select count(*) as total from pushes where app_id = $1::integer and push_campaign_uid collate "C" = any($2::text[]);

-- list of conversions

select count(*) as total from conversions where app_id = $1::integer and status collate "C" = $2::text and created_at >= $3::timestamptz and created_at < $4::timestamptz;

-- export of pushes

select count(*) as total from pushes where app_id = $1::integer and lower(uid) like lower($2::text) and send_at >= $3::timestamptz and send_at < $4::timestamptz;

copy (select id, case when ascii(coalesce(push_id, '')) between 65 and 126 or ascii(coalesce(push_id, '')) between 48 and 57 then coalesce(push_id, '') else case when coalesce(push_id, '') <> '' and coalesce(push_id, '') ~ '^([\t\r]|[\u0001-\u0020\u007F-\u00A0\u00AD\u0600-\u0605\u061C\u06DD\u070F\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF9-\uFFFB]*[-=+@\uFF0B\uFF0D\uFF1D\uFF20])' then '''' || coalesce(push_id, '') else coalesce(push_id, '') end end, case when ascii(coalesce(push_name, '')) between 65 and 126 or ascii(coalesce(push_name, '')) between 48 and 57 then coalesce(push_name, '') else case when coalesce(push_name, '') <> '' and coalesce(push_name, '') ~ '^([\t\r]|[\u0001-\u0020\u007F-\u00A0\u00AD\u0600-\u0605\u061C\u06DD\u070F\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF9-\uFFFB]*[-=+@\uFF0B\uFF0D\uFF1D\uFF20])' then '''' || coalesce(push_name, '') else coalesce(push_name, '') end end, case when ascii(coalesce(push_message, '')) between 65 and 126 or ascii(coalesce(push_message, '')) between 48 and 57 then coalesce(push_message, '') else case when coalesce(push_message, '') <> '' and coalesce(push_message, '') ~ '^([\t\r]|[\u0001-\u0020\u007F-\u00A0\u00AD\u0600-\u0605\u061C\u06DD\u070F\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF9-\uFFFB]*[-=+@\uFF0B\uFF0D\uFF1D\uFF20])' then '''' || coalesce(push_message, '') else coalesce(push_message, '') end end, case when ascii(coalesce(uid, '')) between 65 and 126 or ascii(coalesce(uid, '')) between 48 and 57 then coalesce(uid, '') else case when coalesce(uid, '') <> '' and coalesce(uid, '') ~ '^([\t\r]|[\u0001-\u0020\u007F-\u00A0\u00AD\u0600-\u0605\u061C\u06DD\u070F\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF9-\uFFFB]*[-=+@\uFF0B\uFF0D\uFF1D\uFF20])' then '''' || coalesce(uid, '') else coalesce(uid, '') end end, case when ascii(coalesce(client_uid, '')) between 65 and 126 or ascii(coalesce(client_uid, '')) between 48 and 57 then coalesce(client_uid, '') else case when coalesce(client_uid, '') <> '' and coalesce(client_uid, '') ~ '^([\t\r]|[\u0001-\u0020\u007F-\u00A0\u00AD\u0600-\u0605\u061C\u06DD\u070F\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF9-\uFFFB]*[-=+@\uFF0B\uFF0D\uFF1D\uFF20])' then '''' || coalesce(client_uid, '') else coalesce(client_uid, '') end end, case when ascii(coalesce(push_campaign_uid, '')) between 65 and 126 or ascii(coalesce(push_campaign_uid, '')) between 48 and 57 then coalesce(push_campaign_uid, '') else case when coalesce(push_campaign_uid, '') <> '' and coalesce(push_campaign_uid, '') ~ '^([\t\r]|[\u0001-\u0020\u007F-\u00A0\u00AD\u0600-\u0605\u061C\u06DD\u070F\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF9-\uFFFB]*[-=+@\uFF0B\uFF0D\uFF1D\uFF20])' then '''' || coalesce(push_campaign_uid, '') else coalesce(push_campaign_uid, '') end end,
  to_char(send_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS'), case when ascii(coalesce(status, '')) between 65 and 126 or ascii(coalesce(status, '')) between 48 and 57 then coalesce(status, '') else case when coalesce(status, '') <> '' and coalesce(status, '') ~ '^([\t\r]|[\u0001-\u0020\u007F-\u00A0\u00AD\u0600-\u0605\u061C\u06DD\u070F\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF9-\uFFFB]*[-=+@\uFF0B\uFF0D\uFF1D\uFF20])' then '''' || coalesce(status, '') else coalesce(status, '') end end, case when ascii(coalesce(error, '')) between 65 and 126 or ascii(coalesce(error, '')) between 48 and 57 then coalesce(error, '') else case when coalesce(error, '') <> '' and coalesce(error, '') ~ '^([\t\r]|[\u0001-\u0020\u007F-\u00A0\u00AD\u0600-\u0605\u061C\u06DD\u070F\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF9-\uFFFB]*[-=+@\uFF0B\uFF0D\uFF1D\uFF20])' then '''' || coalesce(error, '') else coalesce(error, '') end end, null from pushes where app_id = (1)::integer and lower(uid) like lower('%u%'::text) and send_at >= '2026-10-04 12:00:00.000007+00'::timestamptz and send_at < '2026-10-14 13:00:00.000000+00'::timestamptz order by id asc) to stdout (format csv, null 'row end');

-- export of conversions

select count(*) as total from conversions where app_id = $1::integer and created_at >= $2::timestamptz and created_at < $3::timestamptz;

copy (select id, case when ascii(coalesce(source, '')) between 65 and 126 or ascii(coalesce(source, '')) between 48 and 57 then coalesce(source, '') else case when coalesce(source, '') <> '' and coalesce(source, '') ~ '^([\t\r]|[\u0001-\u0020\u007F-\u00A0\u00AD\u0600-\u0605\u061C\u06DD\u070F\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF9-\uFFFB]*[-=+@\uFF0B\uFF0D\uFF1D\uFF20])' then '''' || coalesce(source, '') else coalesce(source, '') end end, case when ascii(coalesce(client_uid, '')) between 65 and 126 or ascii(coalesce(client_uid, '')) between 48 and 57 then coalesce(client_uid, '') else case when coalesce(client_uid, '') <> '' and coalesce(client_uid, '') ~ '^([\t\r]|[\u0001-\u0020\u007F-\u00A0\u00AD\u0600-\u0605\u061C\u06DD\u070F\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF9-\uFFFB]*[-=+@\uFF0B\uFF0D\uFF1D\uFF20])' then '''' || coalesce(client_uid, '') else coalesce(client_uid, '') end end, case when ascii(coalesce(stream_uid, '')) between 65 and 126 or ascii(coalesce(stream_uid, '')) between 48 and 57 then coalesce(stream_uid, '') else case when coalesce(stream_uid, '') <> '' and coalesce(stream_uid, '') ~ '^([\t\r]|[\u0001-\u0020\u007F-\u00A0\u00AD\u0600-\u0605\u061C\u06DD\u070F\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF9-\uFFFB]*[-=+@\uFF0B\uFF0D\uFF1D\uFF20])' then '''' || coalesce(stream_uid, '') else coalesce(stream_uid, '') end end, case when ascii(coalesce(click_id, '')) between 65 and 126 or ascii(coalesce(click_id, '')) between 48 and 57 then coalesce(click_id, '') else case when coalesce(click_id, '') <> '' and coalesce(click_id, '') ~ '^([\t\r]|[\u0001-\u0020\u007F-\u00A0\u00AD\u0600-\u0605\u061C\u06DD\u070F\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF9-\uFFFB]*[-=+@\uFF0B\uFF0D\uFF1D\uFF20])' then '''' || coalesce(click_id, '') else coalesce(click_id, '') end end, case when ascii(coalesce(receive_apf_uid, '')) between 65 and 126 or ascii(coalesce(receive_apf_uid, '')) between 48 and 57 then coalesce(receive_apf_uid, '') else case when coalesce(receive_apf_uid, '') <> '' and coalesce(receive_apf_uid, '') ~ '^([\t\r]|[\u0001-\u0020\u007F-\u00A0\u00AD\u0600-\u0605\u061C\u06DD\u070F\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF9-\uFFFB]*[-=+@\uFF0B\uFF0D\uFF1D\uFF20])' then '''' || coalesce(receive_apf_uid, '') else coalesce(receive_apf_uid, '') end end, case when ascii(coalesce(app_instance_id, '')) between 65 and 126 or ascii(coalesce(app_instance_id, '')) between 48 and 57 then coalesce(app_instance_id, '') else case when coalesce(app_instance_id, '') <> '' and coalesce(app_instance_id, '') ~ '^([\t\r]|[\u0001-\u0020\u007F-\u00A0\u00AD\u0600-\u0605\u061C\u06DD\u070F\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF9-\uFFFB]*[-=+@\uFF0B\uFF0D\uFF1D\uFF20])' then '''' || coalesce(app_instance_id, '') else coalesce(app_instance_id, '') end end, case when ascii(coalesce(status_conversion, '')) between 65 and 126 or ascii(coalesce(status_conversion, '')) between 48 and 57 then coalesce(status_conversion, '') else case when coalesce(status_conversion, '') <> '' and coalesce(status_conversion, '') ~ '^([\t\r]|[\u0001-\u0020\u007F-\u00A0\u00AD\u0600-\u0605\u061C\u06DD\u070F\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF9-\uFFFB]*[-=+@\uFF0B\uFF0D\uFF1D\uFF20])' then '''' || coalesce(status_conversion, '') else coalesce(status_conversion, '') end end, coalesce(trim_scale(payout)::text, ''), case when ascii(coalesce(status, '')) between 65 and 126 or ascii(coalesce(status, '')) between 48 and 57 then coalesce(status, '') else case when coalesce(status, '') <> '' and coalesce(status, '') ~ '^([\t\r]|[\u0001-\u0020\u007F-\u00A0\u00AD\u0600-\u0605\u061C\u06DD\u070F\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF9-\uFFFB]*[-=+@\uFF0B\uFF0D\uFF1D\uFF20])' then '''' || coalesce(status, '') else coalesce(status, '') end end, case when ascii(coalesce(error, '')) between 65 and 126 or ascii(coalesce(error, '')) between 48 and 57 then coalesce(error, '') else case when coalesce(error, '') <> '' and coalesce(error, '') ~ '^([\t\r]|[\u0001-\u0020\u007F-\u00A0\u00AD\u0600-\u0605\u061C\u06DD\u070F\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF9-\uFFFB]*[-=+@\uFF0B\uFF0D\uFF1D\uFF20])' then '''' || coalesce(error, '') else coalesce(error, '') end end,
  case when is_send then 1 else 0 end, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS'), null from conversions where app_id = (1)::integer and created_at >= '2026-10-04 12:00:00.000007+00'::timestamptz and created_at < '2026-10-14 13:00:00.000000+00'::timestamptz order by id asc) to stdout (format csv, null 'row end');

-- timeline of a client

select app_id, kept.id, push_id, push_name, push_message, uid, client_uid, push_campaign_uid,
  (extract(epoch from send_at) * 1000000)::bigint as send_at, status, error from pushes as kept where client_uid collate "C" = $1::text and app_id = any($2::integer[]) and (send_at, id) < ($3::timestamptz, $4::bigint)
    order by kept.send_at desc, kept.id desc limit $5::integer;

select app_id, kept.id, source, client_uid, stream_uid, click_id, receive_apf_uid, app_instance_id, status_conversion,
  payout::float8 as payout, status, error, is_send, (extract(epoch from created_at) * 1000000)::bigint as created_at from conversions as kept where client_uid collate "C" = $1::text and app_id = any($2::integer[]) and id > $3::bigint
    order by kept.created_at desc, kept.id desc limit $4::integer;

select count(*) as total, coalesce(max(id), 0) as last_id from pushes where client_uid collate "C" = $1::text and app_id = any($2::integer[]);

-- groups

select coalesce(json_agg(key_0), '[]') as key_0, coalesce(json_agg(key_1), '[]') as key_1, coalesce(json_agg(status), '[]') as status, coalesce(json_agg(stored), '[]') as stored, coalesce(json_agg(payout), '[]') as payout from (select app_id as key_0, local::date - date '1970-01-01' as key_1, status, sum(stored)::bigint as stored, coalesce(sum(payout), 0)::text as payout from (select app_id, '' as stream_uid, '' as kind, status, stored, 0 as payout, day::timestamp as local from push_status_days where day between $1::date and $2::date) as place where true and app_id = any($3::integer[])
    group by app_id, local::date - date '1970-01-01', status having sum(stored) > 0 limit 100) as selected;

select coalesce(json_agg(key_0), '[]') as key_0, coalesce(json_agg(key_1), '[]') as key_1, coalesce(json_agg(status), '[]') as status, coalesce(json_agg(stored), '[]') as stored, coalesce(json_agg(payout), '[]') as payout from (select stream_uid as key_0, extract(hour from local)::integer as key_1, status, sum(stored)::bigint as stored, coalesce(sum(payout), 0)::text as payout from (select app_id, coalesce(stream_uid, '') as stream_uid, '' as kind, status, 1 as stored, payout as payout,
      created_at at time zone 'UTC' + $1::interval as local from conversions where created_at >= $2::timestamptz and created_at < $3::timestamptz) as place where true and app_id = any($4::integer[])
    group by stream_uid, extract(hour from local)::integer, status having sum(stored) > 0 limit 100) as selected;

-- spans

select coalesce(sum(counted.stored), 0)::bigint as n
      from unnest($1::timestamptz[], $2::timestamptz[]) with ordinality as span (since, until, at)
      left join push_hours as counted on counted.hour >= span.since and counted.hour < span.until
        and counted.app_id = any($3::integer[])
      group by span.at order by span.at;

select coalesce(sum(counted.stored), 0)::bigint as n
      from unnest($1::timestamptz[], $2::timestamptz[]) with ordinality as span (since, until, at)
      left join conversion_hours as counted on counted.hour >= span.since and counted.hour < span.until
        
      group by span.at order by span.at;

select app_id, (extract(epoch from hour) * 1000000)::bigint as at, stored from conversion_hours
      where hour >= $1::timestamptz and hour < $2::timestamptz ;
