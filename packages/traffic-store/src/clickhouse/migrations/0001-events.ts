import { quoteName } from '../schema.ts';

/**
 * Columns of the events. `row` is the event as lists read it (`UnnamedEvent`), as one JSON text: an event that lies alone is then two
 * reads instead of one for each column. What is filtered, counted or part of the identity is a column as well. The types are in
 * alphabetical order, so that the engine sorts them by name.
 */
const columns = `
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
  index by_batch batch type minmax`;

/**
 * Searches and summaries read these columns beside their own key, so that they read no events until they know which. Flags: 1
 * error, 2 bot, 8 a tester's client.
 */
const projections = `
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
    order by ip, occurred_at)`;

/**
 * Batches that recovery has voided: an insert of one that arrives late fails, so that the rows, sent again meanwhile, are not
 * stored twice. A table in memory, because every insert asks it. Not on clusters, where every server would have to know.
 */
const voidBatches = 'create table if not exists void_batches (batch UInt64, is_void UInt8) engine = Join(any, left, batch)';
const notVoid = `constraint not_void check joinGet('void_batches', 'is_void', batch) = 0`;

/**
 * Weeks as partitions, because a list opens a part or more of each. The hour comes first in the key, so that the newest events of all
 * apps lie together. Small granules, because pages decompress one for each lone row. Without both fsync settings an acknowledged event
 * would not be on disk.
 */
const storage = `partition by toMonday(occurred_at)
  order by (toStartOfHour(occurred_at), app_id, occurred_at, uuid)
  settings index_granularity = 256, default_compression_codec = 'ZSTD(1)', fsync_after_insert = 1, fsync_part_directory = 1`;

/** Tables of one server, or of a cluster. */
export function createEvents(cluster: string | null): string[] {
  if (cluster === null) {
    return [voidBatches, `create table if not exists events (${columns},\n  ${notVoid},${projections}) engine = MergeTree ${storage}`];
  }
  const on = `on cluster ${quoteName(cluster)}`;
  // All events of an app lie on one shard, so that its identities, totals and pages are local.
  return [
    `create table if not exists events_local ${on} (${columns},${projections})
     engine = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/events', '{replica}') ${storage}`,
    `create table if not exists events ${on} as events_local
     engine = Distributed(${quoteName(cluster)}, currentDatabase(), events_local, intHash32(app_id))`,
  ];
}
