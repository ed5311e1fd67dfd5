import { startTransition, useEffect, useLayoutEffect, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { afterPaint } from '../ui/after-paint.ts';

/** How many of some rows fitted into their table. */
const fittingRows = new WeakMap<readonly unknown[], number>();

type Input = {
  scroller: RefObject<HTMLElement | null>;
  rows: readonly unknown[];
  rowHeight: number;
  /** Whether the table needs all rows at once, such as to measure its columns. */
  needsAll: boolean;
};

/**
 * How many rows to mount. A list that is opened again with the same rows paints those that fit into its table, and mounts the others
 * afterwards.
 */
export function useFirstRows({ scroller, rows, rowHeight, needsAll }: Input): number {
  const [count, setCount] = useState(() => (needsAll ? undefined : fittingRows.get(rows)) ?? Infinity);
  const isPart = count < rows.length;
  useLayoutEffect(() => {
    const box = scroller.current;
    return () => {
      // The height that the table was given; to ask for its box would lay it out.
      const fitting = Math.ceil(Number.parseFloat(box?.style.height ?? '') / rowHeight);
      // Rendering twice takes longer than a few rows more.
      fittingRows.set(rows, fitting * 2 <= rows.length ? fitting : Infinity);
    };
  }, [scroller, rows, rowHeight]);
  useEffect(() => {
    if (!isPart) return undefined;
    const mountAll = (): void => setCount(Infinity);
    void afterPaint().then(() => startTransition(mountAll));
    // Going back restores the place in the table before the first paint.
    const onScroll = (): void => flushSync(mountAll);
    const box = scroller.current;
    box?.addEventListener('scroll', onScroll);
    return () => box?.removeEventListener('scroll', onScroll);
  }, [isPart, scroller]);
  return count;
}
