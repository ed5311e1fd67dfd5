import { wireDate } from '@switchyard/contract/dates';
import type { OwnSession } from '@switchyard/contract/own-sessions';
import type { Databases } from '../../database/connect.ts';
import type { OpenTransaction } from '../../database/transaction.ts';

/** Live sessions of an account, newest first; `current` marks the reader's own. */
export async function listLiveSessions(
  db: Databases['db'],
  { accountId, sessionId, now, idleSince }: { accountId: number; sessionId: number; now: Date; idleSince: Date },
): Promise<OwnSession[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'created_at', 'last_used_at', 'expires_at', 'ip', 'user_agent'])
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .where('last_used_at', '>', idleSince)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ id, created_at, last_used_at, expires_at, ip, user_agent }) => ({
    id,
    created_at: wireDate(created_at),
    last_used_at: wireDate(last_used_at),
    expires_at: wireDate(expires_at),
    ip,
    user_agent,
    current: id === sessionId,
  }));
}

/** Deletes live sessions of an account, one or all except one, and gives the ids of those that were live, ascending. */
export async function deleteLiveSessions(
  tx: OpenTransaction,
  { accountId, which, now, idleSince }: { accountId: number; which: { id: number } | { exceptId: number }; now: Date; idleSince: Date },
): Promise<number[]> {
  const deleted = await tx
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .where('id', 'id' in which ? '=' : '<>', 'id' in which ? which.id : which.exceptId)
    .where('expires_at', '>', now)
    .where('last_used_at', '>', idleSince)
    .returning('id')
    .execute();
  return deleted.map(({ id }) => id).toSorted((one, other) => one - other);
}
