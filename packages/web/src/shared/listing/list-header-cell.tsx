import { VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import { HoverTooltip } from '../ui/hover-tooltip.tsx';
import { columnTitle, sortKeyOf, type ListColumn } from './list-column.ts';
import classes from './list-table.module.css';
import { ariaSort, type SortOrder } from './sort-order.ts';

type Props = {
  column: ListColumn<never>;
  sort: SortOrder | null;
  onSort: (key: string) => void;
};

/** What stands in a header: the column's name, its tooltip, and for a sortable column a button that sorts (WID-006 to WID-013). */
export function ListHeaderLabel({ column, sort, onSort }: Props) {
  const key = sortKeyOf(column);
  const name = column.cellName === '' ? <VisuallyHidden>{columnTitle(column)}</VisuallyHidden> : <span>{column.cellName}</span>;
  const label = column.tooltip === undefined ? name : <HoverTooltip label={column.tooltip}>{name}</HoverTooltip>;
  if (key === null || sort === null) return <span className={classes['headerText']}>{label}</span>;
  const direction = ariaSort(sort, key);
  return (
    <button type="button" className={classes['sort']} data-sorted={direction === 'none' ? undefined : true} onClick={() => onSort(key)}>
      {label}
      {direction === 'none' && <IconArrowsSort size={13} aria-hidden />}
      {direction === 'ascending' && <IconArrowUp size={13} aria-hidden />}
      {direction === 'descending' && <IconArrowDown size={13} aria-hidden />}
    </button>
  );
}

/** The `aria-sort` of a header; columns that do not sort have none. */
export function headerSort(column: ListColumn<never>, sort: SortOrder | null): 'ascending' | 'descending' | 'none' | undefined {
  const key = sortKeyOf(column);
  return key === null || sort === null ? undefined : ariaSort(sort, key);
}
