import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generatePassword } from './generate-password.ts';

const passwordArbitrary = fc.constant(null).map(generatePassword);

function everyDrawn(check: (password: string) => void): void {
  fc.assert(
    fc.property(passwordArbitrary, (password) => {
      check(password);
    }),
    { numRuns: 500 },
  );
}

describe('generated passwords', () => {
  it('[WID-064, CONST-033] have 20 characters', () => {
    everyDrawn((password) => expect(password).toHaveLength(20));
  });

  it('[WID-065] use lowercase, uppercase, digits and !@#$%^&*() only', () => {
    everyDrawn((password) => expect(password).toMatch(/^[a-z\dA-Z!@#$%^&*()]+$/));
  });

  it('[WID-066] hold at least one of each kind', () => {
    for (const kind of [/[a-z]/, /[A-Z]/, /\d/, /[!@#$%^&*()]/]) everyDrawn((password) => expect(password).toMatch(kind));
  });

  it('[WID-067] hold no character more than twice', () => {
    everyDrawn((password) => {
      const counts = Map.groupBy(password, (character) => character);
      expect(Math.max(...[...counts.values()].map((same) => same.length))).toBeLessThanOrEqual(2);
    });
  });

  it('draw every character of the alphabet, and never the same password', () => {
    const passwords = Array.from({ length: 500 }, generatePassword);
    expect(new Set(passwords).size).toBe(500);
    expect(new Set(passwords.join('')).size).toBe(26 + 26 + 10 + 10);
  });
});
