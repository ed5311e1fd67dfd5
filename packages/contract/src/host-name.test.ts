import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostNameOf, shownDomain, unicodeDomain } from './host-name.ts';

describe('host names', () => {
  it('[NAME-001] are lower-case ASCII without the last dot', () => {
    for (const [text, host] of [
      ['bücher-field.example', 'xn--bcher-field-thb.example'],
      ['XN--BCHER-FIELD-THB.EXAMPLE', 'xn--bcher-field-thb.example'],
      ['bu\u0308cher-field.example', 'xn--bcher-field-thb.example'],
      ['dot-field.example.', 'dot-field.example'],
      ['UPPER-field.example', 'upper-field.example'],
      ['straße.example', 'xn--strae-oqa.example'],
      [`${'x'.repeat(63)}.example`, `${'x'.repeat(63)}.example`],
    ] as const)
      expect(hostNameOf(text)).toBe(host);
  });

  it('[NAME-001] reject addresses, ports, paths, users, wildcards, hidden characters and wrong labels', () => {
    const texts = ['port.example:8443', 'path.example/x', 'user@at.example', '*.wild.example', 'a..b.example', `${'x'.repeat(64)}.example`];
    texts.push(
      '\u202efield.example',
      'a\u200b.example',
      '203.0.113.9',
      '0x7f.1',
      '[::1]',
      'javascript:alert(1)',
      '-dash.example',
      'dash-.example',
    );
    texts.push(
      'localhost',
      'a_b.example',
      'a%2e.example',
      'a b.example',
      'xn--a.example',
      'xn--99999999.example',
      `${'abcdefgh.'.repeat(29)}example`,
      '',
      '.',
    );
    for (const text of texts) expect([text, hostNameOf(text)]).toEqual([text, null]);
  });

  it('[NAME-001] have one form, whichever form they are written in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), (label) => {
        const host = hostNameOf(`${label}.example`);
        if (host === null) return;
        expect(host).toMatch(/^[a-z\d.-]+$/);
        expect(hostNameOf(host)).toBe(host);
        expect(hostNameOf(unicodeDomain(host) ?? host)).toBe(host);
      }),
    );
  });

  it('[NAME-002] are shown in Unicode with the ASCII form beside it', () => {
    expect(shownDomain('xn--bcher-kva.example')).toBe('bücher.example (xn--bcher-kva.example)');
    expect(shownDomain('plain.example')).toBe('plain.example');
    expect(shownDomain('port.example:8443')).toBe('port.example:8443');
  });
});
