import { useSyncExternalStore } from 'react';

function subscribe(onChange: () => void): () => void {
  const query = matchMedia('print');
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

/**
 * Whether the page is being drawn for paper. The change is rendered before the browser takes the page, so what is
 * mounted only while in view can be mounted whole.
 */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia('print').matches);
}
