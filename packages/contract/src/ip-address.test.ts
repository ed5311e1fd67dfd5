import fc from 'fast-check';
import { isIP } from 'node:net';
import { describe, expect, it } from 'vitest';
import { canonicalIp } from './ip-address.ts';

const pieces = fc.array(
  fc.oneof(
    fc.constantFrom(':', '::', '.', '%', '/', ' ', '0', '00', 'ffff', '1', '255', '256', '12345'),
    fc.integer({ min: 0, max: 0xffff }).map((n) => n.toString(16)),
  ),
  {
    maxLength: 16,
  },
);

describe('canonical addresses', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::FFFF:203.0.113.9', '203.0.113.9'],
    ['0:0:0:0:0:ffff:cb00:7109', '203.0.113.9'],
    ['::203.0.113.9', '::cb00:7109'],
    ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:0db8::0001', '2001:db8::1'],
    ['::', '::'],
  ])('[BIP-017] %s is %s', (text, address) => {
    expect(canonicalIp(text)).toBe(address);
  });

  it.each([
    '',
    '999.1.1.1',
    '1.2.3',
    '1.2.3.04',
    '0x7f.1',
    '1.2.3.4 ',
    '0.0.0.0/0',
    '::1/128',
    'fe80::1%eth0',
    ':::',
    '1::2::3',
    '[::1]',
    '::ffff:1.2.3.256',
    'localhost',
  ])('%j is none', (text) => {
    expect(canonicalIp(text)).toBeNull();
  });

  it('accepts exactly what the operating system accepts, and returns one form for every spelling', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.ipV4(),
          fc.ipV6(),
          pieces.map((parts) => parts.join('')),
          pieces.map((parts) => parts.join(':')),
        ),
        (text) => {
          const address = canonicalIp(text);
          expect(address !== null).toBe(isIP(text) !== 0 && !text.includes('%'));
          if (address === null) return;
          expect(canonicalIp(address)).toBe(address);
          expect(canonicalIp(text.toUpperCase())).toBe(address);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
