import { useCallback, type RefCallback } from 'react';

/**
 * Publishes the height of an element in pixels as a custom property of the page, so that floating elements can avoid
 * it. Pass the result to the element as its ref; the property is removed with the element.
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
