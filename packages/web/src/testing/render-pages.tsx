import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { queryClient } from '../shared/api/query-client.ts';
import { parseSearch, stringifySearch } from '../shared/search-codec.ts';
import { ConfirmHost } from '../shared/ui/confirm.tsx';
import { clearNotifications } from '../shared/ui/notifications/notification-center.ts';
import { NotificationStacks } from '../shared/ui/notifications/notification-stacks.tsx';
import { renderWidget } from './render-widget.tsx';

type Page = readonly [path: string, title: string, page: () => ReactNode];

/**
 * Shows pages of a feature as the shell does: by address, with prompts and notifications, nothing read before.
 * `/before` is a page to come from; the history holds the given addresses and stands at the last. Gives that history.
 */
export async function renderPages(pages: readonly Page[], addresses: readonly string[]) {
  queryClient.clear();
  clearNotifications();
  const root = createRootRoute();
  const before: Page = ['/before', 'Before', () => 'The page before'];
  const routes = [before, ...pages].map(([path, title, component]) =>
    createRoute({ getParentRoute: () => root, path, component, staticData: { title } }),
  );
  const history = createMemoryHistory({ initialEntries: [...addresses] });
  const router = createRouter({ routeTree: root.addChildren(routes), history, parseSearch, stringifySearch });
  await renderWidget(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <ConfirmHost />
      <NotificationStacks onOpen={() => undefined} />
    </QueryClientProvider>,
  );
  return history;
}
