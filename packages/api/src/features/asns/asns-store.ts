import type { AsnRow } from '@switchyard/contract/asns';
import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';

/** Runs a write in one transaction. */
export async function inTransaction<T>(db: Kysely<Tables>, write: (tx: OpenTransaction) => Promise<T>): Promise<T> {
  return db.transaction().execute(write);
}

/** An autonomous system, locked until the transaction ends. */
export async function lockAsn(tx: OpenTransaction, code: number): Promise<AsnRow | undefined> {
  return tx
    .selectFrom('asns')
    .select(['code', 'domain', 'name', 'is_ban_create', 'is_ban_receive'])
    .where('code', '=', code)
    .forUpdate()
    .executeTakeFirst();
}

/** Sets both flags of an autonomous system. */
export async function setBans(tx: OpenTransaction, { code, is_ban_create, is_ban_receive }: AsnRow): Promise<void> {
  await tx.updateTable('asns').set({ is_ban_create, is_ban_receive }).where('code', '=', code).execute();
}
