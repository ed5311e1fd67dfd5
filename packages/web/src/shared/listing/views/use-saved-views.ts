import { listViews, type SavedView, type ViewList } from '@switchyard/contract/saved-views';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { z } from 'zod';
import { call, inBackground } from '../../api/call.ts';
import { queryClient } from '../../api/query-client.ts';
import { localSettings } from '../../local-settings.ts';
import { useOpenPath, usePagePath, useQueryText } from '../../navigation.tsx';
import { stringifySearch } from '../../search-codec.ts';
import { parseListQuery, type ListSchema, type UrlParameters } from '../list-query.ts';
import { captureQuery, keepUnfiltered, plainAddress, readListAddress, viewAddress, type NamedView } from './view-address.ts';
import { viewsKey } from './view-calls.ts';

/** Milliseconds for which the views of a list are not loaded again. */
const freshFor = 60_000;

/** Milliseconds after which a list no longer waits for its views. */
const timeoutFactor = 2_000;

/** The query for the views of a list. */
export function viewsQuery(list: ViewList) {
  return queryOptions({
    queryKey: viewsKey(list),
    queryFn: async ({ signal }) => (await call(listViews, { query: { list }, signal, ...inBackground })).data,
    staleTime: freshFor,
  });
}

/** Loads the views of a list before its page is rendered, because its rows may wait for them. */
export function preloadViews(list: ViewList): void {
  void queryClient.prefetchQuery(viewsQuery(list));
}

/** The views of a list, the one that its address names, and how to open another. */
export type SavedViews = {
  list: ViewList;
  schema: ListSchema;
  views: readonly SavedView[];
  /** Roles that the reader can share with. */
  roles: readonly { id: number; name: string }[];
  state: 'loading' | 'ready' | 'failed';
  reload: () => void;
  /** Loads the views again if they are no longer fresh. */
  refresh: () => void;
  /** The view that the address names. */
  namedView: NamedView;
  /** The view that the address names. */
  active: SavedView | undefined;
  /** The address names a view that does not exist, or that the reader cannot see. */
  isMissing: boolean;
  /** The query of the list may still change because a view opens: its rows should not load yet. */
  isWaiting: boolean;
  /** Filters, sort and page size in effect, as a view stores them. */
  query: string;
  open: (view: Pick<SavedView, 'id' | 'query'>) => void;
  /** Opens the list without a view, filters and sort. */
  openPlain: () => void;
  /** The parameters of a changed address, without opening the default view where the last filter was removed. */
  keepUnfiltered: (parameters: UrlParameters) => UrlParameters;
};

/**
 * The saved views of a list whose state is in the address. A list that opens without parameters opens with the default
 * view. It waits for the views only if it may have one, as this device remembers, or if its address names a view.
 */
export function useSavedViews(list: ViewList, schema: ListSchema): SavedViews {
  const search = useQueryText();
  const path = usePagePath();
  const openPath = useOpenPath();
  const { data, isFetched, isError, isStale, refetch } = useQuery(viewsQuery(list));
  const views = data?.views ?? none;
  const { namedView, isBare, isReference } = useMemo(() => readListAddress(schema, search), [schema, search]);
  const active = views.find(({ id }) => id === namedView);
  const standard = views.find((view) => view.is_default);
  const hasDefault = useKnownDefault(list, data === undefined ? undefined : standard !== undefined);
  const isLate = useIsLate();

  // A view that becomes the default while the list is open does not replace what it shows.
  const [isDecided, setDecided] = useState(false);
  if (!isBare && isDecided) setDecided(false);
  if (isBare && !isDecided && data !== undefined && standard === undefined) setDecided(true);

  const target = isBare && !isDecided ? standard : isReference ? active : undefined;
  const filledSearch = target === undefined ? search : stringifySearch(viewAddress(schema, search, target));
  const fill = useEffectEvent(() => openPath(path + filledSearch, { replace: true }));
  useEffect(() => {
    if (filledSearch !== search) fill();
  }, [filledSearch, search]);

  return {
    list,
    schema,
    views,
    roles: data?.roles ?? none,
    state: data !== undefined ? 'ready' : isError ? 'failed' : 'loading',
    reload: () => void refetch(),
    refresh: () => void (isStale && refetch()),
    namedView,
    active,
    isMissing: typeof namedView === 'number' && data !== undefined && active === undefined,
    isWaiting: filledSearch !== search || (!isFetched && !isLate && (typeof namedView === 'number' || (isBare && hasDefault))),
    query: useMemo(() => captureQuery(schema, parseListQuery(schema, search)), [schema, search]),
    open: (view) => openPath(path + stringifySearch(viewAddress(schema, search, view))),
    openPlain: () => openPath(path + stringifySearch(plainAddress(search, hasDefault))),
    keepUnfiltered: (parameters) => keepUnfiltered(schema, parameters, { hasDefault, active }),
  };
}

const none: readonly never[] = [];

/** Whether a list may have a default view. Until its views are loaded, what this device has seen last counts. */
function useKnownDefault(list: ViewList, loaded: boolean | undefined): boolean {
  const setting = useMemo(() => localSettings.json(`default_view_${list}`, z.boolean()), [list]);
  useEffect(() => {
    if (loaded !== undefined) setting.set(loaded);
  }, [loaded, setting]);
  return loaded ?? setting.get() ?? true;
}

function useIsLate(): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), timeoutFactor);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
}
