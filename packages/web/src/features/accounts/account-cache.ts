import type { Account } from '@switchyard/contract/accounts';
import { listReadOnlyBuyers } from '@switchyard/contract/buyers';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../shared/api/call.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import type { EntityQuery } from '../../shared/form/entity-page.tsx';
import { listKey } from '../../shared/listing/list-key.ts';
import { refreshUser } from '../../shared/session/refresh-user.ts';
import { sessionStore } from '../../shared/session/session-store.ts';
import { useSessionUser } from '../../shared/session/use-session.ts';
import { accountTokensKey } from '../../shared/tokens/account-tokens-key.ts';
import type { AccountPanel } from './account-panels.ts';

/** Name of the list of a panel's accounts, which is also its cache key. */
export function accountsListName({ noun }: Pick<AccountPanel, 'noun'>): 'users' | 'buyers' {
  return `${noun}s`;
}

function accountKey({ noun }: AccountPanel, id: number): readonly [string, number] {
  return [noun, id];
}

const accountParts = ['sessions', 'permissions', 'second-factors', 'tokens', 'invitation'] as const;

/** Cache key of a further part of the edit page, which may change with the account. */
export function accountPartKey(panel: AccountPanel, id: number, part: (typeof accountParts)[number]): readonly unknown[] {
  return [...accountKey(panel, id), part];
}

/** Loads an account whenever its page is opened. */
export function accountQuery(panel: AccountPanel, id: number): EntityQuery<Account> {
  return { queryKey: accountKey(panel, id), queryFn: ({ signal }) => panel.load(id, signal), staleTime: 0, gcTime: 0 };
}

/** Milliseconds for which loaded accounts serve other pages, filters and tabs. */
const freshFor = 15_000;

const none: ReadonlySet<number> = new Set();

/**
 * The buyers that the reader may not change, because they also work on apps that the reader does not see. Empty without a
 * call for readers of all apps. If the call fails, the server still rejects such a change.
 */
export function useReadOnlyIds({ panel, noun }: Pick<AccountPanel, 'panel' | 'noun'>): { ids: ReadonlySet<number>; isLoading: boolean } {
  const reader = useSessionUser();
  const { data, isLoading } = useQuery({
    // Part of the list's key, so that it is invalidated together with the list.
    queryKey: [...listKey(accountsListName({ noun })), 'read-only'],
    queryFn: async ({ signal }) => (await call(listReadOnlyBuyers, { signal, isSilent: true })).data,
    select: toSet,
    staleTime: freshFor,
    enabled: panel === 'buyer' && reader !== null && !reader.hasAllApps,
  });
  return { ids: data ?? none, isLoading };
}

const toSet = (ids: readonly number[]): ReadonlySet<number> => new Set(ids);

/** Invalidates everything that names accounts. */
export async function accountsChanged(panel: AccountPanel): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: listKey(accountsListName(panel)) }),
    queryClient.invalidateQueries({ queryKey: takenKey }),
    queryClient.invalidateQueries({ queryKey: accountTokensKey }),
  ]);
}

/** Caches an account that a write returned, and refreshes what depends on it, such as the reader's own permissions. */
export async function keepAccount(panel: AccountPanel, account: Account): Promise<void> {
  const key = accountKey(panel, account.id);
  await queryClient.cancelQueries({ queryKey: key, exact: true });
  queryClient.setQueryData<Account>(key, account);
  void reloadParts(panel, account.id);
  if (sessionStore.get()?.user.id === account.id) void refreshUser();
  await accountsChanged(panel);
}

/** Reloads the further parts of the edit page, and the list of API tokens if it is opened again. */
export async function reloadParts(panel: AccountPanel, id: number): Promise<void> {
  const keys = [accountTokensKey, ...accountParts.map((part) => accountPartKey(panel, id, part))];
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

/** Reloads an account. */
export function reloadAccount(panel: AccountPanel, id: number): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: accountKey(panel, id), exact: true });
}

/** Start of the cache keys of names and addresses that are in use. */
export const takenKey = ['accounts', 'taken'] as const;
