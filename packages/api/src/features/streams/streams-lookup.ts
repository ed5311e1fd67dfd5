import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../database/tables.ts';

/** Name of a stream within an app. */
export type StreamName = { uid: string; appId: number; name: string };

/**
 * Names that streams have now, by uid (O32); deleted streams keep theirs (api [93]). Whether a stream belongs to the
 * app of a request is for the caller to compare.
 */
export async function streamNames(db: Kysely<Tables>, uids: readonly string[]): Promise<ReadonlyMap<string, StreamName>> {
  if (uids.length === 0) return new Map();
  const rows = await db.selectFrom('streams').select(['uid', 'app_id', 'name']).where('uid', 'in', uids).execute();
  return new Map(rows.map((row) => [row.uid, { uid: row.uid, appId: row.app_id, name: row.name }]));
}

/** Which of these streams belong to a buyer who is a QA tester: their traffic is QA traffic unless a row says otherwise (api [90]). */
export async function streamsOfTesters(db: Kysely<Tables>, uids: readonly string[]): Promise<ReadonlySet<string>> {
  if (uids.length === 0) return new Set();
  const { rows } = await sql<{ uid: string }>`
    select streams.uid from streams join accounts on accounts.id = streams.buyer_id
    where accounts.is_qa and streams.uid = any(${uids}::text[])
  `.execute(db);
  return new Set(rows.map((row) => row.uid));
}
