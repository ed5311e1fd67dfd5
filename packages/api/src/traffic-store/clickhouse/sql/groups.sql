-- app

select groupArray(key_0) as key_0, groupArray(requests) as requests, groupArray(successes) as successes, groupArray(bots) as bots from (
      select * from (select key_0, sum(requests) as requests, sum(successes) as successes, sum(bots) as bots from (select app_id as key_0, count() as requests, countIf(bitAnd(flags, 3) = 0) as successes, countIf(bitAnd(flags, 2) = 2) as bots from events where toDate(occurred_at) >= toDate({p6:String}) and toDate(occurred_at) < toDate({p7:String}) and app_id in {p8:Array(Int32)}
    group by app_id settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_app_day' union all select app_id as key_0, sum(found) as requests, sumIf(found, bitAnd(flags, 3) = 0) as successes, sumIf(found, bitAnd(flags, 2) != 0) as bots from (select app_id, flags, count() as found from events where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and app_id in {p2:Array(Int32)} group by app_id, flags settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_app_hour' union all select app_id, flags, count() as found from events where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p4:Int64}, 'UTC') and app_id in {p5:Array(Int32)} group by app_id, flags settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_app_hour') group by key_0) group by key_0) where requests > 0 limit 100);

-- app and day

select groupArray(key_0) as key_0, groupArray(key_1) as key_1, groupArray(requests) as requests, groupArray(successes) as successes, groupArray(bots) as bots from (
      select * from (select app_id as key_0, toUInt32(toDate((toDateTime(at, 'UTC') + 7200))) as key_1, sum(found) as requests, sumIf(found, bitAnd(flags, 3) = 0) as successes, sumIf(found, bitAnd(flags, 2) != 0) as bots from (select app_id, flags, toUnixTimestamp(toStartOfHour(occurred_at)) as at, count() as found from events where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and app_id in {p2:Array(Int32)} group by app_id, flags, toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_app_hour') group by key_0, key_1) where requests > 0 limit 100);

-- country and type

select groupArray(key_0) as key_0, groupArray(key_1) as key_1, groupArray(requests) as requests, groupArray(successes) as successes, groupArray(bots) as bots from (
      select * from (select country as key_0, type as key_1, sum(found) as requests, sumIf(found, bitAnd(flags, 3) = 0) as successes, sumIf(found, bitAnd(flags, 2) != 0) as bots from (select country, type, flags, count() as found from events where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and app_id in {p2:Array(Int32)} group by country, type, flags settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_app_country_hour') group by key_0, key_1) where requests > 0 limit 100);

-- stream

select groupArray(key_0) as key_0, groupArray(requests) as requests, groupArray(successes) as successes, groupArray(bots) as bots from (
      select * from (select stream_uid as key_0, sum(found) as requests, sumIf(found, bitAnd(flags, 3) = 0) as successes, sumIf(found, bitAnd(flags, 2) != 0) as bots from (select stream_uid, flags, count() as found from events where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and app_id in {p2:Array(Int32)} group by stream_uid, flags settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_stream_hour' union all select stream_uid, flags, count() as found from events where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p4:Int64}, 'UTC') and app_id in {p5:Array(Int32)} group by stream_uid, flags settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_stream_hour') group by key_0) where requests > 0 limit 100);

-- asn and day

select groupArray(key_0) as key_0, groupArray(key_1) as key_1, groupArray(requests) as requests, groupArray(successes) as successes, groupArray(bots) as bots from (
      select * from (select asn as key_0, toUInt32(toDate((toDateTime(at, 'UTC') + 7200))) as key_1, sum(found) as requests, sumIf(found, bitAnd(flags, 3) = 0) as successes, sumIf(found, bitAnd(flags, 2) != 0) as bots from (select asn, flags, toUnixTimestamp(toStartOfHour(occurred_at)) as at, count() as found from events where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and app_id in {p2:Array(Int32)} group by asn, flags, toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_asn_hour') group by key_0, key_1) where requests > 0 limit 100);

-- hour

select groupArray(key_0) as key_0, groupArray(requests) as requests, groupArray(successes) as successes, groupArray(bots) as bots from (
      select * from (select toHour((toDateTime(at, 'UTC') + 7200)) as key_0, sum(found) as requests, sumIf(found, bitAnd(flags, 3) = 0) as successes, sumIf(found, bitAnd(flags, 2) != 0) as bots from (select flags, toUnixTimestamp(toStartOfHour(occurred_at)) as at, count() as found from events where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and app_id in {p2:Array(Int32)} group by flags, toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_app_hour') group by key_0) where requests > 0 limit 100);

-- server

select groupArray(key_0) as key_0, groupArray(requests) as requests, groupArray(successes) as successes, groupArray(bots) as bots from (
      select * from (select if(server = 0, '', toString(server)) as key_0, sum(found) as requests, sumIf(found, bitAnd(flags, 3) = 0) as successes, sumIf(found, bitAnd(flags, 2) != 0) as bots from (select flags, JSONExtractInt(row, 17) as server, count() as found from events where app_id in {p0:Array(Int32)} and occurred_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p2:Int64}, 'UTC') group by flags, server settings optimize_use_projections = 0) group by key_0) where requests > 0 limit 100);

-- apps of servers

select groupArray(key_0) as key_0, groupArray(requests) as requests, groupArray(successes) as successes, groupArray(bots) as bots from (
      select * from (select app_id as key_0, sum(found) as requests, sumIf(found, bitAnd(flags, 3) = 0) as successes, sumIf(found, bitAnd(flags, 2) != 0) as bots from (select app_id, flags, count() as found from events where app_id in {p0:Array(Int32)} and JSONExtractInt(row, 17) in {p1:Array(Int64)} and occurred_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC') group by app_id, flags settings optimize_use_projections = 0) group by key_0) where requests > 0 limit 100);

-- first apps and days

select groupArray(key_0) as key_0, groupArray(key_1) as key_1, groupArray(requests) as requests, groupArray(successes) as successes, groupArray(bots) as bots from (
      select * from (select app_id as key_0, toUInt32(toDate((toDateTime(at, 'UTC') + 7200))) as key_1, sum(found) as requests, sumIf(found, bitAnd(flags, 3) = 0) as successes, sumIf(found, bitAnd(flags, 2) != 0) as bots from (select app_id, flags, toUnixTimestamp(toStartOfHour(occurred_at)) as at, count() as found from events where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and app_id in {p2:Array(Int32)} group by app_id, flags, toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_app_hour') group by key_0, key_1) where requests > 0 limit 100);

-- creates and receives

select groupArray(key_0) as key_0, groupArray(key_1) as key_1, groupArray(requests) as requests, groupArray(successes) as successes, groupArray(bots) as bots, groupArray(type_0) as type_0, groupArray(type_1) as type_1 from (
      select * from (select app_id as key_0, toUInt32(toDate((toDateTime(at, 'UTC') + 7200))) as key_1, sum(found) as requests, sumIf(found, bitAnd(flags, 3) = 0) as successes, sumIf(found, bitAnd(flags, 2) != 0) as bots, sumIf(found, type = 'create' and bitAnd(flags, 3) = 0) as type_0, sumIf(found, type = 'receive') as type_1 from (select app_id, type, flags, toUnixTimestamp(toStartOfHour(occurred_at)) as at, count() as found from events where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and app_id in {p2:Array(Int32)} group by app_id, type, flags, toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_app_hour') group by key_0, key_1) where requests > 0 limit 100);

-- errors and tokens

select groupArray(key_0) as key_0, groupArray(key_1) as key_1, groupArray(requests) as requests, groupArray(successes) as successes, groupArray(bots) as bots, groupArray(type_0) as type_0, groupArray(type_1) as type_1 from (
      select * from (select app_id as key_0, toUInt32(toDate((toDateTime(at, 'UTC') + 7200))) as key_1, sum(found) as requests, sumIf(found, bitAnd(flags, 3) = 0) as successes, sumIf(found, bitAnd(flags, 2) != 0) as bots, sumIf(found, type = 'error') as type_0, sumIf(found, type = 'token' and bitAnd(flags, 3) = 0) as type_1 from (select app_id, type, flags, toUnixTimestamp(toStartOfHour(occurred_at)) as at, count() as found from events where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and app_id in {p2:Array(Int32)} group by app_id, type, flags, toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_app_hour') group by key_0, key_1) where requests > 0 limit 100);
