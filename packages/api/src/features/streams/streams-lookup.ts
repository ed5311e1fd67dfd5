import { type Kysely, sql } from 'kysely';
import type { AppScope } from '@switchyard/contract/app-scope';
import type { Tables } from '../../database/tables.ts';

/** Which of these streams belong to a buyer who is a QA tester: their traffic is QA traffic unless a row says otherwise. */
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
  const { rows } = await sql<{ uid: string; name: string; isDeleted: boolean }>`
    select uid, name, deleted_at is not null as "isDeleted" from streams where app_id = ${appId}
  `.execute(db);
  return rows;
}

/** Names of streams by uid, deleted ones too; only of apps in scope. */
export async function findStreamNames(
  db: Kysely<Tables>,
  { uids, scope }: { uids: readonly string[]; scope: AppScope },
): Promise<ReadonlyMap<string, string>> {
  if (uids.length === 0) return new Map();
  const { rows } = await sql<{ uid: string; name: string }>`
    select uid, name from streams where uid = any(${uids}::text[]) ${scope === 'all' ? sql`` : sql`and app_id = any(${scope}::integer[])`}
  `.execute(db);
  return new Map(rows.map(({ uid, name }) => [uid, name]));
}
