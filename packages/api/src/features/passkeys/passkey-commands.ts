import { secondFactorMessages, type AddedFactor, type confirmPasskey as confirmCall } from '@switchyard/contract/second-factors';
import type { Passkeys } from '../../adapters/passkeys.ts';
import type { Databases } from '../../database/connect.ts';
import { lockAccount } from '../../database/lock-account.ts';
import { transaction, unaudited } from '../../database/transaction.ts';
import { conflict, FieldErrors } from '../../errors.ts';
import type { Call, SessionCaller } from '../../http/bind.ts';
import { deleteChallenge, findChallenge, insertChallenge } from '../second-factors/challenges-lookup.ts';
import { insertFactor, recordAddedFactor, requireRoom } from '../second-factors/new-factor-lookup.ts';
import { listFactors } from '../second-factors/second-factors-lookup.ts';
import type { NotifyOwner } from '../security-mails/security-mails-lookup.ts';
import { findPasskeyOwner, storedPasskeys } from './passkeys-lookup.ts';

export type PasskeysDependencies = { db: Databases['db']; now: () => Date; notifyOwner: NotifyOwner; passkeys: Passkeys };

/** Begins to add a passkey: gives the options for the browser, whose challenge is stored. */
export async function beginPasskey(deps: PasskeysDependencies, caller: SessionCaller) {
  const { account } = caller;
  const { sessionId } = caller.by;
  return transaction(deps.db, async (tx) => {
    await requireRoom(tx, account.id);
    const existing = storedPasskeys(await listFactors(tx, account.id));
    const options = await deps.passkeys.creationOptions({ accountId: account.id, email: account.email, existing });
    const { token } = await insertChallenge(tx, {
      purpose: 'add_passkey',
      accountId: account.id,
      sessionId,
      webauthnChallenge: options.challenge,
      now: deps.now(),
    });
    return unaudited('an unfinished set-up has changed nothing', { challenge: token, options });
  });
}

/** Adds a passkey, and with the first factor the recovery codes. */
export async function confirmPasskey(
  deps: PasskeysDependencies,
  { caller, request, body: { challenge: token, passkey, name } }: Call<typeof confirmCall>,
): Promise<AddedFactor> {
  const { account } = caller;
  const { sessionId } = caller.by;
  return transaction(deps.db, async (tx) => {
    const now = deps.now();
    await lockAccount(tx, account.id);
    await requireRoom(tx, account.id);
    const challenge = await findChallenge(tx, { token, purpose: 'add_passkey', sessionId, now, isLocked: true });
    if (challenge?.webauthn_challenge == null) throw conflict(secondFactorMessages.setUpExpired);
    const credential = await deps.passkeys.verifyNew({ passkey, challenge: challenge.webauthn_challenge });
    if (credential === null || (await findPasskeyOwner(tx, credential.credentialId)) !== undefined)
      throw new FieldErrors({ passkey: [secondFactorMessages.wrongPasskey] });
    await deleteChallenge(tx, challenge.id);
    const id = await insertFactor(tx, {
      account_id: account.id,
      kind: 'passkey',
      name,
      credential_id: credential.credentialId,
      public_key: credential.publicKey,
      signature_count: credential.signatureCount,
      transports: credential.transports,
      created_at: now,
    });
    return recordAddedFactor(tx, deps.notifyOwner, { caller, request, id, kind: 'passkey', name });
  });
}
