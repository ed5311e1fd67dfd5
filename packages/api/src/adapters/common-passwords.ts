import { readFileSync } from 'node:fs';

/** Whether a password is one of those that attackers try first, whatever its case (D4, OWASP ASVS 6.2.4). */
export type CommonPasswords = { has(password: string): boolean };

/** Reads the packaged list at the first question; sources in `common-passwords.README.md`. */
export function createCommonPasswords(): CommonPasswords {
  let known: ReadonlySet<string> | null = null;
  return {
    has(password) {
      known ??= new Set(readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8').split('\n'));
      return known.has(password.toLowerCase());
    },
  };
}
