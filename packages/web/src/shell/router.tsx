import { createRootRoute, createRoute, createRouter, notFound, redirect, type AnyRoute } from '@tanstack/react-router';
import { localSettings } from '../shared/local-settings.ts';
import { parseSearch, stringifySearch } from '../shared/search-codec.ts';
import { paths } from '../shared/paths.ts';
import { authErrorStore, sessionStore } from '../shared/session/session-store.ts';
import { currentSettings } from '../shared/settings.ts';
import { BareCrashPage, CrashPage } from './crash-page.tsx';
import { lazyPage } from './lazy-page.tsx';
import { PageLoading } from './page-loading.tsx';
import { guardRoute, type RouteDemand } from './route-guard.ts';
import { routeTable, shownRoutes, type ConsoleRoute } from './route-table.ts';

function verdictOn(demand: RouteDemand) {
  return guardRoute(demand, sessionStore.phase(), sessionStore.get()?.user.permissions ?? []);
}

// The layout is a file of its own, so that the login page does not carry it.
const Layout = lazyPage<object>(() => import('./layout.tsx').then((file) => ({ default: file.Layout })));
const NotFoundScreen = lazyPage<object>(() => import('./not-found-screen.tsx').then((file) => ({ default: file.NotFoundScreen })));

const rootRoute = createRootRoute({ notFoundComponent: NotFoundScreen, errorComponent: BareCrashPage });
const layoutRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'console',
  component: Layout,
  pendingComponent: PageLoading,
  errorComponent: BareCrashPage,
});

/** What the login page last said of a page that the account may not open; it goes once another page opens. */
let denial: string | null = null;

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
      const verdict = verdictOn(entry);
      if (verdict.kind === 'open') {
        if (!preload && entry.isLoginPage !== true && denial !== null && authErrorStore.get() === denial) authErrorStore.set(null);
        return;
      }
      if (sessionStore.phase() === 'live' && verdict.to === paths.login() && !preload) {
        denial = `You do not have access to ${entry.title}`;
        authErrorStore.set(denial);
      }
      // Hovering a link loads ahead; only really going there is remembered.
      if (verdict.remembersPath && !preload) localSettings.redirect.set(location.pathname + location.searchStr);
      throw redirect({ href: verdict.to });
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

/** Whether the signed-in account may open a path of the console; unknown paths may not be opened. */
export function mayOpen(path: string): boolean {
  const [pathname = '/', query = ''] = path.split('?', 2);
  const name = router.matchRoutes(pathname, parseSearch(query)).at(-1)?.staticData.name;
  const entry = shownRoutes(currentSettings()).find((row) => row.name === name);
  return entry !== undefined && verdictOn(entry).kind === 'open';
}
