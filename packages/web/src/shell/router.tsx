import type { ViewList } from '@switchyard/contract/saved-views';
import { createRootRoute, createRoute, createRouter, notFound, redirect, type AnyRoute } from '@tanstack/react-router';
import { localSettings } from '../shared/local-settings.ts';
import { parseSearch, stringifySearch } from '../shared/search-codec.ts';
import { paths } from '../shared/paths.ts';
import { deniedPage } from '../shared/session/denied-page.ts';
import { endedSession } from '../shared/session/ended-session.ts';
import { isSigningOut, sessionStore } from '../shared/session/session-store.ts';
import { currentSettings } from '../shared/settings.ts';
import { unsavedWork } from '../shared/unsaved-work.ts';
import { BareCrashPage, CrashPage, PagePending } from './page-states.tsx';
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
  pendingComponent: PagePending,
  errorComponent: BareCrashPage,
});

function toRoute(parent: AnyRoute, entry: ConsoleRoute) {
  return createRoute({
    getParentRoute: () => parent,
    path: entry.path,
    component: lazyPage(entry.page),
    errorComponent: entry.isLoginPage === true ? BareCrashPage : CrashPage,
    pendingComponent: PagePending,
    staticData: { title: entry.title, name: entry.name },
    beforeLoad: ({ location, preload, cause }) => {
      if (entry.isHidden?.(currentSettings()) === true) throw notFound();
      const result = checkAccess(entry);
      if (result.kind === 'open') {
        if (preload) return;
        if (entry.isLoginPage === true) isSigningOut.set(false);
        else deniedPage.set(null);
        return;
      }
      // A page with unsaved input stays while it asks for a new sign-in, because blocking Back loads its route again, and after the account
      // lost its permission: the rejected save says so.
      const isRevoked = cause === 'stay' && sessionStore.phase() === 'live';
      if (unsavedWork.isHeld() && (endedSession.get() !== null || isRevoked)) return;
      if (sessionStore.phase() === 'live' && result.to === paths.login() && !preload) {
        deniedPage.set({ title: entry.title, permissions: demandedPermissions(entry) });
      }
      // Pointing at a link preloads the page; only navigation saves the path. A page that is open when its reader signs out is forgotten, and
      // the plain address of the console asks for no page.
      const isAsked = !preload && (cause === 'enter' || sessionStore.phase() === 'expired') && location.href !== paths.home();
      if (result.remembersPath && isAsked && !isSigningOut.get()) localSettings.redirect.set(location.pathname + location.searchStr);
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

/** The most milliseconds for which a page whose code is there waits for its first answers. */
const answersTimeout = 250;

/**
 * Loads the code of the page at an address and of the layout around it, the saved views of its list, and then its first answers: a list
 * that renders with its rows is laid out and painted once instead of three times. What fails is tried again when the page opens.
 */
export async function preloadPage({ pathname, search }: Location): Promise<void> {
  const name = router.matchRoutes(pathname, {}).at(-1)?.staticData.name;
  const entry = routeTable.find((row) => row.name === name);
  const isOpen = entry !== undefined && checkAccess(entry).kind === 'open';
  const views = isOpen && entry.views !== undefined && loadViews(entry.views);
  const time = import('./layout.tsx').then(({ preloadServerTime }) => preloadServerTime());
  // Columns that were measured with a fallback would be measured again.
  const fonts = ['Inter', 'JetBrains Mono'].map((family) => document.fonts.load(`1em '${family} Variable'`));
  const [page] = await Promise.allSettled([entry?.page(), loadLayout(), views]);
  const answers = isOpen && page.status === 'fulfilled' && page.value?.preload?.(search);
  const timeout = new Promise((resolve) => setTimeout(resolve, answersTimeout));
  await Promise.race([Promise.allSettled([answers, time, ...fonts]), timeout]);
}

/** Loads the code of the sign-in pages, which is one file. What fails is tried again when the page opens. */
export async function preloadSignIn(): Promise<void> {
  await Promise.allSettled([routeTable.find(isLogin)?.page()]);
}

async function loadViews(list: ViewList): Promise<void> {
  const { preloadViews } = await import('../shared/listing/views/use-saved-views.ts');
  preloadViews(list);
}
