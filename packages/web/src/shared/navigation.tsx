import { Link, useLocation, useMatch, useMatches, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, type ComponentProps, type MouseEvent } from 'react';
import { useGridTabIndex } from './ui/grid-tab-index.ts';
import { parseSearch, stringifySearch, type Search } from './search-codec.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Title of the page, in its heading, breadcrumb and document title. */
    title?: string;
    /** Name of the route. */
    name?: string;
  }
}

/** Opens an address of the console; `replace` leaves no step for the back button, `losesInput` asks nothing about unsaved input. */
export type OpenPath = (href: string, options?: { replace?: boolean; losesInput?: boolean }) => void;

/**
 * Returns a function that says whether the component has been unmounted. The address is then another component's: a late answer must not
 * take the reader off the page that is open by now.
 */
function useIsGone(): () => boolean {
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  return useCallback(() => isGone.current, []);
}

/** Returns a function that opens a page of the console while its component is shown; addresses come from `paths.ts`. */
export function useOpenPath(): OpenPath {
  const navigate = useNavigate();
  const isGone = useIsGone();
  return (href, options = {}) => {
    if (!isGone()) void navigate({ href, replace: options.replace ?? false, ignoreBlocker: options.losesInput ?? false });
  };
}

/** Returns a function that goes back one page while its component is shown, or to the given address when the history has no earlier page of the console. */
export function useGoBack(): (fallback: string) => void {
  const { history } = useRouter();
  const openPath = useOpenPath();
  const isGone = useIsGone();
  return (fallback) => {
    if (isGone()) return;
    if (history.canGoBack()) history.back();
    else openPath(fallback, { replace: true });
  };
}

/**
 * The query of the page as text, e.g. `?page=2`; read it with the query schema of the contract. It does not change
 * while another page opens, so that a list does not request its default rows before it closes.
 */
export function useQueryText(): string {
  return useMatch({ strict: false, select: (match) => stringifySearch(match.search) });
}

/**
 * A parameter of the address, null where it has none, and a function that sets it in place; null removes it. The function
 * stays the same.
 */
export function useParameter(name: string): [value: string | null, set: (value: string | null) => void] {
  const value = new URLSearchParams(useQueryText()).get(name);
  const navigate = useNavigate();
  const isGone = useIsGone();
  const set = useCallback(
    (next: string | null) => {
      if (isGone()) return;
      const search = (before: Search): Search => {
        const { [name]: _former, ...others } = before;
        return next === null ? others : { ...others, [name]: next };
      };
      void navigate({ to: '.', search, replace: true, resetScroll: false });
    },
    [navigate, isGone, name],
  );
  return [value, set];
}

/** The path of the page without its query. Like `useQueryText`, it does not change while another page opens. */
export function usePagePath(): string {
  return useMatch({ strict: false, select: (match) => match.pathname });
}

/** The number that the address names as `$id`; null when it is none that an entity could have. */
export function useIdParam(): number | null {
  return readId(useParams({ strict: false, select: (params: { id?: string }) => params.id }));
}

/** The number that a text names; null when it is none that an entity could have. */
export function readId(text: string | null | undefined): number | null {
  return typeof text === 'string' && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

/** The day that the address names as `$id`, e.g. `2026-11-20`; null when it is none. */
export function useDayParam(): string | null {
  const day = useParams({ strict: false, select: (params: { id?: string }) => params.id });
  return day !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : null;
}

/** The text that the address names as `$uid` or `$ip`, decoded; empty when there is none. */
export function useTextParam(name: 'uid' | 'ip'): string {
  return useParams({ strict: false, select: (params: { uid?: string; ip?: string }) => params[name] ?? '' });
}

/**
 * Returns a function that reads the current address without its host: path and query. A page that followed the address would render once
 * more when another one opens, just before it closes.
 */
export function useReadCurrentPath(): () => string {
  const router = useRouter();
  return () => router.state.location.pathname + router.state.location.searchStr;
}

/** The fragment of the address, without `#`. Browsers send it to nobody. */
export function useFragment(): string {
  return useLocation({ select: (location) => location.hash });
}

/** Title that the route table gives the current page. */
export function useRouteTitle(): string {
  return useMatches({ select: (matches) => matches.findLast((match) => match.staticData.title !== undefined)?.staticData.title ?? '' });
}

type AppLinkProps = Omit<ComponentProps<typeof Link>, 'to' | 'search' | 'params' | 'href' | 'activeOptions'> & { href: string };

/** Otherwise a link to the current page has a class, so that it does not look like other links without one. */
const noProps = {};

/** A link within the console. It opens without a page load and marks the current page; in a table it is no tab stop of its own. */
export function AppLink({ href, ...rest }: AppLinkProps) {
  const [path = '/', query = ''] = href.split('?', 2);
  const tabIndex = useGridTabIndex();
  return (
    <Link
      tabIndex={tabIndex}
      to={path}
      search={parseSearch(query)}
      activeOptions={{ includeSearch: false, exact: path === '/' }}
      activeProps={noProps}
      {...rest}
    />
  );
}

/**
 * A link within a row. Tables have hundreds: unlike `AppLink` it does not follow the current address, which builds its own and matches the
 * routes for each of them.
 */
export function RowLink({ href, children, ...rest }: Omit<ComponentProps<'a'>, 'onClick'> & { href: string }) {
  const tabIndex = useGridTabIndex();
  const router = useRouter();
  const preload = (): void => {
    const [to = '/', query = ''] = href.split('?', 2);
    void router.preloadRoute({ to, search: parseSearch(query) });
  };
  const press = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate({ href });
  };
  return (
    <a tabIndex={tabIndex} href={href} onClick={press} onPointerEnter={preload} onFocus={preload} {...rest}>
      {children}
    </a>
  );
}
