import type { RowData } from '@tanstack/react-table';
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useState, type RefObject } from 'react';
import type { ListTable } from './use-list-table.ts';

type Input<Item extends RowData> = {
  list: ListTable<Item>;
  grid: RefObject<HTMLTableElement | null>;
  scroller: RefObject<HTMLDivElement | null>;
  /** Whether rows are shown; grey rows have no content to measure. */
  hasRows: boolean;
  /** The content of the cells; a change triggers a new measurement. */
  rows: unknown;
  summary: unknown;
  /** The first of the rows mounted, where only those in view are. */
  firstRow: number | null;
};

/**
 * Measures the table and the content of its columns before the browser paints. Only the rows in view of a long list are
 * mounted; when a figure that scrolls into view is too wide, the columns are measured again.
 */
export function useFittedColumns<Item extends RowData>({ list, grid, scroller, hasRows, rows, summary, firstRow }: Input<Item>): void {
  const { widths, placedColumns } = list;
  const { isCompact } = widths;
  const cells = useMemo(
    () => ({ placedColumns, rows, summary, isCompact, areMeasured: hasRows }),
    [placedColumns, rows, summary, isCompact, hasRows],
  );
  const measure = useEffectEvent(({ areMeasured }: { areMeasured: boolean }, isFresh = false) => {
    if (grid.current === null || scroller.current === null) return;
    // Read first: after the content was measured it would take another layout of the table.
    const room = scroller.current.clientWidth;
    const content = areMeasured ? contentWidths(grid.current, scroller.current) : {};
    widths.measure({ room, content, isFresh });
  });
  const measureAgain = useEffectEvent((isFresh = false) => measure(cells, isFresh));
  useLayoutEffect(() => measure(cells), [cells]);
  useLayoutEffect(() => {
    if (firstRow !== null && grid.current !== null && hasCutFigure(grid.current)) measureAgain();
  }, [firstRow, grid]);
  useEffect(() => {
    const observer = new ResizeObserver(() => measureAgain());
    if (scroller.current !== null) observer.observe(scroller.current);
    // Until a font has loaded, its fallback was measured.
    const onFonts = (): void => measureAgain(true);
    document.fonts.addEventListener('loadingdone', onFonts);
    return () => {
      observer.disconnect();
      document.fonts.removeEventListener('loadingdone', onFonts);
    };
  }, [scroller]);
}

/** How wide each shown column would be by itself. */
function contentWidths(grid: HTMLElement, scroller: HTMLElement): Record<string, number> {
  const { scrollLeft, scrollTop } = scroller;
  grid.dataset['measuring'] = '';
  const headers = [...grid.querySelectorAll<HTMLElement>('th[data-column]')];
  const widths = headers.map((header): [string, number] => [
    header.dataset['column'] ?? '',
    Math.ceil(header.getBoundingClientRect().width),
  ]);
  delete grid.dataset['measuring'];
  // Measuring a narrower table may have scrolled it.
  if (scrollLeft > 0 || scrollTop > 0) scroller.scrollTo({ left: scrollLeft, top: scrollTop, behavior: 'instant' });
  return Object.fromEntries(widths);
}

function hasCutFigure(grid: HTMLElement): boolean {
  return [...grid.querySelectorAll<HTMLElement>('td[data-figure]')].some((cell) => cell.scrollWidth > cell.clientWidth);
}

/** Whether a box can be scrolled further towards its end, and the pixels that its vertical scrollbar takes there. */
export function useEndEdge(scroller: RefObject<HTMLElement | null>): { hasMore: boolean; barWidth: number } {
  const [hasMore, setHasMore] = useState(false);
  const [barWidth, setBarWidth] = useState(0);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box === null) return undefined;
    const update = (): void => {
      setHasMore(box.scrollWidth - box.clientWidth - Math.abs(box.scrollLeft) > 1);
      setBarWidth(box.offsetWidth - box.clientWidth);
    };
    update();
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
