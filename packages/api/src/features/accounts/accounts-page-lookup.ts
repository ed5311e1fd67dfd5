import { coversApps, type AppScope } from '@switchyard/contract/app-scope';
import type { listAccountsPage as pageCall, PagedAccount } from '@switchyard/contract/users';
import type { Databases } from '../../database/connect.ts';
import type { AccountCaller, Call, SessionCaller } from '../../http/bind.ts';
import { listFactorStatesFor } from './account-factor-commands.ts';
import { toAccountRow } from './account-mapper.ts';
import { listAccounts, type StoredAccount } from './accounts-store.ts';
import { arrangeAccounts, type FactorStates } from './arrange-accounts.ts';

type Dependencies = { db: Databases['db']; now: () => Date };

/** Whether the caller may not change an account, because it is a buyer that also works on apps outside the scope. */
export function isReadOnly({ panel, appIds }: StoredAccount, scope: AppScope): boolean {
  return panel === 'buyer' && !coversApps(scope, appIds);
}

/** A page of the accounts of a panel. */
export async function listAccountsPage(deps: Dependencies, { panel, ...query }: Call<typeof pageCall>['query'], caller: AccountCaller) {
  const factors = await factorStatesFor(deps, caller);
  const accounts = (await listAccounts(deps.db, { panel })).map((account) => ({ account, ...toAccountRow(account, caller.scope) }));
  const { data, pagination } = arrangeAccounts(accounts, query, factors);
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
async function factorStatesFor(deps: Dependencies, caller: AccountCaller): Promise<FactorStates> {
  if (!isSession(caller) || !caller.account.permissions.includes('manager_user_edit')) return new Map();
  return new Map((await listFactorStatesFor(deps, caller)).map((state) => [state.id, state]));
}

function isSession(caller: AccountCaller): caller is SessionCaller {
  return caller.by.kind === 'session';
}
