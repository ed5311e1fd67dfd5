import type { Permission } from '@switchyard/contract/permissions';
import type { ViewList } from '@switchyard/contract/saved-views';
import type { Settings } from '@switchyard/contract/settings';
import { useRouter } from '@tanstack/react-router';
import type { Icon } from '@tabler/icons-react';
import { createContext, useContext, type ComponentType } from 'react';
import { hasInbox } from '../shared/demo-inbox.ts';
import { useStore, type Store } from '../shared/external-store.ts';
import { parseSearch } from '../shared/search-codec.ts';
import { sessionStore, type Session } from '../shared/session/session-store.ts';
import { currentSettings, useSettings } from '../shared/settings.ts';
import { guardRoute, type GuardResult, type RouteDemand } from './route-guard.ts';

/** The place of a route in the sidebar; routes with the same group are under one entry. */
export type MenuPlace = {
  readonly label: string;
  readonly icon: Icon;
  readonly group?: { readonly label: string; readonly icon: Icon };
  /** A number beside the label, while it is above 0. */
  readonly count?: MenuCount;
};

/** Items of the page that wait for somebody. */
export type MenuCount = Pick<Store<number>, 'get' | 'subscribe'>;

/** A page of the console as data. A new page is a new row. */
export type ConsoleRoute = RouteDemand & {
  readonly name: string;
  /** Path with parameters as `$id`. */
  readonly path: string;
  readonly title: string;
  readonly menu?: MenuPlace;
  /** The letter that opens the page after `g`. */
  readonly letter?: string;
  /** Whether the command palette offers the page as an action. */
  readonly isAction?: true;
  /** Permissions without which the page opens, but cannot be completed: the palette offers it only to accounts with all of them. */
  readonly neededToComplete?: readonly Permission[];
  /** Whether the settings of the deployment hide the page; its address is then unknown. */
  readonly isHidden?: (settings: Settings) => boolean;
  /** Whether only the demo has the page. */
  readonly isOfDemo?: true;
  /** One line about the page, for the home page. */
  readonly summary?: string;
  /** The list of the page, whose saved views are loaded with the page's code. */
  readonly views?: ViewList;
  /** Loads the page's code when it is opened, and with it a function that loads the first answers of the page at an address. */
  readonly page: () => Promise<{ default: ComponentType; preload?: (search: string) => Promise<void> }>;
};

/** The table of routes for what it loads: the layout and the pages get it from here, because the table imports them. */
export const ConsoleRoutes = createContext<readonly ConsoleRoute[]>([]);

/** The pages of a deployment: those that its settings do not hide, and with the demo those of the demo. */
export function shownRoutes(routes: readonly ConsoleRoute[], settings: Settings, isDemo: boolean): readonly ConsoleRoute[] {
  return routes.filter((route) => route.isHidden?.(settings) !== true && (isDemo || route.isOfDemo !== true));
}

/** The pages of this deployment. */
export function useShownRoutes(): readonly ConsoleRoute[] {
  return shownRoutes(useContext(ConsoleRoutes), useSettings(), useStore(hasInbox));
}

/** Applies a route's access rules to the session of this tab, or to one that has just begun. */
export function checkAccess(demand: RouteDemand, newSession?: Session): GuardResult {
  const { user } = newSession ?? sessionStore.get() ?? {};
  return guardRoute(demand, newSession ? 'live' : sessionStore.phase(), user?.permissions ?? []);
}

/** Returns a function that is true for paths that the signed-in account may open; false for unknown paths. */
export function useMayOpen(): (path: string, newSession?: Session) => boolean {
  const router = useRouter();
  const routes = useContext(ConsoleRoutes);
  return (path, newSession) => {
    const [pathname = '/', query = ''] = path.split('?', 2);
    const name = router.matchRoutes(pathname, parseSearch(query)).at(-1)?.staticData.name;
    const entry = shownRoutes(routes, currentSettings(), hasInbox.get()).find((row) => row.name === name);
    return entry !== undefined && checkAccess(entry, newSession).kind === 'open';
  };
}
