import { passwordNameError, accountMessages } from '@switchyard/contract/account-rules';
import { readFileSync } from 'node:fs';

/** The weakness that only the server detects in a password that is long and varied enough (OWASP ASVS 6.2.4). */
export type PasswordPolicy = {
  /** The message for a password that is easy to guess for an account with this e-mail address, else null. */
  error(password: string, email: string): string | null;
};

/** A word, then nothing but digits and punctuation. */
const wordThenDigits = /^(\p{L}+)[^\p{L}]*\d[^\p{L}]*$/u;

/**
 * Rejects passwords that attackers try first, in any case: those of a packaged list, a common word followed by digits,
 * and ones that contain the product's name or the account's. The lists are read at the first question; their sources
 * are in `common-passwords.README.md`.
 */
export function createPasswordPolicy({ productName }: { productName: string }): PasswordPolicy {
  let lists: { passwords: ReadonlySet<string>; words: ReadonlySet<string> } | null = null;

  function isCommon(password: string): boolean {
    lists ??= { passwords: readList('common-passwords.txt'), words: readList('common-words.txt') };
    const [, word] = wordThenDigits.exec(password) ?? [];
    return lists.passwords.has(password) || (word !== undefined && lists.words.has(word));
  }

  return {
    error: (password, email) =>
      passwordNameError(password, { email, productName }) ?? (isCommon(password.toLowerCase()) ? accountMessages.passwordCommon : null),
  };
}

function readList(name: string): ReadonlySet<string> {
  return new Set(readFileSync(new URL(name, import.meta.url), 'utf8').split('\n'));
}
