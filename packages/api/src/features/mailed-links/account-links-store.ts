import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { unauditedStatement, type OpenTransaction } from '../../database/transaction.ts';
import { tokenHash } from '../../secret-token.ts';
import type { MailState } from './account-links-lookup.ts';

/** Gives a link the token that is about to be mailed, in place of one of a mail that may have failed. */
export async function updateLinkToken(db: Kysely<Tables>, linkId: number, token: string): Promise<void> {
  await unauditedStatement('the link has its entry', db)
    .updateTable('account_links')
    .set({ token_hash: tokenHash(token) })
    .where('id', '=', linkId)
    .execute();
}

/** Notes what became of the mail of a link. */
export async function updateMailState(db: Kysely<Tables>, linkId: number, mail: MailState): Promise<void> {
  await unauditedStatement('the link has its entry', db).updateTable('account_links').set({ mail }).where('id', '=', linkId).execute();
}

/** Deletes links of forgotten passwords that have expired; an expired invitation is shown until it is replaced. */
export async function deleteExpiredResets(db: Kysely<Tables>, now: Date): Promise<void> {
  await unauditedStatement('links that no call can use', db)
    .deleteFrom('account_links')
    .where('purpose', '=', 'password_reset')
    .where('expires_at', '<=', now)
    .execute();
}

/**
 * Locks the account with this e-mail in lower case if it may reset its password: one with access and a
 * password that is not part of the demo.
 */
export async function lockResettableAccount(tx: OpenTransaction, email: string): Promise<{ id: number; email: string } | undefined> {
  return tx
    .selectFrom('accounts')
    .select(['id', 'email'])
    .where(sql`lower(email)`, '=', email)
    .where('deleted_at', 'is', null)
    .where('has_access', '=', true)
    .where('is_demo', '=', false)
    .where('password_hash', 'is not', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Sets the password of a locked account and ends its sessions and unfinished sign-ins. */
export async function updatePassword(
  tx: OpenTransaction,
  { accountId, passwordHash, now }: { accountId: number; passwordHash: string; now: Date },
): Promise<void> {
  await tx
    .updateTable('accounts')
    .set((eb) => ({ password_hash: passwordHash, updated_at: now, version: eb('version', '+', 1) }))
    .where('id', '=', accountId)
    .execute();
  await tx.deleteFrom('sessions').where('account_id', '=', accountId).execute();
  await tx.deleteFrom('sign_in_challenges').where('account_id', '=', accountId).execute();
}
