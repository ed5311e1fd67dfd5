import type { FoundItem } from '@switchyard/contract/search';
import type { ViewList } from '@switchyard/contract/saved-views';
import { canonicalIp } from '@switchyard/contract/ip-address';
import { z } from 'zod';
import { withView } from '../../shared/listing/views/view-address.ts';
import { localSettings } from '../../shared/local-settings.ts';
import { paths } from '../../shared/paths.ts';

/** Groups of the palette, in the order in which they are shown. */
export const paletteGroups = [
  'Recent',
  'Investigate',
  'Pages',
  'Actions',
  'Apps',
  'Users',
  'Buyers',
  'Servers',
  'Roles',
  'Streams',
  'Views',
] as const;
export type PaletteGroup = (typeof paletteGroups)[number];

/** What the palette offers: a page, or something to do. */
export type PaletteItem = { group: PaletteGroup; label: string; detail?: string } & ({ href: string } | { run: () => void });

const listPaths: Partial<Record<ViewList, string>> = {
  apps: paths.apps(),
  users: paths.users(),
  buyers: paths.users('Buyers'),
  servers: paths.servers(),
  asns: paths.asns(),
  'black-ips': paths.blackIps(),
  requests: paths.requests(),
  reports: paths.reports(),
  activity: paths.activity(),
};

/** A result of the search as an item; null if its page is closed to the reader, or belongs to an app that a view does not name. */
export function toPaletteItem(item: FoundItem, mayOpen: (path: string) => boolean): PaletteItem | null {
  const found = describeFound(item);
  const href = found?.hrefs.find((path) => mayOpen(path));
  if (found === null || href === undefined) return null;
  const { group, label, detail } = found;
  return { group, label, ...(detail === '' ? {} : { detail }), href };
}

type Described = { group: PaletteGroup; label: string; detail: string; hrefs: readonly string[] };

function describeFound(item: FoundItem): Described | null {
  switch (item.kind) {
    case 'app':
      return {
        group: 'Apps',
        label: item.name,
        detail: item.is_archived ? `${item.domain}, archived` : item.domain,
        hrefs: [paths.appEdit(item.id, 'General'), paths.apps(item.name)],
      };
    case 'user':
      return { group: 'Users', label: item.name, detail: item.email, hrefs: [paths.userEdit(item.id), paths.users()] };
    case 'buyer':
      return { group: 'Buyers', label: item.name, detail: item.email, hrefs: [paths.buyerEdit(item.id), paths.users('Buyers')] };
    case 'server':
      return { group: 'Servers', label: item.name, detail: item.url, hrefs: [paths.serverEdit(item.id)] };
    case 'role':
      return {
        group: 'Roles',
        label: item.name,
        detail: item.panel === 'user' ? 'Role of users' : 'Role of buyers',
        hrefs: [paths.roleEdit(item.panel, item.id)],
      };
    case 'stream':
      return { group: 'Streams', label: item.name, detail: item.app.name, hrefs: [paths.streamEvents(item.app.id, item.uid)] };
    case 'view':
      break;
  }
  const path = listPaths[item.list];
  if (path === undefined) return null;
  return { group: 'Views', label: item.name, detail: item.owner, hrefs: [withView(path, item.id)] };
}

/** Fewest characters of a client uid that the palette offers to investigate. */
const shortestUid = 6;

/** The investigation of a text that is an IP address or may be a client uid. */
export function investigationItems(text: string, mayOpen: (path: string) => boolean): PaletteItem[] {
  const ip = canonicalIp(text);
  const isUid = ip === null && text.length >= shortestUid && text.length <= 128 && !/\s/.test(text);
  const item = ip !== null ? { label: `Address ${ip}`, href: paths.address(ip) } : { label: `Client ${text}`, href: paths.client(text) };
  return (ip !== null || isUid) && mayOpen(item.href) ? [{ group: 'Investigate', ...item }] : [];
}

/** Items whose label contains every word of the text. */
export function matchingItems(items: readonly PaletteItem[], text: string): readonly PaletteItem[] {
  const words = text.toLowerCase().split(/\s+/);
  return items.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
}

const recentItem = z.object({
  label: z.string().max(300),
  detail: z.string().max(300).optional(),
  href: z.string().startsWith('/').max(4_500),
});
const recent = localSettings.json('recent_items', z.array(recentItem).max(8));

/** What the reader opened last from the palette, newest first, as far as it is still open to him. */
export function recentItems(mayOpen: (path: string) => boolean): PaletteItem[] {
  return (recent.get() ?? [])
    .filter(({ href }) => mayOpen(href))
    .map(({ label, detail, href }) => ({ group: 'Recent', label, href, ...(detail === undefined ? {} : { detail }) }));
}

/** Notes an opened page on this device. */
export function noteRecent({ label, detail, href }: { label: string; detail?: string | undefined; href: string }): void {
  const others = (recent.get() ?? []).filter((item) => item.href !== href);
  recent.set([{ label, href, ...(detail === undefined ? {} : { detail }) }, ...others].slice(0, 8));
}
