import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutFrom, cutText, shortUid, groupedNumber } from './text-format.ts';
import { uidEnds } from './display-limits.ts';

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
        const shortText = cutText(text, to);
        expect(Array.from(shortText).length).toBeLessThanOrEqual(to + 3);
        expect(shortText.isWellFormed()).toBe(true);
        expect(shortText === text || text.startsWith(shortText.slice(0, -3))).toBe(true);
      }),
    );
  });
});

describe('a uid in a table', () => {
  it.each([
    ['c-88a1', 'c-88a1'],
    ['12345678', '12345678'],
    ['123456789', '1234...6789'],
    ['1700000000000-123', '1700...-123'],
    ['', ''],
  ])('[CONV-018, CONST-039, AMB-150] %s is shown as %s', (uid, shownUid) => expect(shortUid(uid, uidEnds)).toBe(shownUid));

  it('[CONV-018] keeps whole characters, both ends and never more than eleven of any uid', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (uid) => {
        const characters = Array.from(uid);
        const shownCharacters = Array.from(shortUid(uid, uidEnds));
        expect(shownCharacters.slice(0, 4)).toEqual(characters.slice(0, 4));
        expect(shownCharacters.slice(-4)).toEqual(characters.slice(-4));
        expect(shownCharacters.length).toBe(characters.length <= 8 ? characters.length : 11);
      }),
    );
  });
});

describe('numbers', () => {
  it('groups digits', () => {
    expect(groupedNumber(1_234_567).replaceAll(/\D/g, '')).toBe('1234567');
    expect(groupedNumber(1_234_567)).not.toBe('1234567');
  });
});
