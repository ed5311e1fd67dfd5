import type { ReactNode } from 'react';
import { columnWidths } from './column-widths.ts';
import { headerSort, ListHeaderLabel } from './list-header-cell.tsx';
import { ListCell } from './list-row.tsx';
import classes from './list-table.module.css';
import type { SortOrder } from './sort-order.ts';
import type { PlacedColumn } from './use-list-table.ts';

type Props<Item> = {
  columns: readonly PlacedColumn<Item>[];
  sort: SortOrder | null;
  onSort: (key: string) => void;
  summary: ReadonlyMap<string, ReactNode> | undefined;
};

/** Column widths, headers and the row of sums; the latter two stay in view while the rows scroll. */
export function ListHead<Item>({ columns, sort, onSort, summary }: Props<Item>) {
  const widths = columnWidths(columns.map(({ column }) => column));
  return (
    <>
      <colgroup>
        {columns.map(({ column }, at) => (
          <col key={column.id} style={{ width: widths[at] }} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map(({ column, style }) => (
            <th
              key={column.id}
              scope="col"
              data-align={column.align}
              data-pin={column.pin}
              style={style}
              aria-sort={headerSort(column, sort)}
            >
              <ListHeaderLabel column={column} sort={sort} onSort={onSort} />
            </th>
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
