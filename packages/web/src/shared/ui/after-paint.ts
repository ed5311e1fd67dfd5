/** Milliseconds after which nothing waits for a frame any more; a hidden page paints none. */
const longestFrame = 200;

/** Resolves once the browser has painted what is rendered now. */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, longestFrame);
  });
}
