-- everything

select if((0) = 0, toInt64(sum(matches)), -1) from (select toStartOfHour(occurred_at) as hour, count() as matches, min(id) as first_id, max(id) as last_id from events
       group by toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_hour') settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_hour';

select concat(cells[1], ',', cells[2], ',', cells[3], ',', transform(json_values[3], {p2:Array(String)}, {p3:Array(String)}, ''), ',', cells[9], ',', transform(concat(json_values[3], json_values[9]), {p4:Array(String)}, {p5:Array(String)}, ''), ',', cells[8], ',', cells[6], ',', cells[7], ',', cells[10], ',', cells[4], ',', toString(occurred_at), ',', cells[11], ',', cells[12], ',', cells[13], ',', cells[14], ',', cells[15], ',', cells[16], '\r') from (
  select occurred_at, id, type, json_values, arrayMap(text -> concat(if(match(text, '[",;\\t\\r\\n]'), '"', ''), if((ascii(text) = 0) + (ascii(text) > 47) * (ascii(text) < 58) + (ascii(text) > 64) * (ascii(text) < 127) > 0, '', if(match(text, {p0:String}), '\'', '')), replaceAll(text, '"', '""'), if(match(text, '[",;\\t\\r\\n]'), '"', '')), texts) as cells from (
    select occurred_at, id, type, json_values, arrayMap(json -> multiIf(json = 'null', '', not startsWith(json, '"'), json,
      position(json, '\\') = 0, substring(json, 2, length(json) - 2), JSONExtractString(json)), json_values) as texts from (
      select occurred_at, id, type, if(concat('[', arrayStringConcat(parsed_values, ','), ']') = row, parsed_values, arrayMap(value -> arrayStringConcat(if(value[1] = ',', arraySlice(value, 2), value)),
    arraySplit((token, level) -> token = ',' and level = 0, extractAll(substring(row, 2, length(row) - 2), {p1:String}), arrayCumSum(token -> (token in ('{', '[')) - (token in ('}', ']')), extractAll(substring(row, 2, length(row) - 2), {p1:String}))))) as json_values from (
        select occurred_at, id, type, row, JSONExtractArrayRaw(row) as parsed_values from events )))) order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc settings optimize_use_projections = 0, query_plan_execute_functions_after_sorting = 0, optimize_read_in_order = 0;

-- one app

select if((0) = 0, toInt64(sum(matches)), -1) from (select toStartOfHour(occurred_at) as hour, count() as matches, min(id) as first_id, max(id) as last_id from events
      where app_id = {p0:Int32} group by toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_app_hour') settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_app_hour';

select concat(cells[1], ',', cells[2], ',', cells[3], ',', transform(json_values[3], {p3:Array(String)}, {p4:Array(String)}, ''), ',', cells[9], ',', transform(concat(json_values[3], json_values[9]), {p5:Array(String)}, {p6:Array(String)}, ''), ',', cells[8], ',', cells[6], ',', cells[7], ',', cells[10], ',', cells[4], ',', toString(occurred_at), ',', cells[11], ',', cells[12], ',', cells[13], ',', cells[14], ',', cells[15], ',', cells[16], '\r') from (
  select occurred_at, id, type, json_values, arrayMap(text -> concat(if(match(text, '[",;\\t\\r\\n]'), '"', ''), if((ascii(text) = 0) + (ascii(text) > 47) * (ascii(text) < 58) + (ascii(text) > 64) * (ascii(text) < 127) > 0, '', if(match(text, {p1:String}), '\'', '')), replaceAll(text, '"', '""'), if(match(text, '[",;\\t\\r\\n]'), '"', '')), texts) as cells from (
    select occurred_at, id, type, json_values, arrayMap(json -> multiIf(json = 'null', '', not startsWith(json, '"'), json,
      position(json, '\\') = 0, substring(json, 2, length(json) - 2), JSONExtractString(json)), json_values) as texts from (
      select occurred_at, id, type, if(concat('[', arrayStringConcat(parsed_values, ','), ']') = row, parsed_values, arrayMap(value -> arrayStringConcat(if(value[1] = ',', arraySlice(value, 2), value)),
    arraySplit((token, level) -> token = ',' and level = 0, extractAll(substring(row, 2, length(row) - 2), {p2:String}), arrayCumSum(token -> (token in ('{', '[')) - (token in ('}', ']')), extractAll(substring(row, 2, length(row) - 2), {p2:String}))))) as json_values from (
        select occurred_at, id, type, row, JSONExtractArrayRaw(row) as parsed_values from events where app_id = {p0:Int32})))) order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc settings optimize_use_projections = 0, query_plan_execute_functions_after_sorting = 0, optimize_read_in_order = 0;

-- types, countries and streams

select if((0) = 0, toInt64(sum(matches)), -1) from (select toStartOfHour(occurred_at) as hour, count() as matches, min(id) as first_id, max(id) as last_id from events
      where app_id in {p0:Array(Int32)} and (type = {p1:String} or bitAnd(flags, 1) = 1) and country = {p2:String} and stream_uid = {p3:String} group by toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_stream_hour') settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_stream_hour';

select concat(cells[1], ',', cells[2], ',', cells[3], ',', transform(json_values[3], {p6:Array(String)}, {p7:Array(String)}, ''), ',', cells[9], ',', transform(concat(json_values[3], json_values[9]), {p8:Array(String)}, {p9:Array(String)}, ''), ',', cells[8], ',', cells[6], ',', cells[7], ',', cells[10], ',', cells[4], ',', toString(occurred_at), ',', cells[11], ',', cells[12], ',', cells[13], ',', cells[14], ',', cells[15], ',', cells[16], '\r') from (
  select occurred_at, id, type, json_values, arrayMap(text -> concat(if(match(text, '[",;\\t\\r\\n]'), '"', ''), if((ascii(text) = 0) + (ascii(text) > 47) * (ascii(text) < 58) + (ascii(text) > 64) * (ascii(text) < 127) > 0, '', if(match(text, {p4:String}), '\'', '')), replaceAll(text, '"', '""'), if(match(text, '[",;\\t\\r\\n]'), '"', '')), texts) as cells from (
    select occurred_at, id, type, json_values, arrayMap(json -> multiIf(json = 'null', '', not startsWith(json, '"'), json,
      position(json, '\\') = 0, substring(json, 2, length(json) - 2), JSONExtractString(json)), json_values) as texts from (
      select occurred_at, id, type, if(concat('[', arrayStringConcat(parsed_values, ','), ']') = row, parsed_values, arrayMap(value -> arrayStringConcat(if(value[1] = ',', arraySlice(value, 2), value)),
    arraySplit((token, level) -> token = ',' and level = 0, extractAll(substring(row, 2, length(row) - 2), {p5:String}), arrayCumSum(token -> (token in ('{', '[')) - (token in ('}', ']')), extractAll(substring(row, 2, length(row) - 2), {p5:String}))))) as json_values from (
        select occurred_at, id, type, row, JSONExtractArrayRaw(row) as parsed_values from events where app_id in {p0:Array(Int32)} and (type = {p1:String} or bitAnd(flags, 1) = 1) and country = {p2:String} and stream_uid = {p3:String})))) order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc settings optimize_use_projections = 0, query_plan_execute_functions_after_sorting = 0, optimize_read_in_order = 0;

-- a range that cuts days

select if((0) = 0, toInt64(sum(matches)), -1) from (select toStartOfHour(occurred_at) as hour, count() as matches, min(id) as first_id, max(id) as last_id from events
      where toStartOfHour(occurred_at) >= fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and toStartOfHour(occurred_at) < fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and (type = {p2:String}) group by toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_hour') settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_hour';

select concat(cells[1], ',', cells[2], ',', cells[3], ',', transform(json_values[3], {p5:Array(String)}, {p6:Array(String)}, ''), ',', cells[9], ',', transform(concat(json_values[3], json_values[9]), {p7:Array(String)}, {p8:Array(String)}, ''), ',', cells[8], ',', cells[6], ',', cells[7], ',', cells[10], ',', cells[4], ',', toString(occurred_at), ',', cells[11], ',', cells[12], ',', cells[13], ',', cells[14], ',', cells[15], ',', cells[16], '\r') from (
  select occurred_at, id, type, json_values, arrayMap(text -> concat(if(match(text, '[",;\\t\\r\\n]'), '"', ''), if((ascii(text) = 0) + (ascii(text) > 47) * (ascii(text) < 58) + (ascii(text) > 64) * (ascii(text) < 127) > 0, '', if(match(text, {p3:String}), '\'', '')), replaceAll(text, '"', '""'), if(match(text, '[",;\\t\\r\\n]'), '"', '')), texts) as cells from (
    select occurred_at, id, type, json_values, arrayMap(json -> multiIf(json = 'null', '', not startsWith(json, '"'), json,
      position(json, '\\') = 0, substring(json, 2, length(json) - 2), JSONExtractString(json)), json_values) as texts from (
      select occurred_at, id, type, if(concat('[', arrayStringConcat(parsed_values, ','), ']') = row, parsed_values, arrayMap(value -> arrayStringConcat(if(value[1] = ',', arraySlice(value, 2), value)),
    arraySplit((token, level) -> token = ',' and level = 0, extractAll(substring(row, 2, length(row) - 2), {p4:String}), arrayCumSum(token -> (token in ('{', '[')) - (token in ('}', ']')), extractAll(substring(row, 2, length(row) - 2), {p4:String}))))) as json_values from (
        select occurred_at, id, type, row, JSONExtractArrayRaw(row) as parsed_values from events where (type = {p0:String}) and occurred_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and occurred_at < fromUnixTimestamp64Micro({p2:Int64}, 'UTC'))))) order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc settings optimize_use_projections = 0, query_plan_execute_functions_after_sorting = 0, optimize_read_in_order = 0;

-- an address block

select concat(cells[1], ',', cells[2], ',', cells[3], ',', transform(json_values[3], {p5:Array(String)}, {p6:Array(String)}, ''), ',', cells[9], ',', transform(concat(json_values[3], json_values[9]), {p7:Array(String)}, {p8:Array(String)}, ''), ',', cells[8], ',', cells[6], ',', cells[7], ',', cells[10], ',', cells[4], ',', toString(occurred_at), ',', cells[11], ',', cells[12], ',', cells[13], ',', cells[14], ',', cells[15], ',', cells[16], '\r') from (
  select occurred_at, id, type, json_values, arrayMap(text -> concat(if(match(text, '[",;\\t\\r\\n]'), '"', ''), if((ascii(text) = 0) + (ascii(text) > 47) * (ascii(text) < 58) + (ascii(text) > 64) * (ascii(text) < 127) > 0, '', if(match(text, {p3:String}), '\'', '')), replaceAll(text, '"', '""'), if(match(text, '[",;\\t\\r\\n]'), '"', '')), texts) as cells from (
    select occurred_at, id, type, json_values, arrayMap(json -> multiIf(json = 'null', '', not startsWith(json, '"'), json,
      position(json, '\\') = 0, substring(json, 2, length(json) - 2), JSONExtractString(json)), json_values) as texts from (
      select occurred_at, id, type, if(concat('[', arrayStringConcat(parsed_values, ','), ']') = row, parsed_values, arrayMap(value -> arrayStringConcat(if(value[1] = ',', arraySlice(value, 2), value)),
    arraySplit((token, level) -> token = ',' and level = 0, extractAll(substring(row, 2, length(row) - 2), {p4:String}), arrayCumSum(token -> (token in ('{', '[')) - (token in ('}', ']')), extractAll(substring(row, 2, length(row) - 2), {p4:String}))))) as json_values from (
        select occurred_at, id, type, row, JSONExtractArrayRaw(row) as parsed_values from events where (ip between toIPv6({p0:String}) and toIPv6({p1:String}) or client_key between lowerUTF8({p2:String}) and concat(lowerUTF8({p2:String}), '􏿿')))))) order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc settings optimize_use_projections = 0, query_plan_execute_functions_after_sorting = 0;

-- one client

select concat(cells[1], ',', cells[2], ',', cells[3], ',', transform(json_values[3], {p3:Array(String)}, {p4:Array(String)}, ''), ',', cells[9], ',', transform(concat(json_values[3], json_values[9]), {p5:Array(String)}, {p6:Array(String)}, ''), ',', cells[8], ',', cells[6], ',', cells[7], ',', cells[10], ',', cells[4], ',', toString(occurred_at), ',', cells[11], ',', cells[12], ',', cells[13], ',', cells[14], ',', cells[15], ',', cells[16], '\r') from (
  select occurred_at, id, type, json_values, arrayMap(text -> concat(if(match(text, '[",;\\t\\r\\n]'), '"', ''), if((ascii(text) = 0) + (ascii(text) > 47) * (ascii(text) < 58) + (ascii(text) > 64) * (ascii(text) < 127) > 0, '', if(match(text, {p1:String}), '\'', '')), replaceAll(text, '"', '""'), if(match(text, '[",;\\t\\r\\n]'), '"', '')), texts) as cells from (
    select occurred_at, id, type, json_values, arrayMap(json -> multiIf(json = 'null', '', not startsWith(json, '"'), json,
      position(json, '\\') = 0, substring(json, 2, length(json) - 2), JSONExtractString(json)), json_values) as texts from (
      select occurred_at, id, type, if(concat('[', arrayStringConcat(parsed_values, ','), ']') = row, parsed_values, arrayMap(value -> arrayStringConcat(if(value[1] = ',', arraySlice(value, 2), value)),
    arraySplit((token, level) -> token = ',' and level = 0, extractAll(substring(row, 2, length(row) - 2), {p2:String}), arrayCumSum(token -> (token in ('{', '[')) - (token in ('}', ']')), extractAll(substring(row, 2, length(row) - 2), {p2:String}))))) as json_values from (
        select occurred_at, id, type, row, JSONExtractArrayRaw(row) as parsed_values from events where client_key = lowerUTF8({p0:String}) and client_uid = {p0:String})))) order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc settings optimize_use_projections = 0, query_plan_execute_functions_after_sorting = 0;

-- autonomous systems

select if((0) = 0, toInt64(sum(matches)), -1) from (select toStartOfHour(occurred_at) as hour, count() as matches, min(id) as first_id, max(id) as last_id from events
      where asn = {p0:String} group by toStartOfHour(occurred_at) settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_asn_hour') settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_asn_hour';

select concat(cells[1], ',', cells[2], ',', cells[3], ',', transform(json_values[3], {p3:Array(String)}, {p4:Array(String)}, ''), ',', cells[9], ',', transform(concat(json_values[3], json_values[9]), {p5:Array(String)}, {p6:Array(String)}, ''), ',', cells[8], ',', cells[6], ',', cells[7], ',', cells[10], ',', cells[4], ',', toString(occurred_at), ',', cells[11], ',', cells[12], ',', cells[13], ',', cells[14], ',', cells[15], ',', cells[16], '\r') from (
  select occurred_at, id, type, json_values, arrayMap(text -> concat(if(match(text, '[",;\\t\\r\\n]'), '"', ''), if((ascii(text) = 0) + (ascii(text) > 47) * (ascii(text) < 58) + (ascii(text) > 64) * (ascii(text) < 127) > 0, '', if(match(text, {p1:String}), '\'', '')), replaceAll(text, '"', '""'), if(match(text, '[",;\\t\\r\\n]'), '"', '')), texts) as cells from (
    select occurred_at, id, type, json_values, arrayMap(json -> multiIf(json = 'null', '', not startsWith(json, '"'), json,
      position(json, '\\') = 0, substring(json, 2, length(json) - 2), JSONExtractString(json)), json_values) as texts from (
      select occurred_at, id, type, if(concat('[', arrayStringConcat(parsed_values, ','), ']') = row, parsed_values, arrayMap(value -> arrayStringConcat(if(value[1] = ',', arraySlice(value, 2), value)),
    arraySplit((token, level) -> token = ',' and level = 0, extractAll(substring(row, 2, length(row) - 2), {p2:String}), arrayCumSum(token -> (token in ('{', '[')) - (token in ('}', ']')), extractAll(substring(row, 2, length(row) - 2), {p2:String}))))) as json_values from (
        select occurred_at, id, type, row, JSONExtractArrayRaw(row) as parsed_values from events where asn = {p0:String})))) order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc settings optimize_use_projections = 0, query_plan_execute_functions_after_sorting = 0, optimize_read_in_order = 0;

-- labels, and all but a country

select concat(cells[1], ',', cells[2], ',', cells[3], ',', transform(json_values[3], {p4:Array(String)}, {p5:Array(String)}, ''), ',', cells[9], ',', transform(concat(json_values[3], json_values[9]), {p6:Array(String)}, {p7:Array(String)}, ''), ',', cells[8], ',', cells[6], ',', cells[7], ',', cells[10], ',', cells[4], ',', toString(occurred_at), ',', cells[11], ',', cells[12], ',', cells[13], ',', cells[14], ',', cells[15], ',', cells[16], '\r') from (
  select occurred_at, id, type, json_values, arrayMap(text -> concat(if(match(text, '[",;\\t\\r\\n]'), '"', ''), if((ascii(text) = 0) + (ascii(text) > 47) * (ascii(text) < 58) + (ascii(text) > 64) * (ascii(text) < 127) > 0, '', if(match(text, {p2:String}), '\'', '')), replaceAll(text, '"', '""'), if(match(text, '[",;\\t\\r\\n]'), '"', '')), texts) as cells from (
    select occurred_at, id, type, json_values, arrayMap(json -> multiIf(json = 'null', '', not startsWith(json, '"'), json,
      position(json, '\\') = 0, substring(json, 2, length(json) - 2), JSONExtractString(json)), json_values) as texts from (
      select occurred_at, id, type, if(concat('[', arrayStringConcat(parsed_values, ','), ']') = row, parsed_values, arrayMap(value -> arrayStringConcat(if(value[1] = ',', arraySlice(value, 2), value)),
    arraySplit((token, level) -> token = ',' and level = 0, extractAll(substring(row, 2, length(row) - 2), {p3:String}), arrayCumSum(token -> (token in ('{', '[')) - (token in ('}', ']')), extractAll(substring(row, 2, length(row) - 2), {p3:String}))))) as json_values from (
        select occurred_at, id, type, row, JSONExtractArrayRaw(row) as parsed_values from events where country not in {p0:Array(String)} and (hasAny(splitByChar(' ', bot), {p1:Array(String)}) or bot = ''))))) order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc settings optimize_use_projections = 0, query_plan_execute_functions_after_sorting = 0;
