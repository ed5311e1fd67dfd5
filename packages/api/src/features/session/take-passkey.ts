import type { PasskeyProof } from '@switchyard/contract/passkeys';
import type { Passkeys, StoredPasskey } from '../../adapters/passkeys.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import type { StoredFactor } from './second-factors-lookup.ts';
import { lockPasskey, setSignatureCount } from './second-factors-store.ts';

/** The passkeys among the factors of an account. */
export function storedPasskeys(factors: readonly StoredFactor[]): StoredPasskey[] {
  return factors.flatMap(({ credential_id: credentialId, public_key: publicKey, signature_count: signatureCount, transports }) =>
    credentialId === null || publicKey === null ? [] : [{ credentialId, publicKey, signatureCount, transports }],
  );
}

/** Checks the proof of a passkey of an account and stores its signature count; false when it does not fit. */
export async function takePasskey(
  tx: OpenTransaction,
  { passkeys, now }: { passkeys: Passkeys; now: () => Date },
  { accountId, challenge, proof }: { accountId: number; challenge: string | null; proof: PasskeyProof },
): Promise<boolean> {
  const factor = await lockPasskey(tx, { accountId, credentialId: proof.id });
  const [stored] = factor === undefined ? [] : storedPasskeys([factor]);
  if (!factor || !stored || challenge === null) return false;
  const count = await passkeys.verify({ proof, challenge, stored });
  if (count === null) return false;
  await setSignatureCount(tx, { id: factor.id, count, now: now() });
  return true;
}
