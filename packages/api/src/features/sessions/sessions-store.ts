import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { unauditedStatement, type OpenTransaction } from '../../database/transaction.ts';

/** Deletes a session; false when it had ended already. */
export async function deleteSession(tx: OpenTransaction, id: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`delete from sessions where id = ${id}`.execute(tx);
  return numAffectedRows > 0n;
}

/** Deletes sessions that have expired or were idle for too long. */
export async function deleteDeadSessions(db: Kysely<Tables>, limits: { now: Date; idleSince: Date }): Promise<void> {
  const target = unauditedStatement('sessions that are over already', db);
  await sql`delete from sessions where expires_at <= ${limits.now} or last_used_at <= ${limits.idleSince}`.execute(target);
}
