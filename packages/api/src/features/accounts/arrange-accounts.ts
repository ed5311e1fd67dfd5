import { matchesFilters, type AccountRow } from '@switchyard/contract/accounts';
import type { FactorState } from '@switchyard/contract/account-activity';
import type { AccountsQuery } from '@switchyard/contract/accounts-query';
import { pageOf } from '@switchyard/contract/page-of';
import { compareNames } from '@switchyard/contract/text-fields';

/** Second factors of accounts by id, without accounts whose factors the reader may not see. */
export type FactorStates = ReadonlyMap<number, FactorState>;
type Row = Pick<AccountRow, 'id' | 'name' | 'email' | 'roles' | 'hasAccess'>;

function hasFactorState(state: FactorState | undefined, wantedState: NonNullable<AccountsQuery['secondFactor']>): boolean {
  if (state === undefined) return false;
  if (wantedState === 'set_up') return state.has_factor;
  return !state.has_factor && (wantedState === 'none' || state.required);
}

const orders: Record<AccountsQuery['orderBy'], (a: Row, b: Row) => number> = {
  keyId: (a, b) => a.id - b.id,
  keyName: (a, b) => compareNames(a.name, b.name),
  keyEmail: (a, b) => compareNames(a.email, b.email),
  keyStatus: (a, b) => Number(b.hasAccess) - Number(a.hasAccess),
};

/** The page that a query asks for out of all accounts; ties go by id. */
export function arrangeAccounts<Account extends Row>(
  accounts: readonly Account[],
  { secondFactor, ...query }: AccountsQuery,
  factors: FactorStates = new Map(),
) {
  const direction = query.orderDirection === 'asc' ? 1 : -1;
  const compare = orders[query.orderBy];
  const matchingAccounts = accounts
    .filter((one) => (secondFactor === undefined || hasFactorState(factors.get(one.id), secondFactor)) && matchesFilters(one, query))
    .toSorted((a, b) => direction * compare(a, b) || a.id - b.id);
  return pageOf(matchingAccounts, query);
}
