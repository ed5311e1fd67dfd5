import type { RowData } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, type MouseEvent, type ReactNode, type RefObject } from 'react';
import { withMarks } from '../ui/hidden-characters.ts';
import { NumberForm } from '../ui/figure.tsx';
import { ListHead } from './list-head.tsx';
import { isRowClick, ListRow, SkeletonRows, type RowMark } from './list-row.tsx';
import classes from './list-table.module.css';
import { useEndEdge, useFittedColumns, useMeasuringMount } from './use-fitted-columns.ts';
import { useFirstRows } from './use-first-rows.ts';
import type { ListState } from './use-list.ts';
import type { ListTable as Table } from './use-list-table.ts';
import { usePinPlaces } from './use-pin-places.ts';
import { usePrintBlocks } from './use-print-blocks.ts';
import { usePrinting } from './use-printing.ts';
import { useRowFocus } from './use-row-focus.ts';
import { useTableHeight } from './use-table-height.ts';

/** Height of a row in pixels. */
const rowHeight = 36;

/** Above this number of rows only those in view are mounted; in print all are. A hundred rows of a wide list are 4,600 elements. */
const virtualAbove = 90;

/** Input of the rows of a list, in a table or in cards. */
export type RowsProps<Item extends RowData> = {
  list: Pick<ListState<unknown, Item>, 'arrangement' | 'isLoading' | 'view' | 'sortBy'>;
  table: Table<Item>;
  /** Name of the table for assistive technology. */
  caption: string;
  /** Cells of a row above all others, by column id (the TOTAL row). */
  summary?: ReadonlyMap<string, ReactNode> | undefined;
  markOf?: ((row: Item) => RowMark | undefined) | undefined;
  /** Notice above a row where rows are missing. */
  gapAbove?: ((row: Item) => string | undefined) | undefined;
  /** Enter or a double-click on a row. */
  onOpen?: ((row: Item) => void) | undefined;
  /** A single click opens a row too. */
  opensOnClick?: boolean | undefined;
  /** Selects a row, with `isRange` all rows from the last one on, for the keyboard. */
  onSelect?: ((row: Item, isRange: boolean) => void) | undefined;
  /** The row shown in the side panel; the keyboard then opens each row it moves to. */
  openRow?: Item | undefined;
};

/** The table of a list on wide screens. */
export function ListTable<Item extends RowData>(props: RowsProps<Item>) {
  const { list, table, caption, summary, markOf, gapAbove, onOpen, opensOnClick, onSelect, openRow } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLTableElement>(null);
  useMeasuringMount(grid, list.view !== 'loading' && !table.widths.areMeasured);
  const { hasMore, barWidth } = useEndEdge(scroller);
  // Before what is measured: a sheet that comes after it makes the browser style and lay out the pinned cells once more.
  const pins = usePinPlaces(table.table, barWidth);
  useTableHeight(scroller);
  const rows = table.table.getRowModel().rows;
  const headRows = summary === undefined ? 1 : 2;
  const firstCount = useFirstRows({
    scroller,
    rows: table.table.options.data,
    rowHeight,
    needsAll: list.view === 'loading' || !table.widths.areMeasured || openRow !== undefined,
  });
  const blocks = usePrintBlocks(grid, table.shownColumns);
  const mountedRows = useMountedRows({ scroller, grid, count: rows.length, firstCount, headRows });

  const open = (index: number): void => {
    const row = rows[index];
    if (row !== undefined) onOpen?.(row.original);
  };
  const select = (index: number, isRange: boolean): void => {
    const row = rows[index];
    if (row !== undefined) onSelect?.(row.original, isRange);
  };
  const openIndex = openRow === undefined ? -1 : rows.findIndex((row) => row.original === openRow);
  const focus = useRowFocus({
    grid,
    count: rows.length,
    openIndex,
    onOpen: onOpen === undefined ? undefined : open,
    onSelect: onSelect === undefined ? undefined : select,
    reveal: mountedRows.reveal,
  });

  // The last active row may have been scrolled out of view; the first one in view is the tab stop then.
  const entry = mountedRows.indexes.includes(focus.active) ? focus.active : mountedRows.firstInView;
  const total = table.table.getTotalSize();
  useFittedColumns({
    list: table,
    grid,
    scroller,
    // A long list mounts none in its first commit, in which only the head could be measured.
    hasRows: list.view !== 'loading' && (rows.length === 0 || mountedRows.indexes.length > 0),
    rows,
    summary,
    firstRow: mountedRows.first,
  });

  const openClicked = ({ target }: MouseEvent<HTMLElement>): void => {
    if (!(target instanceof Element) || target.closest('a, button') !== null) return;
    const index = Number(target.closest<HTMLElement>('[data-index]')?.dataset['index'] ?? '-1');
    if (index >= 0) open(index);
  };

  return (
    <div className={classes['frame']} data-loading={list.isLoading || undefined} data-more={hasMore || undefined} data-pins={pins}>
      <div ref={scroller} className={classes['scroller']} data-summary={summary !== undefined || undefined}>
        <NumberForm value={table.widths.isCompact ? 'compact' : 'full'}>
          {blocks.map((columns, at) => (
            <table
              key={at === 0 ? '' : columns.at(-1)?.id}
              ref={at === 0 ? grid : undefined}
              role="grid"
              className={classes['table']}
              aria-label={at === 0 ? caption : 'further columns'}
              aria-rowcount={rows.length + headRows}
              aria-busy={list.isLoading}
              style={{ minWidth: total }}
              onKeyDown={focus.onKeyDown}
              onFocus={focus.onFocus}
              onBlur={focus.onBlur}
              data-clickable={opensOnClick}
              data-narrow={narrowColumns(table)}
              data-first-load={list.view === 'loading' || undefined}
              data-compact={table.widths.isCompact || undefined}
              onClick={(event) => opensOnClick === true && isRowClick(event) && openClicked(event)}
              onDoubleClick={openClicked}
              onMouseOver={showCutText}
            >
              <ListHead
                columns={columns}
                widthOf={(id) => table.table.getColumn(id)?.getSize() ?? 0}
                sort={list.arrangement.sort}
                onSort={list.sortBy}
                list={table}
                summary={summary}
              />
              {list.view === 'loading' ? (
                <SkeletonRows columns={columns} />
              ) : (
                <tbody>
                  {mountedRows.above > 0 && <tr aria-hidden style={{ height: mountedRows.above }} />}
                  {mountedRows.indexes.map((index) => {
                    const row = rows[index];
                    if (row === undefined) return null;
                    return (
                      <ListRow
                        key={row.id}
                        item={row.original}
                        columns={columns}
                        index={index}
                        ariaIndex={index + headRows + 1}
                        isActive={index === entry}
                        isOpen={index === openIndex}
                        mark={markOf?.(row.original)}
                        gap={gapAbove?.(row.original)}
                      />
                    );
                  })}
                  {mountedRows.below > 0 && <tr aria-hidden style={{ height: mountedRows.below }} />}
                </tbody>
              )}
            </table>
          ))}
        </NumberForm>
      </div>
    </div>
  );
}

