import { tooManyAttempts } from '../errors.ts';
import type { CallCounts } from '../database/call-counts.ts';
import { canonicalIp } from '@switchyard/contract/ip-address';

/** A key by which a limit counts an address, and the factor of its budget. */
export type AddressKey = { key: string; budget: number };

/** Factor of the budget of an IPv6 site (/48). */
const siteBudget = 10;

/**
 * The keys by which a per-address limit counts a caller. An IPv4 address, mapped into IPv6 or not, counts by itself. An IPv6
 * address counts by its /64, the smallest network that a customer gets, and by its /48, usually the largest.
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

/** The key by which an address is recognised later: the IPv4 address, or the IPv6 /64. */
export function addressKey(ip: string): string {
  return addressKeys(ip)[0]?.key ?? ip;
}

/** The beginning of the keys of all addresses in one network: an IPv4 /24 or an IPv6 /48. */
export function networkPrefix(ip: string): string {
  const key = addressKey(ip);
  return key.includes(':') ? `${key.split(':', 3).join(':')}:` : key.slice(0, key.lastIndexOf('.') + 1);
}

/** The eight groups of a canonical IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after];
}

/**
 * Creates a rate limit by address: at most `calls` in a window of `window` milliseconds, further ones are rejected with 429
 * (api 0.15). Counts in memory, because a public call must not cost a database write; processes exchange their counts.
 */
export function createAddressLimit({ name, calls, window, counts }: AddressLimit): (ip: string) => void {
  return (ip) => {
    for (const { key, budget } of addressKeys(ip)) {
      const count = counts.count(`${name}:${key}`, window);
      // A /64 over its own limit does not use up the budget of its /48.
      if (count.calls > calls * budget) throw tooManyAttempts(count.secondsLeft);
    }
  };
}

type AddressLimit = { name: string; calls: number; window: number; counts: Pick<CallCounts, 'count'> };
