import { z } from 'zod';
import { defaultLimits } from './limits.ts';
import { limit, multiple, page, queryBoolean, searchText } from './listing.ts';
import { plainText } from './text-fields.ts';

/** Maximum length of a source. */
export const sourceCharacters = 255;

/** Kinds of entries. */
export const blackListKinds = ['address', 'network'] as const;

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

/** Fields beside the reason that a bulk change restores. */
export const blackListOrigin = { source: plainText(sourceCharacters).optional(), expires_at: z.iso.datetime().optional() };
