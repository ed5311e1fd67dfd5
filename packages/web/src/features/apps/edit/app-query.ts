import { getApp, type FullApp } from '@switchyard/contract/app-form';
import { isRestartable } from '@switchyard/contract/app-domains';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../shared/api/call.ts';
import { queryClient } from '../../../shared/api/query-client.ts';
import { listKey } from '../../../shared/listing/list-key.ts';

/** Milliseconds between two looks at links that are still under way. */
const linkPolling = 2_000;

type AppAnswer = { readonly data: FullApp };

function appKey(id: number): readonly [string, number] {
  return ['app', id];
}

/** Whether some server is still being linked, so that the answer will soon be another. */
function isLinking({ check_domains: links }: Pick<FullApp, 'check_domains'>): boolean {
  return links.some((link) => !isRestartable(link));
}

/** Asks for an app; once it is on the screen, looking again is silent: neither the loading bar nor a toast tells of it. */
function loadApp(id: number, signal: AbortSignal): Promise<AppAnswer> {
  const isKnown = queryClient.getQueryData(appKey(id)) !== undefined;
  return call(getApp, { params: { id }, signal, isSilent: isKnown, showsFailureItself: (status) => isKnown && status !== 401 });
}

/**
 * The app as the server has it. While a link is under way it is looked at every two seconds, so that its state shows
 * without a reload; not while the page is hidden, and again as soon as it is back.
 */
export function useApp(id: number) {
  return useQuery({
    queryKey: appKey(id),
    queryFn: ({ signal }) => loadApp(id, signal),
    refetchInterval: ({ state }) => (state.data !== undefined && isLinking(state.data.data) ? linkPolling : false),
    refetchOnWindowFocus: 'always',
  });
}

/** Has the app read again, and the apps list when it is next shown. */
export async function reloadApp(id: number): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: appKey(id) }),
    queryClient.invalidateQueries({ queryKey: listKey('apps') }),
  ]);
}

/** Takes over the app that a save has answered, and has it read again (CONF-023). */
export async function keepSavedApp(app: FullApp): Promise<void> {
  await queryClient.cancelQueries({ queryKey: appKey(app.id) });
  queryClient.setQueryData<AppAnswer>(appKey(app.id), { data: app });
  await reloadApp(app.id);
}
