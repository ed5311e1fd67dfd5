import { useLayoutEffect, type RefObject } from 'react';
import { tableHeight } from '../ui/display-limits.ts';

/**
 * Gives a table its height (`heightBelow`), again whenever the window or what is above the table changes its size. It is no state, which would
 * render the table twice before it is shown.
 */
export function useTableHeight(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const measure = (): void => setHeight(element.current);
    measure();
    // In the next frame: a new height within the call would be another size to report, which browsers count as an error.
    const observer = new ResizeObserver(() => requestAnimationFrame(measure));
    for (const outer of ancestorsOf(element.current)) observer.observe(outer);
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', measure);
    };
  }, [element]);
}

function setHeight(table: HTMLElement | null): void {
  if (table === null) return;
  const top = table.getBoundingClientRect().top + window.scrollY;
  table.style.height = `${heightBelow(top, window.innerHeight)}px`;
}

/** The ancestors of an element; they change their size with everything above it. */
function ancestorsOf(element: HTMLElement | null): Element[] {
  const scrollers: Element[] = [];
  for (let outer = element?.parentElement ?? null; outer !== null && outer !== document.body; outer = outer.parentElement)
    scrollers.push(outer);
  return scrollers;
}

/** Height of a table in pixels: the window below its top less 36, but at least 300. */
export function heightBelow(top: number, windowHeight: number): number {
  return Math.max(tableHeight.minimum, Math.floor(windowHeight - top - tableHeight.margin));
}
