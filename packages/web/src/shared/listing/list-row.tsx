import { useMemo, type ReactNode } from 'react';
import { GridTabIndex } from '../ui/grid-tab-index.ts';
import classes from './list-table.module.css';
import type { PlacedColumn } from './use-list-table.ts';

/** Why a row stands out: a colour and what it means in words. */
export type RowMark = { tone: 'accent' | 'warning'; meaning: string };

type Props<Item> = {
  item: Item;
  columns: readonly PlacedColumn<Item>[];
  /** Place among the rows shown. */
  index: number;
  /** Place in the table with its header, from 1. */
  ariaIndex: number;
  isActive: boolean;
  isOpen: boolean;
  mark: RowMark | undefined;
  /** What is said where rows were left out above this one. */
  gap: string | undefined;
};

/** A row of the table. Its cells render again only when its data or the columns change, not while the reader walks. */
export function ListRow<Item>({ item, columns, index, ariaIndex, isActive, isOpen, mark, gap }: Props<Item>) {
  const cells = useMemo(
    () =>
      columns.map((placed) => (
        <ListCell key={placed.column.id} placed={placed}>
          {placed.column.cell(item)}
        </ListCell>
      )),
    [columns, item],
  );
  return (
    <>
      {gap !== undefined && (
        <tr className={classes['gap']}>
          <td colSpan={columns.length}>
            <span>{gap}</span>
          </td>
        </tr>
      )}
      <tr
        className={classes['row']}
        tabIndex={isActive ? 0 : -1}
        data-index={index}
        data-tone={mark?.tone}
        data-open={isOpen || undefined}
        aria-rowindex={ariaIndex}
        aria-selected={isOpen}
        aria-description={mark?.meaning}
      >
        <GridTabIndex.Provider value={isActive ? 0 : -1}>{cells}</GridTabIndex.Provider>
      </tr>
    </>
  );
}

/** A cell in its column's alignment and, for a pinned column, at its place at the edge. */
export function ListCell<Item>({ placed: { column, style }, children }: { placed: PlacedColumn<Item>; children: ReactNode }) {
  return (
    <td className={classes['cell']} data-align={column.align} data-pin={column.pin} data-figure={column.isFigure} style={style}>
      {children}
    </td>
  );
}
