import fc from 'fast-check';
import { BlockList } from 'node:net';
import { describe, expect, it } from 'vitest';
import { normalizeIp, readEventSearch } from './event-search.ts';

const rangeOf = (text: string): { first: string; last: string } | null => {
  const range = readEventSearch(text).find((search) => search.kind === 'ip-range');
  return range?.kind === 'ip-range' ? { first: range.first, last: range.last } : null;
};

describe('addresses', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::FFFF:cb00:7109', '203.0.113.9'],
    ['::1', '::1'],
    ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
  ])('[ENT-026] stores %s as %s', (text, expected) => {
    expect(normalizeIp(text)).toBe(expected);
  });

  it.each(['', '999.1.1.1', '01.2.3.4', '1.2.3', '10.0.0.0/8', 'fe80::1%eth0', ':::', 'example.com', '0x7f.1'])(
    'takes %j for no address',
    (text) => {
      expect(normalizeIp(text)).toBeNull();
    },
  );

  it('gives one spelling to every spelling of an address', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const once = normalizeIp(text);
        expect(once).not.toBeNull();
        expect(normalizeIp(once ?? '')).toBe(once);
        expect(normalizeIp(text.toUpperCase())).toBe(once);
      }),
    );
  });
});

describe('search texts', () => {
  it.each([
    ['10.1.', { first: '10.1.0.0', last: '10.1.255.255' }],
    ['203.0.113.', { first: '203.0.113.0', last: '203.0.113.255' }],
    ['203.0.113.9', { first: '203.0.113.9', last: '203.0.113.9' }],
    ['::ffff:203.0.113.9', { first: '203.0.113.9', last: '203.0.113.9' }],
    ['10.0.0.0/8', { first: '10.0.0.0', last: '10.255.255.255' }],
    ['10.1.2.3/30', { first: '10.1.2.0', last: '10.1.2.3' }],
    ['0.0.0.0/0', { first: '0.0.0.0', last: '255.255.255.255' }],
    ['2001:db8:', { first: '2001:db8:0:0:0:0:0:0', last: '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff' }],
    ['2001:db8::/47', { first: '2001:db8:0:0:0:0:0:0', last: '2001:db8:1:ffff:ffff:ffff:ffff:ffff' }],
    ['::ffff:10.1.0.0/112', { first: '10.1.0.0', last: '10.1.255.255' }],
    ['::ffff:0:0/96', { first: '0.0.0.0', last: '255.255.255.255' }],
    ['10', null],
    ['10.1', null],
    ['300.1.', null],
    ['10.0.0.0/33', null],
    ['client-7', null],
    ["' or 1=1", null],
  ])('[REQ-003] reads %j as the addresses %j', (text, expected) => {
    expect(rangeOf(text)).toEqual(expected);
  });

  it('always means the beginning of a client uid too', () => {
    expect(readEventSearch('10.1.')[0]).toEqual({ kind: 'client-uid-prefix', prefix: '10.1.' });
  });

  it('covers with a block exactly the addresses the block holds', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), fc.ipV4(), (network, bits, probe) => {
        const range = rangeOf(`${network}/${bits}`);
        const block = new BlockList();
        block.addSubnet(network, bits);
        const number = (ip: string): number => ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
        const inside = range !== null && number(range.first) <= number(probe) && number(probe) <= number(range.last);
        expect(inside).toBe(block.check(probe));
      }),
    );
  });
});
