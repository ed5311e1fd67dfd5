import { sql } from 'kysely';
import type { OpenTransaction } from './transaction.ts';

/** Locks an account until the transaction ends, so that changes of its factors, sessions and tokens wait for each other. */
export async function lockAccount(tx: OpenTransaction, id: number): Promise<void> {
  await sql`select from accounts where id = ${id} for no key update`.execute(tx);
}

/** Locks accounts until the transaction ends, in order of id, so that two that lock some of the same cannot deadlock. */
export async function lockAccounts(tx: OpenTransaction, ids: readonly number[]): Promise<void> {
  await sql`select from accounts where id = any(${ids}::bigint[]) order by id for no key update`.execute(tx);
}
