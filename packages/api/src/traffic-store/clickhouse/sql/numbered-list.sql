-- everything

select toInt64(toUnixTimestamp(hour)) * 1000000 as starts, null as type, matches, first_id, last_id
    from (select toStartOfHour(occurred_at) as hour, count() as matches, min(id) as first_id, max(id) as last_id from events
       group by toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_hour') order by hour;

select (select sum(matches) from (select toStartOfHour(occurred_at) as hour, count() as matches, min(id) as first_id, max(id) as last_id from events
       group by toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_hour')) as count, row from events where true and occurred_at >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and toStartOfHour(occurred_at) in {p2:Array(DateTime('UTC'))} order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc limit 20 offset 0 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_hour';

-- one app

select toInt64(toUnixTimestamp(hour)) * 1000000 as starts, null as type, matches, first_id, last_id
    from (select toStartOfHour(occurred_at) as hour, count() as matches, min(id) as first_id, max(id) as last_id from events
      where app_id = {p0:Int32} group by toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_app_hour') order by hour;

select (select sum(matches) from (select toStartOfHour(occurred_at) as hour, count() as matches, min(id) as first_id, max(id) as last_id from events
      where app_id = {p4:Int32} group by toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_app_hour')) as count, row from events where true and app_id = {p0:Int32} and occurred_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p2:Int64}, 'UTC') and toStartOfHour(occurred_at) in {p3:Array(DateTime('UTC'))} order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc limit 20 offset 0 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_app_hour';

-- types, countries and streams

select toInt64(toUnixTimestamp(hour)) * 1000000 as starts, null as type, matches, first_id, last_id
    from (select toStartOfHour(occurred_at) as hour, count() as matches, min(id) as first_id, max(id) as last_id from events
      where app_id in {p0:Array(Int32)} and (type = {p1:String} or bitAnd(flags, 1) = 1) and country = {p2:String} and stream_uid = {p3:String} group by toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_stream_hour') order by hour;

-- a range that cuts days

select toInt64(toUnixTimestamp(hour)) * 1000000 as starts, null as type, matches, first_id, last_id
    from (select toStartOfHour(occurred_at) as hour, count() as matches, min(id) as first_id, max(id) as last_id from events
      where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and (type = {p2:String}) group by toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_hour') order by hour;

-- an address block

select count() as matches from (select id from events
        where (client_key between lowerUTF8({p0:String}) and concat(lowerUTF8({p0:String}), '􏿿')) limit 100001 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_client');

select count() as matches from (select id from events
        where (ip between toIPv6({p0:String}) and toIPv6({p1:String})) limit 100001 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip');

select toUnixTimestamp64Micro(occurred_at) as at, app_id, id, (select uniqExact(id) as total from (select id from events where (client_key between lowerUTF8({p0:String}) and concat(lowerUTF8({p0:String}), '􏿿')) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_client' union all select id from events where (ip between toIPv6({p1:String}) and toIPv6({p2:String})) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip')) as total
    from (select distinct occurred_at, app_id, id, type from (select occurred_at, app_id, id, type from events where (client_key between lowerUTF8({p3:String}) and concat(lowerUTF8({p3:String}), '􏿿')) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_client' union all select occurred_at, app_id, id, type from events where (ip between toIPv6({p4:String}) and toIPv6({p5:String})) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip'))
    order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc limit 20 offset 20;

select uniqExact(id) as total from (select id from events where (client_key between lowerUTF8({p0:String}) and concat(lowerUTF8({p0:String}), '􏿿')) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_client' union all select id from events where (ip between toIPv6({p1:String}) and toIPv6({p2:String})) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip');

-- one client

select count() as matches from (select id from events
        where client_key = lowerUTF8({p0:String}) and client_uid = {p0:String} limit 100001 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_client');

select toUnixTimestamp64Micro(occurred_at) as at, app_id, id, (select count() as total from (select id from events where client_key = lowerUTF8({p0:String}) and client_uid = {p0:String} settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_client')) as total
    from (select  occurred_at, app_id, id, type from (select occurred_at, app_id, id, type from events where client_key = lowerUTF8({p1:String}) and client_uid = {p1:String} settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_client'))
    order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc limit 20 offset 20;

select count() as total from (select id from events where client_key = lowerUTF8({p0:String}) and client_uid = {p0:String} settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_client');

-- labels, and all but a country

select toUnixTimestamp64Micro(occurred_at) as at, app_id, id, (select count() as total from (select id from events where country not in {p0:Array(String)} and (hasAny(splitByChar(' ', bot), {p1:Array(String)}) or bot = '') settings optimize_use_projections = 0)) as total
    from (select  occurred_at, app_id, id, type from (select occurred_at, app_id, id, type from events where country not in {p2:Array(String)} and (hasAny(splitByChar(' ', bot), {p3:Array(String)}) or bot = '') settings optimize_use_projections = 0))
    order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc limit 20 offset 20;

select row from events where (toStartOfHour(occurred_at), app_id, occurred_at) in {p0:Array(Tuple(DateTime('UTC'), Int32, DateTime64(6, 'UTC')))} and id in {p1:Array(UInt64)} settings optimize_use_projections = 0;
