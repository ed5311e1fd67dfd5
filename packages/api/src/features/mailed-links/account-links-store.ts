import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { unauditedStatement, type OpenTransaction } from '../../database/transaction.ts';
import { tokenHash } from '../../secret-keys/secret-token.ts';
import type { MailState } from './account-links-lookup.ts';

/** Gives a link the token that is about to be mailed, in place of one of a mail that may have failed. */
export async function updateLinkToken(db: Kysely<Tables>, linkId: number, token: string): Promise<void> {
  const target = unauditedStatement('the link has its entry', db);
  await sql`update account_links set token_hash = ${tokenHash(token)} where id = ${linkId}`.execute(target);
}

/** Notes what became of the mail of a link. */
export async function updateMailState(db: Kysely<Tables>, linkId: number, mail: MailState): Promise<void> {
  await sql`update account_links set mail = ${mail} where id = ${linkId}`.execute(unauditedStatement('the link has its entry', db));
}

/** Deletes links of forgotten passwords that have expired; an expired invitation is shown until it is replaced. */
export async function deleteExpiredResets(db: Kysely<Tables>, now: Date): Promise<void> {
  const target = unauditedStatement('links that no call can use', db);
  await sql`delete from account_links where purpose = 'password_reset' and expires_at <= ${now}`.execute(target);
}

/**
 * Locks the account with this e-mail in lower case if it may reset its password: one with access and a
 * password that is not part of the demo.
 */
export async function lockResettableAccount(tx: OpenTransaction, email: string): Promise<{ id: number; email: string } | undefined> {
  const { rows } = await sql<{ id: number; email: string }>`
    select id, email from accounts
    where lower(email) = ${email} and deleted_at is null and has_access and not is_demo and password_hash is not null
    for no key update
  `.execute(tx);
  return rows[0];
}

/** Sets the password of a locked account and ends its sessions and unfinished sign-ins. */
export async function updatePassword(
  tx: OpenTransaction,
  { accountId, passwordHash, now }: { accountId: number; passwordHash: string; now: Date },
): Promise<void> {
  await sql`
    update accounts set password_hash = ${passwordHash}, updated_at = ${now}, version = version + 1 where id = ${accountId}
  `.execute(tx);
  await sql`delete from sessions where account_id = ${accountId}`.execute(tx);
  await sql`delete from sign_in_challenges where account_id = ${accountId}`.execute(tx);
}
