import { tableHeight } from '@switchyard/contract/limits';
import { useLayoutEffect, useState, type RefObject } from 'react';
import { heightBelow } from './table-height.ts';

/** Follows the height of a table (`heightBelow`) for an element while the window is resized or what stands above it grows. */
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

/** What grows and shrinks along with whatever stands above an element: all that it lies in. */
function ancestorsOf(element: HTMLElement | null): Element[] {
  const found: Element[] = [];
  for (let outer = element?.parentElement ?? null; outer !== null && outer !== document.body; outer = outer.parentElement)
    found.push(outer);
  return found;
}
