import { sql } from 'kysely';
import type { OpenTransaction } from './transaction.ts';

/** Locks an account until the transaction ends, so that changes of its factors, sessions and tokens wait for each other. */
export async function lockAccount(tx: OpenTransaction, id: number): Promise<void> {
  await sql`select from accounts where id = ${id} for no key update`.execute(tx);
}
