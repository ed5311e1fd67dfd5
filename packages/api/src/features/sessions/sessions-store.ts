import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { unauditedStatement, type OpenTransaction } from '../../database/transaction.ts';

/** Deletes a session; false when it had ended already. */
export async function deleteSession(tx: OpenTransaction, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('sessions').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes sessions that have expired or were idle for too long. */
export async function deleteDeadSessions(db: Kysely<Tables>, limits: { now: Date; idleSince: Date }): Promise<void> {
  await unauditedStatement('sessions that are over already', db)
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('expires_at', '<=', limits.now), eb('last_used_at', '<=', limits.idleSince)]))
    .execute();
}
