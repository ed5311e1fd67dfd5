import { z } from 'zod';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { canonicalIp } from './ip-address.ts';
import { defaultLimits } from './limits.ts';
import { limit, page, searchText } from './listing.ts';
import { missingMark, plainText } from './text-fields.ts';

/** Most addresses that one call may add (api [87]). */
export const maximumBlackIps = 1_000;
/** Most characters of a reason (api [87]). */
export const blackIpReasonCharacters = 1_000;

/** Alerts about what was typed (BIP-014, BIP-015, api [87]); the popup and the server say the same. */
export const blackIpMessages = {
  none: 'Please enter at least one IP address.',
  invalid: (entries: readonly string[]) => `The following entries are not valid IPv4 or IPv6 addresses: ${entries.join(', ')}`,
  tooMany: `At most ${maximumBlackIps} IP addresses per call.`,
} as const;

/** Hint in the reason field (BIP-010). */
export const blackIpReasonHint = 'Reason: Manager';

/** Splits what was typed on whitespace and commas (BIP-013). */
export function splitIps(typed: string): string[] {
  return typed.split(/[\s,]+/).filter((entry) => entry !== '');
}

/**
 * The addresses among these entries in canonical form, each once, or the message that says why none may be added
 * (api [87], AMB-203).
 */
export function readIps(entries: readonly string[]): { ips: string[] } | { message: string } {
  const distinct = new Map(entries.map((entry) => [canonicalIp(entry) ?? entry, canonicalIp(entry) !== null]));
  if (distinct.size === 0) return { message: blackIpMessages.none };
  if (distinct.size > maximumBlackIps) return { message: blackIpMessages.tooMany };
  const invalid = [...distinct].flatMap(([entry, isValid]) => (isValid ? [] : [entry]));
  return invalid.length > 0 ? { message: blackIpMessages.invalid(invalid) } : { ips: [...distinct.keys()] };
}

/** A black-listed address (ENT-036, api [86]). */
export const blackIpRow = z.object({ ip: z.string(), reason: z.string(), updated_at: z.string() });
export type BlackIpRow = z.output<typeof blackIpRow>;

/** `search` is on the text of the address or the reason. */
export const blackIpsQuery = z.object({ page, limit: limit(defaultLimits.blackIps), search: searchText() });
export type BlackIpsQuery = z.output<typeof blackIpsQuery>;

const entries = z.union([z.array(z.string()), z.string().transform(splitIps)], {
  error: (issue) => (issue.input === undefined ? missingMark + blackIpMessages.none : undefined),
});

/** A list, or one text split on whitespace and commas. */
const ips = entries
  .transform((given, context) => {
    const read = readIps(given.map((entry) => entry.trim()).filter((entry) => entry !== ''));
    if ('ips' in read) return read.ips;
    context.addIssue({ code: 'custom', message: read.message });
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
  summary: 'Black-list addresses, all or none; known ones get the new reason',
  access: blackListAccess,
  body: z.strictObject({ ips, reason: plainText(blackIpReasonCharacters).default('') }),
  answer: { kind: 'data', status: 200, schema: z.object({ created: z.int(), updated: z.int() }) },
});

/** Any spelling of an address; anything else is no such route. */
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
  summary: 'Take an address off the black list',
  access: blackListAccess,
  params: ipParams,
  answer: { kind: 'empty' },
  refusals: [404],
});

/** An address that somebody should think twice about: the console's own, a traffic server's, or the reader's. */
export const blackIpWarning = z.object({
  ip: z.string(),
  kind: z.enum(['console', 'server', 'reader']),
  /** Name of the traffic server, null for the others. */
  server: z.string().nullable(),
});
export type BlackIpWarning = z.output<typeof blackIpWarning>;

/** What the popup says of such an address before it is added. */
export function blackIpWarningText({ ip, kind, server }: BlackIpWarning): string {
  if (kind === 'server') return `${ip} is the address of the traffic server ${server ?? ''}`;
  return kind === 'console' ? `${ip} is an address of this console` : `${ip} is your own address`;
}

/** Beyond the specification: adds nothing; asked before [87] with the same addresses. */
export const checkBlackIps = defineEndpoint({
  number: 123,
  method: 'POST',
  path: 'black-list/check',
  summary: 'Which of these addresses are the own ones of the console, its servers or its reader',
  access: blackListAccess,
  body: z.strictObject({ ips }),
  answer: { kind: 'data', status: 200, schema: z.array(blackIpWarning) },
});
