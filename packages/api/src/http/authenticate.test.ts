import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bearerToken } from './authenticate.ts';

describe('bearer token (RFC 6750)', () => {
  it('[API-002] is read back as it was sent, whatever its text and the case of the scheme', () => {
    const token = fc.stringMatching(/^[!-~](?:[ -~]{0,60}[!-~])?$/);
    fc.assert(
      fc.property(token, fc.mixedCase(fc.constant('Bearer')), (sentToken, scheme) => {
        expect(bearerToken(`${scheme} ${sentToken}`)).toBe(sentToken);
      }),
    );
  });

  it.each([undefined, '', 'Bearer', 'Bearer ', 'Basic eA==', 'Bearerx', ' Bearer x'])('[API-085] %j shows none', (header) => {
    expect(bearerToken(header)).toBeNull();
  });
});
