import { sql, type Transaction } from 'kysely';
import type { GoogleIdentity } from '../../adapters/google-sign-in.ts';
import type { Tables } from '../../database/tables.ts';

/** An account as far as sign-in with Google decides on it. */
export type GoogleAccount = {
  id: number;
  email: string;
  has_access: boolean;
  google_issuer: string | null;
  google_subject: string | null;
};

const columns = ['id', 'email', 'has_access', 'google_issuer', 'google_subject'] as const;

type Tx = Transaction<Tables>;
type Subject = Pick<GoogleIdentity, 'issuer' | 'subject'>;

/** The account linked to an identity, locked until the transaction ends. */
export async function lockLinkedAccount(tx: Tx, { issuer, subject }: Subject): Promise<GoogleAccount | undefined> {
  return tx
    .selectFrom('accounts')
    .select(columns)
    .where('google_issuer', '=', issuer)
    .where('google_subject', '=', subject)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** The account with this e-mail, whatever its case, locked until the transaction ends. */
export async function lockAccountByEmail(tx: Tx, email: string): Promise<GoogleAccount | undefined> {
  return tx
    .selectFrom('accounts')
    .select(columns)
    .where(sql<string>`lower(email)`, '=', sql<string>`lower(${email})`)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** Ties an account to an identity, which alone opens it by Google from now on (S5). */
export async function linkAccount(tx: Tx, accountId: number, { issuer, subject }: Subject): Promise<void> {
  await tx.updateTable('accounts').set({ google_issuer: issuer, google_subject: subject }).where('id', '=', accountId).execute();
}
