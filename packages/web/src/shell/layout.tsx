import { viewAsMessages } from '@switchyard/contract/view-as';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ComponentType, type ReactNode, type RefObject } from 'react';
import { DownloadTray } from '../shared/downloads/download-tray.tsx';
import { localSettings } from '../shared/local-settings.ts';
import { paths } from '../shared/paths.ts';
import { IdentityHost } from '../shared/session/identity-host.tsx';
import { useSessionUser } from '../shared/session/use-session.ts';
import { viewAs } from '../shared/session/view-as.ts';
import { closeConfirm, ConfirmHost } from '../shared/ui/confirm.tsx';
import { ReadOnlyProvider } from '../shared/ui/read-only.tsx';
import { requestSignOut } from './account-menu.tsx';
import { useMayOpen, useShownRoutes } from './console-routes.ts';
import { DemoNotice } from './demo-notice.tsx';
import { FactorHost } from './factor-host.tsx';
import { FactorNotice } from './factor-notice.tsx';
import { Header } from './header.tsx';
import classes from './layout.module.css';
import { LeaveGuard } from './leave-guard.tsx';
import { goTargetsFor, menuFor } from './menu.ts';
import { MenuList, MobileMenu } from './menu-list.tsx';
import { Palette } from './palette/palette.tsx';
import { SessionWatch } from './session-watch.tsx';
import { useShortcuts } from './shortcuts/use-shortcuts.ts';
import { useEndedViewNotice, ViewBanner } from './view-banner.tsx';

/**
 * Creates a part of the layout that is loaded after the page. The console works without it, such as when its file is of a former release.
 */
function laterPart<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return function LaterPart(props: Props) {
    const [Part, setPart] = useState<ComponentType<Props> | null>(null);
    useEffect(() => {
      load().then(
        (file) => setPart(() => file.default),
        () => undefined,
      );
    }, []);
    return Part && <Part {...props} />;
  };
}

const IncidentWatch = laterPart<object>(() => import('./incident-watch.tsx'));
const ShortcutHelp = laterPart(() => import('./shortcuts/shortcut-help.tsx'));

/** The state of the desktop menu, stored on the device; initially open. */
function useDesktopMenu(): [isOpen: boolean, toggle: () => void] {
  const [isOpen, setIsOpen] = useState(() => localSettings.menuOpened.get() ?? true);
  const toggle = (): void => {
    localSettings.menuOpened.set(!isOpen);
    setIsOpen(!isOpen);
  };
  return [isOpen, toggle];
}

/**
 * Closes the prompt of a page that is left, and focuses the content of the next page when the focused element was unmounted. Apart from the
 * layout, which would render with it.
 */
function PageChange({ content }: { content: RefObject<HTMLElement | null> }) {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const shownPath = useRef(path);
  useEffect(() => {
    const hasChanged = shownPath.current !== undefined && shownPath.current !== path;
    shownPath.current = path;
    if (!hasChanged) return;
    closeConfirm();
    if (document.activeElement === document.body) content.current?.focus({ preventScroll: true });
  }, [path, content]);
  return null;
}

/** Header, sidebar and content. The sidebar is beside the content from 1140 px, a drawer below. */
export function LayoutFrame({ children, content }: { children: ReactNode; content?: RefObject<HTMLElement | null> }) {
  const user = useSessionUser();
  const routes = useShownRoutes();
  const mayOpen = useMayOpen();
  const [isMenuOpen, toggleMenu] = useDesktopMenu();
  const [isDrawerOpen, setIsDrawerOpen] = useState(false);
  // A view begins and ends with a page load.
  const [view] = useState(viewAs.get);
  useEndedViewNotice();
  const permissions = user?.permissions ?? [];
  const menu = menuFor(routes, permissions);
  const targets = goTargetsFor(routes, permissions);
  useShortcuts((letter) => targets.find((target) => target.letter === letter)?.href);
  return (
    <ReadOnlyProvider value={view === null ? null : viewAsMessages.readOnly}>
      <div className={classes['frame']} data-menu={isMenuOpen ? 'open' : 'closed'} data-view={view !== null || undefined}>
        <a className={classes['skip']} href="#content" data-screen-only>
          Skip to content
        </a>
        <header className={classes['header']} data-screen-only>
          <Header
            isMenuOpen={isMenuOpen}
            onToggleMenu={toggleMenu}
            isDrawerOpen={isDrawerOpen}
            onOpenDrawer={() => setIsDrawerOpen(true)}
          />
          {view !== null && <ViewBanner view={view} />}
        </header>
        <nav className={classes['sidebar']} aria-label="Main" data-screen-only>
          <MenuList menu={menu} isCollapsed={!isMenuOpen} />
        </nav>
        <MobileMenu menu={menu} isOpen={isDrawerOpen} onClose={() => setIsDrawerOpen(false)} />
        <main ref={content} id="content" className={classes['main']} tabIndex={-1}>
          {view === null && <FactorNotice />}
          <DemoNotice />
          {children}
        </main>
        <DownloadTray />
        {mayOpen(paths.incidents()) && <IncidentWatch />}
        <SessionWatch />
        <LeaveGuard />
        <FactorHost />
        <IdentityHost />
        <ConfirmHost />
        <ShortcutHelp targets={targets} />
        <Palette pages={targets} mayOpen={mayOpen} onSignOut={requestSignOut} />
      </div>
    </ReadOnlyProvider>
  );
}

export { preloadServerTime } from './server-clock.tsx';

/** The layout around every page that needs a signed-in account. */
export function Layout() {
  const content = useRef<HTMLElement>(null);
  return (
    <>
      <LayoutFrame content={content}>
        <Outlet />
      </LayoutFrame>
      <PageChange content={content} />
    </>
  );
}
