const dottedQuad = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const perhapsIpv6 = /^[\da-f:.]{2,45}$/i;
const mappedIpv4 = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

/**
 * Returns the canonical form in which addresses are stored and compared: IPv4, or compressed lower-case IPv6 (RFC
 * 5952). An IPv4-mapped IPv6 address becomes the IPv4 address. Null if the text is not an address, or has a zone id, a
 * prefix length or surrounding spaces.
 */
export function canonicalIp(text: string): string | null {
  if (dottedQuad.test(text)) return text;
  if (!perhapsIpv6.test(text) || !text.includes(':') || !URL.canParse(`http://[${text}]`)) return null;
  // The URL standard serialises IPv6 hosts in exactly this form.
  const address = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const match = mappedIpv4.exec(address);
  if (!match) return address;
  const [high, low] = [Number.parseInt(match[1] ?? '', 16), Number.parseInt(match[2] ?? '', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Whether a text is an IP address or a CIDR block such as `10.0.0.0/8`. */
export function isAddressOrBlock(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  if (rest.length > 0 || canonicalIp(address) === null) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (address.includes(':') ? 128 : 32));
}
