import { wireDate } from '@switchyard/contract/dates';
import * as contract from '@switchyard/contract/second-factors';
import type { ReadSecret } from '../../adapters/read-secret.ts';
import { newTotpSecret, totpStep, totpUri } from '../../adapters/totp.ts';
import type { Databases } from '../../database/connect.ts';
import { lockAccount } from '../../database/lock-account.ts';
import { recordAudit, secretChange, transaction, unaudited, type OpenTransaction } from '../../database/transaction.ts';
import { conflict, FieldErrors, notFound } from '../../errors.ts';
import type { Call, SessionCaller } from '../../http/bind.ts';
import type { SealSecret } from '../../secret-keys/seal-secret.ts';
import type { NotifyOwner } from '../security-mails/security-mails-lookup.ts';
import { deleteChallenge, findChallenge, insertChallenge, updateChallengeSecret } from './challenges-lookup.ts';
import { plainCode } from './factor-codes-lookup.ts';
import { eventOf, factorNotice, insertFactor, recordAddedFactor, requireRoom, toSecondFactor } from './new-factor-lookup.ts';
import { deleteRecoveryCodes, updateRecoveryCodes } from './recovery-codes-store.ts';
import { countRecoveryCodes, findFactorOwner, findFactorRule, listFactors, type StoredFactor } from './second-factors-lookup.ts';
import { deleteFactor, updateFactorName, updateFactorSecret } from './second-factors-store.ts';

export type OwnFactorsDependencies = {
  db: Databases['db'];
  now: () => Date;
  sealSecret: SealSecret;
  readSecret: ReadSecret;
  notifyOwner: NotifyOwner;
  /** The name that authenticator apps show. */
  issuer: string;
};

/** The caller's factors and how many recovery codes are left. */
export async function listOwnFactors(
  { db, now }: Pick<OwnFactorsDependencies, 'db' | 'now'>,
  { account }: SessionCaller,
): Promise<contract.OwnFactors> {
  const owner = await findFactorOwner(db, account.id);
  const rule = await findFactorRule(db, account.id, now());
  return {
    factors: (await listFactors(db, account.id)).map(toSecondFactor),
    recovery_codes_left: await countRecoveryCodes(db, account.id),
    required: rule.required,
    required_from: wireDate(rule.from),
    may_add: owner?.is_demo === false,
  };
}

/** Begins to add an authenticator app: makes its secret, which the challenge keeps until the first code confirms it. */
export async function beginTotp(deps: OwnFactorsDependencies, caller: SessionCaller) {
  const { account } = caller;
  const { sessionId } = caller.by;
  const secret = newTotpSecret();
  const challenge = await transaction(deps.db, async (tx) => {
    await requireRoom(tx, account.id);
    const { id, token } = await insertChallenge(tx, { purpose: 'add_totp', accountId: account.id, sessionId, now: deps.now() });
    await updateChallengeSecret(tx, id, await deps.sealSecret(tx, secret, challengePlace(id)));
    return unaudited('an unfinished set-up has changed nothing', token);
  });
  return { challenge, secret, uri: totpUri({ secret, issuer: deps.issuer, label: account.email }) };
}

/** Adds an authenticator app with its first code, and with the first factor the recovery codes. */
export async function confirmTotp(
  deps: OwnFactorsDependencies,
  { caller, request, body: { challenge: token, code, name } }: Call<typeof contract.confirmTotp>,
): Promise<contract.AddedFactor> {
  return transaction(deps.db, async (tx) => {
    const now = deps.now();
    await lockAccount(tx, caller.account.id);
    await requireRoom(tx, caller.account.id);
    const challenge = await findChallenge(tx, { token, purpose: 'add_totp', sessionId: caller.by.sessionId, now, isLocked: true });
    const secret = challenge?.secret_sealed == null ? null : deps.readSecret(challenge.secret_sealed, challengePlace(challenge.id));
    if (!challenge || secret === null) throw conflict(contract.secondFactorMessages.setUpExpired);
    const step = totpStep({ secret, code: plainCode(code), now });
    if (step === null) throw new FieldErrors({ code: [contract.secondFactorMessages.wrongCode] });
    await deleteChallenge(tx, challenge.id);
    const id = await insertFactor(tx, { account_id: caller.account.id, kind: 'totp', name, last_used_step: step, created_at: now });
    await updateFactorSecret(tx, id, await deps.sealSecret(tx, secret, { table: 'second_factors', column: 'secret_sealed', id }));
    return recordAddedFactor(tx, deps.notifyOwner, { caller, request, id, kind: 'totp', name });
  });
}

/** Renames one of the caller's factors. */
export async function renameFactor(
  { db }: Pick<OwnFactorsDependencies, 'db'>,
  { params: { id }, body: { name }, caller, request }: Call<typeof contract.renameFactor>,
): Promise<contract.SecondFactor> {
  return transaction(db, async (tx) => {
    const before = await findOwn(tx, caller, id);
    await updateFactorName(tx, { id, accountId: caller.account.id, name });
    const changes = [{ field: 'name', from: before.name, to: name }];
    return recordAudit(tx, eventOf('update', { caller, request, id, changes }), toSecondFactor({ ...before, name }));
  });
}

/** Removes one of the caller's factors, and with the last one the recovery codes. The last one of an account that needs one stays. */
export async function removeFactor(
  { db, now, notifyOwner }: Pick<OwnFactorsDependencies, 'db' | 'now' | 'notifyOwner'>,
  { params: { id }, caller, request }: Call<typeof contract.removeFactor>,
): Promise<void> {
  const { account } = caller;
  await transaction(db, async (tx) => {
    await lockAccount(tx, account.id);
    const before = await findOwn(tx, caller, id);
    const isLast = (await listFactors(tx, account.id)).length === 1;
    if (isLast && (await findFactorRule(tx, account.id, now())).required) throw conflict(contract.secondFactorMessages.required);
    await deleteFactor(tx, id);
    if (isLast) await deleteRecoveryCodes(tx, account.id);
    await notifyOwner(tx, factorNotice('factor_removed', { caller, request, ...before }));
    const changes = [{ field: 'name', from: before.name, to: null }];
    return recordAudit(tx, eventOf('delete', { caller, request, id, changes }));
  });
}

/** Replaces the caller's recovery codes. */
export async function renewRecoveryCodes(
  { db, notifyOwner }: Pick<OwnFactorsDependencies, 'db' | 'notifyOwner'>,
  { caller, request }: Call<typeof contract.renewRecoveryCodes>,
) {
  return transaction(db, async (tx) => {
    await lockAccount(tx, caller.account.id);
    if ((await listFactors(tx, caller.account.id)).length === 0) throw notFound();
    const codes = await updateRecoveryCodes(tx, caller.account.id);
    await notifyOwner(tx, { event: 'recovery_codes_renewed', accountId: caller.account.id, actor: caller.account, request });
    const changes = [secretChange('recovery_codes')];
    return recordAudit(tx, eventOf('renew_codes', { caller, request, id: null, changes }), { recovery_codes: codes });
  });
}

async function findOwn(tx: OpenTransaction, { account }: SessionCaller, id: number): Promise<StoredFactor> {
  const storedFactor = (await listFactors(tx, account.id)).find((factor) => factor.id === id);
  if (!storedFactor) throw notFound();
  return storedFactor;
}

const challengePlace = (id: number) => ({ table: 'sign_in_challenges', column: 'secret_sealed', id });
