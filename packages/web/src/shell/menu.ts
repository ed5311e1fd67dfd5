import type { Icon } from '@tabler/icons-react';
import type { ConsoleRoute, MenuCount } from './console-routes.ts';
import { guardRoute } from './route-guard.ts';

export type MenuLink = {
  readonly kind: 'link';
  readonly label: string;
  readonly icon: Icon;
  readonly href: string;
  readonly summary: string;
  readonly count?: MenuCount | undefined;
};
export type MenuGroup = { readonly kind: 'group'; readonly label: string; readonly icon: Icon; readonly links: readonly MenuLink[] };
export type MenuEntry = MenuLink | MenuGroup;

/**
 * The sidebar of an account: the routes with a menu place that it may open, grouped, in table order. Groups without
 * links are left out. A route without a permission entry is hidden.
 */
export function menuFor(routes: readonly ConsoleRoute[], permissions: readonly string[]): readonly MenuEntry[] {
  const entries: MenuEntry[] = [];
  for (const route of routes) {
    const { menu } = route;
    if (menu === undefined || route.permission === undefined) continue;
    if (guardRoute(route, 'live', permissions).kind !== 'open') continue;
    const { label, icon, count } = menu;
    const link: MenuLink = { kind: 'link', label, icon, href: route.path, summary: route.summary ?? '', count };
    if (menu.group === undefined) {
      entries.push(link);
      continue;
    }
    const { group: place } = menu;
    const at = entries.findIndex((entry) => entry.kind === 'group' && entry.label === place.label);
    const group = entries[at];
    if (group?.kind === 'group') entries[at] = { ...group, links: [...group.links, link] };
    else entries.push({ kind: 'group', ...place, links: [link] });
  }
  return entries;
}

/** The links of a menu without its groups. */
export function linksOf(menu: readonly MenuEntry[]): readonly MenuLink[] {
  return menu.flatMap((entry) => (entry.kind === 'link' ? [entry] : entry.links));
}

/** A page that `g` and a letter open. */
export type GoTarget = { readonly letter: string; readonly label: string; readonly href: string };

/** The pages with a letter that an account may open, in table order. */
export function goTargetsFor(routes: readonly ConsoleRoute[], permissions: readonly string[]): readonly GoTarget[] {
  return routes.flatMap((route) => {
    if (route.letter === undefined || guardRoute(route, 'live', permissions).kind !== 'open') return [];
    return [{ letter: route.letter, label: route.menu?.label ?? route.title, href: route.path }];
  });
}
