import { sql, type Kysely } from 'kysely';
import type { GoogleIdentity } from '../../adapters/google-sign-in.ts';
import type { Tables } from '../../database/tables.ts';
import { unauditedStatement, type OpenTransaction } from '../../database/transaction.ts';
import { tokenHash } from '../../secret-keys/secret-token.ts';

/** The data that the end of a sign-in needs; only the browser knows the state itself. */
export type GoogleState = { nonce: string; verifier: string; expiresAt: Date };

/** Stores the state of a sign-in that begins. */
export async function insertGoogleState(db: Kysely<Tables>, state: string, { nonce, verifier, expiresAt }: GoogleState): Promise<void> {
  await sql`
    insert into google_states (state_hash, nonce, verifier, expires_at) values (${tokenHash(state)}, ${nonce}, ${verifier}, ${expiresAt})
  `.execute(unauditedStatement('an unfinished sign-in has changed nothing', db));
}

/**
 * Deletes a state and gives its data, so that of any number of calls with it only the first succeeds. Null when it is
 * unknown, was used before, or expired.
 */
export async function deleteGoogleState(db: Kysely<Tables>, state: string, now: Date): Promise<GoogleState | null> {
  const { rows } = await sql<GoogleState>`
    delete from google_states where state_hash = ${tokenHash(state)} returning nonce, verifier, expires_at as "expiresAt"
  `.execute(unauditedStatement('the sign-in that uses the state has the entry', db));
  return rows[0] && rows[0].expiresAt > now ? rows[0] : null;
}

/** Deletes expired states. */
export async function deleteExpiredGoogleStates(db: Kysely<Tables>, now: Date): Promise<void> {
  await sql`delete from google_states where expires_at <= ${now}`.execute(unauditedStatement('states that no sign-in can use', db));
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

const columns = (demoIsOn: boolean) =>
  sql`id, email, google_issuer, google_subject, has_access and (${demoIsOn} or not is_demo) as has_access`;

type Subject = Pick<GoogleIdentity, 'issuer' | 'subject'>;

/** The account linked to an identity, locked until the transaction ends. */
export async function lockLinkedAccount(
  tx: OpenTransaction,
  { issuer, subject }: Subject,
  demoIsOn: boolean,
): Promise<GoogleAccount | undefined> {
  const { rows } = await sql<GoogleAccount>`
    select ${columns(demoIsOn)} from accounts
    where google_issuer = ${issuer} and google_subject = ${subject} and deleted_at is null for update
  `.execute(tx);
  return rows[0];
}

/** The account with this e-mail, ignoring case, locked until the transaction ends. */
export async function lockAccountByEmail(tx: OpenTransaction, email: string, demoIsOn: boolean): Promise<GoogleAccount | undefined> {
  const { rows } = await sql<GoogleAccount>`
    select ${columns(demoIsOn)} from accounts where lower(email) = lower(${email}) and deleted_at is null for update
  `.execute(tx);
  return rows[0];
}

/** Whether an account is linked to an identity. */
export async function isLinkedAccount(db: Kysely<Tables>, accountId: number, { issuer, subject }: Subject): Promise<boolean> {
  const { rows } = await sql`
    select from accounts where id = ${accountId} and google_issuer = ${issuer} and google_subject = ${subject}
  `.execute(db);
  return rows.length > 0;
}

/** Links an account to an identity; from then on no other Google identity opens it. */
export async function updateGoogleIdentity(tx: OpenTransaction, accountId: number, { issuer, subject }: Subject): Promise<void> {
  await sql`update accounts set google_issuer = ${issuer}, google_subject = ${subject} where id = ${accountId}`.execute(tx);
}
