import { formatMicroseconds, type Microseconds } from '@switchyard/contract/dates';
import type pg from 'pg';
import type { NewPush } from '../../push-store.ts';
import { addToPushCounts, type PushChange } from './push-counts.ts';

const given = `uuid uuid, app_id integer, push_id text, push_name text, push_message text, uid text, client_uid text,
  push_campaign_uid text, send_at timestamptz, status text, error text, updated_at timestamptz`;
const columns = given.replaceAll(/(\w+) \w+/g, '$1');
const replaced = ['push_name', 'push_message', 'send_at', 'status', 'error', 'updated_at'] as const;

/**
 * Ids in the order of the batch, but stored in order of identity, so that batches which meet wait for each other but never
 * in a circle.
 */
const insertNew = `with numbered as materialized (
    select nextval(pg_get_serial_sequence('pushes', 'id')) as id, given.* from json_to_recordset($1) as given (${given})
  )
  insert into pushes (id, ${columns}) overriding system value select id, ${columns} from numbered
  order by app_id, uuid on conflict do nothing returning app_id, uuid`;

const lockKnown = `select pushes.app_id, pushes.uuid, pushes.status, ${microseconds('send_at')}, ${microseconds('updated_at')}
  from json_to_recordset($1) as known (app_id integer, uuid uuid)
  join pushes on pushes.app_id = known.app_id and pushes.uuid = known.uuid
  order by pushes.app_id, pushes.uuid for update of pushes`;

const replaceKnown = `update pushes set ${replaced.map((column) => `${column} = given.${column}`).join(', ')}
  from json_to_recordset($1) as given (${given}) where pushes.app_id = given.app_id and pushes.uuid = given.uuid`;

function microseconds(column: string): string {
  return `(extract(epoch from pushes.${column}) * 1000000)::bigint as ${column}`;
}

type KnownPush = { app_id: number; uuid: string; status: string; send_at: Microseconds; updated_at: Microseconds };

/** Stores a batch within a transaction, counts included; gives how many rows were taken. */
export async function addPushes(client: pg.ClientBase, rows: readonly NewPush[], offset: string): Promise<number> {
  const byIdentity = Map.groupBy(rows, identityOf);
  const fresh = [...byIdentity.values()].map((own) => takeOver(own, -Infinity));
  const inserted = await client.query<{ app_id: number; uuid: string }>({
    name: 'add-pushes',
    text: insertNew,
    values: [toRecords(fresh.flatMap((taken) => taken.newest ?? []))],
  });
  const isNew = new Set(inserted.rows.map((row) => identityOf({ appId: row.app_id, uuid: row.uuid })));
  const changes: PushChange[] = [];
  let accepted = 0;
  for (const { count, newest } of fresh) {
    if (newest === null || !isNew.has(identityOf(newest))) continue;
    accepted += count;
    changes.push({ before: null, after: newest });
  }

  const known = [...byIdentity].filter(([identity]) => !isNew.has(identity));
  if (known.length > 0) {
    const updates = await updateKnown(client, new Map(known));
    accepted += updates.accepted;
    changes.push(...updates.changes);
  }
  await addToPushCounts(client, changes, offset);
  return accepted;
}

/** Pushes that were there before: only newer rows of them are taken. */
async function updateKnown(
  client: pg.ClientBase,
  byIdentity: ReadonlyMap<string, readonly NewPush[]>,
): Promise<{ accepted: number; changes: PushChange[] }> {
  const identities = [...byIdentity.values()].flatMap(([first]) => (first ? [{ app_id: first.appId, uuid: first.uuid }] : []));
  const { rows } = await client.query<KnownPush>({ name: 'lock-pushes', text: lockKnown, values: [JSON.stringify(identities)] });
  const changes: PushChange[] = [];
  let accepted = 0;
  for (const stored of rows) {
    const own = byIdentity.get(identityOf({ appId: stored.app_id, uuid: stored.uuid })) ?? [];
    const { count, newest } = takeOver(own, stored.updated_at);
    if (newest === null) continue;
    accepted += count;
    changes.push({ before: { appId: stored.app_id, status: stored.status, sendAt: stored.send_at }, after: newest });
  }
  if (changes.length > 0) {
    const values = [toRecords(changes.map((change) => change.after))];
    await client.query({ name: 'replace-pushes', text: replaceKnown, values });
  }
  return { accepted, changes };
}

type Taken = { count: number; newest: NewPush | null };

/**
 * What becomes of rows of one push, one after the other, when it stands at `since`: how many are newer than all before
 * them, and the push as the last of these leaves it; what cannot be replaced stays as the first row has it.
 */
function takeOver(rows: readonly NewPush[], since: Microseconds): Taken {
  return rows.reduce<Taken>(
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

function toRecords(pushes: readonly NewPush[]): string {
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
