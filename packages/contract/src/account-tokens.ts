import { z } from 'zod';
import { apiToken } from './api-tokens.ts';
import { defineEndpoint, peopleWith } from './endpoint.ts';
import { idParams, limit, page, searchText, single, sortBy } from './listing.ts';
import { panels } from './permissions.ts';

/** Days before its expiry from which a token counts as expiring soon. */
export const expiringSoonDays = 14;

/**
 * An API token of an account that the caller may change, or a service account that it owns. Service accounts are shown, and
 * changed by their own calls.
 */
export const accountToken = apiToken.extend({
  kind: z.enum(['personal', 'service']),
  owner: z.object({ id: z.int(), name: z.string(), email: z.string(), panel: z.enum(panels) }),
  /** Whether it expires within 14 days. */
  expires_soon: z.boolean(),
});
export type AccountToken = z.output<typeof accountToken>;

/** Filters and order of a page of tokens, and the state of their list in the URL. */
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

const access = peopleWith('manager_user_edit');

export const listTokens = defineEndpoint({
  number: 210,
  method: 'GET',
  path: 'tokens',
  summary: 'API tokens of the accounts that the caller may change, newest first',
  access,
  answer: { kind: 'data', status: 200, schema: z.array(accountToken) },
});

export const listTokensPage = defineEndpoint({
  number: 435,
  method: 'GET',
  path: 'tokens/page',
  summary: 'The same tokens as a page',
  access,
  query: accountTokensQuery,
  answer: { kind: 'page', row: accountToken },
});

export const revokeToken = defineEndpoint({
  number: 211,
  method: 'DELETE',
  path: 'tokens/{id}',
  summary: 'Revoke an API token of an account that the caller may change',
  access,
  recentSignIn: null,
  params: idParams,
  answer: { kind: 'empty' },
});

export const listAccountTokens = defineEndpoint({
  number: 212,
  method: 'GET',
  path: 'users/{id}/tokens',
  summary: 'API tokens of an account of either panel, newest first',
  access,
  params: idParams,
  answer: { kind: 'data', status: 200, schema: z.array(accountToken) },
});
