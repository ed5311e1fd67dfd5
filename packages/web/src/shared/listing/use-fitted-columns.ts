import type { RowData } from '@tanstack/react-table';
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import type { MeasuredWidths } from './use-column-widths.ts';
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
  const isScrolled = useRef(false);
  const measure = useEffectEvent(({ areMeasured }: { areMeasured: boolean }, isFresh = false) => {
    if (grid.current === null || scroller.current === null) return;
    const measured = areMeasured
      ? measureContent(grid.current, scroller.current, isScrolled.current)
      : { room: scroller.current.clientWidth, content: {} };
    widths.measure({ ...measured, isFresh });
  });
  /** The content of a column does not depend on the room. */
  const measureRoom = useEffectEvent(() => {
    if (scroller.current !== null) widths.measure({ room: scroller.current.clientWidth, content: {} });
  });
  const measureAgain = useEffectEvent((isFresh = false) => measure(cells, isFresh));
  useLayoutEffect(() => measure(cells), [cells]);
  useLayoutEffect(() => {
    if (firstRow !== null && grid.current !== null && hasCutFigure(grid.current)) measureAgain();
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
    const onFonts = (): void => measureAgain(true);
    document.fonts.addEventListener('loadingdone', onFonts);
    return () => {
      observer.disconnect();
      box?.removeEventListener('scroll', onScroll);
      document.fonts.removeEventListener('loadingdone', onFonts);
    };
  }, [scroller]);
}

/** The room of the table, and how wide each shown column would be by itself: both of one layout, which is most of the cost. */
function measureContent(grid: HTMLElement, scroller: HTMLElement, isScrolled: boolean): Pick<MeasuredWidths, 'room' | 'content'> {
  // Asking for the place of a table that was never scrolled would lay it out once more.
  const { scrollLeft, scrollTop } = isScrolled ? scroller : { scrollLeft: 0, scrollTop: 0 };
  grid.dataset['measuring'] = '';
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
