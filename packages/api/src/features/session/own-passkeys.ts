import { secondFactorMessages, type AddedFactor } from '@switchyard/contract/second-factors';
import type { NewPasskey } from '@switchyard/contract/passkeys';
import type { Passkeys } from '../../adapters/passkeys.ts';
import { recordAudit, transaction, unaudited } from '../../database/transaction.ts';
import { conflict, FieldErrors } from '../../errors.ts';
import type { SessionCaller } from '../../http/bind.ts';
import { deleteChallenge, findChallenge, insertChallenge } from './challenges-store.ts';
import { added, addedFactor, eventOf, factorNotice, requireRoom, type OwnCall, type OwnFactorsDependencies } from './own-factors.ts';
import { listFactors } from './second-factors-lookup.ts';
import { insertFactor, isCredentialKnown, lockOwner } from './second-factors-store.ts';
import { storedPasskeys } from './take-passkey.ts';

type Dependencies = Pick<OwnFactorsDependencies, 'db' | 'now' | 'notifyOwner'> & { passkeys: Passkeys };

/** Begins to add a passkey: gives the options for the browser, whose challenge is stored. */
export async function beginPasskey(deps: Dependencies, caller: SessionCaller) {
  const { account } = caller;
  const { sessionId } = caller.by;
  return transaction(deps.db, async (tx) => {
    await requireRoom(tx, account.id);
    const existing = storedPasskeys(await listFactors(tx, account.id));
    const options = await deps.passkeys.creationOptions({ accountId: account.id, email: account.email, existing });
    const begun = {
      purpose: 'add_passkey',
      accountId: account.id,
      sessionId,
      webauthnChallenge: options.challenge,
      now: deps.now(),
    } as const;
    const { token } = await insertChallenge(tx, begun);
    return unaudited('a begun set-up has changed nothing yet', { challenge: token, options });
  });
}

/** Adds a passkey, and with the first factor the recovery codes. */
export async function confirmPasskey(
  deps: Dependencies,
  { caller, request, challenge: token, passkey, name }: OwnCall & { challenge: string; passkey: NewPasskey; name: string },
): Promise<AddedFactor> {
  const { account } = caller;
  const { sessionId } = caller.by;
  return transaction(deps.db, async (tx) => {
    const now = deps.now();
    await lockOwner(tx, account.id);
    await requireRoom(tx, account.id);
    const challenge = await findChallenge(tx, { token, purpose: 'add_passkey', sessionId, now, isLocked: true });
    if (challenge?.webauthn_challenge == null) throw conflict(secondFactorMessages.setUpExpired);
    const stored = await deps.passkeys.verifyNew({ passkey, challenge: challenge.webauthn_challenge });
    if (stored === null || (await isCredentialKnown(tx, stored.credentialId)))
      throw new FieldErrors({ passkey: [secondFactorMessages.wrongPasskey] });
    await deleteChallenge(tx, challenge.id);
    const id = await insertFactor(tx, {
      account_id: account.id,
      kind: 'passkey',
      name,
      credential_id: stored.credentialId,
      public_key: stored.publicKey,
      signature_count: stored.signatureCount,
      transports: stored.transports,
      created_at: now,
    });
    await deps.notifyOwner(tx, factorNotice('factor_added', { caller, request, kind: 'passkey', name }));
    const changes = added('passkey', name);
    return recordAudit(tx, eventOf('create', { caller, request, id, changes }), await addedFactor(tx, account.id, id));
  });
}
