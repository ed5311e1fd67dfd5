-- everything

select bucket * 1000000 as at, type, sum(matches) as events from (select intDiv(toInt64(toUnixTimestamp(occurred_at)) + 7200, 10800) * 10800 - 7200 as bucket, type, count() as matches from events
      where occurred_at >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') group by bucket, type settings optimize_use_projections = 0 union all select intDiv(toInt64(toUnixTimestamp(hour)) + 7200, 10800) * 10800 - 7200 as bucket, type, sum(found) as matches from (
        select toStartOfHour(occurred_at) as hour, type, count() as found from events where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p3:Int64}, 'UTC')
        group by toStartOfHour(occurred_at), type settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_hour'
      ) group by bucket, type) group by bucket, type;

-- one app

select bucket * 1000000 as at, type, sum(matches) as events from (select intDiv(toInt64(toUnixTimestamp(occurred_at)) + 7200, 10800) * 10800 - 7200 as bucket, type, count() as matches from events
      where app_id = {p0:Int32} and occurred_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p2:Int64}, 'UTC') group by bucket, type settings optimize_use_projections = 0 union all select intDiv(toInt64(toUnixTimestamp(hour)) + 7200, 10800) * 10800 - 7200 as bucket, type, sum(found) as matches from (
        select toStartOfHour(occurred_at) as hour, type, count() as found from events where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p4:Int64}, 'UTC') and app_id = {p5:Int32}
        group by toStartOfHour(occurred_at), type settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_app_hour'
      ) group by bucket, type) group by bucket, type;

-- types, countries and streams

select bucket * 1000000 as at, type, sum(matches) as events from (select intDiv(toInt64(toUnixTimestamp(occurred_at)) + 7200, 10800) * 10800 - 7200 as bucket, type, count() as matches from events
      where app_id in {p0:Array(Int32)} and (type = {p1:String} or bitAnd(flags, 1) = 1) and country = {p2:String} and stream_uid = {p3:String} and occurred_at >= fromUnixTimestamp64Micro({p4:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p5:Int64}, 'UTC') group by bucket, type settings optimize_use_projections = 0 union all select intDiv(toInt64(toUnixTimestamp(hour)) + 7200, 10800) * 10800 - 7200 as bucket, type, sum(found) as matches from (
        select toStartOfHour(occurred_at) as hour, type, count() as found from events where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p6:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p7:Int64}, 'UTC') and app_id in {p8:Array(Int32)} and (type = {p9:String} or bitAnd(flags, 1) = 1) and country = {p10:String} and stream_uid = {p11:String}
        group by toStartOfHour(occurred_at), type settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_stream_hour'
      ) group by bucket, type) group by bucket, type;

-- a range that cuts days

select bucket * 1000000 as at, type, sum(matches) as events from (select intDiv(toInt64(toUnixTimestamp(occurred_at)) + 7200, 10800) * 10800 - 7200 as bucket, type, count() as matches from events
      where (type = {p0:String}) and occurred_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p2:Int64}, 'UTC') group by bucket, type settings optimize_use_projections = 0 union all select intDiv(toInt64(toUnixTimestamp(hour)) + 7200, 10800) * 10800 - 7200 as bucket, type, sum(found) as matches from (
        select toStartOfHour(occurred_at) as hour, type, count() as found from events where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p4:Int64}, 'UTC') and (type = {p5:String})
        group by toStartOfHour(occurred_at), type settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_hour'
      ) group by bucket, type) group by bucket, type;

-- an address block

select bucket * 1000000 as at, type, sum(matches) as events from (select intDiv(toInt64(toUnixTimestamp(occurred_at)) + 7200, 10800) * 10800 - 7200 as bucket, type, count() as matches from events
      where (ip between toIPv6({p0:String}) and toIPv6({p1:String}) or client_key between lowerUTF8({p2:String}) and concat(lowerUTF8({p2:String}), '􏿿')) and occurred_at >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p4:Int64}, 'UTC') group by bucket, type settings optimize_use_projections = 0) group by bucket, type;

-- one client

select bucket * 1000000 as at, type, sum(matches) as events from (select intDiv(toInt64(toUnixTimestamp(occurred_at)) + 7200, 10800) * 10800 - 7200 as bucket, type, count() as matches from events
      where client_key = lowerUTF8({p0:String}) and client_uid = {p0:String} and occurred_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p2:Int64}, 'UTC') group by bucket, type settings optimize_use_projections = 0) group by bucket, type;

-- autonomous systems

select bucket * 1000000 as at, type, sum(matches) as events from (select intDiv(toInt64(toUnixTimestamp(occurred_at)) + 7200, 10800) * 10800 - 7200 as bucket, type, count() as matches from events
      where asn = {p0:String} and occurred_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p2:Int64}, 'UTC') group by bucket, type settings optimize_use_projections = 0 union all select intDiv(toInt64(toUnixTimestamp(hour)) + 7200, 10800) * 10800 - 7200 as bucket, type, sum(found) as matches from (
        select toStartOfHour(occurred_at) as hour, type, count() as found from events where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p4:Int64}, 'UTC') and asn = {p5:String}
        group by toStartOfHour(occurred_at), type settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_asn_hour'
      ) group by bucket, type) group by bucket, type;

-- labels, and all but a country

select bucket * 1000000 as at, type, sum(matches) as events from (select intDiv(toInt64(toUnixTimestamp(occurred_at)) + 7200, 10800) * 10800 - 7200 as bucket, type, count() as matches from events
      where country not in {p0:Array(String)} and (hasAny(splitByChar(' ', bot), {p1:Array(String)}) or bot = '') and occurred_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC') group by bucket, type settings optimize_use_projections = 0) group by bucket, type;
