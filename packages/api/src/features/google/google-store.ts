import { sql, type Kysely } from 'kysely';
import type { GoogleIdentity } from '../../adapters/google-sign-in.ts';
import type { Tables } from '../../database/tables.ts';
import { unauditedStatement, type OpenTransaction } from '../../database/transaction.ts';
import { tokenHash } from '../../secret-token.ts';

/** The data that the end of a sign-in needs; only the browser knows the state itself. */
export type GoogleState = { nonce: string; verifier: string; expiresAt: Date };

/** Stores the state of a sign-in that begins. */
export async function insertGoogleState(db: Kysely<Tables>, state: string, { nonce, verifier, expiresAt }: GoogleState): Promise<void> {
  await unauditedStatement('an unfinished sign-in has changed nothing', db)
    .insertInto('google_states')
    .values({ state_hash: tokenHash(state), nonce, verifier, expires_at: expiresAt })
    .execute();
}

/**
 * Deletes a state and gives its data, so that of any number of calls with it only the first succeeds. Null when it is
 * unknown, was used before, or expired.
 */
export async function deleteGoogleState(db: Kysely<Tables>, state: string, now: Date): Promise<GoogleState | null> {
  const row = await unauditedStatement('the sign-in that uses the state has the entry', db)
    .deleteFrom('google_states')
    .where('state_hash', '=', tokenHash(state))
    .returning(['nonce', 'verifier', 'expires_at as expiresAt'])
    .executeTakeFirst();
  return row && row.expiresAt > now ? row : null;
}

/** Deletes expired states. */
export async function deleteExpiredGoogleStates(db: Kysely<Tables>, now: Date): Promise<void> {
  await unauditedStatement('states that no sign-in can use', db).deleteFrom('google_states').where('expires_at', '<=', now).execute();
}

/** The columns of an account that sign-in with Google depends on. */
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

type Subject = Pick<GoogleIdentity, 'issuer' | 'subject'>;

/** The account linked to an identity, locked until the transaction ends. */
export async function lockLinkedAccount(
  tx: OpenTransaction,
  { issuer, subject }: Subject,
  demoIsOn: boolean,
): Promise<GoogleAccount | undefined> {
  return tx
    .selectFrom('accounts')
    .select([...columns, hasAccess(demoIsOn)])
    .where('google_issuer', '=', issuer)
    .where('google_subject', '=', subject)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** The account with this e-mail, ignoring case, locked until the transaction ends. */
export async function lockAccountByEmail(tx: OpenTransaction, email: string, demoIsOn: boolean): Promise<GoogleAccount | undefined> {
  return tx
    .selectFrom('accounts')
    .select([...columns, hasAccess(demoIsOn)])
    .where(sql<string>`lower(email)`, '=', sql<string>`lower(${email})`)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** Whether an account is linked to an identity. */
export async function isLinkedAccount(db: Kysely<Tables>, accountId: number, { issuer, subject }: Subject): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .where('google_issuer', '=', issuer)
    .where('google_subject', '=', subject)
    .executeTakeFirst();
  return row !== undefined;
}

/** Links an account to an identity; from then on no other Google identity opens it. */
export async function updateGoogleIdentity(tx: OpenTransaction, accountId: number, { issuer, subject }: Subject): Promise<void> {
  await tx.updateTable('accounts').set({ google_issuer: issuer, google_subject: subject }).where('id', '=', accountId).execute();
}
