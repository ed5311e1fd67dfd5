import { canonicalIp } from '@switchyard/contract/ip-address';

/** A key that a limit counts an address under, with how many times the limit's budget it has. */
export type AddressKey = { key: string; budget: number };

/** How many times the budget of one address a whole IPv6 site has (O40). */
const siteBudget = 10;

/**
 * What a per-address limit counts a caller under (O40). An IPv4 address, mapped into IPv6 or not, counts by itself. An
 * IPv6 address counts as its /64, because that is the least that a single customer is given, and as its /48, the most
 * that one usually is.
 */
export function addressKeys(ip: string): AddressKey[] {
  const address = canonicalIp(ip) ?? ip;
  if (!address.includes(':')) return [{ key: address, budget: 1 }];
  const groups = groupsOf(address);
  return [
    { key: `${groups.slice(0, 4).join(':')}::/64`, budget: 1 },
    { key: `${groups.slice(0, 3).join(':')}::/48`, budget: siteBudget },
  ];
}

/** The one key of an address by which it is recognised later: the IPv4 address, or the IPv6 /64. */
export function addressKey(ip: string): string {
  return addressKeys(ip)[0]?.key ?? ip;
}

/** The eight groups of a canonical IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after];
}
