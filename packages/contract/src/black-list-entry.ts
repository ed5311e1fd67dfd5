import ipaddr from 'ipaddr.js';
import { canonicalIp } from './ip-address.ts';
import { canonicalNetwork } from './ip-network.ts';
import { cutText } from './text-fields.ts';

/** Prefix lengths of the widest networks that can be black-listed. */
export const widestNetwork = { ipv4: 8, ipv6: 19 } as const;

/** An entry of the black list: a canonical address or network, or why a text is neither, with what was probably meant. */
export type ReadEntry = { entry: string } | { message: string; suggestion: string | null };

const firstMapped = 0xffffn << 32n;
const containsAllIpv4 = 'contains all IPv4 addresses.';
const shownCharacters = 64;
const ipv4WithPort = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/;
const bracketed = /^\[([^[\]]*)\](.*)$/;
const ipv4Shape = /^\d+(?:\.\d+){3}(?:\/\d+)?$/;
const range = /^([\da-f.:]+)\s*-\s*([\da-f.:]+)$/i;
const netmask = /^(\d{1,3}(?:\.\d{1,3}){3})\/(\d{1,3}(?:\.\d{1,3}){3})$/;
const wildcard = /^\d{1,3}(?:\.\d{1,3}){0,2}(?:\.\*){1,3}$/;
const hostName = /^(?:[a-z]+:\/\/)?(?=[^/]*[a-z])[\p{L}\d_-]+(?:\.[\p{L}\d_-]+)+\.?(?:[/:].*)?$/iu;

/** Reads an address or a network that somebody wrote: any spelling of an address, in brackets or not, a network by its first address. */
export function readBlackListEntry(text: string): ReadEntry {
  const shown = text.length > shownCharacters ? `${cutText(text, shownCharacters)}…` : text;
  const refuse = (problem: string, suggestion: string | null = null): ReadEntry => ({
    message: `${shown} ${problem}${suggestion === null ? '' : ` Write ${suggestion}.`}`,
    suggestion,
  });
  const [, inBrackets, afterBrackets = ''] = bracketed.exec(text) ?? [];
  if (inBrackets !== undefined && /^:\d{1,5}$/.test(afterBrackets)) return refuse('has a port.', entryOr(inBrackets));
  const plain = inBrackets === undefined ? text : inBrackets + afterBrackets;
  const address = ipv4WithPort.exec(plain)?.[1];
  if (address !== undefined) return refuse('has a port.', entryOr(withoutLeadingZeros(address)));
  const network = canonicalNetwork(plain);
  if (network === null) return refuseOther(plain, refuse);
  const isIpv6 = network.includes(':');
  const widest = isIpv6 ? widestNetwork.ipv6 : widestNetwork.ipv4;
  if (network.includes('/') && Number(network.split('/')[1]) < widest)
    return refuse(`is wider than /${widest}, the widest ${isIpv6 ? 'IPv6' : 'IPv4'} network that can be black-listed.`);
  if (isIpv6 && containsMapped(network)) return refuse(containsAllIpv4);
  if (network.includes('/') && canonicalIp(plain.split('/')[0] ?? '') !== network.split('/')[0])
    return refuse('is not the first address of its network.', network);
  return { entry: network };
}

/** Whether an IPv6 network contains `::ffff:0:0/96`, which some programs read as all of IPv4. */
function containsMapped(network: string): boolean {
  const span = spanOf(network);
  return span.first <= firstMapped && firstMapped <= lastOf(span);
}

/** Says what a text is that is neither an address nor a network. */
function refuseOther(text: string, refuse: (problem: string, suggestion?: string | null) => ReadEntry): ReadEntry {
  if (ipv4Shape.test(text) && /(?:^|\.)0\d/.test(text)) {
    return refuse('has leading zeros, which some programs read as octal numbers.', entryOr(withoutLeadingZeros(text)));
  }
  const [, first = '', last = ''] = range.exec(withoutLeadingZeros(text)) ?? [];
  if (canonicalIp(first) !== null && canonicalIp(last) !== null) return refuse('is a range, not a network.', networkFromTo(first, last));
  const [, maskedAddress = '', mask = ''] = netmask.exec(text) ?? [];
  if (canonicalIp(maskedAddress) !== null) {
    const length = canonicalIp(mask) === null ? null : ipaddr.IPv4.parse(mask).prefixLengthFromSubnetMask();
    return refuse('has a netmask.', length === null ? null : entryOr(`${maskedAddress}/${length}`));
  }
  if (wildcard.test(text)) {
    const parts = text.split('.').filter((part) => part !== '*');
    return refuse('is a pattern.', entryOr(`${[...parts, 0, 0, 0].slice(0, 4).join('.')}/${parts.length * 8}`));
  }
  const host = URL.parse(text.startsWith('://') ? `http${text}` : text)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  if (canonicalIp(host) !== null) return refuse('is a URL.', entryOr(host));
  const [before = '', bits = '', ...rest] = text.split('/');
  const address = canonicalIp(before);
  if (address !== null && /^\d+$/.test(bits) && rest.length === 0) {
    const isTooLarge = Number(bits) > (before.includes(':') ? 128 : 32);
    return refuse(isTooLarge ? 'has a prefix length that is too large.' : containsAllIpv4);
  }
  if (canonicalIp(text.split('%')[0] ?? '') !== null && text.includes('%')) return refuse('has a zone.');
  return hostName.test(text)
    ? refuse('is a name. Only addresses and networks can be black-listed.')
    : refuse('is not an IP address or network.');
}

