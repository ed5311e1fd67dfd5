import { useLayoutEffect, useState, type RefObject } from 'react';
import { tableHeight } from '../ui/display-limits.ts';

/** The height of a table (`heightBelow`), updated when the window or what is above the table changes its size. */
export function useTableHeight(element: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState<number>(tableHeight.minimum);
  useLayoutEffect(() => {
    const measure = (): void => {
      const top = (element.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
      setHeight(heightBelow(top, window.innerHeight));
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const outer of ancestorsOf(element.current)) observer.observe(outer);
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', measure);
    };
  }, [element]);
  return height;
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
