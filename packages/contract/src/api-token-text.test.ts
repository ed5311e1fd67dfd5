import fc from 'fast-check';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { apiTokenOf, apiTokenPattern, apiTokenRandomCharacters, isApiToken } from './api-token-text.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const characters = alphabet.split('');
const randomBytes = fc.uint8Array({ minLength: 128, maxLength: 128 });
const tokens = randomBytes.map((bytes) => apiTokenOf(bytes)).filter((token) => token !== null);

describe('the text of an API token', () => {
  it('[IDN-047] is recognised by the documented pattern, and its end is the CRC-32 of zlib in base62', () => {
    fc.assert(
      fc.property(tokens, (token) => {
        expect(isApiToken(token)).toBe(true);
        expect(apiTokenPattern.exec(`TOKEN="${token}"`)?.[0]).toBe(token);
        const value = token
          .slice(-6)
          .split('')
          .reduce((sum, digit) => sum * 62 + alphabet.indexOf(digit), 0);
        expect(value).toBe(crc32(token.slice(0, -6)));
      }),
    );
  });

  it('[IDN-047] is no token with any other character at any place, or with more or fewer', () => {
    fc.assert(
      fc.property(tokens, fc.nat(49), fc.constantFrom(...characters), (token, at, other) => {
        fc.pre(token[at] !== other);
        expect(isApiToken(token.slice(0, at) + other + token.slice(at + 1))).toBe(false);
        expect([token.slice(0, -1), `${token}0`, ` ${token}`, `${token}\n`].some(isApiToken)).toBe(false);
      }),
    );
  });

  it('[IDN-047] takes every character with the same chance, and nothing of too few bytes', () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 256; byte += 1) {
      const bytes = Array.from({ length: apiTokenRandomCharacters }, () => byte);
      const first = apiTokenOf(bytes)?.charAt(4);
      if (first !== undefined) counts.set(first, (counts.get(first) ?? 0) + 1);
    }
    expect([...counts.keys()].toSorted()).toEqual(characters.toSorted());
    expect(new Set(counts.values())).toEqual(new Set([4]));
    expect(apiTokenOf(Array.from({ length: apiTokenRandomCharacters - 1 }, () => 1))).toBeNull();
  });
});
