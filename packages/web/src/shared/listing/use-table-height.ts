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
    for (const above of elementsAbove(element.current)) observer.observe(above);
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', measure);
    };
  }, [element]);
  return height;
}

/** Whatever can push an element down: the siblings before it and before each of its ancestors. */
function elementsAbove(element: HTMLElement | null): Element[] {
  const above: Element[] = [];
  for (let inner: Element | null = element; inner !== null && inner !== document.body; inner = inner.parentElement) {
    for (let before = inner.previousElementSibling; before !== null; before = before.previousElementSibling) above.push(before);
  }
  return above;
}
