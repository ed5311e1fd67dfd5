import { matchesFilters, type AccountRow } from '@switchyard/contract/accounts';
import { compareNames } from '@switchyard/contract/text-fields';
import type { FactorState } from '@switchyard/contract/account-activity';
import { pageOf } from '../../../shared/listing/page-of.ts';
import type { AccountsQuery } from '@switchyard/contract/accounts-query';

/** Second factors of accounts by id, without accounts whose factors the reader may not see. */
export type FactorStates = ReadonlyMap<number, FactorState>;

function matches(account: AccountRow, { secondFactor, ...filters }: AccountsQuery, factors: FactorStates): boolean {
  const hasFactor = secondFactor === undefined || hasFactorState(factors.get(account.id), secondFactor);
  return hasFactor && matchesFilters(account, filters);
}

function hasFactorState(state: FactorState | undefined, wantedState: NonNullable<AccountsQuery['secondFactor']>): boolean {
  if (state === undefined) return false;
  if (wantedState === 'set_up') return state.has_factor;
  return !state.has_factor && (wantedState === 'none' || state.required);
}

const orders: Record<AccountsQuery['orderBy'], (a: AccountRow, b: AccountRow) => number> = {
  keyId: (a, b) => a.id - b.id,
  keyName: (a, b) => compareNames(a.name, b.name),
  keyEmail: (a, b) => compareNames(a.email, b.email),
  keyStatus: (a, b) => Number(b.hasAccess) - Number(a.hasAccess),
};

/** The page that a query asks for out of all accounts; deleted ones are never shown, ties go by id. */
export function arrangeAccounts(accounts: readonly AccountRow[], query: AccountsQuery, factors: FactorStates = new Map()) {
  const direction = query.orderDirection === 'asc' ? 1 : -1;
  const compare = orders[query.orderBy];
  const matchingAccounts = accounts
    .filter((account) => account.deleted_at === null && matches(account, query, factors))
    .toSorted((a, b) => direction * compare(a, b) || a.id - b.id);
  return pageOf(matchingAccounts, query);
}
