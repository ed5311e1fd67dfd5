import { z } from 'zod';
import { blackIpReasonCharacters } from './black-ips.ts';
import { readBlackListEntry } from './black-list-entry.ts';
import { blackListKinds, blackListQuery, sourceCharacters } from './black-list-query.ts';
import { csvFormat } from './csv-format.ts';
import { anyPermission, csvFile, defineEndpoint } from './endpoint.ts';
import { searchText } from './listing.ts';
import { canonicalNetwork } from './ip-network.ts';
import { blockRow } from './request-by-id.ts';
import { instantText, missingMark, plainText, trimText } from './text-fields.ts';

/** Limits of the calls on entries of the black list. */
export const blackListLimits = {
  entriesPerCall: 1_000,
  /** The shortest and the longest duration. A date may be later. */
  hours: { min: 1, max: 720 },
} as const;

export const blackListMessages = {
  none: 'Please enter at least one address or network.',
  tooMany: `At most ${blackListLimits.entriesPerCall} entries per call. Import longer lists.`,
  past: 'The expiry must be in the future.',
  twoExpiries: 'Send expires_at or expires_in_hours, not both.',
  asked: 'Enter an address, a network, or an autonomous system such as AS13335.',
  more: (count: number) => `${count} more entries are not valid.`,
} as const;

/** Invalid entries of a call that are named. */
const namedEntries = 20;

/** An address or a network of the black list. Dates are UTC texts; `expires_at` is null for an entry that stays. */
export const blackListRow = z.object({
  entry: z.string(),
  kind: z.enum(blackListKinds),
  reason: z.string(),
  /** The list from which it was imported, or any other text. */
  source: z.string(),
  expires_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  /** The widest network of the list that covers the entry for as long as it is there, so that the entry could be removed; else null. */
  covered_by: z.string().nullable(),
});
export type BlackListRow = z.output<typeof blackListRow>;

export const blackListAccess = anyPermission('manager_settings_asns');

export const listBlackListEntries = defineEndpoint({
  number: 440,
  method: 'GET',
  path: 'black-list/entries',
  summary: 'Black-listed addresses and networks with their expiry, last changed first',
  access: blackListAccess,
  query: blackListQuery,
  answer: { kind: 'page', row: blackListRow },
});

const writtenEntries = z
  .union([z.array(z.string()), z.string().transform((text) => text.split(/[\s,]+/))], {
    error: (issue) => (issue.input === undefined ? missingMark + blackListMessages.none : undefined),
  })
  .transform((texts, context): string[] => {
    const written = texts.map(trimText).filter((text) => text !== '');
    const results = written.map(readBlackListEntry);
    const entries = [...new Set(results.flatMap((result) => ('entry' in result ? [result.entry] : [])))];
    const problems = results.flatMap((result) => ('message' in result ? [result.message] : []));
    const named = problems.slice(0, namedEntries);
    if (problems.length > named.length) named.push(blackListMessages.more(problems.length - named.length));
    if (written.length === 0) named.push(blackListMessages.none);
    if (entries.length > blackListLimits.entriesPerCall) named.push(blackListMessages.tooMany);
    if (named.length === 0) return entries;
    // An answer has one message for each field.
    context.addIssue({ code: 'custom', message: named.join(' ') });
    return z.NEVER;
  })
  .meta({ anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }] });

/** Hours as a number, or as the text of a form. */
const hours = z
  .preprocess(
    (value) => (typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : value),
    z.int().min(blackListLimits.hours.min).max(blackListLimits.hours.max),
  )
  .meta({ type: 'integer', minimum: blackListLimits.hours.min, maximum: blackListLimits.hours.max });

export const blackListFields = {
  reason: plainText(blackIpReasonCharacters).default(''),
  source: plainText(sourceCharacters).default(''),
  expires_at: instantText.optional(),
  expires_in_hours: hours.optional(),
};

/** When entries expire, as a call says it; neither: never. */
export type WrittenExpiry = { expires_at?: string | undefined; expires_in_hours?: number | undefined };

export const addBlackListEntries = defineEndpoint({
  number: 441,
  method: 'POST',
  path: 'black-list/entries',
  summary: 'Add addresses and networks to the black list, all or none; known ones get the new reason, source and expiry',
  access: blackListAccess,
  recentSignIn: null,
  body: z.strictObject({ entries: writtenEntries, ...blackListFields }),
  answer: { kind: 'data', status: 200, schema: z.object({ created: z.int(), updated: z.int() }) },
});

/** Any spelling of an address or a network, the slash encoded. Anything else is a 404. */
const entryParams = z.object({
  ip: z.string().transform((text, context) => {
    const result = readBlackListEntry(text);
    if ('entry' in result) return result.entry;
    context.addIssue({ code: 'custom', message: result.message });
    return z.NEVER;
  }),
});

export const removeBlackListEntry = defineEndpoint({
  number: 442,
  method: 'DELETE',
  path: 'black-list/entries/{ip}',
  summary: 'Remove an address or a network from the black list',
  access: blackListAccess,
  recentSignIn: null,
  params: entryParams,
  answer: { kind: 'empty' },
});

/** Columns of the black list as a file, in order. */
export const blackListColumns = ['entry', 'kind', 'reason', 'source', 'expires_at', 'created_at', 'updated_at', 'covered_by'] as const;

const downloadQuery = blackListQuery.omit({ page: true, limit: true });

export const downloadBlackList = defineEndpoint({
  number: 443,
  method: 'GET',
  path: 'black-list/entries/download',
  summary: 'The black list as CSV',
  access: blackListAccess,
  query: downloadQuery.extend(csvFormat),
  answer: csvFile(blackListColumns),
});

export const mergeBlackList = defineEndpoint({
  number: 446,
  method: 'POST',
  path: 'black-list/merge',
  summary: 'Remove the entries that a network covers for as long as they are there',
  access: blackListAccess,
  recentSignIn: null,
  body: z.strictObject({}),
  answer: { kind: 'data', status: 200, schema: z.object({ removed: z.int() }) },
});

/** A rule that blocks what was asked for, with the expiry and the source of an entry of the black list. */
export const coveringRule = blockRow.extend({ source: z.string(), expires_at: z.string().nullable() });
export type CoveringRule = z.output<typeof coveringRule>;

/** An address, a network, or an autonomous system with `AS` or `ASN`. */
const asked = searchText().transform((text, context): string => {
  const entry = readAsked(text ?? '');
  if (entry !== null) return entry;
  context.addIssue({ code: 'custom', message: blackListMessages.asked });
  return z.NEVER;
});

/** An address or a network in canonical form, or `AS` with a number; null for another text. */
function readAsked(text: string): string | null {
  const system = /^ASN?\s*(\d{1,10})$/i.exec(text)?.[1];
  return system === undefined ? canonicalNetwork(text) : `AS${Number(system)}`;
}

export const listCoveringRules = defineEndpoint({
  number: 447,
  method: 'GET',
  path: 'black-list/covering',
  summary: 'The rules that block an address, a network or an autonomous system, in the order in which traffic servers apply them',
  access: blackListAccess,
  query: z.object({ entry: asked }),
  answer: {
    kind: 'data',
    status: 200,
    schema: z.object({ entry: z.string(), rules: z.array(coveringRule), total: z.int() }),
  },
});
