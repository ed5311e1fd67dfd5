import { z } from 'zod';
import { blackIpReasonCharacters } from './black-ips.ts';
import { readBlackListEntry } from './black-list-entry.ts';
import { csvFormat } from './csv-format.ts';
import { anyPermission, csvFile, defineEndpoint } from './endpoint.ts';
import { defaultLimits } from './limits.ts';
import { limit, multiple, page, queryBoolean, searchText } from './listing.ts';
import { missingMark, plainText, trimText } from './text-fields.ts';

/** Limits of the calls on entries of the black list. */
export const blackListLimits = {
  entriesPerCall: 1_000,
  sourceCharacters: 255,
  /** The shortest and the longest duration. A date may be later. */
  hours: { min: 1, max: 720 },
} as const;

export const blackListMessages = {
  none: 'Please enter at least one address or network.',
  tooMany: `At most ${blackListLimits.entriesPerCall} entries per call. Import longer lists.`,
  past: 'The expiry must be in the future.',
  twoExpiries: 'Send expires_at or expires_in_hours, not both.',
  more: (count: number) => `${count} more entries are not valid.`,
} as const;

/** Invalid entries of a call that are named. */
const namedEntries = 20;

/** Kinds of entries. */
export const blackListKinds = ['address', 'network'] as const;

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

/**
 * `search` is a part of an entry, a reason or a source, an address, which also finds the networks around it, or a network, which also finds
 * the entries in it. `covered` finds the entries that have `covered_by`, or the others; `expires` those with or without an expiry.
 */
export const blackListQuery = z.object({
  page,
  limit: limit(defaultLimits.blackIps),
  search: searchText(),
  kind: multiple(z.enum(blackListKinds)),
  expires: queryBoolean(),
  covered: queryBoolean(),
});
export type BlackListQuery = z.output<typeof blackListQuery>;
export type BlackListFilters = Omit<BlackListQuery, 'page' | 'limit'>;

const access = anyPermission('manager_settings_asns');

export const listBlackListEntries = defineEndpoint({
  number: 440,
  method: 'GET',
  path: 'black-list/entries',
  summary: 'Black-listed addresses and networks with their expiry, last changed first',
  access,
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

const entryFields = {
  reason: plainText(blackIpReasonCharacters).default(''),
  source: plainText(blackListLimits.sourceCharacters).default(''),
  /** An instant as ISO 8601 text with an offset or `Z`. */
  expires_at: z.iso.datetime({ offset: true }).optional(),
  expires_in_hours: hours.optional(),
};

/** Fields beside the reason that a bulk change restores. */
export const blackListOrigin = { source: plainText(blackListLimits.sourceCharacters).optional(), expires_at: z.iso.datetime().optional() };

/** When entries expire, as a call says it; neither: never. */
export type WrittenExpiry = { expires_at?: string | undefined; expires_in_hours?: number | undefined };

export const addBlackListEntries = defineEndpoint({
  number: 441,
  method: 'POST',
  path: 'black-list/entries',
  summary: 'Add addresses and networks to the black list, all or none; known ones get the new reason, source and expiry',
  access,
  recentSignIn: null,
  body: z.strictObject({ entries: writtenEntries, ...entryFields }),
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
  access,
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
  access,
  query: downloadQuery.extend(csvFormat),
  answer: csvFile(blackListColumns),
});
