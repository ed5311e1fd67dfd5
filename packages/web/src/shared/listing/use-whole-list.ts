import type { UseQueryResult } from '@tanstack/react-query';
import { listView } from './list-view.ts';
import { failureStatus, type ListState } from './use-list.ts';

type Input<Row> = {
  /** Unique name: key of the settings stored on this device. */
  name: string;
  /** The call that gave the rows. */
  result: Pick<UseQueryResult, 'isPending' | 'isFetching' | 'error' | 'refetch'>;
  /** Undefined until they are known; must keep their identity while they stay the same. */
  rows: readonly Row[] | undefined;
  /** Identifies a row. Must stay the same function. */
  rowId: (row: Row) => string | number;
};

type NoQuery = Readonly<Record<string, never>>;

const noRows: readonly never[] = [];
const nothing = (): void => undefined;

/** A list that arrives as a whole: without pages, filters and sort. */
export function useWholeList<Row>({ name, result, rows, rowId }: Input<Row>): ListState<NoQuery, Row> {
  const { error, isPending, isFetching } = result;
  return {
    name,
    query: {},
    defaults: {},
    arrangement: { sort: null, limit: 0, defaultLimit: 0 },
    view: listView({ pending: isPending, failure: failureStatus(error), rowCount: rows?.length ?? null, total: null, filtered: false }),
    rows: rows ?? noRows,
    rowId,
    pagination: null,
    more: null,
    isFiltered: false,
    fingerprint: '',
    isLoading: isFetching,
    failure: error?.message ?? null,
    isMissing: failureStatus(error) === 404,
    change: nothing,
    clearFilters: nothing,
    swapDays: nothing,
    sortBy: nothing,
    goTo: nothing,
    resize: nothing,
    reload: () => void result.refetch(),
  };
}
