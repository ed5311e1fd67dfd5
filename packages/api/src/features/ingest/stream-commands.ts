import type { AuditChange } from '@switchyard/contract/audit';
import { formatDateTime, fromDate, type Microseconds } from '@switchyard/contract/dates';
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
  return eventOf('create', stream, changesBetween({ 'rules.country': [] }, fieldsOf(stream)), sender);
}

/**
 * A stream that moves to another app is hidden in the first and created in the second, so that accounts that see one of the apps
 * learn nothing of the other.
 */
function replaceEvents(before: StoredStream, after: NewStream, sender: StreamSender): AuditEvent[] {
  if (before.appId !== after.appId) {
    const move = changesBetween({ app_id: before.appId }, { app_id: after.appId });
    const fields = changesBetween({ 'rules.country': [] }, fieldsOf(after));
    return [eventOf('hide', before, move, sender), eventOf('create', after, [...fields, ...move], sender)];
  }
  const changes = changesBetween(storedFieldsOf(before), fieldsOf(after));
  if (changes.length === 0) return [];
  return [eventOf(before.deletedAt === null && after.deletedAt !== null ? 'hide' : 'replace', after, changes, sender)];
}

type Named = Pick<NewStream, 'uid' | 'name' | 'appId'>;
type Action = 'create' | 'replace' | 'hide';

function eventOf(action: Action, { uid, name, appId }: Named, changes: AuditChange[], { request }: StreamSender): AuditEvent {
  return { actor: null, entity: 'stream', action, id: uid, label: name, appId, request, changes };
}

type Settings = Pick<NewStream, 'name' | 'buyerId' | 'rules' | 'offer' | 'levelCloaking' | 'createdAt' | 'deletedAt'>;

/** The fields of a stream by their names on the wire. */
function fieldsOf({ name, buyerId, rules, offer, levelCloaking, createdAt, deletedAt }: Settings): Record<string, unknown> {
  return {
    name,
    buyer_id: buyerId,
    'rules.country': rules.country,
    offer,
    level_cloaking: levelCloaking,
    created_at: formatDateTime(createdAt),
    deleted_at: deletedAt === null ? null : formatDateTime(deletedAt),
  };
}

function storedFieldsOf({ country, createdAt, deletedAt, ...stream }: StoredStream): Record<string, unknown> {
  return fieldsOf({ ...stream, rules: { country }, createdAt: fromDate(createdAt), deletedAt: deletedAt && fromDate(deletedAt) });
}
