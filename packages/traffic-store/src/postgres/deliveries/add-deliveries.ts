import { dayOf, formatDateTime, formatMicroseconds, type Microseconds } from '@switchyard/contract/dates';
import { pushSuccesses } from '@switchyard/contract/pushes';
import type pg from 'pg';
import type { NewConversion, NewPush } from '../../delivery-store.ts';
import { bucketStart, hour } from '../../time-buckets.ts';
import { timestamp } from '../event-conditions.ts';
import { startOf } from '../rollups.ts';
import { addToPlaceDays, countedPlace } from './place-days.ts';
import { checkStatement } from '../upkeep/update-places.ts';

const givenPush = `uuid uuid, app_id integer, push_id text, push_name text, push_message text, uid text, client_uid text,
  push_campaign_uid text, send_at timestamptz, status text, error text, updated_at timestamptz`;
const pushColumns = givenPush.replaceAll(/(\w+) \w+/g, '$1');
const replacedColumns = ['push_name', 'push_message', 'send_at', 'status', 'error', 'updated_at'] as const;

/**
 * Ids follow the order of the batch. Rows are stored in order of identity, so that concurrent batches never deadlock.
 */
const insertNew = `with numbered as materialized (
    select nextval(pg_get_serial_sequence('pushes', 'id')) as id, given.* from json_to_recordset($1) as given (${givenPush})
  ),
  inserted as (
    insert into pushes (id, ${pushColumns}) overriding system value select id, ${pushColumns} from numbered
    order by app_id, uuid on conflict do nothing returning app_id, uuid, id, client_uid
  ),
  checked as (${checkStatement('push', 'inserted')})
  select app_id, uuid from inserted`;

const lockKnown = `select pushes.id, pushes.app_id, pushes.uuid, pushes.client_uid, pushes.status, ${microseconds('send_at')}, ${microseconds('updated_at')}
  from json_to_recordset($1) as known (app_id integer, uuid uuid)
  join pushes on pushes.app_id = known.app_id and pushes.uuid = known.uuid
  order by pushes.app_id, pushes.uuid for update of pushes`;

const replaceKnown = `update pushes set ${replacedColumns.map((column) => `${column} = given.${column}`).join(', ')}
  from json_to_recordset($1) as given (${givenPush}) where pushes.app_id = given.app_id and pushes.uuid = given.uuid`;

function microseconds(column: string): string {
  return `(extract(epoch from pushes.${column}) * 1000000)::bigint as ${column}`;
}

/** The event of a push may be another one at another time. */
const checkMoved = checkStatement('push', 'json_to_recordset($1) as moved (id bigint, app_id integer, client_uid text)');

/** Moves the counts of pushes whose status or day has changed, if their place is known. $2: the server's offset. */
const moveInPlaceDays = addToPlaceDays(
  'push',
  `select ${countedPlace('push', { n: 'kept.n', offset: '$2' })}
   from json_to_recordset($1) as kept (id bigint, app_id integer, status text, send_at timestamptz, n integer)
   join push_places as place on place.id = kept.id`,
);

type KnownPush = {
  id: number;
  app_id: number;
  client_uid: string | null;
  uuid: string;
  status: string;
  send_at: Microseconds;
  updated_at: Microseconds;
};

/** Stores a batch and its counts within a transaction, and returns how many rows were accepted. */
export async function insertPushes(client: pg.ClientBase, rows: readonly NewPush[], offset: string): Promise<number> {
  const byIdentity = Map.groupBy(rows, identityOf);
  const fresh = [...byIdentity.values()].map((own) => applyRows(own, -Infinity));
  const insertion = await client.query<{ app_id: number; uuid: string }>({
    name: 'add-pushes',
    text: insertNew,
    values: [toPushRecords(fresh.flatMap((push) => push.newest ?? []))],
  });
  const isNew = new Set(insertion.rows.map((row) => identityOf({ appId: row.app_id, uuid: row.uuid })));
  const changes: PushChange[] = [];
  let acceptedCount = 0;
  for (const { count, newest } of fresh) {
    if (newest === null || !isNew.has(identityOf(newest))) continue;
    acceptedCount += count;
    changes.push({ before: null, after: newest });
  }

  const knownRows = [...byIdentity].filter(([identity]) => !isNew.has(identity));
  if (knownRows.length > 0) {
    const updates = await updateKnown(client, new Map(knownRows), offset);
    acceptedCount += updates.accepted;
    changes.push(...updates.changes);
  }
  await addToPushCounts(client, changes, offset);
  return acceptedCount;
}

