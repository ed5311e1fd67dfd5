import { QueryClient } from '@tanstack/react-query';

/**
 * The cache of server state. Queries are not retried, because every failure is shown at once with a button to try
 * again. They run even when the browser reports being offline, so that the failure is visible.
 */
export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', refetchOnWindowFocus: false },
    mutations: { retry: false, networkMode: 'always' },
  },
});
