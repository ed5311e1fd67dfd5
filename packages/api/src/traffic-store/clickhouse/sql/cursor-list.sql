-- everything

select toInt64(toUnixTimestamp(hour)) * 1000000 as starts, null as type, matches, first_id, last_id from (select toStartOfHour(occurred_at) as hour, count() as matches, min(id) as first_id, max(id) as last_id from events
      where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') group by toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_hour')
    order by hour desc limit 23;

select toInt64(toUnixTimestamp(hour)) * 1000000 as starts, null as type, matches, first_id, last_id from (select toStartOfHour(occurred_at) as hour, count() as matches, min(id) as first_id, max(id) as last_id from events
       group by toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_hour')
    order by hour desc limit 23;

select (0) as count, row from events where true and occurred_at >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and toStartOfHour(occurred_at) in {p2:Array(DateTime('UTC'))} order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc limit 21 offset 0 settings optimize_use_projections = 0;

-- one app

select toInt64(toUnixTimestamp(hour)) * 1000000 as starts, null as type, matches, first_id, last_id from (select toStartOfHour(occurred_at) as hour, count() as matches, min(id) as first_id, max(id) as last_id from events
      where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and app_id = {p1:Int32} group by toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_app_hour')
    order by hour desc limit 23;

select toInt64(toUnixTimestamp(hour)) * 1000000 as starts, null as type, matches, first_id, last_id from (select toStartOfHour(occurred_at) as hour, count() as matches, min(id) as first_id, max(id) as last_id from events
      where app_id = {p0:Int32} group by toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_app_hour')
    order by hour desc limit 23;

select (0) as count, row from events where true and app_id = {p0:Int32} and occurred_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p2:Int64}, 'UTC') and toStartOfHour(occurred_at) in {p3:Array(DateTime('UTC'))} order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc limit 21 offset 0 settings optimize_use_projections = 0;

-- types, countries and streams

select toInt64(toUnixTimestamp(hour)) * 1000000 as starts, null as type, matches, first_id, last_id from (select toStartOfHour(occurred_at) as hour, count() as matches, min(id) as first_id, max(id) as last_id from events
      where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and app_id in {p1:Array(Int32)} and (type = {p2:String} or bitAnd(flags, 1) = 1) and country = {p3:String} and stream_uid = {p4:String} group by toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_stream_hour')
    order by hour desc limit 23;

select toInt64(toUnixTimestamp(hour)) * 1000000 as starts, null as type, matches, first_id, last_id from (select toStartOfHour(occurred_at) as hour, count() as matches, min(id) as first_id, max(id) as last_id from events
      where app_id in {p0:Array(Int32)} and (type = {p1:String} or bitAnd(flags, 1) = 1) and country = {p2:String} and stream_uid = {p3:String} group by toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_stream_hour')
    order by hour desc limit 23;

select (0) as count, row from events where true and app_id in {p0:Array(Int32)} and (type = {p1:String} or bitAnd(flags, 1) = 1) and country = {p2:String} and stream_uid = {p3:String} and occurred_at >= fromUnixTimestamp64Micro({p4:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p5:Int64}, 'UTC') and toStartOfHour(occurred_at) in {p6:Array(DateTime('UTC'))} order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc limit 21 offset 0 settings optimize_use_projections = 0;

-- a range that cuts days

select toInt64(toUnixTimestamp(hour)) * 1000000 as starts, null as type, matches, first_id, last_id from (select toStartOfHour(occurred_at) as hour, count() as matches, min(id) as first_id, max(id) as last_id from events
      where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and (type = {p2:String}) group by toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_hour')
    order by hour desc limit 23;

select (0) as count, row from events where true and (type = {p0:String}) and occurred_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p2:Int64}, 'UTC') and occurred_at >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p4:Int64}, 'UTC') and toStartOfHour(occurred_at) in {p5:Array(DateTime('UTC'))} order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc limit 21 offset 0 settings optimize_use_projections = 0;

-- an address block

select count() as matches from (select id from events
        where (client_key between lowerUTF8({p0:String}) and concat(lowerUTF8({p0:String}), '􏿿')) limit 100001 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_client');

select count() as matches from (select id from events
        where (ip between toIPv6({p0:String}) and toIPv6({p1:String})) limit 100001 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip');

select toUnixTimestamp64Micro(occurred_at) as at, app_id, id from events where (client_key between lowerUTF8({p0:String}) and concat(lowerUTF8({p0:String}), '􏿿'))
        order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc limit 21 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_client';

select toUnixTimestamp64Micro(occurred_at) as at, app_id, id from events where (ip between toIPv6({p0:String}) and toIPv6({p1:String}))
        order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc limit 21 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip';

select row from events where (toStartOfHour(occurred_at), app_id, occurred_at) in {p0:Array(Tuple(DateTime('UTC'), Int32, DateTime64(6, 'UTC')))} and id in {p1:Array(UInt64)} settings optimize_use_projections = 0;

-- one client

select count() as matches from (select id from events
        where client_key = lowerUTF8({p0:String}) and client_uid = {p0:String} limit 100001 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_client');

select toUnixTimestamp64Micro(occurred_at) as at, app_id, id from events where client_key = lowerUTF8({p0:String}) and client_uid = {p0:String}
        order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc limit 21 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_client';

select row from events where (toStartOfHour(occurred_at), app_id, occurred_at) in {p0:Array(Tuple(DateTime('UTC'), Int32, DateTime64(6, 'UTC')))} and id in {p1:Array(UInt64)} settings optimize_use_projections = 0;

-- labels, and all but a country

select toUnixTimestamp64Micro(occurred_at) as at, app_id, id from events where country not in {p0:Array(String)} and (hasAny(splitByChar(' ', bot), {p1:Array(String)}) or bot = '')
        order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc limit 21 settings optimize_use_projections = 0;

select row from events where (toStartOfHour(occurred_at), app_id, occurred_at) in {p0:Array(Tuple(DateTime('UTC'), Int32, DateTime64(6, 'UTC')))} and id in {p1:Array(UInt64)} settings optimize_use_projections = 0;
