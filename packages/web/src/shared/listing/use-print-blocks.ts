import { useLayoutEffect, useMemo, useState, type RefObject } from 'react';
import type { ListColumn } from './list-column.ts';
import { usePrinting } from './use-printing.ts';

/** Pixels of a line on paper, as `@page` in global.css sets it: the 297 mm of A4 without both margins. */
const paperWidth = (273 / 25.4) * 96;

/** How much browsers may shrink a page. They shrink one by 2 at most and cut the rest; figures are still read at this. */
const mostShrunk = 1.35;

/**
 * The columns of a table. In print a table that is too wide for the paper is several, one below the other: each begins with the columns
 * that name its rows.
 */
export function usePrintBlocks<Column extends Pick<ListColumn<never>, 'isFixed' | 'pin'>>(
  grid: RefObject<HTMLTableElement | null>,
  columns: readonly Column[],
): readonly (readonly Column[])[] {
  const isPrinting = usePrinting();
  const [widths, setWidths] = useState<readonly number[] | null>(null);
  useLayoutEffect(() => (isPrinting && grid.current !== null ? measureLeast(grid.current, setWidths) : undefined), [isPrinting, grid]);
  return useMemo(() => (isPrinting && widths !== null ? splitColumns(columns, widths) : [columns]), [isPrinting, widths, columns]);
}

/** Calls back with the least width of each column, at which its texts wrap, and with null at the end. */
function measureLeast(grid: HTMLElement, onWidths: (widths: readonly number[] | null) => void): () => void {
  grid.style.width = 'min-content';
  onWidths([...grid.querySelectorAll<HTMLElement>('th[data-column]')].map((header) => header.offsetWidth));
  grid.style.width = '';
  return () => onWidths(null);
}

const sum = (widths: readonly number[]): number => widths.reduce((total, width) => total + width, 0);

function splitColumns<Column extends Pick<ListColumn<never>, 'isFixed' | 'pin'>>(
  columns: readonly Column[],
  widths: readonly number[],
): readonly (readonly Column[])[] {
  if (sum(widths) <= paperWidth * mostShrunk) return [columns];
  const firstValue = columns.findIndex(({ isFixed, pin }) => isFixed !== true || pin === 'end');
  const names = columns.slice(0, Math.max(0, firstValue));
  const room = paperWidth - sum(widths.slice(0, names.length));
  const blocks: Column[][] = [];
  let left = 0;
  for (const [at, column] of columns.entries()) {
    if (at < names.length) continue;
    left -= widths[at] ?? 0;
    const block = blocks.at(-1);
    if (block !== undefined && left >= 0) block.push(column);
    else {
      blocks.push([...names, column]);
      left = room - (widths[at] ?? 0);
    }
  }
  return blocks;
}
