import { useEffect, useMemo, useState, type MouseEvent, type ReactNode } from 'react';
import { GridTabIndex } from '../ui/grid-tab-index.ts';
import classes from './list-table.module.css';
import type { ListColumn } from './list-column.ts';
import { pinnedId } from './use-pin-places.ts';

/** Reason why a row is marked: a colour and its meaning in words. */
export type RowMark = { tone: 'accent' | 'warning'; meaning: string };

type Props<Item> = {
  item: Item;
  columns: readonly ListColumn<Item>[];
  /** Index among the rows shown. */
  index: number;
  /** Index in the table including its header, from 1. */
  ariaIndex: number;
  isActive: boolean;
  isOpen: boolean;
  mark: RowMark | undefined;
  /** Shown above the row when rows are missing there. */
  gap: string | undefined;
};

/** A row of the table. Its cells render again only when its data or the columns change, not when the focus moves. */
export function ListRow<Item>({ item, columns, index, ariaIndex, isActive, isOpen, mark, gap }: Props<Item>) {
  const cells = useMemo(() => columns.map((column) => listCell(column, column.cell(item))), [columns, item]);
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

/** Whether a click was meant for its row: not for a control in it, nor to select text. */
export function isRowClick({ target, currentTarget }: MouseEvent<HTMLElement>): boolean {
  if (!(target instanceof Element) || !currentTarget.contains(target) || target.closest(controls) !== null) return false;
  return window.getSelection()?.isCollapsed !== false;
}

const controls = 'a, button, input, select, textarea, label, summary, [role="menu"]';

/**
 * A cell in its column's alignment and, for a pinned column, at its place at the edge. No component: a table has hundreds of cells.
 */
export function listCell<Item>(column: ListColumn<Item>, content: ReactNode): ReactNode {
  return (
    <td
      key={column.id}
      className={classes['cell']}
      data-align={column.align}
      data-pin={column.pin}
      data-pinned={pinnedId(column)}
      data-figure={column.isFigure}
    >
      {content}
    </td>
  );
}

/** How many grey rows are shown. */
const rowsShown = 12;

/** Milliseconds after which grey rows appear. Mounting them takes longer than most rows take to arrive. */
const greyAfter = 300;

/** Grey rows while the first rows load. They pulse together: an animation for each cell is a layer of its own. */
export function SkeletonRows<Item>({ columns }: { columns: readonly ListColumn<Item>[] }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), greyAfter);
    return () => clearTimeout(timer);
  }, []);
  if (!isLate) return null;
  return (
    <tbody className={classes['grey']} aria-hidden>
      {Array.from({ length: rowsShown }, (_, row) => (
        <tr key={row} className={classes['row']}>
          {columns.map((column, at) => listCell(column, <GreyBar width={`${45 + ((row * 7 + at * 13) % 40)}%`} />))}
        </tr>
      ))}
    </tbody>
  );
}

/** In place of a text that is still loading. */
export function GreyBar({ width }: { width: string }) {
  return <span className={classes['bar']} style={{ width }} />;
}
