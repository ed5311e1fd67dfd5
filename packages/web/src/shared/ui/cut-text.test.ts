import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutFrom, cutText } from './cut-text.ts';

describe('cut texts', () => {
  it('[APPS-016, CONST-013] cuts app names at 28 characters', () => {
    expect(cutText('a'.repeat(28), 28)).toBe('a'.repeat(28));
    expect(cutText('a'.repeat(29), 28)).toBe(`${'a'.repeat(28)}...`);
  });

  it('[CONST-040, CONST-050, AMB-050] cuts stream names of 25 or more to 22', () => {
    expect(cutFrom('s'.repeat(24), 25, 22)).toBe('s'.repeat(24));
    expect(cutFrom('s'.repeat(25), 25, 22)).toBe(`${'s'.repeat(22)}...`);
  });

  it('[WID-054, CONST-014] never makes a text longer than the limit and three dots, nor tears a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 40 }), (text, to) => {
        const cut = cutText(text, to);
        expect(Array.from(cut).length).toBeLessThanOrEqual(to + 3);
        expect(cut.isWellFormed()).toBe(true);
        expect(cut === text || text.startsWith(cut.slice(0, -3))).toBe(true);
      }),
    );
  });
});
