import { useSyncExternalStore } from 'react';

function subscribe(onChange: () => void): () => void {
  const query = matchMedia('print');
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

/**
 * Whether the page is rendered for print. The change is rendered before the browser prints, so content that is
 * otherwise mounted only in view can be mounted completely.
 */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia('print').matches);
}
