-- everything

select count() as total, arraySlice(arrayReverseSort(groupArray((transform(batch, {p0:Array(UInt64)}, {p1:Array(UInt64)}, toUInt64(0)), id))), 1, {p4:UInt32}) as places
    from events where batch in {p0:Array(UInt64)} and occurred_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC') settings optimize_use_projections = 0;


    select row from (
      select row, place, sum(length(row)) over (order by place rows unbounded preceding) as bytes
      from (select row, indexOf({p0:Array(UInt64)}, id) as place from events where id in {p0:Array(UInt64)} and batch in {p1:Array(UInt64)} and occurred_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC'))
    ) where bytes <= 4000000 or place = 1 order by place settings optimize_use_projections = 0;

-- one app

select count() as total, arraySlice(arrayReverseSort(groupArray((transform(batch, {p0:Array(UInt64)}, {p1:Array(UInt64)}, toUInt64(0)), id))), 1, {p5:UInt32}) as places
    from events where batch in {p0:Array(UInt64)} and occurred_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC') and app_id = {p4:Int32} settings optimize_use_projections = 0;


    select row from (
      select row, place, sum(length(row)) over (order by place rows unbounded preceding) as bytes
      from (select row, indexOf({p0:Array(UInt64)}, id) as place from events where id in {p0:Array(UInt64)} and batch in {p1:Array(UInt64)} and occurred_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC'))
    ) where bytes <= 4000000 or place = 1 order by place settings optimize_use_projections = 0;

-- types, countries and streams

select count() as total, arraySlice(arrayReverseSort(groupArray((transform(batch, {p0:Array(UInt64)}, {p1:Array(UInt64)}, toUInt64(0)), id))), 1, {p8:UInt32}) as places
    from events where batch in {p0:Array(UInt64)} and occurred_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC') and app_id in {p4:Array(Int32)} and (type = {p5:String} or bitAnd(flags, 1) = 1) and country = {p6:String} and stream_uid = {p7:String} settings optimize_use_projections = 0;


    select row from (
      select row, place, sum(length(row)) over (order by place rows unbounded preceding) as bytes
      from (select row, indexOf({p0:Array(UInt64)}, id) as place from events where id in {p0:Array(UInt64)} and batch in {p1:Array(UInt64)} and occurred_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC'))
    ) where bytes <= 4000000 or place = 1 order by place settings optimize_use_projections = 0;

-- a range that cuts days

select count() as total, arraySlice(arrayReverseSort(groupArray((transform(batch, {p0:Array(UInt64)}, {p1:Array(UInt64)}, toUInt64(0)), id))), 1, {p7:UInt32}) as places
    from events where batch in {p0:Array(UInt64)} and occurred_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC') and (type = {p4:String}) and occurred_at >= fromUnixTimestamp64Micro({p5:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p6:Int64}, 'UTC') settings optimize_use_projections = 0;


    select row from (
      select row, place, sum(length(row)) over (order by place rows unbounded preceding) as bytes
      from (select row, indexOf({p0:Array(UInt64)}, id) as place from events where id in {p0:Array(UInt64)} and batch in {p1:Array(UInt64)} and occurred_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC'))
    ) where bytes <= 4000000 or place = 1 order by place settings optimize_use_projections = 0;

-- an address block

select count() as total, arraySlice(arrayReverseSort(groupArray((transform(batch, {p0:Array(UInt64)}, {p1:Array(UInt64)}, toUInt64(0)), id))), 1, {p7:UInt32}) as places
    from events where batch in {p0:Array(UInt64)} and occurred_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC') and (ip between toIPv6({p4:String}) and toIPv6({p5:String}) or client_key between lowerUTF8({p6:String}) and concat(lowerUTF8({p6:String}), '􏿿')) settings optimize_use_projections = 0;


    select row from (
      select row, place, sum(length(row)) over (order by place rows unbounded preceding) as bytes
      from (select row, indexOf({p0:Array(UInt64)}, id) as place from events where id in {p0:Array(UInt64)} and batch in {p1:Array(UInt64)} and occurred_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC'))
    ) where bytes <= 4000000 or place = 1 order by place settings optimize_use_projections = 0;

-- one client

select count() as total, arraySlice(arrayReverseSort(groupArray((transform(batch, {p0:Array(UInt64)}, {p1:Array(UInt64)}, toUInt64(0)), id))), 1, {p5:UInt32}) as places
    from events where batch in {p0:Array(UInt64)} and occurred_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC') and client_key = lowerUTF8({p4:String}) and client_uid = {p4:String} settings optimize_use_projections = 0;


    select row from (
      select row, place, sum(length(row)) over (order by place rows unbounded preceding) as bytes
      from (select row, indexOf({p0:Array(UInt64)}, id) as place from events where id in {p0:Array(UInt64)} and batch in {p1:Array(UInt64)} and occurred_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC'))
    ) where bytes <= 4000000 or place = 1 order by place settings optimize_use_projections = 0;

-- autonomous systems

select count() as total, arraySlice(arrayReverseSort(groupArray((transform(batch, {p0:Array(UInt64)}, {p1:Array(UInt64)}, toUInt64(0)), id))), 1, {p5:UInt32}) as places
    from events where batch in {p0:Array(UInt64)} and occurred_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC') and asn = {p4:String} settings optimize_use_projections = 0;

-- labels, and all but a country

select count() as total, arraySlice(arrayReverseSort(groupArray((transform(batch, {p0:Array(UInt64)}, {p1:Array(UInt64)}, toUInt64(0)), id))), 1, {p6:UInt32}) as places
    from events where batch in {p0:Array(UInt64)} and occurred_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC') and country not in {p4:Array(String)} and (hasAny(splitByChar(' ', bot), {p5:Array(String)}) or bot = '') settings optimize_use_projections = 0;


    select row from (
      select row, place, sum(length(row)) over (order by place rows unbounded preceding) as bytes
      from (select row, indexOf({p0:Array(UInt64)}, id) as place from events where id in {p0:Array(UInt64)} and batch in {p1:Array(UInt64)} and occurred_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p3:Int64}, 'UTC'))
    ) where bytes <= 4000000 or place = 1 order by place settings optimize_use_projections = 0;
