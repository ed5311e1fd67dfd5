import { useCallback, type RefCallback } from 'react';

/**
 * Keeps the height of an element in a custom property of the page, in pixels, so that what floats over the page can stand
 * clear of it. Give the result to the element as its ref; the property goes with the element.
 */
export function usePublishedHeight(property: `--sy-${string}`): RefCallback<HTMLElement> {
  return useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return undefined;
      const { style } = document.documentElement;
      const observer = new ResizeObserver(() => style.setProperty(property, `${element.offsetHeight}px`));
      observer.observe(element);
      return () => {
        observer.disconnect();
        style.removeProperty(property);
      };
    },
    [property],
  );
}
