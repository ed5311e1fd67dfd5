import {
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  tableFeatures,
  useTable,
  type ReactTable,
  type RowData,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import { choiceIn, useColumnChoice, visibilityOf, type ColumnChoice, type ViewWithColumns } from './column-choice.ts';
import type { ListColumn } from './list-column.ts';
import { useColumnWidths, type ColumnWidths } from './use-column-widths.ts';

const features = tableFeatures({ columnPinningFeature, columnResizingFeature, columnSizingFeature, columnVisibilityFeature });
type ListFeatures = typeof features;

/** Columns and rows of a list for the table, the cards and the column menu. */
export type ListTable<Item extends RowData> = {
  table: ReactTable<ListFeatures, Item>;
  /** Every column as declared. */
  declaredColumns: readonly ListColumn<Item>[];
  /** The shown columns in their order; the same array until the columns or their choice change. */
  shownColumns: readonly ListColumn<Item>[];
  widths: ColumnWidths;
  choice: ColumnChoice;
};

type Input<Item extends RowData> = {
  name: string;
  columns: readonly ListColumn<Item>[];
  rows: readonly Item[];
  rowId: (row: Item) => string | number;
  /** The choice of columns, for a list that depends on it; the table's own unless given. */
  choice?: ColumnChoice | undefined;
  /** The open view of the list. */
  view?: ViewWithColumns | undefined;
};

/**
 * Columns and rows of a list on the table library. Hidden columns and chosen widths are those of the open view,
 * else those stored on this device under the list's name. Columns and rows must keep their identity while they stay the same.
 */
export function useListTable<Item extends RowData>({
  name,
  columns,
  rows,
  rowId,
  choice: givenChoice,
  view,
}: Input<Item>): ListTable<Item> {
  const own = useColumnChoice(name, view);
  const choice = givenChoice ?? own;
  const columnVisibility = useMemo(() => visibilityOf(columns, choice), [columns, choice]);
  const shownColumns = useMemo(() => columns.filter(({ id }) => columnVisibility[id] !== false), [columns, columnVisibility]);
  const widths = useColumnWidths(choice, shownColumns, rows);
  const definitions = useMemo(() => toDefinitions(columns), [columns]);
  const columnPinning = useMemo(() => ({ start: pinnedIds(columns, 'start'), end: pinnedIds(columns, 'end') }), [columns]);

  const table = useTable({
    features,
    columns: definitions,
    data: rows,
    getRowId: (row) => String(rowId(row)),
    state: { columnVisibility, columnPinning, columnSizing: widths.sizing },
    columnResizeMode: 'onChange',
    onColumnSizingChange: (change) => widths.choose(typeof change === 'function' ? change(widths.sizing) : change),
    onColumnVisibilityChange: (change) =>
      choice.store(choiceIn(columns, typeof change === 'function' ? change(columnVisibility) : change, choice)),
  });

  // The choice of columns is state inside the table, so its result is a dependency.
  const layout = table
    .getVisibleLeafColumns()
    .map((column) => column.id)
    .join(idSeparator);
  const placedColumns = useMemo(
    () => layout.split(idSeparator).flatMap((id) => columns.find((column) => column.id === id) ?? []),
    [columns, layout],
  );
  return { table, declaredColumns: columns, shownColumns: placedColumns, widths, choice };
}

/** No id contains it; ids of columns that readers or statuses name contain spaces. */
const idSeparator = '\0';

function toDefinitions<Item extends RowData>(columns: readonly ListColumn<Item>[]) {
  const helper = createColumnHelper<ListFeatures, Item>();
  return columns.map((column) =>
    helper.display({
      id: column.id,
      header: column.cellName,
      size: column.width,
      // Columns at the far end hold buttons.
      enableResizing: column.pin !== 'end',
      enableHiding: column.isFixed !== true,
      cell: ({ row }) => column.cell(row.original),
    }),
  );
}

function pinnedIds(columns: readonly ListColumn<never>[], side: 'start' | 'end'): string[] {
  return columns.filter((column) => column.pin === side).map((column) => column.id);
}
