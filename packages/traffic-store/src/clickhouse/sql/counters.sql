-- of apps

select app_id, 'today' as part, countIf(type = 'create') as creates, countIf(type = 'create' and bitAnd(flags, 3) = 0) as creates_ok, countIf(type = 'receive') as receives, countIf(type = 'receive' and bitAnd(flags, 3) = 0) as receives_ok, countIf(bitAnd(flags, 2) = 2) as bots, countIf(bitAnd(flags, 3) = 2) as bots_ok from events where app_id in {p0:Array(Int32)} and toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p2:Int64}, 'UTC')
    group by app_id settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_app_hour';

select app_id, if(bitAnd(flags, 8) = 0, 'others', 'testers') as part, countIf(type = 'create') as creates, countIf(type = 'create' and bitAnd(flags, 3) = 0) as creates_ok, countIf(type = 'receive') as receives, countIf(type = 'receive' and bitAnd(flags, 3) = 0) as receives_ok, countIf(bitAnd(flags, 2) = 2) as bots, countIf(bitAnd(flags, 3) = 2) as bots_ok from events where app_id in {p0:Array(Int32)}
    group by app_id, bitAnd(flags, 8) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_total';

-- of spans

select bucket * 1000000 as at, type, sum(matches) as events from (select intDiv(toInt64(toUnixTimestamp(hour)) + 0, 3600) * 3600 - 0 as bucket, type, sum(found) as matches from (
        select toStartOfHour(occurred_at) as hour, type, count() as found from events where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and app_id in {p2:Array(Int32)} and (type in {p3:Array(String)})
        group by toStartOfHour(occurred_at), type settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_app_hour'
      ) group by bucket, type) group by bucket, type;

-- apps by type

select groupArray(key_0) as key_0, groupArray(key_1) as key_1, groupArray(requests) as requests, groupArray(successes) as successes, groupArray(bots) as bots from (select * from (select app_id as key_0, type as key_1, sum(found) as requests, sumIf(found, bitAnd(flags, 3) = 0) as successes, sumIf(found, bitAnd(flags, 2) != 0) as bots from (select app_id, type, flags, count() as found from events where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') group by app_id, type, flags settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_app_hour') group by key_0, key_1) where requests > 0 limit 1000);

-- values of an app

select distinct country, stream_uid from (
      select country, stream_uid, count() from events where app_id = {p0:Int32}
      group by country, stream_uid settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_seen'
    );

-- apps with clients

select app_id, if(bitAnd(flags, 8) = 0, 'others', 'testers') as part, countIf(type = 'create') as creates, countIf(type = 'create' and bitAnd(flags, 3) = 0) as creates_ok, countIf(type = 'receive') as receives, countIf(type = 'receive' and bitAnd(flags, 3) = 0) as receives_ok, countIf(bitAnd(flags, 2) = 2) as bots, countIf(bitAnd(flags, 3) = 2) as bots_ok from events where app_id in {p0:Array(Int32)}
    group by app_id, bitAnd(flags, 8) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_total';
