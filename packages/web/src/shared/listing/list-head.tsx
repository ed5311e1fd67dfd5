import { VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import type { RowData } from '@tanstack/react-table';
import type { MouseEvent, ReactNode } from 'react';
import { HoverTooltip } from '../ui/hover-tooltip.tsx';
import { columnTitle, sortKeyOf, type ListColumn } from './list-column.ts';
import type { SortOrder } from './list-query.ts';
import { listCell } from './list-row.tsx';
import classes from './list-table.module.css';
import { pinnedId } from './use-pin-places.ts';
import handleClasses from './resize-handle.module.css';
import type { ListTable } from './use-list-table.ts';

type Props<Item extends RowData> = {
  columns: readonly ListColumn<Item>[];
  /** Width of a column in pixels. */
  widthOf: (id: string) => number;
  sort: SortOrder | null;
  onSort: (key: string) => void;
  /** The list whose columns can be resized. */
  list?: ListTable<Item>;
  summary: ReadonlyMap<string, ReactNode> | undefined;
};

/** Column widths, headers and the row of sums; headers and sums stay in view while the rows scroll. */
export function ListHead<Item extends RowData>({ columns, widthOf, sort, onSort, list, summary }: Props<Item>) {
  return (
    <>
      <colgroup>
        {columns.map((column) => (
          <col key={column.id} style={{ width: widthOf(column.id) }} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map((column) => (
            <HeaderCell
              key={column.id}
              column={column}
              sort={sort}
              onSort={onSort}
              handle={list === undefined ? null : <ResizeHandle list={list} id={column.id} />}
            />
          ))}
        </tr>
        {summary !== undefined && (
          <tr className={classes['summary']} aria-rowindex={2}>
            {columns.map((column) => listCell(column, summary.get(column.id)))}
          </tr>
        )}
      </thead>
    </>
  );
}

type CellProps<Item> = {
  column: ListColumn<Item>;
  sort: SortOrder | null;
  onSort: (key: string) => void;
  /** Changes the column's width. */
  handle: ReactNode;
};

/** The header of a column with its name and tooltip; a sortable one is filled by a button. */
function HeaderCell<Item>({ column, sort, onSort, handle }: CellProps<Item>) {
  const key = sort === null ? null : sortKeyOf(column);
  const direction = key === null || sort === null ? undefined : ariaSort(sort, key);
  return (
    <th
      scope="col"
      data-column={column.id}
      data-align={column.align}
      data-pin={column.pin}
      data-pinned={pinnedId(column)}
      data-figure={column.isFigure}
      data-sorts={key === null ? undefined : true}
      aria-sort={direction}
    >
      {key === null ? (
        <span className={classes['headerText']}>{column.head ?? <HeaderName column={column} />}</span>
      ) : (
        <button type="button" className={classes['sort']} data-sorted={direction === 'none' ? undefined : true} onClick={() => onSort(key)}>
          <HeaderName column={column} />
          {direction === 'none' && <IconArrowsSort size={13} aria-hidden />}
          {direction === 'ascending' && <IconArrowUp size={13} aria-hidden />}
          {direction === 'descending' && <IconArrowDown size={13} aria-hidden />}
        </button>
      )}
      {handle}
    </th>
  );
}

function HeaderName({ column }: { column: ListColumn<never> }) {
  const name = column.cellName === '' ? <VisuallyHidden>{columnTitle(column)}</VisuallyHidden> : <span>{column.cellName}</span>;
  return column.tooltip === undefined ? name : <HoverTooltip label={column.tooltip}>{name}</HoverTooltip>;
}

/** The sort of a column as `aria-sort` says it. */
function ariaSort(current: SortOrder, column: string): 'ascending' | 'descending' | 'none' {
  if (current.orderBy !== column) return 'none';
  return current.orderDirection === 'asc' ? 'ascending' : 'descending';
}

type HandleProps<Item extends RowData> = { list: ListTable<Item>; id: string };

/**
 * Changes the width of a column by dragging; a double-click fits it to its content. It is for the pointer only: its name would
 * become part of the header's name, so the keyboard uses the sliders of the column menu.
 */
function ResizeHandle<Item extends RowData>({ list: { table, widths }, id }: HandleProps<Item>) {
  const header = table.getLeafHeaders().find(({ column }) => column.id === id);
  if (header === undefined || !header.column.getCanResize()) return null;
  const start = header.getResizeHandler();
  const onMouseDown = (event: MouseEvent): void => {
    // Otherwise the drag would select text.
    event.preventDefault();
    if (event.button === 0 && event.detail < 2) start(event);
  };
  return (
    <span
      aria-hidden
      className={handleClasses['handle']}
      data-handle={id}
      data-resizing={header.column.getIsResizing() || undefined}
      data-screen-only
      title="Drag to resize, double-click to fit"
      onMouseDown={onMouseDown}
      onTouchStart={start}
      onDoubleClick={(event) => {
        event.stopPropagation();
        widths.fit(id);
      }}
    />
  );
}
