create table if not exists events_local on cluster `main \`1\`` (
  id UInt64 codec(Delta, ZSTD(1)),
  batch UInt64 codec(Delta, ZSTD(1)),
  uuid UUID codec(NONE),
  app_id Int32 codec(ZSTD(1)),
  occurred_at DateTime64(6, 'UTC') codec(Delta, ZSTD(1)),
  type Enum8('create' = 1, 'error' = 2, 'proxy' = 3, 'receive' = 4, 'static' = 5, 'token' = 6, 'track' = 7),
  flags UInt8,
  country LowCardinality(String),
  stream_uid LowCardinality(String),
  bot LowCardinality(String),
  ip IPv6 codec(ZSTD(1)),
  client_uid String codec(ZSTD(1)),
  client_key String materialized lowerUTF8(client_uid) codec(ZSTD(1)),
  row String codec(ZSTD(1)),
  index by_id id type minmax,
  index by_batch batch type minmax,
  projection by_hour (
    select toStartOfHour(occurred_at), type, flags, count(), min(id), max(id)
    group by toStartOfHour(occurred_at), type, flags),
  projection by_app_hour (
    select app_id, toStartOfHour(occurred_at), type, flags, count(), min(id), max(id)
    group by app_id, toStartOfHour(occurred_at), type, flags),
  projection by_country_hour (
    select country, toStartOfHour(occurred_at), type, flags, count(), min(id), max(id)
    group by country, toStartOfHour(occurred_at), type, flags),
  projection by_app_country_hour (
    select app_id, country, toStartOfHour(occurred_at), type, flags, count(), min(id), max(id)
    group by app_id, country, toStartOfHour(occurred_at), type, flags),
  projection by_stream_hour (
    select stream_uid, app_id, toStartOfHour(occurred_at), type, country, flags, count(), min(id), max(id)
    group by stream_uid, app_id, toStartOfHour(occurred_at), type, country, flags),
  projection by_seen (select app_id, country, stream_uid, count() group by app_id, country, stream_uid),
  projection by_total (
    select app_id, bitAnd(flags, 8), count(), countIf(type = 'create'), countIf(type = 'create' and bitAnd(flags, 3) = 0),
      countIf(type = 'receive'), countIf(type = 'receive' and bitAnd(flags, 3) = 0), countIf(bitAnd(flags, 2) = 2),
      countIf(bitAnd(flags, 3) = 2)
    group by app_id, bitAnd(flags, 8)),
  projection of_app (
    select app_id, occurred_at, id, type, flags, country, stream_uid, client_key, ip
    order by app_id, occurred_at),
  projection of_client (
    select client_key, client_uid, ip, occurred_at, id, app_id, type, flags, country, stream_uid
    order by client_key, occurred_at),
  projection of_ip (
    select ip, client_uid, occurred_at, id, app_id, type, flags, country, stream_uid
    order by ip, occurred_at))
     engine = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/events', '{replica}') partition by toMonday(occurred_at)
  order by (toStartOfHour(occurred_at), app_id, occurred_at, uuid)
  settings index_granularity = 256, default_compression_codec = 'ZSTD(1)', fsync_after_insert = 1, fsync_part_directory = 1;

create table if not exists events on cluster `main \`1\`` as events_local
     engine = Distributed(`main \`1\``, currentDatabase(), events_local, intHash32(app_id));

alter table events_local on cluster `main \`1\`` add projection if not exists by_app (
      select app_id, min(ip), max(ip), min(client_key), max(client_key) group by app_id);

alter table events_local on cluster `main \`1\`` materialize projection by_app;

alter table events_local on cluster `main \`1\`` add column if not exists asn LowCardinality(String) default '';

alter table events on cluster `main \`1\`` add column if not exists asn LowCardinality(String) default '';

alter table events_local on cluster `main \`1\`` add projection if not exists by_asn_hour (
      select asn, app_id, toStartOfHour(occurred_at), type, flags, count(), min(id), max(id)
      group by asn, app_id, toStartOfHour(occurred_at), type, flags);

alter table events_local on cluster `main \`1\`` materialize projection by_asn_hour;

alter table events_local on cluster `main \`1\`` modify setting min_compress_block_size = 8192;

alter table events_local on cluster `main \`1\`` add projection if not exists by_app_day (
      select app_id, toDate(occurred_at), count(), countIf(bitAnd(flags, 3) = 0), countIf(bitAnd(flags, 2) = 2), countIf(type = 'create'),
        countIf(type = 'create' and bitAnd(flags, 3) = 0), countIf(type = 'receive'), countIf(type = 'receive' and bitAnd(flags, 3) = 0),
        countIf(type = 'error')
      group by app_id, toDate(occurred_at)) with settings (index_granularity = 8192);

alter table events_local on cluster `main \`1\`` add projection if not exists by_week (
      select app_id, country, stream_uid, count(), countIf(bitAnd(flags, 3) = 0), countIf(bitAnd(flags, 2) = 2), countIf(type = 'create'),
        countIf(type = 'create' and bitAnd(flags, 3) = 0), countIf(type = 'receive'), countIf(type = 'receive' and bitAnd(flags, 3) = 0),
        countIf(type = 'error')
      group by app_id, country, stream_uid) with settings (index_granularity = 8192);

alter table events_local on cluster `main \`1\`` materialize projection by_app_day;

alter table events_local on cluster `main \`1\`` materialize projection by_week;

alter table events_local on cluster `main \`1\`` modify setting merge_selector_base = 10, materialize_projections_on_insert = 0, materialize_projections_on_merge = 1