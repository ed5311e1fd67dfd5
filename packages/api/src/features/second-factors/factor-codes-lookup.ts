import type { ReadSecret } from '../../adapters/read-secret.ts';
import { totpStep } from '../../adapters/totp.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import { updateUsedCode } from './recovery-codes-store.ts';
import { listFactors } from './second-factors-lookup.ts';
import { updateUsedStep } from './second-factors-store.ts';

/** A code of an authenticator app, or a recovery code. */
export type CodeProof = { code: string } | { recovery_code: string };

/** Checks a code of an account and uses it up; null when it is wrong or was used before. */
export async function takeCode(
  tx: OpenTransaction,
  { now, readSecret }: { now: () => Date; readSecret: ReadSecret },
  { accountId, proof }: { accountId: number; proof: CodeProof },
): Promise<'totp' | 'recovery_code' | null> {
  if ('recovery_code' in proof) {
    return (await updateUsedCode(tx, { accountId, code: proof.recovery_code, now: now() })) ? 'recovery_code' : null;
  }
  const code = plainCode(proof.code);
  for (const { id, secret_sealed: sealedSecret } of await listFactors(tx, accountId)) {
    const secret = sealedSecret === null ? null : readSecret(sealedSecret, { table: 'second_factors', column: 'secret_sealed', id });
    const step = secret === null ? null : totpStep({ secret, code, now: now() });
    if (step !== null && (await updateUsedStep(tx, { id, step, now: now() }))) return 'totp';
  }
  return null;
}

/** A code as it is compared: people copy it with spaces. */
export function plainCode(text: string): string {
  return text.replaceAll(/\s/g, '');
}
