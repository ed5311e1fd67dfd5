-- everything

select row from events where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and occurred_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc limit 21 settings optimize_use_projections = 0;

with (select (sum(matches), 0 - sumIf(matches, far < start), groupArrayIf(key, near <= end and far >= start and total > 0), any(end)) from (
      select *, sum(matches) over () as total, minIf(near, reached_near > 0) over () as start,
        if(countIf(reached_far >= 21) over () > 0, minIf(far, reached_far >= 21) over (), max(far) over ()) as end
      from (
        select *, sum(matches) over (order by near rows unbounded preceding) as reached_near,
          sum(if(true, matches, 0)) over (order by far rows unbounded preceding) as reached_far
        from (select hour as key, hour, matches, -toInt64(toUnixTimestamp(hour)) as near, -toInt64(toUnixTimestamp(hour)) as far
          from (select toStartOfHour(occurred_at) as hour, count() as matches, min(id) as first_id, max(id) as last_id from events
       group by toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_hour'))))) as page
    select row from events where toStartOfHour(occurred_at) in page.3 order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc
      limit 21 offset page.2
    union all select toString(page.1) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_hour';

-- one app

select row from events where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and app_id = {p1:Int32} and occurred_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc limit 21 settings optimize_use_projections = 0;

with (select (sum(matches), 0 - sumIf(matches, far < start), groupArrayIf(key, near <= end and far >= start and total > 0), any(end)) from (
      select *, sum(matches) over () as total, minIf(near, reached_near > 0) over () as start,
        if(countIf(reached_far >= 21) over () > 0, minIf(far, reached_far >= 21) over (), max(far) over ()) as end
      from (
        select *, sum(matches) over (order by near rows unbounded preceding) as reached_near,
          sum(if(true, matches, 0)) over (order by far rows unbounded preceding) as reached_far
        from (select hour as key, hour, matches, -toInt64(toUnixTimestamp(hour)) as near, -toInt64(toUnixTimestamp(hour)) as far
          from (select toStartOfHour(occurred_at) as hour, count() as matches, min(id) as first_id, max(id) as last_id from events
      where app_id = {p0:Int32} group by toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_app_hour'))))) as page
    select row from events where app_id = {p1:Int32} and toStartOfHour(occurred_at) in page.3 order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc
      limit 21 offset page.2
    union all select toString(page.1) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_app_hour';

-- types, countries and streams

with (select (sum(matches), 0 - sumIf(matches, far < start), groupArrayIf(key, near <= end and far >= start and total > 0), any(end)) from (
      select *, sum(matches) over () as total, minIf(near, reached_near > 0) over () as start,
        if(countIf(reached_far >= 21) over () > 0, minIf(far, reached_far >= 21) over (), max(far) over ()) as end
      from (
        select *, sum(matches) over (order by near rows unbounded preceding) as reached_near,
          sum(if(true, matches, 0)) over (order by far rows unbounded preceding) as reached_far
        from (select (hour, app_id) as key, hour, matches, -toInt64(toUnixTimestamp(hour)) as near, -toInt64(toUnixTimestamp(hour)) as far
          from (select toStartOfHour(occurred_at) as hour, app_id, count() as matches, min(id) as first_id, max(id) as last_id from events
      where app_id in {p0:Array(Int32)} and (type = {p1:String} or bitAnd(flags, 1) = 1) and country = {p2:String} and stream_uid = {p3:String} group by toStartOfHour(occurred_at), app_id settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_stream_hour'))))) as page
    select row from events where app_id in {p4:Array(Int32)} and (type = {p5:String} or bitAnd(flags, 1) = 1) and country = {p6:String} and stream_uid = {p7:String} and (toStartOfHour(occurred_at), app_id) in page.3 order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc
      limit 21 offset page.2
    union all select toString(page.1) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_stream_hour';

-- a range that cuts days

with (select (sum(matches), 0 - sumIf(matches, far < start), groupArrayIf(key, near <= end and far >= start and total > 0), any(end)) from (
      select *, sum(matches) over () as total, minIf(near, reached_near > 0) over () as start,
        if(countIf(reached_far >= 21) over () > 0, minIf(far, reached_far >= 21) over (), max(far) over ()) as end
      from (
        select *, sum(matches) over (order by near rows unbounded preceding) as reached_near,
          sum(if(true and hour >= fromUnixTimestamp64Micro({p6:Int64}, 'UTC') and hour + toIntervalHour(1) <= fromUnixTimestamp64Micro({p7:Int64}, 'UTC'), matches, 0)) over (order by far rows unbounded preceding) as reached_far
        from (select hour as key, hour, matches, -toInt64(toUnixTimestamp(hour)) as near, -toInt64(toUnixTimestamp(hour)) as far
          from (select toStartOfHour(occurred_at) as hour, count() as matches, min(id) as first_id, max(id) as last_id from events
      where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and (type = {p2:String}) group by toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_hour'))))) as page
    select row from events where (type = {p3:String}) and occurred_at >= fromUnixTimestamp64Micro({p4:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p5:Int64}, 'UTC') and toStartOfHour(occurred_at) in page.3 order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc
      limit 21 offset page.2
    union all select toString(page.1) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_hour';

-- an address block

select count() from (select 1 from events
    where (ip between toIPv6({p0:String}) and toIPv6({p1:String})) limit 100001 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip');

select count() from (select 1 from events
    where (client_key between lowerUTF8({p0:String}) and concat(lowerUTF8({p0:String}), '􏿿')) limit 100001 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_client');

select row from events where (toStartOfHour(occurred_at), app_id, occurred_at, id) global in (select toStartOfHour(occurred_at), app_id, occurred_at, id from events where (ip between toIPv6({p0:String}) and toIPv6({p1:String})) order by occurred_at desc, id desc limit 21 offset 0 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip') order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc limit 21  settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip';

-- one client

select row from events where (toStartOfHour(occurred_at), app_id, occurred_at, id) global in (select toStartOfHour(occurred_at), app_id, occurred_at, id from events where client_key = lowerUTF8({p0:String}) and client_uid = {p0:String} order by occurred_at desc, id desc limit 21 offset 0 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_client') order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc limit 21  settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_client';

-- autonomous systems

with (select (sum(matches), 0 - sumIf(matches, far < start), groupArrayIf(key, near <= end and far >= start and total > 0), any(end)) from (
      select *, sum(matches) over () as total, minIf(near, reached_near > 0) over () as start,
        if(countIf(reached_far >= 21) over () > 0, minIf(far, reached_far >= 21) over (), max(far) over ()) as end
      from (
        select *, sum(matches) over (order by near rows unbounded preceding) as reached_near,
          sum(if(true and hour >= fromUnixTimestamp64Micro({p4:Int64}, 'UTC'), matches, 0)) over (order by far rows unbounded preceding) as reached_far
        from (select hour as key, hour, matches, -toInt64(toUnixTimestamp(hour)) as near, -toInt64(toUnixTimestamp(hour)) as far
          from (select toStartOfHour(occurred_at) as hour, count() as matches, min(id) as first_id, max(id) as last_id from events
      where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and asn = {p1:String} group by toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_asn_hour'))))) as page
    select row from events where asn = {p2:String} and occurred_at >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') and toStartOfHour(occurred_at) in page.3 order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc
      limit 21 offset page.2
    union all select toString(page.1) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_asn_hour';

with (select (sum(matches), 0 - sumIf(matches, far < start), groupArrayIf(key, near <= end and far >= start and total > 0), any(end)) from (
      select *, sum(matches) over () as total, minIf(near, reached_near > 0) over () as start,
        if(countIf(reached_far >= 21) over () > 0, minIf(far, reached_far >= 21) over (), max(far) over ()) as end
      from (
        select *, sum(matches) over (order by near rows unbounded preceding) as reached_near,
          sum(if(true, matches, 0)) over (order by far rows unbounded preceding) as reached_far
        from (select hour as key, hour, matches, -toInt64(toUnixTimestamp(hour)) as near, -toInt64(toUnixTimestamp(hour)) as far
          from (select toStartOfHour(occurred_at) as hour, count() as matches, min(id) as first_id, max(id) as last_id from events
      where asn = {p0:String} group by toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_asn_hour'))))) as page
    select row from events where asn = {p1:String} and toStartOfHour(occurred_at) in page.3 order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc
      limit 21 offset page.2
    union all select toString(page.1) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_asn_hour';

-- labels, and all but a country

select row from events where country not in {p0:Array(String)} and (hasAny(splitByChar(' ', bot), {p1:Array(String)}) or bot = '') and occurred_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc limit 21  settings optimize_use_projections = 0;

select row from events where country not in {p0:Array(String)} and (hasAny(splitByChar(' ', bot), {p1:Array(String)}) or bot = '') order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc limit 21  settings optimize_use_projections = 0;
