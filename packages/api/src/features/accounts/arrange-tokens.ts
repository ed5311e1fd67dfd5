import type { AccountToken, AccountTokensQuery } from '@switchyard/contract/account-tokens';
import { comparableText, compareNames } from '@switchyard/contract/text-fields';
import { pageOf } from '@switchyard/contract/page-of';

const expiries: Record<NonNullable<AccountTokensQuery['expiry']>, (token: AccountToken) => boolean> = {
  none: ({ expires_at: at }) => at === null,
  soon: ({ expires_soon: isSoon }) => isSoon,
  expired: ({ is_expired: isExpired }) => isExpired,
};

function matches(token: AccountToken, { search, use, expiry, kind }: AccountTokensQuery): boolean {
  const needle = comparableText(search ?? '');
  const isFound = [token.name, token.ends_with, token.owner.name, token.owner.email].some((text) => comparableText(text).includes(needle));
  const hasUse = use === undefined || (token.last_used_at === null) === (use === 'never');
  return isFound && hasUse && (expiry === undefined || expiries[expiry](token)) && (kind === undefined || token.kind === kind);
}

/** Times are texts that sort as they are. Without an expiry counts as the latest, without a use as the earliest. */
const sortTexts: Record<AccountTokensQuery['orderBy'], (token: AccountToken) => string> = {
  keyCreated: ({ created_at: at }) => at,
  keyName: ({ name }) => name,
  keyOwner: ({ owner }) => owner.name,
  keyExpires: ({ expires_at: at }) => at ?? '9999',
  keyUsed: ({ last_used_at: at }) => at ?? '',
};

/** The page that a query asks for out of all tokens; ties go by id. */
export function arrangeTokens(tokens: readonly AccountToken[], query: AccountTokensQuery) {
  const direction = query.orderDirection === 'asc' ? 1 : -1;
  const textOf = sortTexts[query.orderBy];
  const matchingTokens = tokens
    .filter((token) => matches(token, query))
    .toSorted((a, b) => direction * (compareNames(textOf(a), textOf(b)) || a.id - b.id));
  return pageOf(matchingTokens, query);
}
