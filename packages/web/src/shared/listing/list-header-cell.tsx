import { VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { HoverTooltip } from '../ui/hover-tooltip.tsx';
import { columnTitle, sortKeyOf, type ListColumn } from './list-column.ts';
import classes from './list-table.module.css';
import { ariaSort, type SortOrder } from './sort-order.ts';
import type { PlacedColumn } from './use-list-table.ts';

type Props<Item> = {
  placed: PlacedColumn<Item>;
  sort: SortOrder | null;
  onSort: (key: string) => void;
  /** Changes the column's width. */
  handle: ReactNode;
};

/** The header of a column: its name, its tooltip, and for a sortable column a button that fills it (WID-006 to WID-013). */
export function ListHeaderCell<Item>({ placed: { column, style }, sort, onSort, handle }: Props<Item>) {
  const key = sort === null ? null : sortKeyOf(column);
  const direction = key === null || sort === null ? undefined : ariaSort(sort, key);
  return (
    <th
      scope="col"
      data-column={column.id}
      data-align={column.align}
      data-pin={column.pin}
      data-figure={column.isFigure}
      data-sorts={key === null ? undefined : true}
      style={style}
      aria-sort={direction}
    >
      {key === null ? (
        <span className={classes['headerText']}>
          <HeaderName column={column} />
        </span>
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
