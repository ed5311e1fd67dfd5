import { formatDateTime, formatMicroseconds, type Microseconds, wireDate } from '@switchyard/contract/dates';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { RequestContext } from '../../http/bind.ts';
import { type AuditEvent, changesBetween, type OpenTransaction, recordAudits, transaction, unaudited } from '../../database/transaction.ts';

/** A stream that passed every check of ingestion. */
export type NewStream = {
  uid: string;
  appId: number;
  buyerId: number;
  name: string;
  rules: { country: string[] };
  offer: string | null;
  levelCloaking: string | null;
  createdAt: Microseconds;
  updatedAt: Microseconds;
  deletedAt: Microseconds | null;
};

/** The call that delivers streams, for the audit trail. */
export type StreamSender = { request: RequestContext };

const columns = sql`uid, app_id, buyer_id, name, rules, offer, level_cloaking, created_at, updated_at, deleted_at`;
const given = sql`uid text, app_id integer, buyer_id integer, name text, rules jsonb, offer text, level_cloaking text,
  created_at timestamptz, updated_at timestamptz, deleted_at timestamptz`;

/**
 * Stores a batch of streams in one transaction. A row that is newer than the stream with its uid replaces it whole, which
 * counts as accepted; any other row of a known uid is a duplicate. The rows of a batch apply in their order. The
 * audit trail gets the changes of each stream, with the server that sent them.
 */
export async function addStreams(
  db: Kysely<Tables>,
  rows: readonly NewStream[],
  sender: StreamSender,
): Promise<{ accepted: number; duplicates: number }> {
  const byUid = Map.groupBy(rows, (row) => row.uid);
  const accepted = await transaction(db, async (tx) => {
    const fresh = [...byUid.values()].map((own) => newerThan(own, -Infinity));
    const added = fresh.flatMap((newer) => newer.at(-1) ?? []);
    const isNew = await insertNew(tx, added);
    const knownUids = [...byUid.keys()].filter((uid) => !isNew.has(uid));
    const { accepted: replacing, replaced } = await replaceKnown(tx, knownUids, byUid);
    const created = added.filter(({ uid }) => isNew.has(uid)).map((stream) => createEvent(stream, sender));
    const events = [...created, ...replaced.flatMap(([before, after]) => replaceEvents(before, after, sender))];
    const stored = fresh.filter(([first]) => first !== undefined && isNew.has(first.uid)).flat().length + replacing;
    if (events.length === 0) return unaudited('a delivery that repeats streams changes the time of their update only', stored);
    return recordAudits(tx, events, stored);
  });
  return { accepted, duplicates: rows.length - accepted };
}

/** The rows that are newer than `since` and than all rows before them. */
function newerThan(rows: readonly NewStream[], since: Microseconds): NewStream[] {
  const newer: NewStream[] = [];
  for (const row of rows) if (row.updatedAt > (newer.at(-1)?.updatedAt ?? since)) newer.push(row);
  return newer;
}

/** Inserts in order of uid, so that concurrent batches never deadlock, and returns the uids that were new. */
async function insertNew(tx: OpenTransaction, streams: readonly NewStream[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ uid: string }>`
    insert into streams (${columns}) select ${columns} from json_to_recordset(${toRecords(streams)}::json) as given (${given})
    order by uid on conflict do nothing returning uid
  `.execute(tx);
  return new Set(rows.map((row) => row.uid));
}

/** The values of a stored stream that the audit trail compares. */
type StoredStream = Pick<NewStream, 'uid' | 'appId' | 'buyerId' | 'name' | 'offer' | 'levelCloaking'> & {
  country: string[];
  createdAt: Date;
  deletedAt: Date | null;
};

