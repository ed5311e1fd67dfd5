import type { RawQuery } from '@switchyard/contract/listing';
import { BlockList, isIP } from 'node:net';
import type { AddressRange, EventSearch } from './event-store.ts';

/**
 * Meanings of a search text: always the beginning of a client uid, and beside it an IP address (v4, v6, or
 * v4 mapped into v6), the beginning of an address at a group's end (`10.1.`, `2001:db8:`), or a CIDR block.
 */
export function readEventSearch(text: string): EventSearch[] {
  const range = addressRange(text);
  return [{ kind: 'client-uid-prefix', prefix: text }, ...(range === null ? [] : [{ kind: 'ip-range' as const, ...range }])];
}

/** A sigma, which has two forms in lower case: one at the end of a word. */
export const sigma = /[Σσς]/;

/** Slots of a list of events: those of scans for a search of many addresses, which may read all events of a day. */
export function slotsOfSearch({ search = [] }: RawQuery): 'scans' | 'database' {
  const ranges = search.map((text) => addressRange(text.trim()));
  return ranges.some((range) => range !== null && range.first !== range.last) ? 'scans' : 'database';
}

/** The range of an address, a block or the beginning of an address; null for any other text. */
export function addressRange(text: string): AddressRange | null {
  return wholeAddress(text) ?? block(text) ?? ipv4Prefix(text) ?? ipv6Prefix(text);
}

function wholeAddress(text: string): AddressRange | null {
  const address = normalizeIp(text);
  return address === null ? null : { first: address, last: address };
}

function block(text: string): AddressRange | null {
  const match = /^([^/]+)\/(\d{1,3})$/.exec(text);
  const address = match?.[1];
  if (address === undefined || address.includes('%')) return null;
  const version = isIP(address);
  const bits = Number(match?.[2]);
  if (version === 0 || bits > (version === 4 ? 32 : 128)) return null;
  // Mapped addresses are stored as the IPv4 addresses they are, so a block of them is a block of those.
  const plain = version === 6 && bits >= 96 ? normalizeIp(address) : null;
  if (plain !== null && isIP(plain) === 4) return fromBits(ipv4Groups(plain), 8, bits - 96);
  const groups = version === 4 ? ipv4Groups(address) : ipv6Groups(address);
  return fromBits(groups, version === 4 ? 8 : 16, bits);
}

function ipv4Prefix(text: string): AddressRange | null {
  if (!/^(\d{1,3}\.){1,3}$/.test(text)) return null;
  const groups = text.slice(0, -1).split('.').map(Number);
  return groups.some((group) => group > 255) ? null : fromBits([...groups, 0, 0, 0].slice(0, 4), 8, groups.length * 8);
}

function ipv6Prefix(text: string): AddressRange | null {
  if (!/^([0-9a-f]{1,4}:){1,7}$/i.test(text)) return null;
  const groups = hexGroups(text.slice(0, -1));
  return fromBits([...groups, ...Array<number>(8).fill(0)].slice(0, 8), 16, groups.length * 16);
}

/** First and last address that share the leading bits. */
function fromBits(groups: readonly number[], size: number, bits: number): AddressRange {
  const full = 2 ** size - 1;
  const masks = groups.map((_, index) => {
    const keptBits = Math.min(Math.max(bits - index * size, 0), size);
    return full - (2 ** (size - keptBits) - 1);
  });
  const first = groups.map((group, index) => group & (masks[index] ?? 0));
  const last = first.map((group, index) => group | (full - (masks[index] ?? 0)));
  return { first: write(first), last: write(last) };
}

function write(groups: readonly number[]): string {
  return groups.length === 4 ? groups.join('.') : groups.map((group) => group.toString(16)).join(':');
}

function ipv4Groups(address: string): number[] {
  return address.split('.').map(Number);
}

function ipv6Groups(address: string): number[] {
  const [head = '', tail] = withHexTail(address).split('::');
  if (tail === undefined) return hexGroups(head);
  const [leftGroups, right] = [hexGroups(head), hexGroups(tail)];
  return [...leftGroups, ...Array<number>(8 - leftGroups.length - right.length).fill(0), ...right];
}

function hexGroups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

/** `::ffff:1.2.3.4` with its last four bytes written as two groups. */
function withHexTail(address: string): string {
  const dottedQuad = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  if (!dottedQuad) return address;
  const [a = 0, b = 0, c = 0, d = 0] = dottedQuad.slice(2).map(Number);
  return `${dottedQuad[1] ?? ''}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

const mappedAddresses = new BlockList();
mappedAddresses.addSubnet('::ffff:0:0', 96, 'ipv6');

/**
 * An address in the form it is stored in: IPv4, or compressed lower-case IPv6 (RFC 5952); an IPv4 address mapped
 * into IPv6 is that IPv4 address. Null when the text is no address; a zone id makes it none.
 */
export function normalizeIp(text: string): string | null {
  const version = isIP(text);
  if (version === 0 || text.includes('%')) return null;
  if (version === 4) return text;
  const groups = ipv6Groups(text);
  if (mappedAddresses.check(text, 'ipv6')) {
    const [high = 0, low = 0] = groups.slice(6);
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  // The URL standard writes IPv6 hosts in exactly this form.
  return new URL(`http://[${write(groups)}]`).hostname.slice(1, -1);
}
