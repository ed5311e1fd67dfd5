import { sql, type Kysely, type Selectable } from 'kysely';
import type { SignInChallengesTable, Tables } from '../../database/tables.ts';
import { unauditedStatement, type OpenTransaction } from '../../database/transaction.ts';
import { randomToken, tokenHash } from '../../secret-keys/secret-token.ts';

export type Challenge = Selectable<SignInChallengesTable>;
type Purpose = Challenge['purpose'];

/** Time for the second step of a sign-in or set-up, in milliseconds. */
const lifetime = { sign_in: 300_000, passwordless: 300_000, reauthenticate: 300_000, add_totp: 900_000, add_passkey: 300_000 };
/** Wrong codes that end a challenge. */
const mostFailures = 5;

/** Stores a challenge for one purpose, and for one session if there is one; gives its id and the token that only the browser knows. */
export async function insertChallenge(
  tx: Kysely<Tables>,
  challenge: { purpose: Purpose; accountId: number | null; sessionId: number | null; webauthnChallenge?: string; now: Date },
): Promise<{ id: number; token: string }> {
  const token = randomToken();
  const why = 'an unfinished sign-in has changed nothing';
  // A session needs one challenge for a purpose, so its earlier ones end.
  const { purpose, sessionId } = challenge;
  if (sessionId !== null)
    await sql`delete from sign_in_challenges where session_id = ${sessionId} and purpose = ${purpose}`.execute(unauditedStatement(why, tx));
  const { id } = await unauditedStatement(why, tx)
    .insertInto('sign_in_challenges')
    .values({
      token_hash: tokenHash(token),
      purpose: challenge.purpose,
      account_id: challenge.accountId,
      session_id: challenge.sessionId,
      webauthn_challenge: challenge.webauthnChallenge ?? null,
      expires_at: new Date(challenge.now.getTime() + lifetime[challenge.purpose]),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, token };
}

/** Stores the sealed secret of a TOTP factor that is not confirmed yet. */
export async function updateChallengeSecret(tx: OpenTransaction, id: number, sealedSecret: string): Promise<void> {
  await sql`update sign_in_challenges set secret_sealed = ${sealedSecret} where id = ${id}`.execute(tx);
}

/** The challenge of a token; undefined when it is unknown, used up, expired, or for another purpose. `isLocked` locks it until the transaction ends. */
export async function findChallenge(
  db: Kysely<Tables>,
  filter: { token: string; purpose: Purpose; sessionId: number | null; now: Date; isLocked?: boolean },
): Promise<Challenge | undefined> {
  const { rows } = await sql<Challenge>`
    select * from sign_in_challenges
    where token_hash = ${tokenHash(filter.token)} and purpose = ${filter.purpose} and session_id is not distinct from ${filter.sessionId}
      and expires_at > ${filter.now} and failures < ${mostFailures}
    ${filter.isLocked === true ? sql`for update` : sql``}
  `.execute(db);
  return rows[0];
}

/** Uses up a challenge. */
export async function deleteChallenge(tx: OpenTransaction, id: number): Promise<void> {
  await sql`delete from sign_in_challenges where id = ${id}`.execute(tx);
}

/** Counts a wrong proof; the fifth one ends the challenge. */
export async function updateFailures(tx: OpenTransaction, id: number): Promise<void> {
  await sql`update sign_in_challenges set failures = failures + 1 where id = ${id}`.execute(tx);
}

/** Deletes expired challenges. */
export async function deleteExpiredChallenges(db: Kysely<Tables>, now: Date): Promise<void> {
  await sql`delete from sign_in_challenges where expires_at <= ${now}`.execute(unauditedStatement('challenges that no call can use', db));
}

/** Stores the challenge that a passkey has to sign. */
export async function updateWebauthnChallenge(db: Kysely<Tables>, id: number, challenge: string): Promise<void> {
  const target = unauditedStatement('an unfinished sign-in has changed nothing', db);
  await sql`update sign_in_challenges set webauthn_challenge = ${challenge} where id = ${id}`.execute(target);
}
