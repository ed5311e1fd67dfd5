const kinds = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789', '!@#$%^&*()'] as const;
const alphabet = kinds.join('');

/** Number of characters of a generated password. */
const length = 20;

/** How often one character may occur in it. */
const maxRepeats = 2;

/** A random number from 0 to `limit` (exclusive, at most 256), all equally likely. */
function randomBelow(limit: number): number {
  const fair = 256 - (256 % limit);
  const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
  return byte < fair ? byte % limit : randomBelow(limit);
}

/**
 * Generates a random password of 20 characters: lowercase, uppercase, digits and `!@#$%^&*()`, at least one of each, none
 * more than twice. Whole passwords are generated until one follows the rules, so all of them are equally likely (about
 * 120 bits).
 */
export function generatePassword(): string {
  for (;;) {
    const characters = Array.from({ length }, () => alphabet.charAt(randomBelow(alphabet.length)));
    const hasEach = kinds.every((kind) => characters.some((character) => kind.includes(character)));
    const isVaried = characters.every((one) => characters.filter((other) => other === one).length <= maxRepeats);
    if (hasEach && isVaried) return characters.join('');
  }
}
