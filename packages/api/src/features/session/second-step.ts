import type { PasskeyProof } from '@switchyard/contract/passkeys';
import { secondFactorMessages } from '@switchyard/contract/second-factors';
import type { SecondStep, SessionToken, SignedIn, SignInAnswer } from '@switchyard/contract/session';
import type { Passkeys } from '../../adapters/passkeys.ts';
import type { ReadSecret } from '../../adapters/read-secret.ts';
import { totpStep } from '../../adapters/totp.ts';
import type { Databases } from '../../database/connect.ts';
import { recordAudit, transaction, unchanged, type Audited, type OpenTransaction } from '../../database/transaction.ts';
import { FieldErrors, unauthorized } from '../../errors.ts';
import type { AccountCaller, SessionCaller, RequestContext } from '../../http/bind.ts';
import { countFailure, deleteChallenge, findChallenge, insertChallenge } from './challenges-store.ts';
import { failedSignIn, openSession, type OpenSessionDependencies } from './open-session.ts';
import { countRecoveryCodes, listFactors, listMethods } from './second-factors-lookup.ts';
import { takeRecoveryCode, takeStep } from './second-factors-store.ts';
import { findAccountById, lockSignInAccount } from './session-store.ts';
import { normalEmail } from './sign-in-limits.ts';
import { takePasskey } from './take-passkey.ts';

export type SecondStepDependencies = OpenSessionDependencies & {
  db: Databases['db'];
  readSecret: ReadSecret;
  passkeys: Passkeys;
  findCaller: (token: string) => Promise<SessionCaller | null>;
};

/** What a right first factor leads to: a session or, for an account with a second factor, the second step. */
export type Entered = SessionToken | { second_factor: SecondStep };

/** Lets an account in, in the transaction in which its first factor was checked; null in the cases of `openSession`. */
export async function enter(
  tx: OpenTransaction,
  deps: OpenSessionDependencies,
  entering: { account: { id: number; email: string }; passwordHash: string | null; request: RequestContext },
): Promise<Audited<Entered> | null> {
  return (await beginSecondStep(tx, deps, entering)) ?? openSession(tx, deps, entering);
}

/** The answer to a sign-in; null when the account has lost its access meanwhile. */
export async function answerSignIn(
  { findCaller }: { findCaller: (token: string) => Promise<AccountCaller | null> },
  entered: Entered,
): Promise<SignInAnswer | null> {
  if ('second_factor' in entered) return entered;
  const caller = await findCaller(entered.accessToken);
  return caller && { user: caller.account, token: entered };
}

/** Begins the second step of an account that has a second factor; null when it has none. */
async function beginSecondStep(
  tx: OpenTransaction,
  { now }: { now: () => Date },
  { account, request }: { account: { id: number; email: string }; request: RequestContext },
): Promise<Audited<{ second_factor: SecondStep }> | null> {
  const methods = await listMethods(tx, account.id);
  if (methods.length === 0) return null;
  const { token: challenge } = await insertChallenge(tx, { purpose: 'sign_in', accountId: account.id, sessionId: null, now: now() });
  const event = { actor: account, entity: 'session', action: 'second_step', entityId: null, entityLabel: account.email, request } as const;
  return recordAudit(tx, event, { second_factor: { methods, challenge } });
}

/** A code of an authenticator app, a recovery code, or a passkey. */
type Proof = { code: string } | { recovery_code: string } | { passkey: PasskeyProof };

/**
 * Finishes a sign-in. The attempt is counted before the code is checked, apart from wrong passwords. A wrong code gets 422; a
 * challenge that is unknown, used up or expired, or that had five wrong codes, gets 401.
 */
export async function finishSignIn(
  deps: SecondStepDependencies,
  { challenge: token, proof }: { challenge: string; proof: Proof },
  request: RequestContext,
): Promise<SignedIn> {
  const asked = { token, purpose: 'sign_in', sessionId: null } as const;
  const seen = await findChallenge(deps.db, { ...asked, now: deps.now() });
  const account = seen?.account_id == null ? undefined : await findAccountById(deps.db, seen.account_id);
  if (!account) throw unauthorized(secondFactorMessages.expired);
  await deps.limits.admitAccount({ proof: 'factor', accountId: account.id, email: normalEmail(account.email), ip: request.ip });

  const outcome = await transaction<SessionToken | 'expired' | 'wrong'>(deps.db, async (tx) => {
    // The account first, as commands on accounts lock it.
    if (!(await lockSignInAccount(tx, { id: account.id, passwordHash: null }))) return unchanged('expired');
    const challenge = await findChallenge(tx, { ...asked, now: deps.now(), isLocked: true });
    if (!challenge) return unchanged('expired');
    const method = await takeProof(tx, deps, { accountId: account.id, challenge: challenge.webauthn_challenge, proof });
    if (method === null) {
      await countFailure(tx, challenge.id);
      return recordAudit(tx, failedSignIn(normalEmail(account.email), request), 'wrong');
    }
    await deleteChallenge(tx, challenge.id);
    if (method === 'recovery_code') await notifyOfRecoveryCode(tx, deps, { account, request });
    const opened = await openSession(tx, deps, { account, passwordHash: null, method, request });
    return opened ?? unchanged('expired');
  });
  if (outcome === 'wrong') throw wrongProof(proof);
  const caller = outcome === 'expired' ? null : await deps.findCaller(outcome.accessToken);
  if (outcome === 'expired' || !caller) throw unauthorized(secondFactorMessages.expired);
  return { user: caller.account, token: outcome };
}

/** Checks a code or a passkey of an account and uses it up; null when it is wrong or was used before. `challenge`: what the passkey has to sign. */
export async function takeProof(
  tx: OpenTransaction,
  deps: Pick<SecondStepDependencies, 'now' | 'readSecret' | 'passkeys'>,
  { accountId, challenge, proof }: { accountId: number; challenge: string | null; proof: Proof },
): Promise<'totp' | 'recovery_code' | 'passkey' | null> {
  const { now, readSecret } = deps;
  if ('passkey' in proof) return (await takePasskey(tx, deps, { accountId, challenge, proof: proof.passkey })) ? 'passkey' : null;
  if ('recovery_code' in proof) {
    return (await takeRecoveryCode(tx, { accountId, typed: proof.recovery_code, now: now() })) ? 'recovery_code' : null;
  }
  const code = plainCode(proof.code);
  for (const { id, secret_sealed: sealed } of await listFactors(tx, accountId)) {
    const secret = sealed === null ? null : readSecret(sealed, { table: 'second_factors', column: 'secret_sealed', id });
    const step = secret === null ? null : totpStep({ secret, code, now: now() });
    if (step !== null && (await takeStep(tx, { id, step, now: now() }))) return 'totp';
  }
  return null;
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

/** A code as it is compared: people copy it with spaces. */
export function plainCode(typed: string): string {
  return typed.replaceAll(/\s/g, '');
}

/** The error of a wrong proof, at its field. */
export function wrongProof(proof: Proof): FieldErrors {
  if ('passkey' in proof) return new FieldErrors({ passkey: [secondFactorMessages.wrongPasskey] });
  return new FieldErrors(
    'code' in proof ? { code: [secondFactorMessages.wrongCode] } : { recovery_code: [secondFactorMessages.wrongRecoveryCode] },
  );
}
