import ipaddr from 'ipaddr.js';

/** Kinds of addresses that are this machine, its networks, or a way around into them. */
const refusedRanges = new Set([
  'unspecified',
  'loopback',
  'private',
  'linkLocal',
  'carrierGradeNat',
  'broadcast',
  'multicast',
  'uniqueLocal',
  'deprecatedSiteLocal',
  'rfc6052',
  'rfc6145',
  '6to4',
  'teredo',
]);

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

function isPublicAddress(host: string): boolean {
  // An IPv4 address inside an IPv6 one is judged as what it is.
  const address = ipaddr.process(host);
  const isCompatibleIpv4 =
    address.kind() === 'ipv6' &&
    address
      .toByteArray()
      .slice(0, 12)
      .every((byte) => byte === 0);
  return !isCompatibleIpv4 && !refusedRanges.has(address.range());
}
