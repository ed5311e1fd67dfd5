import { formatMicroseconds, type Microseconds } from '@switchyard/contract/dates';
import { sql } from 'kysely';
import type { OpenTransaction } from '../../database/transaction.ts';

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

/** The values of a stored stream that the audit trail compares. */
export type StoredStream = Pick<NewStream, 'uid' | 'appId' | 'buyerId' | 'name' | 'offer' | 'levelCloaking'> & {
  country: string[];
  createdAt: Date;
  deletedAt: Date | null;
};

const columns = sql`uid, app_id, buyer_id, name, rules, offer, level_cloaking, created_at, updated_at, deleted_at`;
const columnTypes = sql`uid text, app_id integer, buyer_id integer, name text, rules jsonb, offer text, level_cloaking text,
  created_at timestamptz, updated_at timestamptz, deleted_at timestamptz`;

/** Inserts in order of uid, so that concurrent batches never deadlock, and returns the uids that were new. */
export async function insertStreams(tx: OpenTransaction, streams: readonly NewStream[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ uid: string }>`
    insert into streams (${columns}) select ${columns} from json_to_recordset(${toRecords(streams)}::json) as given (${columnTypes})
    order by uid on conflict do nothing returning uid
  `.execute(tx);
  return new Set(rows.map((row) => row.uid));
}

/** Locks the streams with these uids in order of uid and gives when each was last changed. */
export async function lockStreams(tx: OpenTransaction, uids: readonly string[]): Promise<{ uid: string; updatedAt: Microseconds }[]> {
  const { rows } = await sql<{ uid: string; updatedAt: Microseconds }>`
    select uid, (extract(epoch from updated_at) * 1000000)::bigint as "updatedAt" from streams
    where uid = any(${uids}::text[]) order by uid for update
  `.execute(tx);
  return rows;
}

/** Replaces locked streams whole and gives each as it was before. */
export async function updateStreams(tx: OpenTransaction, streams: readonly NewStream[]): Promise<StoredStream[]> {
  // The rows are locked already, so `old` holds them as they are before this update.
  const { rows } = await sql<StoredStream>`
    update streams set (${columns}) = (select ${sql.raw(ofGiven)})
    from json_to_recordset(${toRecords(streams)}::json) as given (${columnTypes}) join streams old on old.uid = given.uid
    where streams.uid = given.uid
    returning old.uid, old.app_id as "appId", old.buyer_id as "buyerId", old.name, old.offer, old.level_cloaking as "levelCloaking",
      coalesce(old.rules -> 'country', '[]') as country, old.created_at as "createdAt", old.deleted_at as "deletedAt"
  `.execute(tx);
  return rows;
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
