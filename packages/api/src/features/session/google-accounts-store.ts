import { sql, type Transaction } from 'kysely';
import type { GoogleIdentity } from '../../adapters/google-sign-in.ts';
import type { Tables } from '../../database/tables.ts';

/** An account as far as sign-in with Google decides on it. */
export type GoogleAccount = {
  id: number;
  email: string;
  /** False for a locked demo account as well. */
  has_access: boolean;
  google_issuer: string | null;
  google_subject: string | null;
};

const columns = ['id', 'email', 'google_issuer', 'google_subject'] as const;
const hasAccess = (demoIsOn: boolean) => sql<boolean>`has_access and (${demoIsOn} or not is_demo)`.as('has_access');

type Tx = Transaction<Tables>;
type Subject = Pick<GoogleIdentity, 'issuer' | 'subject'>;

/** The account linked to an identity, locked until the transaction ends. */
export async function lockLinkedAccount(tx: Tx, { issuer, subject }: Subject, demoIsOn: boolean): Promise<GoogleAccount | undefined> {
  return tx
    .selectFrom('accounts')
    .select([...columns, hasAccess(demoIsOn)])
    .where('google_issuer', '=', issuer)
    .where('google_subject', '=', subject)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** The account with this e-mail, whatever its case, locked until the transaction ends. */
export async function lockAccountByEmail(tx: Tx, email: string, demoIsOn: boolean): Promise<GoogleAccount | undefined> {
  return tx
    .selectFrom('accounts')
    .select([...columns, hasAccess(demoIsOn)])
    .where(sql<string>`lower(email)`, '=', sql<string>`lower(${email})`)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** Ties an account to an identity, which alone opens it by Google from now on (S5). */
export async function linkAccount(tx: Tx, accountId: number, { issuer, subject }: Subject): Promise<void> {
  await tx.updateTable('accounts').set({ google_issuer: issuer, google_subject: subject }).where('id', '=', accountId).execute();
}
