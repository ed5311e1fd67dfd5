import ipaddr from 'ipaddr.js';

/** Names at and below these resolve inside a network only (RFC 6761, 6762, 8375, and ICANN's `internal`). */
const privateNames = /^(.+\.)?(localhost|localhost\.localdomain|internal|local|home\.arpa)$/;

/**
 * Whether a host can be public: a public address, or a name with a dot that is not private. `hostname` must come from a parsed URL, which normalises decimal, octal and hexadecimal
 * notations, full-width digits and percent signs (WHATWG URL, host parsing). Does not resolve names.
 */
export function isPublicHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.+$/, '')
    .toLowerCase();
  if (ipaddr.isValid(host)) return isPublicAddress(host);
  return host.includes('.') && !privateNames.test(host);
}

/**
 * Whether an IP address is public: not loopback, private, link-local, shared, benchmarking, multicast, documentation or
 * reserved. Anything that is not an IP address is not public. IPv4-mapped, NAT64 and 6to4 addresses count as the IPv4
 * address they embed.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast';
  const embedded = embeddedIpv4(address);
  if (embedded !== null) return embedded.range() === 'unicast';
  return address.range() === 'unicast' && address.match(globalUnicast);
}

/** The only IPv6 range assigned for global unicast (RFC 4291). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** The well-known prefix of NAT64 (RFC 6052). The local-use prefix is not public. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const sixToFour = ipaddr.IPv6.parseCIDR('2002::/16');

function embeddedIpv4(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const bytes = address.toByteArray();
  if (address.match(nat64)) return new ipaddr.IPv4(bytes.slice(12));
  if (address.match(sixToFour)) return new ipaddr.IPv4(bytes.slice(2, 6));
  return null;
}
