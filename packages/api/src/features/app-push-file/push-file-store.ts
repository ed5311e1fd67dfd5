import { sql, type Kysely, type SqlBool, type Transaction } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { AppScope } from '../../traffic-store/traffic-store.ts';

export type PushFileApp = {
  id: number;
  name: string;
  deleted_at: Date | null;
  push_file_name: string | null;
  push_file_project: string | null;
};

/** Runs a write in one transaction. */
export async function inTransaction<T>(db: Kysely<Tables>, write: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
  return db.transaction().execute(write);
}

/** The app, locked until the transaction ends; undefined when it does not exist or lies outside the scope (S10). */
export async function lockApp(tx: Transaction<Tables>, id: number, scope: AppScope): Promise<PushFileApp | undefined> {
  return tx
    .selectFrom('apps')
    .select(['id', 'name', 'deleted_at', 'push_file_name', 'push_file_project'])
    .where('id', '=', id)
    .where(scope === 'all' ? sql<SqlBool>`true` : sql<SqlBool>`id = any(${scope}::int[])`)
    .forUpdate()
    .executeTakeFirst();
}

/** Replaces an app's push file; its version stays, because no save of the form can overwrite it (api 0.9). */
export async function replacePushFile(
  tx: Transaction<Tables>,
  id: number,
  file: { push_file_sealed: string; push_file_name: string; push_file_project: string | null; push_file_at: Date },
): Promise<void> {
  await tx.updateTable('apps').set(file).where('id', '=', id).execute();
}
