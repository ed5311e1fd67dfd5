import { formatMicroseconds, type Microseconds } from '@switchyard/contract/dates';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../../database/tables.ts';

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

const columns = sql`uid, app_id, buyer_id, name, rules, offer, level_cloaking, created_at, updated_at, deleted_at`;
const given = sql`uid text, app_id integer, buyer_id integer, name text, rules jsonb, offer text, level_cloaking text,
  created_at timestamptz, updated_at timestamptz, deleted_at timestamptz`;

/**
 * Stores a batch of streams in one transaction. A row that is newer than the stream with its uid replaces it whole, which
 * counts as accepted; any other row of a known uid is a duplicate. The rows of a batch count one after the other (api [93]).
 */
export async function addStreams(db: Kysely<Tables>, rows: readonly NewStream[]): Promise<{ accepted: number; duplicates: number }> {
  const byUid = Map.groupBy(rows, (row) => row.uid);
  const accepted = await db.transaction().execute(async (tx) => {
    const fresh = [...byUid.values()].map((own) => newerThan(own, -Infinity));
    const isNew = await insertNew(
      tx,
      fresh.flatMap((newer) => newer.at(-1) ?? []),
    );
    const added = fresh.filter(([first]) => first !== undefined && isNew.has(first.uid)).flat().length;
    return (
      added +
      (await replaceKnown(
        tx,
        [...byUid.keys()].filter((uid) => !isNew.has(uid)),
        byUid,
      ))
    );
  });
  return { accepted, duplicates: rows.length - accepted };
}

/** Those rows that are newer than all before them, which begin with a stream as of `since`. */
function newerThan(rows: readonly NewStream[], since: Microseconds): NewStream[] {
  const newer: NewStream[] = [];
  for (const row of rows) if (row.updatedAt > (newer.at(-1)?.updatedAt ?? since)) newer.push(row);
  return newer;
}

/** Inserts in order of uid, so that batches which meet wait for each other but never in a circle; gives the uids that were new. */
async function insertNew(tx: Transaction<Tables>, streams: readonly NewStream[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ uid: string }>`
    insert into streams (${columns}) select ${columns} from json_to_recordset(${toRecords(streams)}::json) as given (${given})
    order by uid on conflict do nothing returning uid
  `.execute(tx);
  return new Set(rows.map((row) => row.uid));
}

async function replaceKnown(
  tx: Transaction<Tables>,
  uids: readonly string[],
  byUid: ReadonlyMap<string, readonly NewStream[]>,
): Promise<number> {
  if (uids.length === 0) return 0;
  const known = await sql<{ uid: string; updated_at: Microseconds }>`
    select uid, (extract(epoch from updated_at) * 1000000)::bigint as updated_at from streams
    where uid = any(${uids}::text[]) order by uid for update
  `.execute(tx);
  const newer = known.rows.map((stored) => newerThan(byUid.get(stored.uid) ?? [], stored.updated_at));
  const newest = newer.flatMap((own) => own.at(-1) ?? []);
  if (newest.length > 0) {
    await sql`
      update streams set (${columns}) = (select ${sql.raw(ofGiven)})
      from json_to_recordset(${toRecords(newest)}::json) as given (${given}) where streams.uid = given.uid
    `.execute(tx);
  }
  return newer.flat().length;
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
