import { sql } from 'kysely';
import type { OpenTransaction } from './transaction.ts';

/**
 * Waits for other transactions that write the same name of a kind, or one that looks the same, until they end. Unique indexes cannot
 * reject such names, because databases hold some that were stored before names were compared so.
 */
export async function lockName(tx: OpenTransaction, kind: string, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${kind}), hashtext(comparable_text(${name})))`.execute(tx);
}