/** The text as an entry; null if it is none, so that a suggestion is always right. */
function entryOr(text: string): string | null {
  const network = canonicalNetwork(text);
  if (network === null) return null;
  const result = readBlackListEntry(network);
  return 'entry' in result ? result.entry : null;
}

function withoutLeadingZeros(text: string): string {
  return text.replaceAll(/(?<=^|\.)0+(?=\d)/g, '');
}

/** The network that has exactly the addresses from the first to the last; null if there is none. */
function networkFromTo(first: string, last: string): string | null {
  const [from, to] = [spanOf(canonicalIp(first) ?? first), spanOf(canonicalIp(last) ?? last)];
  if (from.isIpv6 !== to.isIpv6) return null;
  const width = from.isIpv6 ? 128 : 32;
  const lengths = Array.from({ length: width + 1 }, (_, length) => length);
  const length = lengths.find((bits) => lastOf({ ...from, length: bits }) === to.first);
  const network = length === undefined ? null : entryOr(`${first}/${length}`);
  // Another network has its last address, too.
  return network !== null && spanOf(network).first === from.first ? network : null;
}

/** The addresses of an entry as numbers. */
export type EntrySpan = { isIpv6: boolean; first: bigint; length: number };

/** The addresses of a canonical entry. */
export function spanOf(entry: string): EntrySpan {
  const [address = '', bits] = entry.split('/');
  const parsed = ipaddr.parse(address);
  const isIpv6 = parsed.kind() === 'ipv6';
  const first = BigInt(
    `0x${parsed
      .toByteArray()
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('')}`,
  );
  return { isIpv6, first, length: bits === undefined ? (isIpv6 ? 128 : 32) : Number(bits) };
}

/** The last address of a span. */
export function lastOf({ isIpv6, first, length }: EntrySpan): bigint {
  return first + (1n << BigInt((isIpv6 ? 128 : 32) - length)) - 1n;
}

/** Finds which entries of a set cover an entry, in one step for each prefix length of the set. */
export type EntryIndex<T> = {
  set: (entry: string, value: T) => void;
  /** Values of the entries that contain all addresses of this one, itself included, the widest first. */
  listCovering: (entry: string) => T[];
};

/** The first bits of the addresses of a span, as a number. */
function prefix({ isIpv6, first }: EntrySpan, length: number): bigint {
  return first >> BigInt((isIpv6 ? 128 : 32) - length);
}

export function createEntryIndex<T>(): EntryIndex<T> {
  const lengths = { ipv4: new Map<number, Map<bigint, T>>(), ipv6: new Map<number, Map<bigint, T>>() };
  return {
    set(entry, value) {
      const span = spanOf(entry);
      const levels = lengths[span.isIpv6 ? 'ipv6' : 'ipv4'];
      const level = levels.get(span.length) ?? new Map<bigint, T>();
      levels.set(span.length, level.set(prefix(span, span.length), value));
    },
    listCovering(entry) {
      const span = spanOf(entry);
      const levels = [...lengths[span.isIpv6 ? 'ipv6' : 'ipv4']].filter(([length]) => length <= span.length);
      return levels
        .toSorted(([one], [other]) => one - other)
        .flatMap(([length, level]) => {
          const value = level.get(prefix(span, length));
          return value === undefined ? [] : [value];
        });
    },
  };
}

/** Addresses that must not be black-listed. `words` say what they are, e.g. `your own address`. */
export type ProtectedEntry = { entry: string; words: string };

/** Gives the reason why an entry must not be black-listed: it is, contains or is part of a protected one. Null if it may be. */
export function createProtection(protectedEntries: readonly ProtectedEntry[]): (entry: string) => string | null {
  const around = createEntryIndex<ProtectedEntry>();
  for (const one of protectedEntries) around.set(one.entry, one);
  const inOrder = protectedEntries
    .map((one) => ({ ...one, span: spanOf(one.entry) }))
    .toSorted((one, other) => (one.span.first < other.span.first ? -1 : 1));
  const ofFamily = { ipv4: inOrder.filter(({ span }) => !span.isIpv6), ipv6: inOrder.filter(({ span }) => span.isIpv6) };
  return (entry) => {
    const [outer] = around.listCovering(entry);
    if (outer !== undefined) return `${entry} is ${outer.entry === entry ? '' : 'in '}${outer.words}`;
    const span = spanOf(entry);
    const inner = firstFrom(ofFamily[span.isIpv6 ? 'ipv6' : 'ipv4'], span.first);
    if (inner === undefined || inner.span.first > lastOf(span)) return null;
    return `${entry} contains ${inner.words}${inner.words.includes(inner.entry) ? '' : `, ${inner.entry}`}`;
  };
}

/** The first of sorted spans that begins at an address or after it. */
function firstFrom<T extends { span: EntrySpan }>(sorted: readonly T[], address: bigint): T | undefined {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.span.first ?? 0n) < address) low = middle + 1;
    else high = middle;
  }
  return sorted[low];
}
