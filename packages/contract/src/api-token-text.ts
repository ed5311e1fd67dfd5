/**
 * The text of API tokens: `swy_`, 40 random characters and 6 characters of checksum, all of base62. Scanners find leaked
 * tokens by `apiTokenPattern` and drop lookalikes by `isApiToken`, without asking the console.
 */
export const apiTokenPattern = /\bswy_[0-9A-Za-z]{46}\b/;

const wholeText = /^swy_[0-9A-Za-z]{46}$/;
const prefix = 'swy_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const checksumCharacters = 6;

/** Random characters of a token: 238 bits. */
export const apiTokenRandomCharacters = 40;

/** Whether a text is an API token by its form and checksum. It may still be unknown, expired or revoked. */
export function isApiToken(text: string): boolean {
  return wholeText.test(text) && text.endsWith(checksumOf(text.slice(0, -checksumCharacters)));
}

/** Makes a token of random bytes; null if there are too few. Bytes that would favour some characters are skipped. */
export function apiTokenOf(random: Iterable<number>): string | null {
  let text = prefix;
  for (const byte of random) {
    if (byte < alphabet.length * 4) text += alphabet.charAt(byte % alphabet.length);
    if (text.length === prefix.length + apiTokenRandomCharacters) return text + checksumOf(text);
  }
  return null;
}

/** CRC-32 of an ASCII text in base62, padded with zeros. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < checksumCharacters; place += 1) {
    digits = alphabet.charAt(rest % alphabet.length) + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}

/** CRC-32 of IEEE 802.3, as in zlib. */
function crc32(text: string): number {
  let crc = 0xff_ff_ff_ff;
  for (let at = 0; at < text.length; at += 1) {
    crc ^= text.charCodeAt(at);
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xed_b8_83_20 : crc >>> 1;
  }
  return (crc ^ 0xff_ff_ff_ff) >>> 0;
}
