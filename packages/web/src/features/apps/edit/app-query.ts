import { getApp, type FullApp } from '@switchyard/contract/app-form';
import { isRestartable } from '@switchyard/contract/app-domains';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../shared/api/call.ts';
import { queryClient } from '../../../shared/api/query-client.ts';
import { listKey } from '../../../shared/listing/list-key.ts';

/** Milliseconds between reloads while a server is being linked. */
const linkPolling = 2_000;

type AppAnswer = { readonly data: FullApp };

export function appKey(id: number): readonly [string, number] {
  return ['app', id];
}

/** Whether a server is still being linked, so that the app will change soon. */
function isLinking({ check_domains: links }: Pick<FullApp, 'check_domains'>): boolean {
  return links.some((link) => !isRestartable(link));
}

/** Loads an app. Reloads are silent: they show neither the loading bar nor a toast. */
function loadApp(id: number, signal: AbortSignal): Promise<AppAnswer> {
  const isKnown = queryClient.getQueryData(appKey(id)) !== undefined;
  return call(getApp, { params: { id }, signal, isSilent: isKnown, showsFailureItself: (status) => isKnown && status !== 401 });
}

/**
 * The newest stored version of an app. It is reloaded every two seconds while a server is being linked, but not while the
 * page is hidden, and whenever the page gets the focus.
 */
export function useApp(id: number) {
  return useQuery({
    queryKey: appKey(id),
    queryFn: ({ signal }) => loadApp(id, signal),
    refetchInterval: ({ state }) => (state.data !== undefined && isLinking(state.data.data) ? linkPolling : false),
    refetchOnWindowFocus: 'always',
  });
}

/** Reloads the app, and the list of apps when it is next shown. */
export async function reloadApp(id: number): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: appKey(id) }),
    queryClient.invalidateQueries({ queryKey: listKey('apps') }),
  ]);
}

/** Caches an app that a save returned, and reloads it. */
export async function keepSavedApp(app: FullApp): Promise<void> {
  await queryClient.cancelQueries({ queryKey: appKey(app.id) });
  queryClient.setQueryData<AppAnswer>(appKey(app.id), { data: app });
  await reloadApp(app.id);
}
