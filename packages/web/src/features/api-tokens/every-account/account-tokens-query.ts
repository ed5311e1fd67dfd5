import { limit, page, searchText, single, sortBy } from '@switchyard/contract/listing';
import { z } from 'zod';

/** The state of the list of tokens in the URL. The server gives all tokens at once; they are filtered and sorted here. */
export const accountTokensQuery = z.object({
  search: searchText(),
  use: single(z.enum(['never', 'used']).optional()),
  expiry: single(z.enum(['none', 'soon', 'expired']).optional()),
  kind: single(z.enum(['personal', 'service']).optional()),
  page,
  limit: limit(100),
  ...sortBy(['keyCreated', 'keyName', 'keyOwner', 'keyExpires', 'keyUsed'], { orderBy: 'keyCreated', orderDirection: 'desc' }),
});
export type AccountTokensQuery = z.output<typeof accountTokensQuery>;
