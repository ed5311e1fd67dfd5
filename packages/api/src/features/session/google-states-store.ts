import type { Kysely } from 'kysely';
import { createHash } from 'node:crypto';
import type { Tables } from '../../database/tables.ts';

/** What a begun sign-in needs at its end; the state itself is known to the browser alone. */
export type GoogleState = { nonce: string; verifier: string; expiresAt: Date };

function hashOf(state: string): Buffer {
  return createHash('sha256').update(state).digest();
}

/** Remembers a begun sign-in. */
export async function insertGoogleState(db: Kysely<Tables>, state: string, begun: GoogleState): Promise<void> {
  await db
    .insertInto('google_states')
    .values({ state_hash: hashOf(state), nonce: begun.nonce, verifier: begun.verifier, expires_at: begun.expiresAt })
    .execute();
}

/**
 * Takes a state out for good, so that of any number of calls that carry it only the first gets it (S4). Null when it
 * is unknown, was taken before, or expired.
 */
export async function takeGoogleState(db: Kysely<Tables>, state: string, now: Date): Promise<GoogleState | null> {
  const taken = await db
    .deleteFrom('google_states')
    .where('state_hash', '=', hashOf(state))
    .returning(['nonce', 'verifier', 'expires_at as expiresAt'])
    .executeTakeFirst();
  return taken && taken.expiresAt > now ? taken : null;
}

/** Forgets sign-ins that nobody can finish any more. */
export async function deleteExpiredGoogleStates(db: Kysely<Tables>, now: Date): Promise<void> {
  await db.deleteFrom('google_states').where('expires_at', '<=', now).execute();
}
