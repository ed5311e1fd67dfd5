import type { ViewList } from '@switchyard/contract/saved-views';
import { createRootRoute, createRoute, createRouter, notFound, redirect, type AnyRoute } from '@tanstack/react-router';
import { localSettings } from '../shared/local-settings.ts';
import { parseSearch, stringifySearch } from '../shared/search-codec.ts';
import { paths } from '../shared/paths.ts';
import { deniedPage } from '../shared/session/denied-page.ts';
import { endedSession } from '../shared/session/ended-session.ts';
import { sessionStore } from '../shared/session/session-store.ts';
import { currentSettings } from '../shared/settings.ts';
import { unsavedWork } from '../shared/unsaved-work.ts';
import { BareCrashPage, CrashPage, PageLoading } from './page-states.tsx';
import { lazyPage } from './lazy-page.tsx';
import { checkAccess, type ConsoleRoute } from './console-routes.ts';
import { demandedPermissions } from './route-guard.ts';
import { routeTable } from './route-table.ts';

// The layout is loaded lazily, so that the login page does not include it.
const loadLayout = async () => ({ default: (await import('./layout.tsx')).Layout });
const Layout = lazyPage<object>(loadLayout);
const NotFoundScreen = lazyPage<object>(() => import('./not-found-screen.tsx').then((file) => ({ default: file.NotFoundScreen })));

const rootRoute = createRootRoute({ notFoundComponent: NotFoundScreen, errorComponent: BareCrashPage });
const layoutRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'console',
  component: Layout,
  pendingComponent: PageLoading,
  errorComponent: BareCrashPage,
});

function toRoute(parent: AnyRoute, entry: ConsoleRoute) {
  return createRoute({
    getParentRoute: () => parent,
    path: entry.path,
    component: lazyPage(entry.page),
    errorComponent: entry.isLoginPage === true ? BareCrashPage : CrashPage,
    pendingComponent: PageLoading,
    staticData: { title: entry.title, name: entry.name },
    beforeLoad: ({ location, preload }) => {
      if (entry.isHidden?.(currentSettings()) === true) throw notFound();
      const result = checkAccess(entry);
      if (result.kind === 'open') {
        if (!preload && entry.isLoginPage !== true) deniedPage.set(null);
        return;
      }
      // The page stays while it asks for a new sign-in; blocking Back loads its route again.
      if (endedSession.get() !== null && unsavedWork.isHeld()) return;
      if (sessionStore.phase() === 'live' && result.to === paths.login() && !preload) {
        deniedPage.set({ title: entry.title, permissions: demandedPermissions(entry) });
      }
      // Pointing at a link preloads the page; only navigation saves the path.
      if (result.remembersPath && !preload) localSettings.redirect.set(location.pathname + location.searchStr);
      throw redirect({ href: result.to });
    },
  });
}

const isLogin = (entry: ConsoleRoute): boolean => entry.isLoginPage === true;

const routeTree = rootRoute.addChildren([
  ...routeTable.filter(isLogin).map((entry) => toRoute(rootRoute, entry)),
  layoutRoute.addChildren(routeTable.filter((entry) => !isLogin(entry)).map((entry) => toRoute(layoutRoute, entry))),
]);

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingMs: 300,
  scrollRestoration: true,
});

/** Loads the code of the page at a path and of the layout around it, and the saved views of its list. What fails is tried again when the page opens. */
export function preloadPage(path: string): void {
  const name = router.matchRoutes(path, {}).at(-1)?.staticData.name;
  const entry = routeTable.find((row) => row.name === name);
  void Promise.allSettled([
    loadLayout(),
    entry?.page(),
    entry?.views !== undefined && checkAccess(entry).kind === 'open' && loadViews(entry.views),
  ]);
}

async function loadViews(list: ViewList): Promise<void> {
  const { preloadViews } = await import('../shared/listing/views/use-saved-views.ts');
  preloadViews(list);
}
