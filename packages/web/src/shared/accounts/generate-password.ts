const kinds = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789', '!@#$%^&*()'] as const;
const alphabet = kinds.join('');

/** Characters of a generated password (WID-064, CONST-033). */
const length = 20;

/** How often one character may stand in it (WID-067). */
const mostOften = 2;

/** A number from 0 up to but not including `limit`, at most 256, all equally likely. */
function randomBelow(limit: number): number {
  const fair = 256 - (256 % limit);
  const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
  return byte < fair ? byte % limit : randomBelow(limit);
}

/**
 * A random password of 20 characters out of lowercase, uppercase, digits and `!@#$%^&*()`, with at least one of each
 * and none more than twice (WID-064 to WID-067). Drawn whole until it keeps the rules, so every allowed password is
 * as likely as any other: about 120 bits.
 */
export function generatePassword(): string {
  for (;;) {
    const characters = Array.from({ length }, () => alphabet.charAt(randomBelow(alphabet.length)));
    const hasEach = kinds.every((kind) => characters.some((character) => kind.includes(character)));
    const isVaried = characters.every((one) => characters.filter((other) => other === one).length <= mostOften);
    if (hasEach && isVaried) return characters.join('');
  }
}
