import type { PasskeyProof } from '@switchyard/contract/passkeys';
import { secondFactorMessages } from '@switchyard/contract/second-factors';
import type { SessionToken, SignedIn } from '@switchyard/contract/session';
import type { Passkeys } from '../../adapters/passkeys.ts';
import type { ReadSecret } from '../../adapters/read-secret.ts';
import { recordAudit, transaction, unchanged, type OpenTransaction } from '../../database/transaction.ts';
import { FieldErrors, unauthorized } from '../../errors.ts';
import type { RequestContext } from '../../http/bind.ts';
import { takePasskey } from '../passkeys/passkeys-lookup.ts';
import { updateFailures, deleteChallenge, findChallenge } from '../second-factors/challenges-lookup.ts';
import { takeCode, type CodeProof } from '../second-factors/factor-codes-lookup.ts';
import { countRecoveryCodes } from '../second-factors/second-factors-lookup.ts';
import { failedSignIn, openSession, type OpenSessionDependencies } from './open-session-lookup.ts';
import { findAccountById, lockSignInAccount } from './sign-in-accounts-lookup.ts';
import { normalEmail } from './sign-in-limits-lookup.ts';

export type SecondStepDependencies = OpenSessionDependencies & { readSecret: ReadSecret; passkeys: Passkeys };

/** A code of an authenticator app, a recovery code, or a passkey. */
type Proof = CodeProof | { passkey: PasskeyProof };

/**
 * Finishes a sign-in. The attempt is counted before the code is checked, apart from wrong passwords. Throws 422 for a wrong code,
 * and 401 if the challenge is unknown, used up or expired, or had five wrong codes.
 */
export async function finishSignIn(
  deps: SecondStepDependencies,
  { challenge: token, proof }: { challenge: string; proof: Proof },
  request: RequestContext,
): Promise<SignedIn> {
  const key = { token, purpose: 'sign_in', sessionId: null } as const;
  const openChallenge = await findChallenge(deps.db, { ...key, now: deps.now() });
  const account = openChallenge?.account_id == null ? undefined : await findAccountById(deps.db, openChallenge.account_id);
  if (!account) throw unauthorized(secondFactorMessages.expired);
  await deps.limits.admitAccount({ proof: 'factor', accountId: account.id, email: normalEmail(account.email), ip: request.ip });

  const outcome = await transaction<SessionToken | 'expired' | 'wrong'>(deps.db, async (tx) => {
    // The account first, as commands on accounts lock it.
    if (!(await lockSignInAccount(tx, { id: account.id, passwordHash: null }))) return unchanged('expired');
    const challenge = await findChallenge(tx, { ...key, now: deps.now(), isLocked: true });
    if (!challenge) return unchanged('expired');
    const method = await takeProof(tx, deps, { accountId: account.id, challenge: challenge.webauthn_challenge, proof });
    if (method === null) {
      await updateFailures(tx, challenge.id);
      return recordAudit(tx, failedSignIn(normalEmail(account.email), request), 'wrong');
    }
    await deleteChallenge(tx, challenge.id);
    if (method === 'recovery_code') await notifyOfRecoveryCode(tx, deps, { account, request });
    return (await openSession(tx, deps, { account, passwordHash: null, method, request })) ?? unchanged('expired');
  });
  if (outcome === 'wrong') throw wrongProof(proof);
  const caller = outcome === 'expired' ? null : await deps.findCaller(outcome.accessToken);
  if (outcome === 'expired' || !caller) throw unauthorized(secondFactorMessages.expired);
  return { user: caller.account, token: outcome };
}

/**
 * Checks a code or a passkey of an account and uses it up; null when it is wrong or was used before. `challenge` is the one that
 * the passkey has to sign.
 */
export async function takeProof(
  tx: OpenTransaction,
  deps: Pick<SecondStepDependencies, 'now' | 'readSecret' | 'passkeys'>,
  { accountId, challenge, proof }: { accountId: number; challenge: string | null; proof: Proof },
): Promise<'totp' | 'recovery_code' | 'passkey' | null> {
  if (!('passkey' in proof)) return takeCode(tx, deps, { accountId, proof });
  return (await takePasskey(tx, deps, { accountId, challenge, proof: proof.passkey })) ? 'passkey' : null;
}

/** Mails the owner that a recovery code was used, and how many are left. */
export async function notifyOfRecoveryCode(
  tx: OpenTransaction,
  { notifyOwner }: Pick<SecondStepDependencies, 'notifyOwner'>,
  { account, request }: { account: { id: number }; request: RequestContext },
): Promise<void> {
  const facts = [['Recovery codes left', String(await countRecoveryCodes(tx, account.id))]] as const;
  await notifyOwner(tx, { event: 'recovery_code_used', accountId: account.id, actor: account, request, facts });
}

/** The error of a wrong proof, at its field. */
export function wrongProof(proof: Proof): FieldErrors {
  if ('passkey' in proof) return new FieldErrors({ passkey: [secondFactorMessages.wrongPasskey] });
  return new FieldErrors(
    'code' in proof ? { code: [secondFactorMessages.wrongCode] } : { recovery_code: [secondFactorMessages.wrongRecoveryCode] },
  );
}
