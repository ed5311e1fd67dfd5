import type { ReauthenticationMethod } from '@switchyard/contract/session';
import type { Databases } from '../../database/connect.ts';
import type { FindReauthentication } from '../../http/recent-sign-in.ts';
import { findFactorOwner, listMethods } from '../second-factors/second-factors-lookup.ts';

/** How long a sign-in or a confirmation counts as recent, in milliseconds. */
const recent = 900_000;
/** How far clocks of consoles may be apart. A sign-in that is further ahead was made before a clock was set back. */
const skew = 60_000;

/** Finds how callers confirm who they are. `hasPasswords`, `hasGoogle`: accounts sign in with these here. */
export function createReauthenticationLookup({
  db,
  now,
  hasPasswords,
  hasGoogle,
}: {
  db: Databases['db'];
  now: () => Date;
  hasPasswords: boolean;
  hasGoogle: boolean;
}): FindReauthentication {
  return async ({ account, by }) => {
    // Making the token needed a recent sign-in, and nobody is there to confirm (decision 29).
    if (by.kind !== 'session') return null;
    const age = now().getTime() - by.authenticatedAt.getTime();
    if (age > -skew && age < recent) return null;
    const factors = await listMethods(db, account.id);
    const hasFactor = factors.length > 0;
    return { hasFactor, methods: hasFactor ? factors : await withoutFactor(account.id) };
  };

  async function withoutFactor(accountId: number): Promise<ReauthenticationMethod[]> {
    const owner = await findFactorOwner(db, accountId);
    return [
      ...(hasPasswords && owner?.has_password === true ? ['password' as const] : []),
      ...(hasGoogle && owner?.has_google === true ? ['google' as const] : []),
    ];
  }
}
