import type { AccountRow } from '@switchyard/contract/accounts';
import { pageLinks, type Pagination } from '@switchyard/contract/envelope';
import type { AccountsQuery } from './accounts-query.ts';

type Page = { data: AccountRow[]; pagination: Pagination };

function matches(account: AccountRow, { search, role, access }: AccountsQuery): boolean {
  const needle = search?.toLowerCase() ?? '';
  const isFound = [account.name, account.email, String(account.id)].some((text) => text.toLowerCase().includes(needle));
  const hasRole = role === undefined || account.roles.includes(role);
  return isFound && hasRole && (access === undefined || account.hasAccess === (access === 'granted'));
}

const orders: Record<AccountsQuery['orderBy'], (a: AccountRow, b: AccountRow) => number> = {
  keyId: (a, b) => a.id - b.id,
  keyName: (a, b) => a.name.localeCompare(b.name),
  keyEmail: (a, b) => a.email.localeCompare(b.email),
  keyStatus: (a, b) => Number(b.hasAccess) - Number(a.hasAccess),
};

/** The page that a query asks for out of all accounts; deleted ones are never shown, ties go by id. */
export function arrangeAccounts(accounts: readonly AccountRow[], query: AccountsQuery): Page {
  const direction = query.orderDirection === 'asc' ? 1 : -1;
  const compare = orders[query.orderBy];
  const found = accounts
    .filter((account) => account.deleted_at === null && matches(account, query))
    .toSorted((a, b) => direction * compare(a, b) || a.id - b.id);
  const totalPages = Math.max(1, Math.ceil(found.length / query.limit));
  const data = found.slice((query.page - 1) * query.limit, query.page * query.limit);
  const pagination: Pagination = {
    total: found.length,
    count: data.length,
    limit: query.limit,
    currentPage: query.page,
    totalPages,
    current_page: query.page,
    last_page: totalPages,
    links: pageLinks(query.page, totalPages),
    prev_cursor: null,
    next_cursor: null,
  };
  return { data, pagination };
}
