-- a batch

select app_id, toUnixTimestamp64Micro(occurred_at), uuid from events
      where occurred_at between fromUnixTimestamp64Micro({p0:Int64}, 'UTC') and fromUnixTimestamp64Micro({p1:Int64}, 'UTC') and app_id in {p2:Array(Int32)}
        and CRC32(UUIDToNum(uuid)) in {p3:Array(UInt32)} settings optimize_use_projections = 0;

insert into events (id, batch, uuid, app_id, occurred_at, type, flags, country, stream_uid, bot, ip, client_uid, asn, row);
