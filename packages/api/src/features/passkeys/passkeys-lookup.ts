import type { PasskeyProof } from '@switchyard/contract/passkeys';
import type { Passkeys, StoredPasskey } from '../../adapters/passkeys.ts';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import type { StoredFactor } from '../second-factors/second-factors-lookup.ts';

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
  const [passkey] = factor === undefined ? [] : storedPasskeys([factor]);
  if (!factor || !passkey || challenge === null) return false;
  const count = await passkeys.verify({ proof, challenge, passkey: passkey });
  if (count === null) return false;
  await updateSignatureCount(tx, { id: factor.id, count, now: now() });
  return true;
}

/** The account that a passkey belongs to. */
export async function findPasskeyOwner(db: Kysely<Tables>, credentialId: string): Promise<number | undefined> {
  const { rows } = await sql<{ account_id: number }>`
    select account_id from second_factors where credential_id = ${credentialId}
  `.execute(db);
  return rows[0]?.account_id;
}

/** A passkey of an account, locked until the transaction ends. */
async function lockPasskey(
  tx: OpenTransaction,
  { accountId, credentialId }: { accountId: number; credentialId: string },
): Promise<StoredFactor | undefined> {
  const { rows } = await sql<StoredFactor>`
    select * from second_factors where credential_id = ${credentialId} and account_id = ${accountId} for update
  `.execute(tx);
  return rows[0];
}

/** Stores how often a locked passkey has signed. */
async function updateSignatureCount(tx: OpenTransaction, { id, count, now }: { id: number; count: number; now: Date }): Promise<void> {
  await sql`update second_factors set signature_count = ${count}, last_used_at = ${now} where id = ${id}`.execute(tx);
}
