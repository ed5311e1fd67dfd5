import { uidEnds } from '@switchyard/contract/limits';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortUid } from './short-uid.ts';

describe('a uid in a table', () => {
  it.each([
    ['c-88a1', 'c-88a1'],
    ['12345678', '12345678'],
    ['123456789', '1234...6789'],
    ['1700000000000-123', '1700...-123'],
    ['', ''],
  ])('[CONV-018, CONST-039, AMB-150] %s is shown as %s', (uid, shown) => expect(shortUid(uid, uidEnds)).toBe(shown));

  it('[CONV-018] keeps whole characters, both ends and never more than eleven of any uid', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (uid) => {
        const characters = Array.from(uid);
        const shown = Array.from(shortUid(uid, uidEnds));
        expect(shown.slice(0, 4)).toEqual(characters.slice(0, 4));
        expect(shown.slice(-4)).toEqual(characters.slice(-4));
        expect(shown.length).toBe(characters.length <= 8 ? characters.length : 11);
      }),
    );
  });
});
