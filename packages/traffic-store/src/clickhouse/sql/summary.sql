-- client

select shared.1 as part, shared.2 as key, sum(counted) as events, min(oldest) as first, max(newest) as last
        from (
          select app_id, type, country, count() as counted, toUnixTimestamp64Micro(min(occurred_at)) as oldest, toUnixTimestamp64Micro(max(occurred_at)) as newest
          from events where app_id in {p0:Array(Int32)} and client_key = lowerUTF8({p1:String}) and client_uid = {p1:String} group by app_id, type, country settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_client'
        ) array join [('app', toString(app_id)), ('type', toString(type)), ('country', toString(country))] as shared group by shared;

select toString(ip) as value, argMax(country, (occurred_at, id)) as country, count() as events, toUnixTimestamp64Micro(min(occurred_at)) as first, toUnixTimestamp64Micro(max(occurred_at)) as last,
          count() over () as total
        from events where app_id in {p0:Array(Int32)} and client_key = lowerUTF8({p1:String}) and client_uid = {p1:String} group by ip
        order by last desc, value limit 5 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_client';

-- address

select shared.1 as part, shared.2 as key, sum(counted) as events, min(oldest) as first, max(newest) as last
        from (
          select app_id, type, country, count() as counted, toUnixTimestamp64Micro(min(occurred_at)) as oldest, toUnixTimestamp64Micro(max(occurred_at)) as newest
          from events where (ip between toIPv6({p0:String}) and toIPv6({p1:String})) group by app_id, type, country settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip'
        ) array join [('app', toString(app_id)), ('type', toString(type)), ('country', toString(country))] as shared group by shared;

select client_uid as value, argMax(country, (occurred_at, id)) as country, count() as events, toUnixTimestamp64Micro(min(occurred_at)) as first, toUnixTimestamp64Micro(max(occurred_at)) as last,
          count() over () as total
        from events where (ip between toIPv6({p0:String}) and toIPv6({p1:String})) and client_uid != '' group by client_uid
        order by last desc, value limit 5 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip';
