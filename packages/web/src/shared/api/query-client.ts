import { QueryClient } from '@tanstack/react-query';
import { createStore } from '../external-store.ts';

/** Milliseconds for which the first page does not load again what was loaded before it rendered. */
const freshFor = 5_000;

const firstRender = createStore(0);

/** Notes that the first page renders now. */
export function noteFirstRender(): void {
  firstRender.set(Date.now());
}

/**
 * The cache of server state. Queries are not retried, because every failure is shown at once with a button to try
 * again. They run even when the browser reports being offline, so that the failure is visible.
 */
export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      networkMode: 'always',
      refetchOnWindowFocus: false,
      staleTime: ({ state }) => (state.dataUpdatedAt <= firstRender.get() ? freshFor : 0),
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
