import { useMediaQuery } from '@mantine/hooks';
import { breakpoints } from '@switchyard/contract/limits';
import type { UseQueryResult } from '@tanstack/react-query';
import type { RowData } from '@tanstack/react-table';
import { CallError } from '../api/call-error.ts';
import { ListCards } from './list-cards.tsx';
import type { ListColumn } from './list-column.ts';
import { ListState, type EmptyText } from './list-states.tsx';
import { ListTable, type RowsProps } from './list-table.tsx';
import { listView } from './list-view.ts';
import { useListTable } from './use-list-table.ts';

type Props<Item extends RowData> = Pick<RowsProps<Item>, 'onOpen' | 'markOf'> & {
  /** Unique name: key of what this device keeps about the list. */
  name: string;
  /** What the rows are called, e.g. `roles`. */
  noun: string;
  /** Must keep its identity while nothing in it changes, as `rowId` and `rows` must. */
  columns: readonly ListColumn<Item>[];
  rowId: (row: Item) => string | number;
  /** The call that gave the rows. */
  result: Pick<UseQueryResult, 'isPending' | 'isFetching' | 'error' | 'refetch'>;
  /** Undefined until they are known. */
  rows: readonly Item[] | undefined;
  empty: EmptyText;
};

const noRows: readonly never[] = [];
const nothing = (): void => undefined;

/** A list that arrives as a whole, without pages, filters and sort (AMB-184): its rows, or the state that stands for them. */
export function WholeList<Item extends RowData>(props: Props<Item>) {
  const { name, noun, columns, rowId, result, rows, empty, onOpen, markOf } = props;
  const table = useListTable({ name, columns, rows: rows ?? noRows, rowId });
  const isPhone = useMediaQuery(`screen and (max-width: ${breakpoints.mobileMax}px)`, false, { getInitialValueInEffect: false });
  const Rows = isPhone ? ListCards : ListTable;
  const { error } = result;
  const view = listView({
    pending: result.isPending,
    failure: error === null ? null : error instanceof CallError ? (error.status ?? 0) : 0,
    rowCount: rows?.length ?? null,
    total: null,
    filtered: false,
  });
  if (view === 'rows' || view === 'loading') {
    const list = { arrangement: { sort: null, limit: 0, defaultLimit: 0 }, isLoading: result.isFetching, view, sortBy: nothing };
    return (
      <div data-reaches-bottom>
        <Rows list={list} table={table} caption={noun} onOpen={onOpen} markOf={markOf} />
      </div>
    );
  }
  const reload = (): void => void result.refetch();
  const list = {
    clearFilters: nothing,
    swapDays: nothing,
    goTo: nothing,
    reload,
    failure: error?.message ?? null,
    isLoading: result.isFetching,
  };
  return <ListState view={view} list={list} noun={noun} empty={empty} />;
}
