import { z } from 'zod';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { canonicalIp } from './ip-address.ts';
import { defaultLimits } from './limits.ts';
import { limit, page, searchText } from './listing.ts';
import { cutText, missingMark, plainText } from './text-fields.ts';

/** Maximum number of addresses in one call. */
export const maximumBlackIps = 1_000;
/** Maximum length of a reason in characters. */
export const blackIpReasonCharacters = 1_000;

/** Invalid entries that a message names, and characters at which it cuts them. */
const named = { entries: 100, characters: 64 } as const;

/** Messages about invalid input, shared by the popup and the server. */
export const blackIpMessages = {
  none: 'Please enter at least one IP address.',
  invalid: (entries: readonly string[]) => {
    const texts = entries
      .slice(0, named.entries)
      .map((entry) => (entry.length > named.characters ? `${cutText(entry, named.characters)}…` : entry));
    const more = entries.length - texts.length;
    return `The following entries are not valid IPv4 or IPv6 addresses: ${texts.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
  },
  tooMany: `At most ${maximumBlackIps} IP addresses per call.`,
} as const;

/** Hint in the reason field. */
export const blackIpReasonHint = 'Reason: Manager';

/** Splits input on whitespace and commas. */
export function splitIps(text: string): string[] {
  return text.split(/[\s,]+/).filter((entry) => entry !== '');
}

/** Returns the entries as unique canonical addresses, or the message why they are invalid. */
export function readIps(entries: readonly string[]): { ips: string[] } | { message: string } {
  const distinct = new Map(entries.map((entry) => [canonicalIp(entry) ?? entry, canonicalIp(entry) !== null]));
  if (distinct.size === 0) return { message: blackIpMessages.none };
  if (distinct.size > maximumBlackIps) return { message: blackIpMessages.tooMany };
  const invalid = [...distinct].flatMap(([entry, isValid]) => (isValid ? [] : [entry]));
  return invalid.length > 0 ? { message: blackIpMessages.invalid(invalid) } : { ips: [...distinct.keys()] };
}

/** A black-listed address. */
export const blackIpRow = z.object({ ip: z.string(), reason: z.string(), updated_at: z.string() });
export type BlackIpRow = z.output<typeof blackIpRow>;

/** `search` matches part of the address or the reason. */
export const blackIpsQuery = z.object({ page, limit: limit(defaultLimits.blackIps), search: searchText() });
export type BlackIpsQuery = z.output<typeof blackIpsQuery>;

const entries = z.union([z.array(z.string()), z.string().transform(splitIps)], {
  error: (issue) => (issue.input === undefined ? missingMark + blackIpMessages.none : undefined),
});

/** A list, or one text separated by whitespace and commas. */
const ips = entries
  .transform((texts, context) => {
    const list = readIps(texts.map((entry) => entry.trim()).filter((entry) => entry !== ''));
    if ('ips' in list) return list.ips;
    context.addIssue({ code: 'custom', message: list.message });
    return z.NEVER;
  })
  .meta({ anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }] });

const blackListAccess = anyPermission('manager_settings_asns');

export const listBlackIps = defineEndpoint({
  number: 86,
  method: 'GET',
  path: 'black-list',
  summary: 'Black-listed addresses, last changed first',
  access: blackListAccess,
  query: blackIpsQuery,
  answer: { kind: 'page', row: blackIpRow },
});

export const addBlackIps = defineEndpoint({
  number: 87,
  method: 'POST',
  path: 'black-list',
  summary: 'Add addresses to the black list, all or none; known ones get the new reason',
  access: blackListAccess,
  recentSignIn: null,
  body: z.strictObject({ ips, reason: plainText(blackIpReasonCharacters).default('') }),
  answer: { kind: 'data', status: 200, schema: z.object({ created: z.int(), updated: z.int() }) },
});

/** Any spelling of an address. Anything else is a 404. */
const ipParams = z.object({
  ip: z.string().transform((text, context) => {
    const address = canonicalIp(text);
    if (address === null) context.addIssue({ code: 'custom', message: 'No address' });
    return address ?? z.NEVER;
  }),
});

export const removeBlackIp = defineEndpoint({
  number: 88,
  method: 'DELETE',
  path: 'black-list/{ip}',
  summary: 'Remove an address from the black list',
  access: blackListAccess,
  recentSignIn: null,
  params: ipParams,
  answer: { kind: 'empty' },
});

/** An address that should probably not be blocked: the console's own, a traffic server's, the caller's, or one of `PROTECTED_NETWORKS`. */
export const blackIpWarning = z.object({
  ip: z.string(),
  kind: z.enum(['console', 'server', 'reader', 'protected']),
  /** Name of the traffic server, else null. */
  server: z.string().nullable(),
});
export type BlackIpWarning = z.output<typeof blackIpWarning>;

/** Warning that the popup shows before the address is added. */
export function blackIpWarningText({ ip, kind, server }: BlackIpWarning): string {
  if (kind === 'server') return `${ip} is the address of the traffic server ${server ?? ''}`;
  if (kind === 'protected') return `${ip} is in PROTECTED_NETWORKS`;
  return kind === 'console' ? `${ip} is an address of this console` : `${ip} is your own address`;
}

/** Not in the specification. Called before [87] with the same addresses; stores nothing. */
export const checkBlackIps = defineEndpoint({
  number: 123,
  method: 'POST',
  path: 'black-list/check',
  summary: 'Those of these addresses that belong to the console, a traffic server or the caller, or are protected',
  access: blackListAccess,
  recentSignIn: null,
  body: z.strictObject({ ips }),
  answer: { kind: 'data', status: 200, schema: z.array(blackIpWarning) },
});
