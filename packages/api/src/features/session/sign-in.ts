import { signInMessages, type SessionToken, type SessionUser } from '@switchyard/contract/session';
import type { PasswordHash } from '../../adapters/password-hash.ts';
import type { Databases } from '../../database/connect.ts';
import { unauthorized } from '../../errors.ts';
import type { AccountCaller, RequestContext } from '../../http/bind.ts';
import { openSession, recordFailedSignIn } from './open-session.ts';
import { findAccountByEmail, inTransaction, type SignInAccount } from './session-store.ts';
import { normalEmail, type SignInLimits } from './sign-in-limits.ts';

export type SignInDependencies = {
  db: Databases['db'];
  now: () => Date;
  passwords: PasswordHash;
  limits: SignInLimits;
  sessionHours: number;
  /** False: accounts of the demo are answered like unknown ones (O35). */
  demoIsOn: boolean;
  findCaller: (token: string) => Promise<AccountCaller | null>;
};

type Credentials = { email: string; password: string };
type SignedIn = { user: SessionUser; token: SessionToken };

/** Longer ones are wrong without further ado (api [1]). */
const longest = { email: 254, password: 128 } as const;

/**
 * Signs in with e-mail and password (api [1]). The try is counted before the password is looked at, and an
 * unknown e-mail costs the same work and gets the same answer as a wrong password (S1, S2).
 */
export async function signIn(
  deps: SignInDependencies,
  { email: typed, password }: Credentials,
  request: RequestContext,
): Promise<SignedIn> {
  const email = normalEmail(typed);
  await deps.limits.admitAccount(email);
  const account = await findAccountByEmail(deps.db, email, deps.demoIsOn);
  const isRight = await isRightPassword(deps, { email, password }, account);
  if (!account || !isRight) throw await refused(deps, email, request, signInMessages.wrong);
  if (!account.has_access) throw await refused(deps, email, request, signInMessages.denied);

  const token = await inTransaction(deps.db, (tx) =>
    openSession(tx, deps, { account, passwordHash: account.password_hash ?? '', request }),
  );
  const caller = token && (await deps.findCaller(token.accessToken));
  if (!token || !caller) throw await refused(deps, email, request, signInMessages.wrong);
  return { user: caller.account, token };
}

async function isRightPassword(
  deps: SignInDependencies,
  { email, password }: Credentials,
  account: SignInAccount | undefined,
): Promise<boolean> {
  const isPossible = email.length <= longest.email && password.length <= longest.password;
  try {
    return await deps.passwords.matches(isPossible ? password : '', isPossible ? (account?.password_hash ?? null) : null);
  } catch (error) {
    await deps.limits.takeBack(email);
    throw error;
  }
}

/** Writes the failed try into the trail and gives the refusal. */
async function refused({ db }: SignInDependencies, email: string, request: RequestContext, message: string) {
  await recordFailedSignIn(db, email, request);
  return unauthorized(message);
}
