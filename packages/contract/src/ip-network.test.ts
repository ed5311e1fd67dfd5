import fc from 'fast-check';
import { BlockList } from 'node:net';
import { describe, expect, it } from 'vitest';
import { canonicalNetwork, isInNetworks } from './ip-network.ts';

describe('allowed networks', () => {
  it.each([
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['10.1.2.3', '10.1.2.3'],
    ['10.1.2.3/32', '10.1.2.3'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8:0::1/32', '2001:db8::/32'],
    ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['::/0', '::/0'],
    ['10.0.0.0/33', null],
    ['10.0.0.0/', null],
    ['10.0.0.0/8/8', null],
    ['::ffff:10.0.0.0/8', null],
    ['2001:db8::/129', null],
    ['example.com', null],
    ['10.0.0.0/-1', null],
    ['', null],
  ])('[IDN-056] %s is stored as %s', (text, storedText) => {
    expect(canonicalNetwork(text)).toBe(storedText);
  });

  it('[IDN-056] contain the addresses that the network list of Node.js contains, mapped IPv4 addresses included', () => {
    const near = fc.constantFrom('10.1.2.3', '10.1.2.200', '10.1.77.1', '11.0.0.1', '2001:db8::1', '2001:db8:0:1::1', '2001:db9::1');
    const address = fc.oneof(near, fc.ipV4(), fc.ipV6());
    const prefix = fc.nat(128);
    fc.assert(
      fc.property(address, fc.array(fc.tuple(address, prefix), { maxLength: 4 }), fc.boolean(), (ip, blocks, isMapped) => {
        const list = new BlockList();
        const networks = blocks.flatMap(([block, bits]) => {
          const isIpv6 = block.includes(':');
          const canonical = canonicalNetwork(`${block}/${isIpv6 ? bits : bits % 33}`);
          // Node.js sees mapped blocks as IPv6.
          if (canonical === null || (isIpv6 && !canonical.includes(':'))) return [];
          list.addSubnet(block, isIpv6 ? bits : bits % 33, isIpv6 ? 'ipv6' : 'ipv4');
          return [canonical];
        });
        const kind = ip.includes(':') ? 'ipv6' : 'ipv4';
        fc.pre(canonicalNetwork(ip)?.includes(':') === (kind === 'ipv6'));
        // The list counts ::/0 and the like as containing mapped IPv4 addresses, which the rule does not.
        fc.pre(kind === 'ipv6' || networks.every((network) => !network.startsWith('::')));
        expect(isInNetworks(kind === 'ipv4' && isMapped ? `::ffff:${ip}` : ip, networks)).toBe(list.check(ip, kind));
      }),
    );
  });

  it('[IDN-056] contain nothing that is no address', () => {
    expect(isInNetworks('x', ['0.0.0.0/0', '::/0'])).toBe(false);
    expect(isInNetworks('2001:db8::1', ['0.0.0.0/0'])).toBe(false);
  });
});
