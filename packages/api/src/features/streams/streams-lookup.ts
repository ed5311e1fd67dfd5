import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../database/tables.ts';

/** Which of these streams belong to a buyer who is a QA tester: their traffic is QA traffic unless a row says otherwise (api [90]). */
export async function streamsOfTesters(db: Kysely<Tables>, uids: readonly string[]): Promise<ReadonlySet<string>> {
  if (uids.length === 0) return new Set();
  const { rows } = await sql<{ uid: string }>`
    select streams.uid from streams join accounts on accounts.id = streams.buyer_id
    where accounts.is_qa and streams.uid = any(${uids}::text[])
  `.execute(db);
  return new Set(rows.map((row) => row.uid));
}

/** Every stream of an app, deleted ones too, in no order. */
export async function streamsOfApp(db: Kysely<Tables>, appId: number): Promise<{ uid: string; name: string; isDeleted: boolean }[]> {
  const rows = await db.selectFrom('streams').select(['uid', 'name', 'deleted_at']).where('app_id', '=', appId).execute();
  return rows.map(({ uid, name, deleted_at }) => ({ uid, name, isDeleted: deleted_at !== null }));
}
