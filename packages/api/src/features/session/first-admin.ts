import { passwordCharacters, passwordError } from '@switchyard/contract/account-rules';
import { randomInt } from 'node:crypto';
import type { PasswordHash } from '../../adapters/password-hash.ts';
import type { Databases } from '../../database/connect.ts';
import { StartRefused } from '../../start-refused.ts';
import { insertFirstAdmin } from './first-admin-store.ts';
import { normalEmail } from './sign-in-limits.ts';

/** The account that was created; `password` is set when it was generated and has to be shown, once. */
export type FirstAdmin = { email: string; password: string | null };

/**
 * Creates the first super admin when there is no account at all (O7), otherwise gives null.
 * @throws StartRefused when the given password breaks the rule for passwords (spec 2 §5).
 */
export async function ensureFirstAdmin(deps: {
  db: Databases['db'];
  passwords: PasswordHash;
  email: string;
  /** Null: one is generated. */
  password: string | null;
}): Promise<FirstAdmin | null> {
  const admin = await insertFirstAdmin(deps.db, async () => {
    const password = deps.password ?? generatePassword();
    if (!isAcceptable(password)) throw new StartRefused(`ADMIN_PASSWORD ${passwordRule}`);
    return { name: 'Administrator', email: normalEmail(deps.email), password, passwordHash: await deps.passwords.hash(password) };
  });
  return admin && { email: admin.email, password: deps.password === null ? admin.password : null };
}

const passwordRule = 'must have 12 to 128 characters, among them a digit, a lowercase and an uppercase letter';

function isAcceptable(password: string): boolean {
  return passwordError(password) === null && password.length <= passwordCharacters.max;
}

/** Without characters that look alike, because somebody reads this off a terminal. */
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const generatedLength = 20;

/** A password of about 116 random bits; drawn again until it keeps the rule itself. */
export function generatePassword(): string {
  for (;;) {
    const password = Array.from({ length: generatedLength }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
    if (isAcceptable(password)) return password;
  }
}