type MountedInput = {
  scroller: RefObject<HTMLDivElement | null>;
  grid: RefObject<HTMLTableElement | null>;
  count: number;
  /** How many rows are mounted at first. */
  firstCount: number;
  headRows: number;
};

/** The rows that are mounted: all of a short list, else those in view with some around them. */
function useMountedRows({ scroller, grid, count, firstCount, headRows }: MountedInput) {
  const isPrinting = usePrinting();
  const isVirtual = count > virtualAbove && !isPrinting;
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    enabled: isVirtual,
    scrollPaddingStart: rowHeight * headRows,
  });
  const items = virtualizer.getVirtualItems();
  const mountedCount = isPrinting ? count : Math.min(firstCount, count);
  return {
    indexes: isVirtual ? items.map((item) => item.index) : Array.from({ length: mountedCount }, (_, index) => index),
    /** The first mounted row; null while all are mounted. */
    first: isVirtual ? (items[0]?.index ?? null) : null,
    firstInView: virtualizer.range?.startIndex ?? 0,
    /** Heights of the rows that are not mounted. */
    above: isVirtual ? (items[0]?.start ?? 0) : 0,
    below: isVirtual ? virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0) : (count - mountedCount) * rowHeight,
    reveal: (index: number): void => {
      if (isVirtual) virtualizer.scrollToIndex(index, { align: 'auto' });
      else grid.current?.querySelector(`[data-index="${index}"]`)?.scrollIntoView({ block: 'nearest' });
    },
  };
}

/** Width in pixels up to which a column is narrow. */
const narrowWidth = 176;

/**
 * The ids of the narrow columns, for cells that are then arranged differently. Container queries would make each such cell a layout of its
 * own, which took more than half of the time to measure the Apps list.
 */
function narrowColumns<Item extends RowData>({ table, shownColumns }: Table<Item>): string {
  const ids = shownColumns.map(({ id }) => id);
  return ids.filter((id) => (table.getColumn(id)?.getSize() ?? 0) <= narrowWidth).join(' ');
}

/** Shows a cut text in full on hover, unless its cell has a tooltip of its own. */
function showCutText({ target }: MouseEvent<HTMLElement>): void {
  if (!(target instanceof HTMLElement)) return;
  const cell = target.closest<HTMLElement>('td');
  if (cell === null || target.closest('[data-tooltip]') !== null) return;
  const isCut = [cell, ...cell.querySelectorAll<HTMLElement>('*')].some(
    (part) => part.scrollWidth > part.clientWidth && part.clientWidth > 0,
  );
  if (isCut && cell.querySelector('[title]') === null) cell.title = withMarks(cell.textContent);
  else cell.removeAttribute('title');
}
