import { sql } from 'kysely';
import { isInScope } from '../../database/sql-conditions.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import type { AppScope } from '@switchyard/contract/app-scope';

export type PushFileApp = {
  id: number;
  name: string;
  deleted_at: Date | null;
  push_file_name: string | null;
  push_file_project: string | null;
};

/** The app, locked until the transaction ends; undefined when it does not exist or lies outside the scope. */
export async function lockApp(tx: OpenTransaction, id: number, scope: AppScope): Promise<PushFileApp | undefined> {
  const { rows } = await sql<PushFileApp>`
    select id, name, deleted_at, push_file_name, push_file_project from apps where id = ${id} and ${isInScope('id', scope)} for update
  `.execute(tx);
  return rows[0];
}

/** Replaces an app's push file. The version of the app stays, because no save of its form can overwrite the file. */
export async function updatePushFile(
  tx: OpenTransaction,
  id: number,
  file: { push_file_sealed: string; push_file_name: string; push_file_project: string | null; push_file_at: Date },
): Promise<void> {
  await tx.updateTable('apps').set(file).where('id', '=', id).execute();
}
