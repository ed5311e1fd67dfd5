import type { Account } from '@switchyard/contract/accounts';
import { listReadOnlyBuyers } from '@switchyard/contract/buyers';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../shared/api/call.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { refreshUser } from '../../shared/session/refresh-user.ts';
import { sessionStore } from '../../shared/session/session-store.ts';
import { useSessionUser } from '../../shared/session/use-session.ts';
import type { AccountPanel } from './account-panels.ts';

/** Name of the list of a panel's accounts: key of its answers in the cache. */
export function accountsListName({ noun }: Pick<AccountPanel, 'noun'>): string {
  return `${noun}s`;
}

function accountKey({ noun }: AccountPanel, id: number): readonly [string, number] {
  return [noun, id];
}

/** What else the edit page shows of an account, and what changes along with it. */
export function accountPartKey(panel: AccountPanel, id: number, part: 'sessions' | 'permissions'): readonly unknown[] {
  return [...accountKey(panel, id), part];
}

/** The account as the server has it; asked anew whenever its page is opened. */
export function useAccount(panel: AccountPanel, id: number) {
  return useQuery({
    queryKey: accountKey(panel, id),
    queryFn: ({ signal }) => panel.load(id, signal),
    staleTime: 0,
    gcTime: 0,
  });
}

/** For so many milliseconds accounts that were read serve other pages, filters and tabs, too. */
export const freshFor = 15_000;

const none: ReadonlySet<number> = new Set();

/**
 * The buyers that the reader may not change, because they also work on apps that the reader does not see (O37). Readers of
 * all apps have none, so that nothing is asked for them. Where the answer fails, the server still rejects such a change.
 */
export function useReadOnlyIds({ panel, noun }: Pick<AccountPanel, 'panel' | 'noun'>): { ids: ReadonlySet<number>; isLoading: boolean } {
  const reader = useSessionUser();
  const { data, isLoading } = useQuery({
    // Part of the list, so that whatever has the list read again has this read again, too.
    queryKey: [...listKey(accountsListName({ noun })), 'read-only'],
    queryFn: async ({ signal }) => (await call(listReadOnlyBuyers, { signal, isSilent: true })).data,
    select: toSet,
    staleTime: freshFor,
    enabled: panel === 'buyer' && reader !== null && !reader.hasAllApps,
  });
  return { ids: data ?? none, isLoading };
}

const toSet = (ids: readonly number[]): ReadonlySet<number> => new Set(ids);

/** Everything that names accounts is read again when it is next shown. */
export async function accountsChanged(panel: AccountPanel): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: listKey(accountsListName(panel)) }),
    queryClient.invalidateQueries({ queryKey: takenKey }),
    queryClient.invalidateQueries({ queryKey: ['buyers', 'list'] }),
  ]);
}

/** Takes over an account that a write has answered; the reader's own permissions follow it. */
export async function keepAccount(panel: AccountPanel, account: Account): Promise<void> {
  const key = accountKey(panel, account.id);
  await queryClient.cancelQueries({ queryKey: key, exact: true });
  queryClient.setQueryData<Account>(key, account);
  for (const part of ['sessions', 'permissions'] as const) {
    void queryClient.invalidateQueries({ queryKey: accountPartKey(panel, account.id, part) });
  }
  if (sessionStore.get()?.user.id === account.id) void refreshUser();
  await accountsChanged(panel);
}

/** Has an account read again. */
export function reloadAccount(panel: AccountPanel, id: number): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: accountKey(panel, id), exact: true });
}

/** Key of the names and addresses that are in use. */
export const takenKey = ['accounts', 'taken'] as const;
