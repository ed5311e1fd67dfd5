import type { Tx } from './session-store.ts';

/** Ends a live session of an account; false when there is none with this id. */
export async function deleteOwnSession(
  tx: Tx,
  { id, accountId, now, idleSince }: { id: number; accountId: number; now: Date; idleSince: Date },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .where('last_used_at', '>', idleSince)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
