-- everything

select row from events where true order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc settings optimize_use_projections = 0;

-- one app

select row from events where true and app_id = {p0:Int32} order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc settings optimize_use_projections = 0;

-- types, countries and streams

select row from events where true and app_id in {p0:Array(Int32)} and (type = {p1:String} or bitAnd(flags, 1) = 1) and country = {p2:String} and stream_uid = {p3:String} order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc settings optimize_use_projections = 0;

-- a range that cuts days

select row from events where true and (type = {p0:String}) and occurred_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p2:Int64}, 'UTC') order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc settings optimize_use_projections = 0;

-- an address block

select row from events where true and (ip between toIPv6({p0:String}) and toIPv6({p1:String}) or client_key between lowerUTF8({p2:String}) and concat(lowerUTF8({p2:String}), '􏿿')) order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc settings optimize_use_projections = 0;

-- one client

select row from events where true and client_key = lowerUTF8({p0:String}) and client_uid = {p0:String} order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc settings optimize_use_projections = 0;

-- labels, and all but a country

select row from events where true and country not in {p0:Array(String)} and (hasAny(splitByChar(' ', bot), {p1:Array(String)}) or bot = '') order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc settings optimize_use_projections = 0;