/** Replaces pushes that were stored before by newer rows. */
async function updateKnown(
  client: pg.ClientBase,
  byIdentity: ReadonlyMap<string, readonly NewPush[]>,
  offset: string,
): Promise<{ accepted: number; changes: PushChange[] }> {
  const identities = [...byIdentity.values()].flatMap(([first]) => (first ? [{ app_id: first.appId, uuid: first.uuid }] : []));
  const { rows } = await client.query<KnownPush>({ name: 'lock-pushes', text: lockKnown, values: [JSON.stringify(identities)] });
  const changes: PushChange[] = [];
  const movedPushes: KnownPush[] = [];
  const countedChanges: { id: number; app_id: number; status: string; send_at: string; n: number }[] = [];
  let acceptedCount = 0;
  for (const storedPush of rows) {
    const own = byIdentity.get(identityOf({ appId: storedPush.app_id, uuid: storedPush.uuid })) ?? [];
    const { count, newest } = applyRows(own, storedPush.updated_at);
    if (newest === null) continue;
    acceptedCount += count;
    if (newest.sendAt !== storedPush.send_at) movedPushes.push(storedPush);
    const { id, app_id } = storedPush;
    countedChanges.push(
      { id, app_id, status: storedPush.status, send_at: timestamp(storedPush.send_at), n: -1 },
      { id, app_id, status: newest.status, send_at: timestamp(newest.sendAt), n: 1 },
    );
    changes.push({ before: { appId: storedPush.app_id, status: storedPush.status, sendAt: storedPush.send_at }, after: newest });
  }
  if (changes.length > 0) {
    const values = [toPushRecords(changes.map((change) => change.after))];
    await client.query({ name: 'replace-pushes', text: replaceKnown, values });
    await client.query({ name: 'move-places-of-pushes', text: moveInPlaceDays, values: [JSON.stringify(countedChanges), offset] });
    if (movedPushes.length > 0) {
      await client.query({ name: 'check-moved-pushes', text: checkMoved, values: [JSON.stringify(movedPushes)] });
    }
  }
  return { accepted: acceptedCount, changes };
}

type TakenPushes = { count: number; newest: NewPush | null };

/**
 * Applies the rows of one push, last updated at `since`, in their order: how many are newer than all before them, and the resulting
 * push; values that cannot be replaced stay as in the first row.
 */
function applyRows(rows: readonly NewPush[], since: Microseconds): TakenPushes {
  return rows.reduce<TakenPushes>(
    ({ count, newest }, row) => {
      const { name, message, sendAt, status, error, updatedAt } = row;
      if (updatedAt <= (newest?.updatedAt ?? since)) return { count, newest };
      return { count: count + 1, newest: newest === null ? row : { ...newest, name, message, sendAt, status, error, updatedAt } };
    },
    { count: 0, newest: null },
  );
}

function identityOf({ appId, uuid }: Pick<NewPush, 'appId' | 'uuid'>): string {
  return `${appId} ${uuid}`;
}

function toPushRecords(pushes: readonly NewPush[]): string {
  return JSON.stringify(
    pushes.map((push) => ({
      uuid: push.uuid,
      app_id: push.appId,
      push_id: push.pushId,
      push_name: push.name,
      push_message: push.message,
      uid: push.uid,
      client_uid: push.clientUid,
      push_campaign_uid: push.campaignUid,
      send_at: `${formatMicroseconds(push.sendAt)}+00`,
      status: push.status,
      error: push.error,
      updated_at: `${formatMicroseconds(push.updatedAt)}+00`,
    })),
  );
}

