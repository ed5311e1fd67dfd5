import { sql, type Kysely, type SqlBool, type Transaction } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { AppScope } from '../../traffic-store/traffic-store.ts';

export type AppState = { id: number; name: string; deleted_at: Date | null; version: number };

/** Runs a write in one transaction. */
export async function inTransaction<T>(db: Kysely<Tables>, write: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
  return db.transaction().execute(write);
}

/** The app, locked until the transaction ends; undefined when it does not exist or lies outside the scope (S10). */
export async function lockApp(tx: Transaction<Tables>, id: number, scope: AppScope): Promise<AppState | undefined> {
  return tx
    .selectFrom('apps')
    .select(['id', 'name', 'deleted_at', 'version'])
    .where('id', '=', id)
    .where(scope === 'all' ? sql<SqlBool>`true` : sql<SqlBool>`id = any(${scope}::int[])`)
    .forUpdate()
    .executeTakeFirst();
}

/** Archives (a date) or restores (null) an app and gives its new version. */
export async function setDeletedAt(tx: Transaction<Tables>, id: number, deletedAt: Date | null, now: Date): Promise<number> {
  const row = await tx
    .updateTable('apps')
    .set((eb) => ({ deleted_at: deletedAt, updated_at: now, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirstOrThrow();
  return row.version;
}
