import ipaddr from 'ipaddr.js';

/**
 * Whether a host may lie outside the networks of the one who calls it. `hostname` is that of a parsed URL, which has
 * already read decimal, octal and hexadecimal notations, full-width digits and percent signs (WHATWG URL, host
 * parsing). Names are not looked up.
 */
export function isPublicHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.+$/, '')
    .toLowerCase();
  if (host === '' || /^(.+\.)?localhost(\.localdomain)?$/.test(host)) return false;
  return !ipaddr.isValid(host) || isPublicAddress(host);
}

/**
 * Whether an IP address belongs to the public internet: no loopback, private, link-local, shared, benchmarking,
 * multicast, documentation or reserved range (O38). Anything that is not an IP address is not public. An IPv6 address
 * that embeds an IPv4 one, as IPv4-mapped, NAT64 and 6to4 do, counts as the address that packets reach in the end.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast';
  const embedded = embeddedIpv4(address);
  if (embedded !== null) return embedded.range() === 'unicast';
  return address.range() === 'unicast' && address.match(globalUnicast);
}

/** The only part of IPv6 that is given to anybody for unicast (RFC 4291). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** The well-known prefix of NAT64 (RFC 6052); the one for local use lies inside a network and is not public. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const sixToFour = ipaddr.IPv6.parseCIDR('2002::/16');

function embeddedIpv4(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const bytes = address.toByteArray();
  if (address.match(nat64)) return new ipaddr.IPv4(bytes.slice(12));
  if (address.match(sixToFour)) return new ipaddr.IPv4(bytes.slice(2, 6));
  return null;
}
