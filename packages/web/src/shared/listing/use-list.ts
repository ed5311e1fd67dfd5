import type { Pagination } from '@switchyard/contract/envelope';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { CallError } from '../api/call-error.ts';
import { loadOrRefresh } from '../api/refresh.ts';
import type { Store } from '../external-store.ts';
import { useOpenPath, useQueryText, useReadCurrentPath } from '../navigation.tsx';
import { stringifySearch } from '../search-codec.ts';
import { areDaysReversed } from '../time/filter-day.ts';
import { useServerOffset } from '../time/server-time.ts';
import {
  changeListAddress,
  filterFingerprint,
  hasFilters,
  ignoredParameters,
  nextSort,
  parseListQuery,
  readArrangement,
  withoutFilters,
  writeListQuery,
  type Arrangement,
  type ListSchema,
} from './list-query.ts';
import type { AnyQuery } from './filter.ts';
import { listKey } from './list-key.ts';
import { listView, type ListView } from './list-view.ts';
import type { SavedViews } from './views/use-saved-views.ts';

/** A list as its page declares it. */
type ListDeclaration<Query, Row, More> = {
  /** Unique name, e.g. `apps`: key of the cache and of the settings stored on this device. */
  name: string;
  /** The query schema of the list's call; it also reads the URL. */
  schema: ListSchema<Query>;
  /** Identifies a row. Must stay the same function. */
  rowId: (row: Row) => string | number;
  /** Further input of the rows beside the query; the rows are loaded again when it changes. */
  variant?: string | undefined;
  /** The saved views of the list, for one that has any. */
  views?: SavedViews;
  /** Loads a page. */
  load: (query: Query, signal: AbortSignal) => Promise<{ data: Row[]; pagination: Pagination } & More>;
  /**
   * Milliseconds after which an answer that is not final is loaded again; false when it is final. After a failure nothing
   * is loaded again by itself.
   */
  repeat?: (answer: { data: Row[] } & More) => number | false;
};

/** A list on a page: its state in the URL, its rows, and what can be done with it. */
export type ListState<Query, Row, More = unknown> = {
  name: string;
  query: Query;
  /** Parameters of the address that have no effect on the list. */
  ignored?: ReturnType<typeof ignoredParameters>;
  /** The query that the list has without parameters. */
  defaults: Query;
  arrangement: Arrangement;
  view: ListView;
  /** Rows to show; those of the previous page while the next one loads. */
  rows: readonly Row[];
  rowId: (row: Row) => string | number;
  pagination: Pagination | null;
  /** The total of the chart above the rows, which was counted at another moment; null while it has none. A change renders no row. */
  countedTotal?: Pick<Store<number | null>, 'get' | 'subscribe'> | undefined;
  /** Further data that came with the rows. */
  more: More | null;
  isFiltered: boolean;
  /** The filters as a query string. Changes whenever a filter changes, and only then. */
  fingerprint: string;
  /** The rows are being replaced or reloaded. */
  isLoading: boolean;
  /** The rows are those of another page, filter or order; the requested ones are loading. */
  isBehind?: boolean;
  /** Why the last load failed although older rows are still shown. */
  failure: string | null;
  /** The last load answered 404: what the list belongs to does not exist. */
  isMissing: boolean;
  /** The saved views of the list. */
  views?: SavedViews | undefined;
  /** The view that the list opens with is still loading, and the rows with it. */
  isWaiting?: boolean;
  /** New rows appear by themselves; their count must not be announced then. */
  isLive?: boolean;
  /** Changes filters and goes back to the first page; adds an entry to the history. */
  change(this: void, patch: Partial<Query>): void;
  clearFilters: () => void;
  /** Swaps the days of a range that ends before it starts. */
  swapDays: () => void;
  /** Sorts by a column, or reverses its direction. */
  sortBy: (column: string) => void;
  /** Goes to a page or cursor of the same result. */
  goTo: (position: { page: number } | { cursor: string | null }) => void;
  resize: (limit: number) => void;
  /** Reloads the rows, and everything else under the list's cache key. */
  reload: () => void;
};

/** The state of a list: the URL is its query (decision 5). */
export function useList<Query extends AnyQuery, Row, More>({
  name,
  schema,
  rowId,
  variant,
  views,
  load,
  repeat,
}: ListDeclaration<Query, Row, More>): ListState<Query, Row, More> {
  const search = useQueryText();
  const query = useMemo(() => parseListQuery(schema, search), [schema, search]);
  const ignored = useMemo(() => ignoredParameters(schema, search), [schema, search]);
  const defaults = useMemo(() => parseListQuery(schema, ''), [schema]);
  const move = useListChange(schema, views);
  const cache = useQueryClient();
  const isReversed = areDaysReversed(query, useServerOffset());
  const isWaiting = views?.isWaiting ?? false;
  const result = useQuery({
    ...rowsQuery({ name, schema, variant, load }, query),
    enabled: !isReversed && !isWaiting,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data === undefined || state.error !== null ? false : (repeat?.(state.data) ?? false)),
  });

  const { data, error } = result;
  const isFiltered = hasFilters(schema, query);
  const arrangement = readArrangement(schema, query);
  const view = listView({
    pending: result.isPending,
    failure: failureStatus(error),
    rowCount: data?.data.length ?? null,
    total: data?.pagination.total ?? null,
    filtered: isFiltered,
    reversed: isReversed,
  });
  return {
    name,
    query,
    ignored,
    defaults,
    arrangement,
    view,
    rows: data?.data ?? noRows,
    rowId,
    pagination: data?.pagination ?? null,
    more: data ?? null,
    isFiltered,
    fingerprint: filterFingerprint(schema, query),
    isLoading: result.isFetching,
    isBehind: result.isPlaceholderData && !isReversed,
    failure: error === null ? null : error.message,
    isMissing: failureStatus(error) === 404,
    views,
    isWaiting,
    change: move,
    clearFilters: () => move(withoutFilters(schema)),
    swapDays: () => move({ startDate: query['endDate'], endDate: query['startDate'] }),
    sortBy: (column) => arrangement.sort !== null && move(nextSort(arrangement.sort, column)),
    goTo: (position) => move(position),
    resize: (limit) => move({ limit }),
    reload: () => void cache.invalidateQueries({ queryKey: listKey(name) }),
  };
}

/** The query for the rows of a list. */
export function rowsQuery<Query extends AnyQuery, Row, More>(
  { name, schema, variant, load }: Pick<ListDeclaration<Query, Row, More>, 'name' | 'schema' | 'variant' | 'load'>,
  query: Query,
) {
  return queryOptions({
    queryKey: [...listKey(name), writeListQuery(schema, query), variant],
    queryFn: (context) => loadOrRefresh(context, (signal) => load(query, signal)),
  });
}

/** Status of a failed call, 0 when there was no answer; null when it did not fail. */
export function failureStatus(error: Error | null): number | null {
  if (error === null) return null;
  return error instanceof CallError ? (error.status ?? 0) : 0;
}

const noRows: readonly never[] = [];

/** Returns a function that changes the query of the list at the current address. */
export function useListChange(schema: ListSchema, views?: SavedViews): (patch: Readonly<Record<string, unknown>>) => void {
  const readCurrentPath = useReadCurrentPath();
  const open = useOpenPath();
  return (patch) => {
    const [path = '/', search = ''] = readCurrentPath().split('?', 2);
    const nextAddress = changeListAddress(schema, search, patch);
    open(`${path}${stringifySearch(views === undefined ? nextAddress : views.keepUnfiltered(nextAddress))}`);
  };
}
