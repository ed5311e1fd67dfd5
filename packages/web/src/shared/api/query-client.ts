import { QueryClient } from '@tanstack/react-query';

/**
 * Cache of server state. Nothing is retried by itself, because every failure is shown at once and each
 * screen offers to try again; calls run even when the browser believes to be offline, so that they fail visibly.
 */
export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', refetchOnWindowFocus: false },
    mutations: { retry: false, networkMode: 'always' },
  },
});
