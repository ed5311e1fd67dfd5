import type { ReauthenticationMethod } from '@switchyard/contract/session';
import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { reauthenticationRequired } from '../../errors.ts';
import type { AccountCaller } from '../../http/bind.ts';
import { findFactorOwner, listFactors } from './second-factors-lookup.ts';

/** How long a sign-in or a confirmation counts as recent, in milliseconds. */
const recent = 900_000;

/** Rejects with 403 a caller who did not sign in or confirm his identity within the last 15 minutes. API tokens pass. */
export type RequireRecentSignIn = (reader: Kysely<Tables>, caller: AccountCaller) => Promise<void>;

/** The check before sensitive changes. `hasPasswords`: accounts sign in with passwords here. */
export function createRecentSignInCheck({ now, hasPasswords }: { now: () => Date; hasPasswords: boolean }): RequireRecentSignIn {
  return async (reader, { account, by }) => {
    // Making the token needed a recent sign-in, and nobody is there to confirm (decision 29).
    if (by.kind === 'token' || now().getTime() - by.authenticatedAt.getTime() < recent) return;
    const kinds = new Set((await listFactors(reader, account.id)).map(({ kind }) => kind));
    const hasPassword = hasPasswords && (await findFactorOwner(reader, account.id))?.has_password === true;
    const methods: ReauthenticationMethod[] = [
      ...(kinds.has('passkey') ? ['passkey' as const] : []),
      ...(kinds.has('totp') ? ['totp' as const] : []),
      ...(hasPassword ? ['password' as const] : []),
    ];
    throw reauthenticationRequired(methods);
  };
}
