import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readIfMatch, versionEtag } from './conditional-headers.ts';

describe('If-Match (api 0.9)', () => {
  it('lets anything be overwritten without the header and with a star', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1 }),
        (version) => readIfMatch(undefined)(version) && readIfMatch('*')(version) && readIfMatch(' * ')(version),
      ),
    );
  });

  it('lets exactly the named version be overwritten, weak tag or strong', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 50 }), (tagVersion, version) => {
        expect(readIfMatch(versionEtag(tagVersion))(version)).toBe(tagVersion === version);
        expect(readIfMatch(`W/${versionEtag(tagVersion)}`)(version)).toBe(tagVersion === version);
      }),
    );
  });

  it.each(['', 'v4', '"4"', '"v04"', '"v4', 'w/"v4"', '"v3", "v4"', '"V4"', '"v4.0"', '4', '"v-4"', 'null'])(
    '%j matches no version',
    (header) => {
      expect(readIfMatch(header)(4)).toBe(false);
    },
  );
});
