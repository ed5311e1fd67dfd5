import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { parseSearch, stringifySearch } from '../shared/search-codec.ts';
import { renderWidget } from './render-widget.tsx';

/**
 * Shows content under `/page` with the console's own codec of addresses; the history begins with `/before`, then the
 * given addresses. Gives that history.
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
