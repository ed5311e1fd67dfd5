import type { ReauthenticationMethod } from '@switchyard/contract/session';
import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { reauthenticationRequired } from '../../errors.ts';
import type { AccountCaller } from '../../http/bind.ts';
import { findFactorOwner, listMethods } from './second-factors-lookup.ts';

/** How long a sign-in or a confirmation counts as recent, in milliseconds. */
const recent = 900_000;

/**
 * Rejects with 403 a caller who did not sign in or confirm his identity within the last 15 minutes. API tokens pass.
 * `hasProvenPassword`: the call carried the password, which is enough for an account without a second factor.
 */
export type RequireRecentSignIn = (
  reader: Kysely<Tables>,
  caller: AccountCaller,
  options?: { hasProvenPassword: boolean },
) => Promise<void>;

/** The check before sensitive changes. `hasPasswords`, `hasGoogle`: accounts sign in with these here. */
export function createRecentSignInCheck({
  now,
  hasPasswords,
  hasGoogle,
}: {
  now: () => Date;
  hasPasswords: boolean;
  hasGoogle: boolean;
}): RequireRecentSignIn {
  return async (reader, { account, by }, { hasProvenPassword } = { hasProvenPassword: false }) => {
    // Making the token needed a recent sign-in, and nobody is there to confirm (decision 29).
    if (by.kind === 'token' || now().getTime() - by.authenticatedAt.getTime() < recent) return;
    const factors = await listMethods(reader, account.id);
    if (factors.length === 0 && hasProvenPassword) return;
    throw reauthenticationRequired(factors.length > 0 ? factors : await withoutFactor(reader, account.id));
  };

  async function withoutFactor(reader: Kysely<Tables>, accountId: number): Promise<ReauthenticationMethod[]> {
    const owner = await findFactorOwner(reader, accountId);
    return [
      ...(hasPasswords && owner?.has_password === true ? ['password' as const] : []),
      ...(hasGoogle && owner?.has_google === true ? ['google' as const] : []),
    ];
  }
}
