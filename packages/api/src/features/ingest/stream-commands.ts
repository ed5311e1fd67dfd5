import { formatDateTime, type Microseconds, wireDate } from '@switchyard/contract/dates';
import type { Databases } from '../../database/connect.ts';
import { type AuditEvent, changesBetween, type OpenTransaction, recordAudits, transaction, unaudited } from '../../database/transaction.ts';
import type { RequestContext } from '../../http/bind.ts';
import { insertStreams, lockStreams, type NewStream, type StoredStream, updateStreams } from './streams-store.ts';

/** The call that delivers streams, for the audit trail. */
export type StreamSender = { request: RequestContext };

/**
 * Stores a batch of streams in one transaction. A row that is newer than the stream with its uid replaces it whole, which
 * counts as accepted; any other row of a known uid is a duplicate. The rows of a batch apply in their order. The
 * audit trail gets the changes of each stream, with the server that sent them.
 */
export async function addStreams(
  db: Databases['db'],
  rows: readonly NewStream[],
  sender: StreamSender,
): Promise<{ accepted: number; duplicates: number }> {
  const byUid = Map.groupBy(rows, (row) => row.uid);
  const acceptedCount = await transaction(db, async (tx) => {
    const fresh = [...byUid.values()].map((own) => newerThan(own, -Infinity));
    const addedStreams = fresh.flatMap((newer) => newer.at(-1) ?? []);
    const isNew = await insertStreams(tx, addedStreams);
    const knownUids = [...byUid.keys()].filter((uid) => !isNew.has(uid));
    const { accepted: replacing, replaced } = await replaceKnown(tx, knownUids, byUid);
    const entries = addedStreams.filter(({ uid }) => isNew.has(uid)).map((stream) => createEvent(stream, sender));
    const events = [...entries, ...replaced.flatMap(([before, after]) => replaceEvents(before, after, sender))];
    const storedCount = fresh.filter(([first]) => first !== undefined && isNew.has(first.uid)).flat().length + replacing;
    if (events.length === 0) return unaudited('a batch that repeats streams changes the time of their update only', storedCount);
    return recordAudits(tx, events, storedCount);
  });
  return { accepted: acceptedCount, duplicates: rows.length - acceptedCount };
}

/** The rows that are newer than `since` and than all rows before them. */
function newerThan(rows: readonly NewStream[], since: Microseconds): NewStream[] {
  const newer: NewStream[] = [];
  for (const row of rows) if (row.updatedAt > (newer.at(-1)?.updatedAt ?? since)) newer.push(row);
  return newer;
}

/** Returns how many rows were accepted, and each replaced stream before and after. */
async function replaceKnown(
  tx: OpenTransaction,
  uids: readonly string[],
  byUid: ReadonlyMap<string, readonly NewStream[]>,
): Promise<{ accepted: number; replaced: [StoredStream, NewStream][] }> {
  if (uids.length === 0) return { accepted: 0, replaced: [] };
  const newer = (await lockStreams(tx, uids)).map(({ uid, updatedAt }) => newerThan(byUid.get(uid) ?? [], updatedAt));
  const newest = new Map(newer.flatMap((own) => own.at(-1) ?? []).map((stream) => [stream.uid, stream]));
  if (newest.size === 0) return { accepted: 0, replaced: [] };
  const before = await updateStreams(tx, [...newest.values()]);
  const replacedStreams = before.flatMap((old): [StoredStream, NewStream][] => {
    const after = newest.get(old.uid);
    return after === undefined ? [] : [[old, after]];
  });
  return { accepted: newer.flat().length, replaced: replacedStreams };
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
    const addedFields = { ...fieldsOf(after), ...apps[1] };
    return [eventOf('hide', before, ...apps, sender), eventOf('create', after, { 'rules.country': [], ...apps[0] }, addedFields, sender)];
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
  return { actor: null, entity: 'stream', action, id: uid, label: name, appId, request, changes };
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