/** The values by which a push is counted. */
type CountedPush = { appId: number; status: string; sendAt: Microseconds };
/** A push that is new, or one that changed. */
export type PushChange = { before: CountedPush | null; after: NewPush };

const addTotals = `insert into push_totals as kept (app_id, is_success, delivered, stored)
  select app_id, is_success, change, change from json_to_recordset($1) as changes (app_id integer, is_success boolean, change bigint)
  order by app_id, is_success
  on conflict (app_id, is_success) do update set delivered = kept.delivered + excluded.delivered, stored = kept.stored + excluded.stored`;

const addDays = `insert into push_days as kept (day, app_id, is_success, stored)
  select day, app_id, is_success, change from json_to_recordset($1) as changes (day date, app_id integer, is_success boolean, change bigint)
  order by day, app_id, is_success
  on conflict (day, app_id, is_success) do update set stored = kept.stored + excluded.stored`;

const addHours = `insert into push_hours as kept (hour, app_id, stored)
  select hour, app_id, change from json_to_recordset($1) as changes (hour timestamptz, app_id integer, change bigint)
  order by hour, app_id
  on conflict (hour, app_id) do update set stored = kept.stored + excluded.stored`;

const addStatusDays = `insert into push_status_days as kept (day, app_id, status, stored)
  select day, app_id, status, change from json_to_recordset($1) as changes (day date, app_id integer, status text, change bigint)
  order by day, app_id, status
  on conflict (day, app_id, status) do update set stored = kept.stored + excluded.stored`;

/** SQL of whether a push succeeded. */
export const isPushSuccess = `status in (${pushSuccesses.map((status) => `'${status}'`).join(', ')})`;

/** Counts new and changed pushes; `offset` is the one in which days and hours are cut. */
async function addToPushCounts(client: pg.ClientBase, changes: readonly PushChange[], offset: string): Promise<void> {
  const totals = new Map<string, { app_id: number; is_success: boolean; change: number }>();
  const days = new Map<string, { day: string; app_id: number; is_success: boolean; change: number }>();
  const statusDays = new Map<string, { day: string; app_id: number; status: string; change: number }>();
  const hours = new Map<string, { hour: string; app_id: number; change: number }>();
  const count = ({ appId, status, sendAt }: CountedPush, change: number): void => {
    const key = { app_id: appId, is_success: pushSuccesses.includes(status) };
    add(totals, key, change);
    add(days, { day: dayOf(sendAt, offset), ...key }, change);
    add(statusDays, { day: dayOf(sendAt, offset), app_id: appId, status }, change);
    add(hours, { hour: `${formatDateTime(bucketStart(sendAt, hour, offset))}+00`, app_id: appId }, change);
  };
  for (const { before, after } of changes) {
    if (before) count(before, -1);
    count(after, 1);
  }
  await store(client, 'count-pushes', addTotals, totals);
  await store(client, 'count-push-days', addDays, days);
  await store(client, 'count-push-status-days', addStatusDays, statusDays);
  await store(client, 'count-push-hours', addHours, hours);
}

function add<Key extends object>(sums: Map<string, Key & { change: number }>, key: Key, change: number): void {
  const name = JSON.stringify(key);
  sums.set(name, { ...key, change: (sums.get(name)?.change ?? 0) + change });
}

async function store(client: pg.ClientBase, name: string, text: string, sums: ReadonlyMap<string, { change: number }>): Promise<void> {
  const changedSums = [...sums.values()].filter((sum) => sum.change !== 0);
  if (changedSums.length > 0) await client.query({ name, text, values: [JSON.stringify(changedSums)] });
}

const givenConversion = `uuid uuid, app_id integer, source text, client_uid text, stream_uid text, click_id text, receive_apf_uid text,
  app_instance_id text, status_conversion text, payout numeric, status text, error text, is_send boolean, is_qa boolean,
  created_at timestamptz`;
const conversionColumns = givenConversion.replaceAll(/(\w+) \w+/g, '$1');
const countedBy = 'app_id, status_conversion, status, is_send, is_qa';

