import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSuspiciousPath } from './suspicious-request.ts';

const word = fc.stringMatching(/^[A-Za-z0-9._-]{1,8}$/);
const path = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => `/${words.join('/')}`);

describe('odd spellings of a path (S32)', () => {
  it('[API-085] plain paths are none, whatever their query holds', () => {
    fc.assert(fc.property(path, fc.webQueryParameters(), (plain, query) => !isSuspiciousPath(`${plain}?${query}//;%2f\\/`, plain)));
    expect(isSuspiciousPath('/', '/')).toBe(false);
  });

  it('[API-085] an odd character anywhere in the path makes it odd', () => {
    const odd = fc.constantFrom('//', '%2F', '%2f', '%5C', '%5c', ';', ';x=1', '\\');
    fc.assert(
      fc.property(path, odd, fc.nat(), (plain, oddity, at) => {
        const place = at % (plain.length + 1);
        expect(isSuspiciousPath(`${plain.slice(0, place)}${oddity}${plain.slice(place)}`, undefined)).toBe(true);
      }),
    );
  });

  it('[INV-020] the uid of a client may hold encoded slashes, and nothing else of a path', () => {
    for (const page of ['/api/clients/a%2Fb', '/clients/%5c..%2F', '/api/clients/a%2Fb/timeline'])
      expect(isSuspiciousPath(page, undefined)).toBe(false);
    for (const page of ['/api/clients/a//b', '/api/clients/a;b', '/api/clients/a/b%2F', '/api/users/a%2Fb', '/x/clients/a%2Fb'])
      expect(isSuspiciousPath(page, undefined)).toBe(true);
  });

  it('[INV-049][BAN-001] the block of an address may have an encoded slash, and no other', () => {
    for (const page of [
      '/addresses/10.0.0.0%2F8',
      '/api/addresses/10.0.0.0%2f8/timeline',
      '/api/addresses/2001%3Adb8%3A%3A%2F32',
      '/api/black-list/entries/10.0.0.0%2F8',
    ])
      expect(isSuspiciousPath(page, undefined)).toBe(false);
    for (const page of [
      '/addresses/10.0.0.0%2F8%2F',
      '/addresses/x%2F8',
      '/addresses/%2F8',
      '/x/addresses/10.0.0.0%2F8',
      '/api/black-list/10.0.0.0%2F8',
      '/addresses/10.0.0.0%2Fx',
    ])
      expect(isSuspiciousPath(page, undefined)).toBe(true);
  });

  it('[API-085] a slash at the end is odd unless the route has it', () => {
    fc.assert(
      fc.property(path, (plain) => {
        expect(isSuspiciousPath(`${plain}/`, undefined)).toBe(true);
        expect(isSuspiciousPath(`${plain}/`, plain)).toBe(true);
        expect(isSuspiciousPath(`${plain}/?page=1`, `${plain}/`)).toBe(false);
      }),
    );
  });
});
