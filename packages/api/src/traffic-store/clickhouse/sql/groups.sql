-- app

select [toString(app_id)]::Array(String) as keys, sum(found) as events, sumIf(found, bitAnd(flags, 3) = 0) as successes,
      sumIf(found, bitAnd(flags, 2) != 0) as bots
    from (select app_id, flags, count() as found from events where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and app_id in {p2:Array(Int32)} group by app_id, flags settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_app_hour') group by keys having events > 0 limit 100;

-- app and day

select [toString(app_id), toString(toDate((toDateTime(at, 'UTC') + 7200)))]::Array(String) as keys, sum(found) as events, sumIf(found, bitAnd(flags, 3) = 0) as successes,
      sumIf(found, bitAnd(flags, 2) != 0) as bots
    from (select app_id, flags, toUnixTimestamp(toStartOfHour(occurred_at)) as at, count() as found from events where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and app_id in {p2:Array(Int32)} group by app_id, flags, toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_app_hour') group by keys having events > 0 limit 100;

-- country and type

select [toString(country), toString(type)]::Array(String) as keys, sum(found) as events, sumIf(found, bitAnd(flags, 3) = 0) as successes,
      sumIf(found, bitAnd(flags, 2) != 0) as bots
    from (select country, type, flags, count() as found from events where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and app_id in {p2:Array(Int32)} group by country, type, flags settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_app_country_hour') group by keys having events > 0 limit 100;

-- stream

select [toString(stream_uid)]::Array(String) as keys, sum(found) as events, sumIf(found, bitAnd(flags, 3) = 0) as successes,
      sumIf(found, bitAnd(flags, 2) != 0) as bots
    from (select stream_uid, flags, count() as found from events where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and app_id in {p2:Array(Int32)} group by stream_uid, flags settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_stream_hour') group by keys having events > 0 limit 100;

-- asn and day

select [toString(asn), toString(toDate((toDateTime(at, 'UTC') + 7200)))]::Array(String) as keys, sum(found) as events, sumIf(found, bitAnd(flags, 3) = 0) as successes,
      sumIf(found, bitAnd(flags, 2) != 0) as bots
    from (select asn, flags, toUnixTimestamp(toStartOfHour(occurred_at)) as at, count() as found from events where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and app_id in {p2:Array(Int32)} group by asn, flags, toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_asn_hour') group by keys having events > 0 limit 100;

-- hour

select [toString(toHour((toDateTime(at, 'UTC') + 7200)))]::Array(String) as keys, sum(found) as events, sumIf(found, bitAnd(flags, 3) = 0) as successes,
      sumIf(found, bitAnd(flags, 2) != 0) as bots
    from (select flags, toUnixTimestamp(toStartOfHour(occurred_at)) as at, count() as found from events where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and app_id in {p2:Array(Int32)} group by flags, toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_app_hour') group by keys having events > 0 limit 100;

-- server

select [if(server = 0, '', toString(server))]::Array(String) as keys, sum(found) as events, sumIf(found, bitAnd(flags, 3) = 0) as successes,
      sumIf(found, bitAnd(flags, 2) != 0) as bots
    from (select flags, JSONExtractInt(row, 17) as server, count() as found from events where app_id in {p0:Array(Int32)} and occurred_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p2:Int64}, 'UTC') group by flags, server settings optimize_use_projections = 0) group by keys having events > 0 limit 100;
