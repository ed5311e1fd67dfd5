import { sql } from 'kysely';
import type { OpenTransaction } from '../../database/transaction.ts';

/** Stores the sealed secret of a factor, which is bound to its id. */
export async function updateFactorSecret(tx: OpenTransaction, id: number, sealedSecret: string): Promise<void> {
  await sql`update second_factors set secret_sealed = ${sealedSecret} where id = ${id}`.execute(tx);
}

/** Renames a factor of an account; false when there is none. */
export async function updateFactorName(
  tx: OpenTransaction,
  { id, accountId, name }: { id: number; accountId: number; name: string },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update second_factors set name = ${name} where id = ${id} and account_id = ${accountId}
  `.execute(tx);
  return numAffectedRows > 0n;
}

/** Deletes a factor. */
export async function deleteFactor(tx: OpenTransaction, id: number): Promise<void> {
  await sql`delete from second_factors where id = ${id}`.execute(tx);
}

/** Uses up the code of a step; false when a code of this step or of a later one was used before. */
export async function updateUsedStep(tx: OpenTransaction, { id, step, now }: { id: number; step: number; now: Date }): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update second_factors set last_used_step = ${step}, last_used_at = ${now} where id = ${id} and last_used_step < ${step}
  `.execute(tx);
  return numAffectedRows > 0n;
}
