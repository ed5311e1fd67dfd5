-- client


    with found as materialized (
      select app_id, type, country, case when ip <<= inet '::/96' and not ip <<= inet '::/112' then
    (select concat('::', to_hex(bytes[1]::integer * 256 + bytes[2]::integer), ':', to_hex(bytes[3]::integer * 256 + bytes[4]::integer)) from string_to_array(substr(host(ip), 3), '.') as bytes) else host(ip) end collate "C" as value, occurred_at, id from events where app_id = any($1::integer[]) and lower(client_uid) collate "C" = lower($2) collate "C" and client_uid = $2
    ), valued as (
      select value, max(occurred_at) as newest, count(*) as events, (extract(epoch from min(occurred_at)) * 1000000)::bigint as first, (extract(epoch from max(occurred_at)) * 1000000)::bigint as last from found where true group by value
    ), latest as (
      select * from valued order by newest desc, value limit $3::integer
    ), located as (
      select distinct on (value) latest.*, found.country from latest
      join found on found.value = latest.value and found.occurred_at = latest.newest order by value, found.id desc
    )
    select (select coalesce(json_agg(grouped), '[]') from (
        select case when grouping(app_id) = 0 then 'app' when grouping(type) = 0 then 'type' else 'country' end as part,
          coalesce(app_id::text, type::text, country) as key, count(*) as events, (extract(epoch from min(occurred_at)) * 1000000)::bigint as first, (extract(epoch from max(occurred_at)) * 1000000)::bigint as last
        from found group by grouping sets ((app_id), (type), (country))
      ) as grouped) as groups,
      (select coalesce(json_agg(row_to_json(located) order by newest desc, value), '[]') from located) as latest,
      (select count(*)::integer from valued) as total;

-- address


    with found as materialized (
      select app_id, type, country, client_uid collate "C" as value, occurred_at, id from events where (ip = $1::inet)
    ), valued as (
      select value, max(occurred_at) as newest, count(*) as events, (extract(epoch from min(occurred_at)) * 1000000)::bigint as first, (extract(epoch from max(occurred_at)) * 1000000)::bigint as last from found where value <> '' group by value
    ), latest as (
      select * from valued order by newest desc, value limit $2::integer
    ), located as (
      select distinct on (value) latest.*, found.country from latest
      join found on found.value = latest.value and found.occurred_at = latest.newest order by value, found.id desc
    )
    select (select coalesce(json_agg(grouped), '[]') from (
        select case when grouping(app_id) = 0 then 'app' when grouping(type) = 0 then 'type' else 'country' end as part,
          coalesce(app_id::text, type::text, country) as key, count(*) as events, (extract(epoch from min(occurred_at)) * 1000000)::bigint as first, (extract(epoch from max(occurred_at)) * 1000000)::bigint as last
        from found group by grouping sets ((app_id), (type), (country))
      ) as grouped) as groups,
      (select coalesce(json_agg(row_to_json(located) order by newest desc, value), '[]') from located) as latest,
      (select count(*)::integer from valued) as total;
