import type { Kysely } from 'kysely';
import { lockAccount } from '../../database/lock-account.ts';
import type { Tables } from '../../database/tables.ts';
import { unauditedStatement, type OpenTransaction } from '../../database/transaction.ts';

/**
 * Locks an account, so that its sign-ins and other commands on its sessions wait; false when the given session has ended.
 */
export async function lockSession(tx: OpenTransaction, { accountId, id }: { accountId: number; id: number }): Promise<boolean> {
  await lockAccount(tx, accountId);
  const session = await tx.selectFrom('sessions').select('id').where('id', '=', id).executeTakeFirst();
  return session !== undefined;
}

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
