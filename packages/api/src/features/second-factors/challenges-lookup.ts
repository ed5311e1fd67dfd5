import type { Kysely, Selectable } from 'kysely';
import type { SignInChallengesTable, Tables } from '../../database/tables.ts';
import { unauditedStatement, type OpenTransaction } from '../../database/transaction.ts';
import { randomToken, tokenHash } from '../../secret-token.ts';

export type Challenge = Selectable<SignInChallengesTable>;
type Purpose = Challenge['purpose'];

/** How long a begun sign-in or set-up waits for its second step, in milliseconds. */
const lifetime = { sign_in: 300_000, passwordless: 300_000, reauthenticate: 300_000, add_totp: 900_000, add_passkey: 300_000 };
/** Wrong codes that end a challenge. */
const mostFailures = 5;

/** Stores a challenge for one purpose, and for one session if there is one; gives its id and the token that only the browser knows. */
export async function insertChallenge(
  tx: Kysely<Tables>,
  begun: { purpose: Purpose; accountId: number | null; sessionId: number | null; webauthnChallenge?: string; now: Date },
): Promise<{ id: number; token: string }> {
  const token = randomToken();
  const why = 'a begun sign-in has done nothing yet';
  // A session needs one challenge for a purpose, so its earlier ones end.
  if (begun.sessionId !== null)
    await unauditedStatement(why, tx)
      .deleteFrom('sign_in_challenges')
      .where('session_id', '=', begun.sessionId)
      .where('purpose', '=', begun.purpose)
      .execute();
  const { id } = await unauditedStatement(why, tx)
    .insertInto('sign_in_challenges')
    .values({
      token_hash: tokenHash(token),
      purpose: begun.purpose,
      account_id: begun.accountId,
      session_id: begun.sessionId,
      webauthn_challenge: begun.webauthnChallenge ?? null,
      expires_at: new Date(begun.now.getTime() + lifetime[begun.purpose]),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, token };
}

/** Stores the sealed secret of a TOTP factor that is not confirmed yet. */
export async function setChallengeSecret(tx: OpenTransaction, id: number, sealed: string): Promise<void> {
  await tx.updateTable('sign_in_challenges').set({ secret_sealed: sealed }).where('id', '=', id).execute();
}

/** The challenge of a token; undefined when it is unknown, used up, expired, or for another purpose. Locked in a transaction if asked. */
export async function findChallenge(
  db: Kysely<Tables>,
  asked: { token: string; purpose: Purpose; sessionId: number | null; now: Date; isLocked?: boolean },
): Promise<Challenge | undefined> {
  return db
    .selectFrom('sign_in_challenges')
    .selectAll()
    .where('token_hash', '=', tokenHash(asked.token))
    .where('purpose', '=', asked.purpose)
    .where('session_id', 'is not distinct from', asked.sessionId)
    .where('expires_at', '>', asked.now)
    .where('failures', '<', mostFailures)
    .$if(asked.isLocked === true, (query) => query.forUpdate())
    .executeTakeFirst();
}

/** Uses up a challenge. */
export async function deleteChallenge(tx: OpenTransaction, id: number): Promise<void> {
  await tx.deleteFrom('sign_in_challenges').where('id', '=', id).execute();
}

/** Counts a wrong proof; the fifth one ends the challenge. */
export async function countFailure(tx: OpenTransaction, id: number): Promise<void> {
  await tx
    .updateTable('sign_in_challenges')
    .set((eb) => ({ failures: eb('failures', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Deletes expired challenges. */
export async function deleteExpiredChallenges(db: Kysely<Tables>, now: Date): Promise<void> {
  await unauditedStatement('challenges that no call can use', db).deleteFrom('sign_in_challenges').where('expires_at', '<=', now).execute();
}

/** Stores the challenge that a passkey has to sign. */
export async function setWebauthnChallenge(db: Kysely<Tables>, id: number, challenge: string): Promise<void> {
  await unauditedStatement('a begun sign-in has done nothing yet', db)
    .updateTable('sign_in_challenges')
    .set({ webauthn_challenge: challenge })
    .where('id', '=', id)
    .execute();
}
