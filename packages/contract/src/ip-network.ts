import ipaddr from 'ipaddr.js';
import { canonicalIp } from './ip-address.ts';

const mappedBits = 96;

/**
 * The canonical form of an address or a CIDR block: the network's first address with its prefix length, or the address alone.
 * IPv4-mapped blocks become IPv4 blocks. Null if the text is neither.
 */
export function canonicalNetwork(text: string): string | null {
  const [address = '', bits, ...rest] = text.split('/');
  const canonical = canonicalIp(address);
  if (canonical === null || rest.length > 0) return null;
  if (bits === undefined) return canonical;
  if (!/^\d{1,3}$/.test(bits)) return null;
  const isIpv6 = canonical.includes(':');
  const length = Number(bits) - (!isIpv6 && address.includes(':') ? mappedBits : 0);
  const width = isIpv6 ? 128 : 32;
  if (length < 0 || length > width) return null;
  if (length === width) return canonical;
  const block = `${canonical}/${length}`;
  const first = isIpv6 ? ipaddr.IPv6.networkAddressFromCIDR(block) : ipaddr.IPv4.networkAddressFromCIDR(block);
  return `${canonicalIp(first.toString()) ?? first.toString()}/${length}`;
}

/** Whether an address lies in one of the canonical networks. An IPv4-mapped address counts as IPv4. */
export function isInNetworks(ip: string, networks: readonly string[]): boolean {
  const canonical = canonicalIp(ip);
  if (canonical === null) return false;
  const address = ipaddr.parse(canonical);
  return networks.some((network) => {
    if (!network.includes('/')) return network === canonical;
    const [first, length] = ipaddr.parseCIDR(network);
    return first.kind() === address.kind() && address.match([first, length]);
  });
}
