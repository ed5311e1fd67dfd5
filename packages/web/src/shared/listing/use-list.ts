import type { Pagination } from '@switchyard/contract/envelope';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { z } from 'zod';
import { CallError } from '../api/call-error.ts';
import { useCurrentPath, useOpenPath, useQueryText } from '../navigation.tsx';
import { stringifySearch } from '../search-codec.ts';
import { areDaysReversed } from '../time/filter-day.ts';
import {
  changeListQuery,
  filterFingerprint,
  hasFilters,
  parseListQuery,
  readArrangement,
  withoutFilters,
  writeListQuery,
  type Arrangement,
  type ListSchema,
} from './list-query.ts';
import { listKey } from './list-key.ts';
import { listView, type ListView } from './list-view.ts';
import { nextSort } from './sort-order.ts';

/** A list as its page declares it. */
export type ListDeclaration<S extends ListSchema, Row, More> = {
  /** Unique name: key of the cache and of what this device keeps about the list, e.g. `apps`. */
  name: string;
  /** The query schema of the list's call; it reads the URL too. */
  schema: S;
  /** Asks the server. */
  load: (query: z.output<S>, signal: AbortSignal) => Promise<{ data: Row[]; pagination: Pagination } & More>;
  /**
   * After how many milliseconds an answer that is not final yet is asked for again; false when it is final. After a
   * failure nothing is asked again by itself.
   */
  repeat?: (answer: { data: Row[] } & More) => number | false;
};

/** A list on a page: its state in the URL, its rows, and what can be done with it. */
export type List<Query, Row, More = unknown> = {
  name: string;
  query: Query;
  arrangement: Arrangement;
  view: ListView;
  /** Rows to show; those of the page before while the next one loads. */
  rows: readonly Row[];
  pagination: Pagination | null;
  /** What came with the rows. */
  more: More | null;
  isFiltered: boolean;
  /** Changes whenever a filter changes, and only then. */
  fingerprint: string;
  /** The rows shown are being replaced or read again. */
  isLoading: boolean;
  /** The rows shown are those of another page, filter or order; the ones asked for are on their way. */
  isBehind?: boolean;
  /** Why the last load failed although older rows are still shown. */
  failure: string | null;
  /** What the list belongs to was not found by the last load. */
  isMissing: boolean;
  /** New rows appear by themselves; what counts them must then not speak. */
  isLive?: boolean;
  /** Changes filters and goes back to the first page; adds an entry to the history. */
  change: (patch: Partial<Query>) => void;
  clearFilters: () => void;
  /** Turns a range of days that ends before it starts round. */
  swapDays: () => void;
  /** Sorts by a column, or turns its direction round. */
  sortBy: (column: string) => void;
  /** Goes to a page or cursor of the same result. */
  goTo: (position: { page: number } | { cursor: string | null }) => void;
  resize: (limit: number) => void;
  /** Reads the rows again, and whatever else is kept under the list's key. */
  reload: () => void;
};

/** Runs a declared list: what the URL says is what the server is asked (decision 5). */
export function useList<S extends ListSchema, Row, More>({
  name,
  schema,
  load,
  repeat,
}: ListDeclaration<S, Row, More>): List<z.output<S>, Row, More> {
  const search = useQueryText();
  const query = useMemo(() => parseListQuery(schema, search), [schema, search]);
  const move = useMove(schema);
  const cache = useQueryClient();
  const isReversed = areDaysReversed(query);
  const result = useQuery({
    enabled: !isReversed,
    queryKey: [...listKey(name), writeListQuery(schema, query)],
    queryFn: ({ signal }) => load(query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data === undefined || state.error !== null ? false : (repeat?.(state.data) ?? false)),
  });

  const { data, error } = result;
  const isFiltered = hasFilters(schema, query);
  const arrangement = readArrangement(schema, query);
  const view = listView({
    pending: result.isPending,
    failure: error === null ? null : error instanceof CallError ? (error.status ?? 0) : 0,
    rowCount: data?.data.length ?? null,
    total: data?.pagination.total ?? null,
    filtered: isFiltered,
    reversed: isReversed,
  });
  return {
    name,
    query,
    arrangement,
    view,
    rows: data?.data ?? noRows,
    pagination: data?.pagination ?? null,
    more: data ?? null,
    isFiltered,
    fingerprint: filterFingerprint(schema, query),
    isLoading: result.isFetching,
    isBehind: result.isPlaceholderData,
    failure: error === null ? null : error.message,
    isMissing: error instanceof CallError && error.status === 404,
    change: move,
    clearFilters: () => move(withoutFilters(schema)),
    swapDays: () => move({ startDate: query['endDate'], endDate: query['startDate'] }),
    sortBy: (column) => arrangement.sort !== null && move(nextSort(arrangement.sort, column)),
    goTo: (position) => move(position),
    resize: (limit) => move({ limit }),
    reload: () => void cache.invalidateQueries({ queryKey: listKey(name) }),
  };
}

const noRows: readonly never[] = [];

function useMove(schema: ListSchema): (patch: Readonly<Record<string, unknown>>) => void {
  const current = useCurrentPath();
  const open = useOpenPath();
  return (patch) => {
    const [path = '/', search = ''] = current.split('?', 2);
    open(`${path}${stringifySearch(changeListQuery(schema, search, patch))}`);
  };
}
