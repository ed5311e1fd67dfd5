import type { RowData } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { ListHeaderCell } from './list-header-cell.tsx';
import { ListCell } from './list-row.tsx';
import { ResizeHandle } from './resize-handle.tsx';
import classes from './list-table.module.css';
import type { SortOrder } from './sort-order.ts';
import type { ListTable, PlacedColumn } from './use-list-table.ts';

type Props<Item extends RowData> = {
  columns: readonly PlacedColumn<Item>[];
  /** Width of a column in pixels. */
  widthOf: (id: string) => number;
  sort: SortOrder | null;
  onSort: (key: string) => void;
  /** The list whose columns can be resized. */
  list?: ListTable<Item>;
  summary: ReadonlyMap<string, ReactNode> | undefined;
};

/** Column widths, headers and the row of sums; the latter two stay in view while the rows scroll. */
export function ListHead<Item extends RowData>({ columns, widthOf, sort, onSort, list, summary }: Props<Item>) {
  return (
    <>
      <colgroup>
        {columns.map(({ column }) => (
          <col key={column.id} style={{ width: widthOf(column.id) }} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map((placed) => (
            <ListHeaderCell
              key={placed.column.id}
              placed={placed}
              sort={sort}
              onSort={onSort}
              handle={list === undefined ? null : <ResizeHandle list={list} id={placed.column.id} />}
            />
          ))}
        </tr>
        {summary !== undefined && (
          <tr className={classes['summary']} aria-rowindex={2}>
            {columns.map((placed) => (
              <ListCell key={placed.column.id} placed={placed}>
                {summary.get(placed.column.id)}
              </ListCell>
            ))}
          </tr>
        )}
      </thead>
    </>
  );
}
