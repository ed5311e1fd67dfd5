-- the places of deliveries

select number, maxIf(at, is_create) as create, max(at) as event
    from (
      select app_id as app, client_uid as client, toUnixTimestamp64Micro(occurred_at) as at, type = 'create' as is_create
      from events where client_key in arrayMap(uid -> lowerUTF8(uid), {p3:Array(String)}) and client_uid in {p3:Array(String)} and app_id in {p4:Array(Int32)} and occurred_at between fromUnixTimestamp64Micro({p5:Int64}, 'UTC') and fromUnixTimestamp64Micro({p6:Int64}, 'UTC')
      order by client_key desc, occurred_at desc limit 10000 by client_uid settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_client'
    ) as events
    inner join (select toInt32(one.1) as app, one.2 as client, one.3 as until, one.4 as number
    from (select arrayJoin(arrayZip({p0:Array(Int32)}, {p1:Array(String)}, {p2:Array(Int64)}, arrayEnumerate({p0:Array(Int32)}))) as one)) as asked on asked.app = events.app and asked.client = events.client
    where at <= until and at >= until - {p7:Int64} group by number;

select app_id as app, client_uid as client, toUnixTimestamp64Micro(occurred_at) as at, toString(events.uuid) as uuid, type, country, asn,
        if(isValidJSON(row), JSONExtractInt(row, 17), toInt64OrZero(extract(row, ',([0-9]+)\\]$'))) as server, bot
      from events where (toStartOfHour(occurred_at), app_id, occurred_at) in (select toStartOfHour(at), app, at
    from (select one.1 as app, fromUnixTimestamp64Micro(one.2, 'UTC') as at from (select arrayJoin(arrayZip({p0:Array(Int32)}, {p1:Array(Int64)})) as one))) and client_uid in {p2:Array(String)} settings optimize_use_projections = 0;
