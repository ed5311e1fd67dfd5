import { createHash, randomBytes } from 'node:crypto';
import { secondFactorLimits } from '@switchyard/contract/second-factors';
import { sql } from 'kysely';
import type { OpenTransaction } from '../../database/transaction.ts';

const codeAlphabet = 'ABCDEFGHJKMNPQRSTVWXYZ0123456789';
const codeGroups = 7;
const groupCharacters = 4;

/** A recovery code of 140 random bits in groups of four: letters and digits that cannot be taken for each other. */
function newRecoveryCode(): string {
  const letters = [...randomBytes(codeGroups * groupCharacters)].map((byte) => codeAlphabet.charAt(byte % codeAlphabet.length));
  return Array.from({ length: codeGroups }, (_, at) => letters.slice(at * groupCharacters, (at + 1) * groupCharacters).join('')).join('-');
}

/** The stored form of a recovery code, however it is typed; a fast hash is enough for 140 random bits. */
function recoveryCodeHash(text: string): Buffer {
  return createHash('sha256')
    .update(text.toUpperCase().replaceAll(/[^A-Z0-9]/g, ''))
    .digest();
}

/** Replaces the recovery codes of an account and gives the new ones, which are stored as hashes only. */
export async function updateRecoveryCodes(tx: OpenTransaction, accountId: number): Promise<string[]> {
  const codes = Array.from({ length: secondFactorLimits.recoveryCodes }, newRecoveryCode);
  await deleteRecoveryCodes(tx, accountId);
  const hashes = codes.map(recoveryCodeHash);
  await sql`insert into recovery_codes (account_id, code_hash) select ${accountId}, unnest(${hashes}::bytea[])`.execute(tx);
  return codes;
}

/** Deletes the recovery codes of an account. */
export async function deleteRecoveryCodes(tx: OpenTransaction, accountId: number): Promise<void> {
  await sql`delete from recovery_codes where account_id = ${accountId}`.execute(tx);
}

/** Uses up a recovery code; false when it is unknown or was used before. */
export async function updateUsedCode(
  tx: OpenTransaction,
  { accountId, code, now }: { accountId: number; code: string; now: Date },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update recovery_codes set used_at = ${now} where account_id = ${accountId} and code_hash = ${recoveryCodeHash(code)} and used_at is null
  `.execute(tx);
  return numAffectedRows > 0n;
}
