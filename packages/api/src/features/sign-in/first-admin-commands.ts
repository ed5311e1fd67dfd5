import { passwordError } from '@switchyard/contract/account-rules';
import { randomInt } from 'node:crypto';
import type { PasswordHash } from '../../adapters/password-hash.ts';
import type { Databases } from '../../database/connect.ts';
import { transaction, unaudited, unchanged } from '../../database/transaction.ts';
import { insertSuperAdmin, lockFirstAccount } from './first-admin-store.ts';
import { normalEmail } from './sign-in-limits-lookup.ts';

/** The account that was created; `password` is set when it was generated and has to be printed, once. */
export type FirstAdmin = { email: string; password: string | null };

/** Creates the first super admin when there is no account at all, otherwise gives null. */
export async function ensureFirstAdmin(deps: {
  db: Databases['db'];
  passwords: PasswordHash;
  email: string;
  /** Follows the rule for passwords. Null: one is generated. */
  password: string | null;
}): Promise<FirstAdmin | null> {
  return transaction<FirstAdmin | null>(deps.db, async (tx) => {
    if (await lockFirstAccount(tx)) return unchanged(null);
    const password = deps.password ?? generatePassword();
    const email = normalEmail(deps.email);
    await insertSuperAdmin(tx, { name: 'Administrator', email, passwordHash: await deps.passwords.hash(password) });
    const admin = { email, password: deps.password === null ? password : null };
    return unaudited('nobody acts: the first start creates the account and prints it', admin);
  });
}

/** Without characters that look alike, because the password is read from a terminal. */
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const generatedLength = 23;

/** A password of about 133 random bits, generated again until it follows the rule. */
export function generatePassword(): string {
  for (;;) {
    const password = Array.from({ length: generatedLength }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
    if (passwordError(password) === null) return password;
  }
}
