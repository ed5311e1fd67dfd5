import { accountFilters } from './accounts.ts';
import { limit, page, single, sortBy } from './listing.ts';
import { z } from 'zod';

/** Second factors of accounts, as the filter says it: `none` includes `due`, where the rules demand one. */
const factorStates = ['set_up', 'none', 'due'] as const;

/**
 * The query of a page of accounts, and the state of its list in the URL. A page is long enough for most installations to need one
 * only.
 */
export const accountsQuery = accountFilters.extend({
  secondFactor: single(z.enum(factorStates).optional()),
  page,
  limit: limit(100),
  ...sortBy(['keyId', 'keyName', 'keyEmail', 'keyStatus'], { orderBy: 'keyId', orderDirection: 'asc' }),
});
export type AccountsQuery = z.output<typeof accountsQuery>;
