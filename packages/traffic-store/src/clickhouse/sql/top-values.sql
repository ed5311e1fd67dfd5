-- app, everything

select value, count, rows from (select value, count, sum(count) over () as rows from (select toString(app_id) as value, sum(matches) as count from (select app_id, count() as matches from events 
      group by app_id settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_app_hour') group by all)) order by count desc, value limit 10;

-- app, an address block

select count() from (select 1 from events
    where (ip between toIPv6({p0:String}) and toIPv6({p1:String})) limit 10000001 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip');

select count() from (select 1 from events
    where (client_key between lowerUTF8({p0:String}) and concat(lowerUTF8({p0:String}), '􏿿')) limit 10000001 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_client');

select value, count, rows from (select value, count, sum(count) over () as rows from (select toString(app_id) as value, count() as count from (select app_id from (select app_id, occurred_at, id from events where (ip between toIPv6({p0:String}) and toIPv6({p1:String})) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip') order by occurred_at desc, id desc limit 1000000 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip') group by all)) order by count desc, value limit 10;

-- country, everything

select value, count, rows from (select value, count, sum(count) over () as rows from (select toString(country) as value, sum(matches) as count from (select country, count() as matches from events 
      group by country settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_country_hour') group by all)) order by count desc, value limit 10;

-- country, an address block

select count() from (select 1 from events
    where (ip between toIPv6({p0:String}) and toIPv6({p1:String})) limit 10000001 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip');

select count() from (select 1 from events
    where (client_key between lowerUTF8({p0:String}) and concat(lowerUTF8({p0:String}), '􏿿')) limit 10000001 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_client');

select value, count, rows from (select value, count, sum(count) over () as rows from (select toString(country) as value, count() as count from (select country from (select country, occurred_at, id from events where (ip between toIPv6({p0:String}) and toIPv6({p1:String})) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip') order by occurred_at desc, id desc limit 1000000 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip') group by all)) order by count desc, value limit 10;

-- type, everything

select type, sum(found.count) as count, sumIf(found.count, failed != 0) as errors from (select toString(type) as type, bitAnd(flags, 1) as failed, sum(matches) as count from (select type, flags, count() as matches from events 
      group by type, flags settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_hour') group by all) as found group by type;

-- type, an address block

select count() from (select 1 from events
    where (ip between toIPv6({p0:String}) and toIPv6({p1:String})) limit 10000001 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip');

select count() from (select 1 from events
    where (client_key between lowerUTF8({p0:String}) and concat(lowerUTF8({p0:String}), '􏿿')) limit 10000001 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_client');

select type, sum(found.count) as count, sumIf(found.count, failed != 0) as errors from (select toString(type) as type, bitAnd(flags, 1) as failed, count() as count from (select type, flags from (select type, flags, occurred_at, id from events where (ip between toIPv6({p0:String}) and toIPv6({p1:String})) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip') order by occurred_at desc, id desc limit 1000000 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip') group by all) as found group by type;

-- stream, everything

select value, count, rows from (select value, count, sum(count) over () as rows from (select toString(stream_uid) as value, sum(matches) as count from (select stream_uid, count() as matches from events 
      group by stream_uid settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_stream_hour') group by all)) order by count desc, value limit 10;

-- stream, an address block

select count() from (select 1 from events
    where (ip between toIPv6({p0:String}) and toIPv6({p1:String})) limit 10000001 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip');

select count() from (select 1 from events
    where (client_key between lowerUTF8({p0:String}) and concat(lowerUTF8({p0:String}), '􏿿')) limit 10000001 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_client');

select value, count, rows from (select value, count, sum(count) over () as rows from (select toString(stream_uid) as value, count() as count from (select stream_uid from (select stream_uid, occurred_at, id from events where (ip between toIPv6({p0:String}) and toIPv6({p1:String})) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip') order by occurred_at desc, id desc limit 1000000 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip') group by all)) order by count desc, value limit 10;

-- bot, everything

select value, count, rows from (select arrayJoin(if(value = '', ['none'], arrayDistinct(splitByChar(' ', value)))) as value, sum(count) as count, any(rows) as rows from (select value, count, sum(count) over () as rows from (select toString(bot) as value, count() as count from (select bot from events  order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc limit 1000000 settings optimize_use_projections = 0) group by all)) group by value) order by count desc, value limit 10;

-- bot, an address block

select count() from (select 1 from events
    where (ip between toIPv6({p0:String}) and toIPv6({p1:String})) limit 100001 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip');

select count() from (select 1 from events
    where (client_key between lowerUTF8({p0:String}) and concat(lowerUTF8({p0:String}), '􏿿')) limit 100001 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_client');

select value, count, rows from (select arrayJoin(if(value = '', ['none'], arrayDistinct(splitByChar(' ', value)))) as value, sum(count) as count, any(rows) as rows from (select value, count, sum(count) over () as rows from (select toString(bot) as value, count() as count from (select bot from events where (toStartOfHour(occurred_at), app_id, occurred_at, id) global in (
      select toStartOfHour(occurred_at), app_id, occurred_at, id from (select occurred_at, id, app_id from events where (ip between toIPv6({p0:String}) and toIPv6({p1:String})) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip') order by occurred_at desc, id desc limit 1000000
    ) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip') group by all)) group by value) order by count desc, value limit 10;

-- asn, everything

select value, count, rows from (select value, count, sum(count) over () as rows from (select toString(asn) as value, sum(matches) as count from (select asn, count() as matches from events 
      group by asn settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_asn_hour') group by all)) order by count desc, value limit 10;

-- asn, an address block

select count() from (select 1 from events
    where (ip between toIPv6({p0:String}) and toIPv6({p1:String})) limit 100001 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip');

select count() from (select 1 from events
    where (client_key between lowerUTF8({p0:String}) and concat(lowerUTF8({p0:String}), '􏿿')) limit 100001 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_client');

select value, count, rows from (select value, count, sum(count) over () as rows from (select toString(asn) as value, count() as count from (select asn from events where (toStartOfHour(occurred_at), app_id, occurred_at, id) global in (
      select toStartOfHour(occurred_at), app_id, occurred_at, id from (select occurred_at, id, app_id from events where (ip between toIPv6({p0:String}) and toIPv6({p1:String})) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip') order by occurred_at desc, id desc limit 1000000
    ) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip') group by all)) order by count desc, value limit 10;

-- error-kind, everything

select value, count, rows from (select value, count, sum(count) over () as rows from (select substringUTF8(if(startsWith(arrayLast(member -> member.1 = 'exception_type',
    JSONExtractKeysAndValuesRaw(if(isValidJSON(row) and position(row, '\\u0000') = 0, row, replaceRegexpAll(replaceAll(replaceRegexpAll(replaceRegexpAll(replaceAll(row, '\\\\', '\\u005c'), '\\\\(u[dD][89abAB][0-9a-fA-F]{2})\\\\(u[dD][c-fC-F][0-9a-fA-F]{2})', '\\\\P\\1\\\\P\\2'), '\\\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '�'), '\\P', '\\'), '("(?:[^"\\\\]|\\\\.)*")|([0-9])[0-9.eE+-]*', '\\1\\2')), 15)).2, '"'), JSONExtractString(arrayLast(member -> member.1 = 'exception_type',
    JSONExtractKeysAndValuesRaw(if(isValidJSON(row) and position(row, '\\u0000') = 0, row, replaceRegexpAll(replaceAll(replaceRegexpAll(replaceRegexpAll(replaceAll(row, '\\\\', '\\u005c'), '\\\\(u[dD][89abAB][0-9a-fA-F]{2})\\\\(u[dD][c-fC-F][0-9a-fA-F]{2})', '\\\\P\\1\\\\P\\2'), '\\\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '�'), '\\P', '\\'), '("(?:[^"\\\\]|\\\\.)*")|([0-9])[0-9.eE+-]*', '\\1\\2')), 15)).2), ''), 1, 255) as value, count() as count from (select row from events where bitAnd(flags, 1) = 1 order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc limit 200000 settings optimize_use_projections = 0) group by all)) order by count desc, value limit 10;

-- error-kind, an address block

select count() from (select 1 from events
    where (ip between toIPv6({p0:String}) and toIPv6({p1:String})) limit 100001 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip');

select count() from (select 1 from events
    where (client_key between lowerUTF8({p0:String}) and concat(lowerUTF8({p0:String}), '􏿿')) limit 100001 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_client');

select value, count, rows from (select value, count, sum(count) over () as rows from (select substringUTF8(if(startsWith(arrayLast(member -> member.1 = 'exception_type',
    JSONExtractKeysAndValuesRaw(if(isValidJSON(row) and position(row, '\\u0000') = 0, row, replaceRegexpAll(replaceAll(replaceRegexpAll(replaceRegexpAll(replaceAll(row, '\\\\', '\\u005c'), '\\\\(u[dD][89abAB][0-9a-fA-F]{2})\\\\(u[dD][c-fC-F][0-9a-fA-F]{2})', '\\\\P\\1\\\\P\\2'), '\\\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '�'), '\\P', '\\'), '("(?:[^"\\\\]|\\\\.)*")|([0-9])[0-9.eE+-]*', '\\1\\2')), 15)).2, '"'), JSONExtractString(arrayLast(member -> member.1 = 'exception_type',
    JSONExtractKeysAndValuesRaw(if(isValidJSON(row) and position(row, '\\u0000') = 0, row, replaceRegexpAll(replaceAll(replaceRegexpAll(replaceRegexpAll(replaceAll(row, '\\\\', '\\u005c'), '\\\\(u[dD][89abAB][0-9a-fA-F]{2})\\\\(u[dD][c-fC-F][0-9a-fA-F]{2})', '\\\\P\\1\\\\P\\2'), '\\\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '�'), '\\P', '\\'), '("(?:[^"\\\\]|\\\\.)*")|([0-9])[0-9.eE+-]*', '\\1\\2')), 15)).2), ''), 1, 255) as value, count() as count from (select row from events where (toStartOfHour(occurred_at), app_id, occurred_at, id) global in (
      select toStartOfHour(occurred_at), app_id, occurred_at, id from (select occurred_at, id, app_id from events where (ip between toIPv6({p0:String}) and toIPv6({p1:String})) and bitAnd(flags, 1) = 1 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip') order by occurred_at desc, id desc limit 200000
    ) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'of_ip') group by all)) order by count desc, value limit 10;
