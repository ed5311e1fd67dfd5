import { requestTypes } from '@switchyard/contract/requests';
import type { CounterFigures } from '../event-counters.ts';
import { flag } from '../event-flags.ts';

/** The types in alphabetical order, so that the engine sorts them by name. */
const typeValues = requestTypes
  .toSorted()
  .map((type, index) => `'${type}' = ${index + 1}`)
  .join(', ');

/** Success is no error and no bot. */
const outcome = `bitAnd(flags, ${flag.error | flag.bot})`;
/** How each figure of counters is counted; `by_total` keeps exactly these expressions. */
export const figureSql: Readonly<Record<keyof CounterFigures, string>> = {
  creates: `countIf(type = 'create')`,
  creates_ok: `countIf(type = 'create' and ${outcome} = 0)`,
  receives: `countIf(type = 'receive')`,
  receives_ok: `countIf(type = 'receive' and ${outcome} = 0)`,
  bots: `countIf(bitAnd(flags, ${flag.bot}) = ${flag.bot})`,
  bots_ok: `countIf(${outcome} = ${flag.bot})`,
};
/** Tells the events of testers, as `by_total` counts them. */
export const isQa = `bitAnd(flags, ${flag.qa})`;

const counts = 'count(), min(id), max(id)';
/** What a search or a summary looks at beside its own key, so that it reads no events until it knows which. */
const place = 'occurred_at, id, app_id, type, flags, country, stream_uid';

function countedBy(...key: string[]): string {
  return `select ${key.join(', ')}, ${counts} group by ${key.join(', ')}`;
}

/**
 * What the engine keeps beside the events, in the same parts as the events themselves, so that a count cannot drift from its rows.
 * `by_…` count; `of_…` hold the places of events in another order.
 */
export const projections = {
  by_hour: countedBy('toStartOfHour(occurred_at)', 'type', 'flags'),
  by_app_hour: countedBy('app_id', 'toStartOfHour(occurred_at)', 'type', 'flags'),
  by_country_hour: countedBy('country', 'toStartOfHour(occurred_at)', 'type', 'flags'),
  by_app_country_hour: countedBy('app_id', 'country', 'toStartOfHour(occurred_at)', 'type', 'flags'),
  by_stream_hour: countedBy('stream_uid', 'app_id', 'toStartOfHour(occurred_at)', 'type', 'country', 'flags'),
  by_seen: 'select app_id, country, stream_uid, count() group by app_id, country, stream_uid',
  by_total: `select app_id, ${isQa}, count(), ${Object.values(figureSql).join(', ')} group by app_id, ${isQa}`,
  of_app: 'select app_id, occurred_at, id, type, flags, country, stream_uid, client_key, ip order by app_id, occurred_at',
  of_client: `select client_key, client_uid, ip, ${place} order by client_key, occurred_at`,
  of_ip: `select ip, client_uid, ${place} order by ip, occurred_at`,
} as const;
export type Projection = keyof typeof projections;

/**
 * Columns of the events. `row` is the event as lists read it (`ListedEvent` without names), as one JSON text: an event that lies alone is
 * then two reads instead of one for each column. What is filtered, counted or part of the identity is a column as well.
 */
const columns = `
  id UInt64 codec(Delta, ZSTD(1)),
  batch UInt64 codec(Delta, ZSTD(1)),
  uuid UUID codec(NONE),
  app_id Int32 codec(ZSTD(1)),
  occurred_at DateTime64(6, 'UTC') codec(Delta, ZSTD(1)),
  type Enum8(${typeValues}),
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
 * Batches given up by recovery: an insert of one that arrives late fails, so that the rows, sent again meanwhile, are not stored
 * twice. A table in memory, because every insert asks it. Not on clusters, where every server would have to know.
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

/** The statements that create the tables of one server, or of a cluster. Running them again changes nothing. */
export function createTables(cluster: string | null): string[] {
  const kept = Object.entries(projections).map(([name, selection]) => `projection ${name} (${selection})`);
  const content = `(${[columns, ...(cluster === null ? [notVoid] : []), ...kept].join(',\n  ')})`;
  if (cluster === null) {
    return [voidBatches, `create table if not exists events ${content} engine = MergeTree ${storage}`];
  }
  const on = `on cluster ${quoted(cluster)}`;
  // All events of an app lie on one shard, so that its identities, totals and pages are local.
  return [
    `create table if not exists events_local ${on} ${content}
     engine = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/events', '{replica}') ${storage}`,
    `create table if not exists events ${on} as events_local
     engine = Distributed(${quoted(cluster)}, currentDatabase(), events_local, intHash32(app_id))`,
  ];
}

/** A name as the engine reads it. */
export function quoted(name: string): string {
  return `\`${name.replaceAll(/[`\\]/g, '\\$&')}\``;
}
