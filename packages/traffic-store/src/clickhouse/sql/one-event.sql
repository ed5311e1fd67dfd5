-- event

select row from events where id = {p0:UInt64} and app_id in {p1:Array(Int32)} limit 1 settings optimize_use_projections = 0;

-- oldest

select min(id) from events having count() > 0 settings optimize_use_projections = 1, preferred_optimize_projection_name = 'by_hour';
