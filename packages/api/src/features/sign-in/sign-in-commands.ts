import { signInMessages, type SignInAnswer } from '@switchyard/contract/session';
import type { PasswordHash } from '../../adapters/password-hash.ts';
import { recordAudit, transaction, unchanged, type AuditEvent } from '../../database/transaction.ts';
import { unauthorized } from '../../errors.ts';
import type { RequestContext } from '../../http/bind.ts';
import {
  answerSignIn,
  enter,
  failedSignIn,
  recordFailedSignIn,
  type OpenSessionDependencies,
  type EntryOutcome,
} from './open-session-lookup.ts';
import { findAccountByEmail, findAccountById, lockSignInAccount } from './sign-in-accounts-lookup.ts';
import { normalEmail } from './sign-in-limits-lookup.ts';

export type PasswordCheckDependencies = Pick<OpenSessionDependencies, 'db' | 'limits'> & { passwords: Pick<PasswordHash, 'matches'> };
export type SignInDependencies = OpenSessionDependencies &
  PasswordCheckDependencies & {
    /** False: demo accounts get the answer of unknown ones. */
    demoIsOn: boolean;
  };

/** A password that the caller claims to be that of the own account. `failure`: the entry of a wrong one, by default that of a failed sign-in. */
export type PasswordClaim = { account: { id: number; email: string }; password: string; request: RequestContext; failure?: AuditEvent };
/** Gives the hash of a password that proves right, otherwise null; throws 429 after too many wrong ones. */
export type ProvePassword = (claim: PasswordClaim) => Promise<string | null>;

type Credentials = { email: string; password: string };

/** Longer values are wrong without a check. */
const longest = { email: 254, password: 128 } as const;

/**
 * Signs in with e-mail and password. The attempt is counted before the password is checked, and an unknown e-mail costs the
 * same time and gets the same answer as a wrong password. An account with a second factor gets its second step.
 */
export async function signIn(
  deps: SignInDependencies,
  { email: typedEmail, password }: Credentials,
  request: RequestContext,
): Promise<SignInAnswer> {
  const email = normalEmail(typedEmail);
  const { takeBack } = await deps.limits.admitAccount({ proof: 'password', email, ip: request.ip });
  const account = await findAccountByEmail(deps.db, email, deps.demoIsOn);
  const isPossible = email.length <= longest.email && password.length <= longest.password;
  const isRight = await deps.passwords
    .matches(isPossible ? password : '', isPossible ? (account?.password_hash ?? null) : null)
    .catch(async (error: unknown) => {
      await takeBack();
      throw error;
    });
  if (!account || !isRight) throw await reject(deps, email, request, signInMessages.wrong);
  if (!account.has_access) throw await reject(deps, email, request, signInMessages.denied);

  const outcome = await transaction<EntryOutcome | null>(deps.db, async (tx) => {
    const passwordHash = account.password_hash ?? '';
    if (!(await lockSignInAccount(tx, { id: account.id, passwordHash }))) return unchanged(null);
    return (await enter(tx, deps, { account, passwordHash, request })) ?? unchanged(null);
  });
  const answer = outcome && (await answerSignIn(deps, outcome));
  if (!answer) throw await reject(deps, email, request, signInMessages.wrong);
  return answer;
}

/**
 * Checks the password of the caller's own account: gives its stored hash, or null when the password is wrong. A wrong one
 * counts as a failed sign-in, so that a stolen session cannot be used to guess it; throws 429 past the limit.
 */
export async function provePassword(
  deps: PasswordCheckDependencies,
  { account: { id, email: storedEmail }, password, request, failure }: PasswordClaim,
): Promise<string | null> {
  const attempt = { proof: 'password', email: normalEmail(storedEmail), ip: request.ip } as const;
  const { takeBack } = await deps.limits.admitAccount(attempt);
  try {
    const hash = (await findAccountById(deps.db, id))?.password_hash ?? null;
    const isRight = await deps.passwords.matches(password.length <= longest.password ? password : '', hash);
    if (isRight && hash !== null) {
      await deps.limits.clear(deps.db, attempt);
      return hash;
    }
  } catch (error) {
    await takeBack();
    throw error;
  }
  await transaction(deps.db, async (tx) => recordAudit(tx, failure ?? failedSignIn(attempt.email, request)));
  return null;
}

/** Records the failed sign-in and gives its error. */
async function reject({ db }: Pick<SignInDependencies, 'db'>, email: string, request: RequestContext, message: string) {
  await recordFailedSignIn(db, email, request);
  return unauthorized(message);
}