/** Returns how many rows were accepted, and each replaced stream before and after. */
async function replaceKnown(
  tx: OpenTransaction,
  uids: readonly string[],
  byUid: ReadonlyMap<string, readonly NewStream[]>,
): Promise<{ accepted: number; replaced: [StoredStream, NewStream][] }> {
  if (uids.length === 0) return { accepted: 0, replaced: [] };
  const known = await sql<{ uid: string; updated_at: Microseconds }>`
    select uid, (extract(epoch from updated_at) * 1000000)::bigint as updated_at from streams
    where uid = any(${uids}::text[]) order by uid for update
  `.execute(tx);
  const newer = known.rows.map((stored) => newerThan(byUid.get(stored.uid) ?? [], stored.updated_at));
  const newest = new Map(newer.flatMap((own) => own.at(-1) ?? []).map((stream) => [stream.uid, stream]));
  if (newest.size === 0) return { accepted: 0, replaced: [] };
  // The rows are locked already, so `old` holds them as they are before this update.
  const { rows: before } = await sql<StoredStream>`
    update streams set (${columns}) = (select ${sql.raw(ofGiven)})
    from json_to_recordset(${toRecords([...newest.values()])}::json) as given (${given}) join streams old on old.uid = given.uid
    where streams.uid = given.uid
    returning old.uid, old.app_id as "appId", old.buyer_id as "buyerId", old.name, old.offer, old.level_cloaking as "levelCloaking",
      coalesce(old.rules -> 'country', '[]') as country, old.created_at as "createdAt", old.deleted_at as "deletedAt"
  `.execute(tx);
  const replaced = before.flatMap((old): [StoredStream, NewStream][] => {
    const after = newest.get(old.uid);
    return after === undefined ? [] : [[old, after]];
  });
  return { accepted: newer.flat().length, replaced };
}

function createEvent(stream: NewStream, sender: StreamSender): AuditEvent {
  return eventOf('create', stream, { 'rules.country': [] }, fieldsOf(stream), sender);
}

/**
 * A stream that moves to another app is hidden in the first and created in the second, so that accounts that see one of the apps
 * learn nothing of the other.
 */
function replaceEvents(before: StoredStream, after: NewStream, sender: StreamSender): AuditEvent[] {
  const apps = [{ app_id: before.appId }, { app_id: after.appId }] as const;
  if (before.appId !== after.appId) {
    const added = { ...fieldsOf(after), ...apps[1] };
    return [eventOf('hide', before, ...apps, sender), eventOf('create', after, { 'rules.country': [], ...apps[0] }, added, sender)];
  }
  const [from, to] = [storedFieldsOf(before), fieldsOf(after)];
  if (changesBetween(from, to).length === 0) return [];
  return [eventOf(before.deletedAt === null && after.deletedAt !== null ? 'hide' : 'replace', after, from, to, sender)];
}

type Fields = Readonly<Record<string, unknown>>;

function eventOf(
  action: 'create' | 'replace' | 'hide',
  { uid, name, appId }: Pick<NewStream, 'uid' | 'name' | 'appId'>,
  from: Fields,
  to: Fields,
  { request }: StreamSender,
): AuditEvent {
  const changes = changesBetween(from, to);
  return { actor: null, entity: 'stream', action, entityId: uid, entityLabel: name, appId, request, changes };
}

/** The fields of a stream by their names on the wire. */
function fieldsOf(stream: NewStream): Fields {
  return {
    name: stream.name,
    buyer_id: stream.buyerId,
    'rules.country': stream.rules.country,
    offer: stream.offer,
    level_cloaking: stream.levelCloaking,
    created_at: formatDateTime(stream.createdAt),
    deleted_at: stream.deletedAt === null ? null : formatDateTime(stream.deletedAt),
  };
}

function storedFieldsOf({ country, createdAt, deletedAt, ...stream }: StoredStream): Fields {
  return {
    name: stream.name,
    buyer_id: stream.buyerId,
    'rules.country': country,
    offer: stream.offer,
    level_cloaking: stream.levelCloaking,
    created_at: wireDate(createdAt),
    deleted_at: wireDate(deletedAt),
  };
}

const ofGiven = ['uid', 'app_id', 'buyer_id', 'name', 'rules', 'offer', 'level_cloaking', 'created_at', 'updated_at', 'deleted_at']
  .map((column) => `given.${column}`)
  .join(', ');

function toRecords(streams: readonly NewStream[]): string {
  return JSON.stringify(
    streams.map((stream) => ({
      uid: stream.uid,
      app_id: stream.appId,
      buyer_id: stream.buyerId,
      name: stream.name,
      rules: stream.rules,
      offer: stream.offer,
      level_cloaking: stream.levelCloaking,
      created_at: `${formatMicroseconds(stream.createdAt)}+00`,
      updated_at: `${formatMicroseconds(stream.updatedAt)}+00`,
      deleted_at: stream.deletedAt === null ? null : `${formatMicroseconds(stream.deletedAt)}+00`,
    })),
  );
}
