import { accountMessages } from '@switchyard/contract/account-rules';
import type { PasskeyProof } from '@switchyard/contract/passkeys';
import { secondFactorMessages } from '@switchyard/contract/second-factors';
import { recordAudit, transaction, type Audited, type OpenTransaction } from '../../database/transaction.ts';
import { FieldErrors, unauthorized } from '../../errors.ts';
import type { SessionCaller, RequestContext } from '../../http/bind.ts';
import { deleteChallenge, findChallenge } from './challenges-store.ts';
import { failedSignIn } from './open-session.ts';
import { listFactors } from './second-factors-lookup.ts';
import { takeProof, wrongProof, type SecondStepDependencies } from './second-step.ts';
import { renewSession } from './session-store.ts';
import type { ProvePassword } from './sign-in.ts';
import { normalEmail } from './sign-in-limits.ts';

type Call = { caller: SessionCaller; request: RequestContext };
type Dependencies = SecondStepDependencies & { provePassword: ProvePassword };

type Proof = { password: string } | { code: string } | { recovery_code: string } | { challenge: string; passkey: PasskeyProof };

/**
 * Confirms that the owner of the session is asking: by his second factor, or by the password of an account that has none. A
 * wrong one counts like a failed sign-in. From then on the session counts as signed in now.
 */
export async function reauthenticate(deps: Dependencies, { caller, request, proof }: Call & { proof: Proof }): Promise<void> {
  const { account } = caller;
  if ('password' in proof) {
    // Whoever stole the password must not get past the second factor in an open session.
    if ((await listFactors(deps.db, account.id)).length > 0) throw new FieldErrors({ password: [secondFactorMessages.confirmWithFactor] });
    const hash = await deps.provePassword({ account, password: proof.password, request });
    if (hash === null) throw new FieldErrors({ password: [accountMessages.currentPassword] });
    await transaction(deps.db, async (tx) => confirm(tx, deps, { caller, request }));
    return;
  }
  const attempt = { email: normalEmail(account.email), ip: request.ip };
  await deps.limits.admitAccount(attempt);
  const isRight = await transaction(deps.db, async (tx) => {
    const challenge = await takeChallenge(tx, deps, { caller, token: 'challenge' in proof ? proof.challenge : null });
    if ((await takeProof(tx, deps, { accountId: account.id, challenge, proof })) === null)
      return recordAudit(tx, failedSignIn(attempt.email, request), false);
    await deps.limits.clear(tx, attempt);
    return confirm(tx, deps, { caller, request });
  });
  if (!isRight) throw wrongProof(proof);
}

/** What the passkey of a confirmation has to sign; the challenge is used up. Null: none. */
async function takeChallenge(
  tx: OpenTransaction,
  { now }: Pick<Dependencies, 'now'>,
  { caller: { by }, token }: { caller: SessionCaller; token: string | null },
): Promise<string | null> {
  if (token === null) return null;
  const challenge = await findChallenge(tx, { token, purpose: 'reauthenticate', sessionId: by.sessionId, now: now(), isLocked: true });
  if (challenge) await deleteChallenge(tx, challenge.id);
  return challenge?.webauthn_challenge ?? null;
}

/** Renews the session, which must not have ended meanwhile. */
async function confirm(tx: OpenTransaction, { now }: Pick<Dependencies, 'now'>, { caller, request }: Call): Promise<Audited<boolean>> {
  const { account: actor } = caller;
  const entityId = caller.by.sessionId;
  if (!(await renewSession(tx, entityId, now()))) throw unauthorized();
  return recordAudit(tx, { actor, entity: 'session', action: 'reauthenticate', entityId, entityLabel: actor.email, request }, true);
}
