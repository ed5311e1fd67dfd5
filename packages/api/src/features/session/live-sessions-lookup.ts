import { wireDate } from '@switchyard/contract/dates';
import type { OwnSession } from '@switchyard/contract/own-sessions';
import type { Databases } from '../../database/connect.ts';

/** Live sessions of an account, newest first; `current` marks the reader's own (api [5]). */
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
