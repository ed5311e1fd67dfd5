import { accountMessages } from '@switchyard/contract/account-rules';
import type { PasskeyProof } from '@switchyard/contract/passkeys';
import { googleMessages } from '@switchyard/contract/google-sign-in';
import { secondFactorMessages } from '@switchyard/contract/second-factors';
import { recordAudit, transaction, type Audited, type AuditEvent, type OpenTransaction } from '../../database/transaction.ts';
import { FieldErrors, unauthorized } from '../../errors.ts';
import type { SessionCaller, RequestContext } from '../../http/bind.ts';
import { deleteChallenge, findChallenge } from '../second-factors/challenges-lookup.ts';
import { listFactors } from '../second-factors/second-factors-lookup.ts';
import { updateAuthenticationTime } from '../sessions/sessions-lookup.ts';
import { notifyOfRecoveryCode, takeProof, wrongProof, type SecondStepDependencies } from './second-step-commands.ts';
import type { ProvePassword } from './sign-in-commands.ts';
import { normalEmail, type Attempt } from './sign-in-limits-lookup.ts';

type Call = { caller: SessionCaller; request: RequestContext };
export type ReauthenticationDependencies = SecondStepDependencies & {
  provePassword: ProvePassword;
  /** Whether the code of a consent page is of the Google account that an account is linked to. */
  provesGoogleAccount: (claim: { accountId: number; code: string; state: string }) => Promise<boolean>;
};

type FactorProof = { code: string } | { recovery_code: string } | { challenge: string; passkey: PasskeyProof };
type Proof = { password: string } | { google: { code: string; state: string } } | FactorProof;

/**
 * Confirms that the owner of the session makes the call: by a second factor, or by the password or Google account of an account
 * that has none. Wrong ones count in the limits of signing in. From then on the session counts as signed in now.
 */
export async function reauthenticate(deps: ReauthenticationDependencies, { proof, ...call }: Call & { proof: Proof }): Promise<void> {
  const { caller, request } = call;
  const { account } = caller;
  // A stolen first factor must not suffice to pass the second one in an open session.
  if (('password' in proof || 'google' in proof) && (await listFactors(deps.db, account.id)).length > 0)
    throw new FieldErrors({ ['password' in proof ? 'password' : 'google']: [secondFactorMessages.confirmWithFactor] });
  if ('password' in proof) {
    const hash = await deps.provePassword({ account, password: proof.password, request, failure: eventOf('reauthenticate_failed', call) });
    if (hash === null) throw new FieldErrors({ password: [accountMessages.currentPassword] });
    await transaction(deps.db, async (tx) => confirm(tx, deps, call));
    return;
  }
  const from = { email: normalEmail(account.email), ip: request.ip };
  const attempt: Attempt = 'google' in proof ? { ...from, proof: 'password' } : { ...from, proof: 'factor', accountId: account.id };
  await deps.limits.admitAccount(attempt);
  // The provider is called before the transaction takes its locks.
  const isOwnGoogle = 'google' in proof && (await deps.provesGoogleAccount({ accountId: account.id, ...proof.google }));
  const isRight = await transaction(deps.db, async (tx) => {
    if (!('google' in proof ? isOwnGoogle : await takeFactor(tx, deps, { caller, proof })))
      return recordAudit(tx, eventOf('reauthenticate_failed', call), false);
    const outcome = await confirm(tx, deps, call);
    // After the session, as a sign-in locks them.
    await deps.limits.clear(tx, attempt);
    if ('recovery_code' in proof) await notifyOfRecoveryCode(tx, deps, { account, request });
    return outcome;
  });
  if (!isRight) throw 'google' in proof ? new FieldErrors({ google: [googleMessages.otherAccount] }) : wrongProof(proof);
}

async function takeFactor(
  tx: OpenTransaction,
  deps: ReauthenticationDependencies,
  { caller, proof }: { caller: SessionCaller; proof: FactorProof },
) {
  const challenge = await takeChallenge(tx, deps, { caller, token: 'challenge' in proof ? proof.challenge : null });
  return (await takeProof(tx, deps, { accountId: caller.account.id, challenge, proof })) !== null;
}

/** Uses up the challenge that the passkey of a confirmation has to sign, and gives it; null if there is none. */
async function takeChallenge(
  tx: OpenTransaction,
  { now }: Pick<ReauthenticationDependencies, 'now'>,
  { caller: { by }, token }: { caller: SessionCaller; token: string | null },
): Promise<string | null> {
  if (token === null) return null;
  const challenge = await findChallenge(tx, { token, purpose: 'reauthenticate', sessionId: by.sessionId, now: now(), isLocked: true });
  if (challenge) await deleteChallenge(tx, challenge.id);
  return challenge?.webauthn_challenge ?? null;
}

/** Renews the session, which must not have ended meanwhile. */
async function confirm(tx: OpenTransaction, { now }: Pick<ReauthenticationDependencies, 'now'>, call: Call): Promise<Audited<boolean>> {
  if (!(await updateAuthenticationTime(tx, call.caller.by.sessionId, now()))) throw unauthorized();
  return recordAudit(tx, eventOf('reauthenticate', call), true);
}

function eventOf(action: 'reauthenticate' | 'reauthenticate_failed', { caller: { account: actor, by }, request }: Call): AuditEvent {
  return { actor, entity: 'session', action, id: by.sessionId, label: actor.email, request };
}
