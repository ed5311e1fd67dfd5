import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { tokenHash } from '../../secret-keys/secret-token.ts';

/**
 * The text of API tokens: `swy_`, 40 random characters (238 bits) and 6 characters of checksum, all of base62. Scanners find
 * leaked tokens by `apiTokenPattern` and drop lookalikes by `isApiToken`, without asking the console.
 */
export const apiTokenPattern = /\bswy_[0-9A-Za-z]{46}\b/;

const wholeText = /^swy_[0-9A-Za-z]{46}$/;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomCharacters = 40;
const checksumCharacters = 6;
const shownCharacters = 4;

/** Whether a text is an API token by its form and checksum. It may still be unknown, expired or revoked. */
export function isApiToken(text: string): boolean {
  return wholeText.test(text) && text.endsWith(checksumOf(text.slice(0, -checksumCharacters)));
}

/** A new token, and what is stored of it. */
export function newTokenSecret(): { secret: string; hashed: { token_hash: Buffer; ends_with: string } } {
  const random = Array.from({ length: randomCharacters }, () => alphabet.charAt(randomInt(alphabet.length)));
  const text = `swy_${random.join('')}`;
  const secret = text + checksumOf(text);
  return { secret, hashed: { token_hash: tokenHash(secret), ends_with: secret.slice(-shownCharacters) } };
}

/** CRC-32 of an ASCII text in base62, padded with zeros. */
function checksumOf(text: string): string {
  let [rest, digits] = [crc32(text), ''];
  while (digits.length < checksumCharacters) {
    digits = alphabet.charAt(rest % alphabet.length) + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}
