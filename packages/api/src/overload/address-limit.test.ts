import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressKey, addressKeys } from './address-limit.ts';

const group = fc.integer({ min: 0, max: 0xffff });
const ipv6 = fc.array(group, { minLength: 8, maxLength: 8 });
const isMapped = (groups: readonly number[]) => groups.slice(0, 5).every((one) => one === 0) && groups[5] === 0xffff;
const toText = (groups: readonly number[]) => groups.map((one) => one.toString(16)).join(':');
const keysOf = (groups: readonly number[]) => addressKeys(toText(groups)).map(({ key }) => key);

describe('keys of per-address limits', () => {
  it.each([
    ['203.0.113.9', ['203.0.113.9']],
    ['::ffff:203.0.113.9', ['203.0.113.9']],
    ['::FFFF:cb00:7109', ['203.0.113.9']],
    ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
    ['2001:db8::1', ['2001:db8:0:0::/64', '2001:db8:0::/48']],
    ['2001:db8:0:0:1::', ['2001:db8:0:0::/64', '2001:db8:0::/48']],
    ['::1', ['0:0:0:0::/64', '0:0:0::/48']],
    ['::', ['0:0:0:0::/64', '0:0:0::/48']],
  ])('[O40] [S37] %s counts as %j', (ip, keys) => {
    expect(addressKeys(ip).map(({ key }) => key)).toEqual(keys);
    expect(addressKey(ip)).toBe(keys[0]);
  });

  it('[O40] [S37] gives a /64 the budget of one address and a /48 ten times that', () => {
    expect(addressKeys('2001:db8::1').map(({ budget }) => budget)).toEqual([1, 10]);
    expect(addressKeys('192.0.2.1').map(({ budget }) => budget)).toEqual([1]);
  });

  it('[O40] [S37] shares the key of a /64 between exactly its own addresses, likewise that of a /48', () => {
    fc.assert(
      fc.property(ipv6, ipv6, fc.nat(8), (one, other, sharedGroups) => {
        const near = [...one.slice(0, sharedGroups), ...other.slice(sharedGroups)];
        fc.pre(!isMapped(one) && !isMapped(near));
        const same = (length: number) => one.slice(0, length).join() === near.slice(0, length).join();
        const [mine, theirs] = [keysOf(one), keysOf(near)];
        expect([mine[0] === theirs[0], mine[1] === theirs[1]]).toEqual([same(4), same(3)]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('[O40] [S37] knows an address in whatever way it is spelled', () => {
    fc.assert(
      fc.property(ipv6, (groups) => {
        const full = groups.map((one) => one.toString(16).padStart(4, '0')).join(':');
        expect(addressKeys(full)).toEqual(addressKeys(toText(groups).toUpperCase()));
      }),
    );
  });

  it('[O40] [S37] counts an IPv4 address by itself, mapped into IPv6 or not', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), (one, other) => {
        expect(addressKeys(`::ffff:${one}`)).toEqual([{ key: one, budget: 1 }]);
        expect(addressKey(one) === addressKey(other)).toBe(one === other);
      }),
    );
  });
});
