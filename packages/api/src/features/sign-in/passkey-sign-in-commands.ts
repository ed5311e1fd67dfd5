import { secondFactorMessages } from '@switchyard/contract/second-factors';
import type { PasskeyProof } from '@switchyard/contract/passkeys';
import type { SessionToken, SignedIn } from '@switchyard/contract/session';
import { recordAudit, transaction, unaudited, unchanged } from '../../database/transaction.ts';
import { unauthorized } from '../../errors.ts';
import type { SessionCaller, RequestContext } from '../../http/bind.ts';
import { findPasskeyOwner, storedPasskeys, takePasskey } from '../passkeys/passkeys-lookup.ts';
import { deleteChallenge, findChallenge, insertChallenge, updateWebauthnChallenge } from '../second-factors/challenges-lookup.ts';
import { listFactors } from '../second-factors/second-factors-lookup.ts';
import { failedSignIn, openSession } from './open-session-lookup.ts';
import type { SecondStepDependencies } from './second-step-commands.ts';
import { findAccountById, lockSignInAccount } from './sign-in-accounts-lookup.ts';

/** Begins a sign-in with a passkey alone. The response is the same for everybody, so it reveals nothing about accounts. */
export async function beginPasskeySignIn({ db, passkeys, now }: SecondStepDependencies) {
  const options = await passkeys.requestOptions(null);
  const purpose = 'passwordless';
  const { token } = await insertChallenge(db, {
    purpose,
    accountId: null,
    sessionId: null,
    webauthnChallenge: options.challenge,
    now: now(),
  });
  return { challenge: token, options };
}

/**
 * Opens a session with a passkey alone: it verifies its user, so it is both factors. One message for every proof that does not
 * fit; the challenge is used up in any case.
 */
export async function signInWithPasskey(
  deps: SecondStepDependencies,
  { challenge: token, proof }: { challenge: string; proof: PasskeyProof },
  request: RequestContext,
): Promise<SignedIn> {
  const ownerId = await findPasskeyOwner(deps.db, proof.id);
  const account = ownerId === undefined ? undefined : await findAccountById(deps.db, ownerId);
  const outcome = await transaction<SessionToken | null>(deps.db, async (tx) => {
    const mayEnter = account !== undefined && (await lockSignInAccount(tx, { id: account.id, passwordHash: null }));
    const challenge = await findChallenge(tx, { token, purpose: 'passwordless', sessionId: null, now: deps.now(), isLocked: true });
    if (!challenge) return unchanged(null);
    await deleteChallenge(tx, challenge.id);
    const isRight = mayEnter && (await takePasskey(tx, deps, { accountId: account.id, challenge: challenge.webauthn_challenge, proof }));
    const session = isRight ? await openSession(tx, deps, { account, passwordHash: null, method: 'passkey', request }) : null;
    return session ?? recordAudit(tx, failedSignIn(account?.email ?? null, request), null);
  });
  const caller = outcome && (await deps.findCaller(outcome.accessToken));
  if (!outcome || !caller) throw unauthorized(secondFactorMessages.unknownPasskey);
  return { user: caller.account, token: outcome };
}

/** Options for the passkeys of the account whose sign-in a challenge continues. */
export async function passkeyOptionsOfSignIn({ db, passkeys, now }: SecondStepDependencies, token: string) {
  const challenge = await findChallenge(db, { token, purpose: 'sign_in', sessionId: null, now: now() });
  if (challenge?.account_id == null) throw unauthorized(secondFactorMessages.expired);
  const options = await passkeys.requestOptions(storedPasskeys(await listFactors(db, challenge.account_id)));
  await updateWebauthnChallenge(db, challenge.id, options.challenge);
  return { options };
}

/** Options for a passkey of the caller, who confirms their identity with it. */
export async function passkeyOptionsOfCaller({ db, passkeys, now }: SecondStepDependencies, { account, by: { sessionId } }: SessionCaller) {
  return transaction(db, async (tx) => {
    const options = await passkeys.requestOptions(storedPasskeys(await listFactors(tx, account.id)));
    const { token } = await insertChallenge(tx, {
      purpose: 'reauthenticate',
      accountId: account.id,
      sessionId,
      webauthnChallenge: options.challenge,
      now: now(),
    });
    return unaudited('an unfinished confirmation has changed nothing', { challenge: token, options });
  });
}
