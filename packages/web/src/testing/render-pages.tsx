import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { queryClient } from '../shared/api/query-client.ts';
import { parseSearch, stringifySearch } from '../shared/search-codec.ts';
import { IdentityHost } from '../shared/session/identity-host.tsx';
import { ConfirmHost } from '../shared/ui/confirm.tsx';
import { clearNotifications } from '../shared/ui/notifications/notification-center.ts';
import { NotificationStacks } from '../shared/ui/notifications/notifications.tsx';
import { renderWidget } from './render-widget.tsx';

type Page = readonly [path: string, title: string, page: () => ReactNode];

/**
 * Renders pages of a feature as the shell does: by address, with prompts and notifications, and an empty cache.
 * `/before` is a preceding page. The history contains the given addresses and is at the last one. Returns the history.
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
      <IdentityHost />
      <ConfirmHost />
      <NotificationStacks onOpen={() => undefined} />
    </QueryClientProvider>,
  );
  return history;
}

/**
 * Renders content at `/page` with the search codec of the console. The history begins with `/before`, then the given
 * addresses. Returns the history.
 */
export async function renderPage(content: ReactNode, ...addresses: readonly [string, ...string[]]) {
  const root = createRootRoute();
  const before = createRoute({ getParentRoute: () => root, path: '/before', component: () => 'The page before' });
  const page = createRoute({ getParentRoute: () => root, path: '/page', component: () => content });
  const history = createMemoryHistory({ initialEntries: ['/before', ...addresses] });
  const router = createRouter({ routeTree: root.addChildren([before, page]), history, parseSearch, stringifySearch });
  await renderWidget(<RouterProvider router={router} />);
  return history;
}
