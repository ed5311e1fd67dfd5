import type { RowData } from '@tanstack/react-table';
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import type { Widths } from './column-widths.ts';
import type { MeasuredWidths } from './use-column-widths.ts';
import type { ListTable } from './use-list-table.ts';

type Input<Item extends RowData> = {
  list: ListTable<Item>;
  grid: RefObject<HTMLTableElement | null>;
  scroller: RefObject<HTMLDivElement | null>;
  /** Whether rows are mounted, or there are none; grey rows have no content to measure. */
  hasRows: boolean;
  /** The content of the cells; a change triggers a new measurement. */
  rows: readonly { original: Item }[];
  summary: unknown;
  /** The first of the rows mounted, where only those in view are. */
  firstRow: number | null;
};

/**
 * Measures the table and the content of its columns before the browser paints. Only the rows in view of a long list are
 * mounted; when a figure that scrolls into view is too wide, the columns are measured again.
 */
export function useFittedColumns<Item extends RowData>({ list, grid, scroller, hasRows, rows, summary, firstRow }: Input<Item>): void {
  const { widths, shownColumns } = list;
  const { isCompact } = widths;
  const cells = useMemo(
    () => ({ shownColumns, rows, summary, isCompact, areMeasured: hasRows }),
    [shownColumns, rows, summary, isCompact, hasRows],
  );
  const isScrolled = useRef(false);
  /** Last measurement and its rows; undefined before the first one, null to measure everything. */
  const last = useRef<{ cells: typeof cells; items: ReadonlySet<Item> } | null>(undefined);
  /** Whether rows arrived that fitted the columns as they were, so that their content was not measured. */
  const hasUnmeasured = useRef(false);
  const measure = useEffectEvent((current: typeof cells, isFresh = false) => {
    if (grid.current === null || scroller.current === null) return;
    const items = new Set(rows.map(({ original }) => original));
    const former = last.current;
    last.current = { cells: current, items };
    const isArrival = former !== undefined && former !== null && isWithMoreRows(former, current, items);
    if (!isArrival) hasUnmeasured.current = false;
    const isKnown = former === undefined && widths.areMeasured;
    if (!current.areMeasured || isKnown) widths.measure({ room: scroller.current.clientWidth, content: {}, isFresh });
    else if (isArrival) {
      const indexes = rows.flatMap(({ original }, index) => (former.items.has(original) ? [] : [index]));
      const wideRows = findWideRows(grid.current, indexes, widths.content);
      if (wideRows.length < indexes.length) hasUnmeasured.current = true;
      if (wideRows.length > 0) widths.measure(measureRows(grid.current, scroller.current, wideRows));
    } else widths.measure({ ...measureContent(grid.current, scroller.current, isScrolled.current), isFresh });
  });
  const measureAll = useEffectEvent((isFresh = false) => {
    last.current = null;
    measure(cells, isFresh);
  });
  /** The content of a column does not depend on the room. */
  const measureRoom = useEffectEvent(() => {
    if (hasUnmeasured.current) measureAll();
    else if (scroller.current !== null) widths.measure({ room: scroller.current.clientWidth, content: {} });
  });
  useLayoutEffect(() => measure(cells), [cells]);
  useLayoutEffect(() => {
    if (firstRow === null || grid.current === null || !hasCutFigure(grid.current)) return;
    measureAll();
  }, [firstRow, grid]);
  useEffect(() => {
    const observer = new ResizeObserver(() => measureRoom());
    const box = scroller.current;
    if (box !== null) observer.observe(box);
    const onScroll = (): void => {
      isScrolled.current = true;
    };
    box?.addEventListener('scroll', onScroll, { passive: true, once: true });
    // Until a font has loaded, its fallback was measured.
    const onFonts = (): void => measureAll(true);
    document.fonts.addEventListener('loadingdone', onFonts);
    return () => {
      observer.disconnect();
      box?.removeEventListener('scroll', onScroll);
      document.fonts.removeEventListener('loadingdone', onFonts);
    };
  }, [scroller]);
}

/**
 * Lays a table that is mounted with rows out as its columns are measured, so that whatever is measured before them needs no layout of
 * its own. Must precede other layout effects of the table.
 */
export function useMeasuringMount(grid: RefObject<HTMLElement | null>, hasRows: boolean): void {
  const start = useEffectEvent(() => {
    if (hasRows && grid.current !== null) layOutByContent(grid.current);
  });
  useLayoutEffect(() => start(), []);
}

function layOutByContent(grid: HTMLElement): void {
  grid.dataset['measuring'] = '';
}

type Cells = { shownColumns: unknown; summary: unknown; isCompact: boolean; areMeasured: boolean };

