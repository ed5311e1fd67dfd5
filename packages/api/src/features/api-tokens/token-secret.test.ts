import fc from 'fast-check';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { apiTokenPattern, isApiToken, newTokenSecret } from './token-secret.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const characters = alphabet.split('');
const tokens = Array.from({ length: 500 }, () => newTokenSecret().secret);

describe('the text of an API token', () => {
  it('[IDN-047] is recognised by the documented pattern, and its end is the CRC-32 of zlib in base62', () => {
    for (const token of tokens) {
      expect(isApiToken(token)).toBe(true);
      expect(apiTokenPattern.exec(`TOKEN="${token}"`)?.[0]).toBe(token);
      const value = token
        .slice(-6)
        .split('')
        .reduce((sum, digit) => sum * 62 + alphabet.indexOf(digit), 0);
      expect(value).toBe(crc32(token.slice(0, -6)));
    }
  });

  it('[IDN-047] is no token with any other character at any place, or with more or fewer', () => {
    fc.assert(
      fc.property(fc.constantFrom(...tokens), fc.nat(49), fc.constantFrom(...characters), (token, at, other) => {
        fc.pre(token[at] !== other);
        expect(isApiToken(token.slice(0, at) + other + token.slice(at + 1))).toBe(false);
        expect([token.slice(0, -1), `${token}0`, ` ${token}`, `${token}\n`].some(isApiToken)).toBe(false);
      }),
    );
  });

  it('[IDN-047] takes every character with the same chance', () => {
    const counts = new Map<string, number>();
    const texts = Array.from({ length: 5000 }, () => newTokenSecret().secret.slice(4, 44));
    for (const character of texts.join('')) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect([...counts.keys()].toSorted()).toEqual(characters.toSorted());
    // Seven standard deviations; bytes modulo 62 would give the first eight characters a fifth more.
    const expected = (5000 * 40) / 62;
    for (const count of counts.values()) expect(Math.abs(count / expected - 1)).toBeLessThan(0.13);
  });
});
