import { coversApps, type AppScope } from '@switchyard/contract/app-scope';
import type { listAccountsPage as pageCall, PagedAccount } from '@switchyard/contract/users';
import type { Databases } from '../../database/connect.ts';
import type { AccountCaller, Call } from '../../http/bind.ts';
import { listFactorStates } from '../second-factors/second-factors-lookup.ts';
import { toAccountRow } from './account-mapper.ts';
import { listAccounts, type StoredAccount } from './accounts-store.ts';
import { arrangeAccounts, type FactorStates } from './arrange-accounts.ts';
import { changeableIdsOf } from './changeable-accounts-lookup.ts';

type Dependencies = { db: Databases['db']; now: () => Date };

/** Whether the caller may not change an account, because it is a buyer that also works on apps outside the scope. */
export function isReadOnly({ panel, appIds }: StoredAccount, scope: AppScope): boolean {
  return panel === 'buyer' && !coversApps(scope, appIds);
}

/** A page of the accounts of a panel. */
export async function listAccountsPage(deps: Dependencies, { panel, ...query }: Call<typeof pageCall>['query'], caller: AccountCaller) {
  const accounts = (await listAccounts(deps.db, { panel })).map((account) => ({ account, ...toAccountRow(account, caller.scope) }));
  // The states of all accounts are read only to choose by them.
  const chosenBy =
    query.secondFactor === undefined
      ? undefined
      : await readFactorStates(
          deps,
          caller,
          accounts.map(({ account }) => account),
        );
  const { data, pagination } = arrangeAccounts(accounts, query, chosenBy);
  const factors =
    chosenBy ??
    (await readFactorStates(
      deps,
      caller,
      data.map(({ account }) => account),
    ));
  const rows = data.map(({ account, appIds: _appIds, ...row }): PagedAccount => {
    const state = factors.get(row.id);
    return {
      ...row,
      second_factor: state === undefined ? null : { has_factor: state.has_factor, required: state.required },
      is_read_only: isReadOnly(account, caller.scope),
    };
  });
  return { rows, pagination };
}

/** What the call of second factors would tell the caller: nothing to API tokens and views, and without the permission. */
async function readFactorStates(
  { db, now }: Dependencies,
  caller: AccountCaller,
  accounts: readonly StoredAccount[],
): Promise<FactorStates> {
  if (caller.by.kind !== 'session' || !caller.account.permissions.includes('manager_user_edit')) return new Map();
  const states = await listFactorStates(db, now(), await changeableIdsOf(db, caller, accounts));
  return new Map(states.map((state) => [state.id, state]));
}