/** SQL of the day a conversion falls in; `offset` is a placeholder of the server's offset. */
export function dayOfConversion(offset: string): string {
  return `(created_at at time zone 'UTC' + ${offset}::interval)::date`;
}

/**
 * Stores a batch and its counts in one statement, so that they commit together and duplicates are not counted. Ids follow the order
 * of the batch. Rows are stored in order of identity, so that concurrent batches never deadlock; of rows with one identity the first
 * stays. $1: the rows as JSON. $2: the offset in which days are cut, as an interval.
 */
const insertConversionsStatement = `
with numbered as materialized (
  select nextval(pg_get_serial_sequence('conversions', 'id')) as id, given.* from json_to_recordset($1) as given (${givenConversion})
),
inserted as (
  insert into conversions (id, ${conversionColumns}) overriding system value
  select id, ${conversionColumns} from numbered order by app_id, uuid, created_at, id
  on conflict do nothing
  returning ${countedBy}, id, client_uid, coalesce(stream_uid, '') as stream_uid, coalesce(payout, 0) as payout, ${dayOfConversion('$2')} as day, ${startOf('1 hour', 'created_at', '$2')} as hour
),
in_all as (
  insert into conversion_totals as kept (${countedBy}, delivered, stored)
  select ${countedBy}, count(*), count(*) from inserted group by ${countedBy} order by ${countedBy}
  on conflict (${countedBy}) do update set delivered = kept.delivered + excluded.delivered, stored = kept.stored + excluded.stored
),
by_day as (
  insert into conversion_days as kept (day, ${countedBy}, stored)
  select day, ${countedBy}, count(*) from inserted group by day, ${countedBy} order by day, ${countedBy}
  on conflict (day, ${countedBy}) do update set stored = kept.stored + excluded.stored
),
by_stream as (
  insert into conversion_stream_days as kept (day, app_id, stream_uid, status, stored, payout)
  select day, app_id, stream_uid, status, count(*), sum(payout) from inserted
  group by day, app_id, stream_uid, status order by day, app_id, stream_uid, status
  on conflict (day, app_id, stream_uid, status) do update set stored = kept.stored + excluded.stored, payout = kept.payout + excluded.payout
),
by_kind as (
  insert into conversion_kind_days as kept (day, app_id, stream_uid, status_conversion, status, stored, payout)
  select day, app_id, stream_uid, status_conversion, status, count(*), sum(payout) from inserted
  group by day, app_id, stream_uid, status_conversion, status order by day, app_id, stream_uid, status_conversion, status
  on conflict (day, app_id, stream_uid, status_conversion, status)
  do update set stored = kept.stored + excluded.stored, payout = kept.payout + excluded.payout
),
by_hour as (
  insert into conversion_hours as kept (hour, app_id, stored)
  select hour, app_id, count(*) from inserted group by hour, app_id order by hour, app_id
  on conflict (hour, app_id) do update set stored = kept.stored + excluded.stored
),
checked as (${checkStatement('conversion', 'inserted')})
select count(*)::integer as accepted from inserted`;

/** Stores a batch and returns how many rows were new. */
export async function insertConversions(pool: pg.Pool, rows: readonly NewConversion[], offset: string): Promise<number> {
  const values = [JSON.stringify(rows.map(toConversionRecord)), offset];
  const result = await pool.query<{ accepted: number }>({ name: 'add-conversions', text: insertConversionsStatement, values });
  return result.rows[0]?.accepted ?? 0;
}

function toConversionRecord(row: NewConversion): Record<string, unknown> {
  return {
    uuid: row.uuid,
    app_id: row.appId,
    source: row.source,
    client_uid: row.clientUid,
    stream_uid: row.streamUid,
    click_id: row.clickId,
    receive_apf_uid: row.receiveApfUid,
    app_instance_id: row.appInstanceId,
    status_conversion: row.statusConversion,
    payout: row.payout,
    status: row.status,
    error: row.error,
    is_send: row.isSend,
    is_qa: row.isQa,
    created_at: `${formatMicroseconds(row.createdAt)}+00`,
  };
}