/** Whether cells are those of before with rows that arrived, so that only these can be wider than what was measured. */
function isWithMoreRows(former: { cells: Cells; items: ReadonlySet<unknown> }, cells: Cells, items: ReadonlySet<unknown>): boolean {
  const { shownColumns, summary, isCompact, areMeasured } = former.cells;
  return (
    areMeasured &&
    shownColumns === cells.shownColumns &&
    summary === cells.summary &&
    isCompact === cells.isCompact &&
    [...former.items].some((item) => items.has(item))
  );
}

/** The ids of the measured columns in their order. */
function columnIds(grid: HTMLElement): string[] {
  return [...grid.querySelectorAll<HTMLElement>('th[data-column]')].map((header) => header.dataset['column'] ?? '');
}

/**
 * The rows among those at some indexes with a content that is cut and wider than any of its column before. Finding them costs the one
 * layout that the browser needs anyway to paint the rows.
 */
function findWideRows(grid: HTMLElement, indexes: readonly number[], content: Widths): Element[] {
  const ids = columnIds(grid);
  const rows = indexes.flatMap((index) => grid.querySelector(`[data-index="${index}"]`) ?? []);
  return rows.filter((row) =>
    [...row.children].some((cell, at) => {
      const missing = Math.max(...[cell, ...cell.querySelectorAll('*')].map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
      return missing > 0 && cell.clientWidth + missing > (content[ids[at] ?? ''] ?? 0);
    }),
  );
}

/** How wide each column would be by some rows alone: they are copied into a table of their own, so that the other rows are not laid out. */
function measureRows(grid: HTMLElement, scroller: HTMLElement, rows: readonly Element[]): Pick<MeasuredWidths, 'room' | 'content'> {
  const copy = grid.cloneNode(false);
  if (!(copy instanceof HTMLElement)) return { room: scroller.clientWidth, content: {} };
  const body = document.createElement('tbody');
  body.append(...rows.map((row) => row.cloneNode(true)));
  copy.append(body);
  copy.dataset['measuring'] = 'rows';
  grid.after(copy);
  const ids = columnIds(grid);
  const cells = [...(body.firstElementChild?.children ?? [])];
  const widths = cells.map((cell, at): [string, number] => [ids[at] ?? '', Math.ceil(cell.getBoundingClientRect().width)]);
  const room = scroller.clientWidth;
  copy.remove();
  return { room, content: Object.fromEntries(widths) };
}

/** The room of the table, and how wide each shown column would be by itself: both of one layout, which is most of the cost. */
function measureContent(grid: HTMLElement, scroller: HTMLElement, isScrolled: boolean): Pick<MeasuredWidths, 'room' | 'content'> {
  // Asking for the place of a table that was never scrolled would lay it out once more.
  const { scrollLeft, scrollTop } = isScrolled ? scroller : { scrollLeft: 0, scrollTop: 0 };
  layOutByContent(grid);
  const headers = [...grid.querySelectorAll<HTMLElement>('th[data-column]')];
  const widths = headers.map((header): [string, number] => [
    header.dataset['column'] ?? '',
    Math.ceil(header.getBoundingClientRect().width),
  ]);
  const room = scroller.clientWidth;
  delete grid.dataset['measuring'];
  // Measuring a narrower table may have scrolled it.
  if (scrollLeft > 0 || scrollTop > 0) scroller.scrollTo({ left: scrollLeft, top: scrollTop, behavior: 'instant' });
  return { room, content: Object.fromEntries(widths) };
}

function hasCutFigure(grid: HTMLElement): boolean {
  return [...grid.querySelectorAll<HTMLElement>('td[data-figure]')].some((cell) => cell.scrollWidth > cell.clientWidth);
}

/** Whether a box can be scrolled further towards its end, and the pixels that its vertical scrollbar takes there. */
export function useEndEdge(scroller: RefObject<HTMLElement | null>): { hasMore: boolean; barWidth: number } {
  const [hasMore, setHasMore] = useState(false);
  const [barWidth, setBarWidth] = useState(0);
  useEffect(() => {
    const box = scroller.current;
    if (box === null) return undefined;
    const update = (): void => {
      setHasMore(box.scrollWidth - box.clientWidth - Math.abs(box.scrollLeft) > 1);
      setBarWidth(box.offsetWidth - box.clientWidth);
    };
    // Called once the table is laid out; to ask before would lay it out another time.
    const observer = new ResizeObserver(update);
    for (const part of [box, ...box.children]) observer.observe(part);
    box.addEventListener('scroll', update, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', update);
    };
  }, [scroller]);
  return { hasMore, barWidth };
}
