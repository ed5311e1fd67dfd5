import { createHash, randomBytes } from 'node:crypto';
import { secondFactorLimits } from '@switchyard/contract/second-factors';
import type { Insertable, Kysely } from 'kysely';
import type { SecondFactorsTable, Tables } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import type { StoredFactor } from './second-factors-lookup.ts';

/** Locks an account, so that changes of its factors wait for each other. */
export async function lockOwner(tx: OpenTransaction, accountId: number): Promise<void> {
  await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
}

/** Adds a factor and gives its id. */
export async function insertFactor(tx: OpenTransaction, factor: Insertable<SecondFactorsTable>): Promise<number> {
  const { id } = await tx.insertInto('second_factors').values(factor).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Stores the sealed secret of a factor, which is bound to its id. */
export async function setFactorSecret(tx: OpenTransaction, id: number, sealed: string): Promise<void> {
  await tx.updateTable('second_factors').set({ secret_sealed: sealed }).where('id', '=', id).execute();
}

/** Renames a factor of an account; false when there is none. */
export async function setFactorName(
  tx: OpenTransaction,
  { id, accountId, name }: { id: number; accountId: number; name: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('second_factors')
    .set({ name })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes a factor. */
export async function deleteFactor(tx: OpenTransaction, id: number): Promise<void> {
  await tx.deleteFrom('second_factors').where('id', '=', id).execute();
}

/** Uses up the code of a step; false when a code of this step or of a later one was used before. */
export async function takeStep(tx: OpenTransaction, { id, step, now }: { id: number; step: number; now: Date }): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('second_factors')
    .set({ last_used_step: step, last_used_at: now })
    .where('id', '=', id)
    .where('last_used_step', '<', step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const codeAlphabet = 'ABCDEFGHJKMNPQRSTVWXYZ0123456789';
const codeGroups = 7;
const groupCharacters = 4;

/** A recovery code of 140 random bits in groups of four: letters and digits that cannot be taken for each other. */
function newRecoveryCode(): string {
  const letters = [...randomBytes(codeGroups * groupCharacters)].map((byte) => codeAlphabet.charAt(byte % codeAlphabet.length));
  return Array.from({ length: codeGroups }, (_, at) => letters.slice(at * groupCharacters, (at + 1) * groupCharacters).join('')).join('-');
}

/** The stored form of a recovery code, however it is typed; a fast hash is enough for 140 random bits. */
function recoveryCodeHash(typed: string): Buffer {
  return createHash('sha256')
    .update(typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, ''))
    .digest();
}

/** Replaces the recovery codes of an account and gives the new ones, which are stored as hashes only. */
export async function replaceRecoveryCodes(tx: OpenTransaction, accountId: number): Promise<string[]> {
  const codes = Array.from({ length: secondFactorLimits.recoveryCodes }, newRecoveryCode);
  await deleteRecoveryCodes(tx, accountId);
  await tx
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ account_id: accountId, code_hash: recoveryCodeHash(code), used_at: null })))
    .execute();
  return codes;
}

/** Deletes the recovery codes of an account. */
export async function deleteRecoveryCodes(tx: OpenTransaction, accountId: number): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute();
}

/** Uses up a recovery code; false when it is unknown or was used before. */
export async function takeRecoveryCode(
  tx: OpenTransaction,
  { accountId, typed, now }: { accountId: number; typed: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('account_id', '=', accountId)
    .where('code_hash', '=', recoveryCodeHash(typed))
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A passkey of an account, locked until the transaction ends. */
export async function lockPasskey(
  tx: OpenTransaction,
  { accountId, credentialId }: { accountId: number; credentialId: string },
): Promise<StoredFactor | undefined> {
  return tx
    .selectFrom('second_factors')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
}

/** The account that a passkey belongs to. */
export async function findPasskeyOwner(db: Kysely<Tables>, credentialId: string): Promise<number | undefined> {
  const row = await db.selectFrom('second_factors').select('account_id').where('credential_id', '=', credentialId).executeTakeFirst();
  return row?.account_id;
}

/** Whether a passkey is stored already, for whatever account. */
export async function isCredentialKnown(tx: OpenTransaction, credentialId: string): Promise<boolean> {
  return (await findPasskeyOwner(tx, credentialId)) !== undefined;
}

/** Stores how often a locked passkey has signed. */
export async function setSignatureCount(tx: OpenTransaction, { id, count, now }: { id: number; count: number; now: Date }): Promise<void> {
  await tx.updateTable('second_factors').set({ signature_count: count, last_used_at: now }).where('id', '=', id).execute();
}
