import { comparableText } from '@switchyard/contract/text-fields';
import { shownDomain } from '@switchyard/contract/host-name';
import { foundPerKind, type FoundItem } from '@switchyard/contract/search';
import type { ViewList } from '@switchyard/contract/saved-views';
import { canonicalIp, isAddressOrBlock } from '@switchyard/contract/ip-address';
import { clientUidCharacters } from '@switchyard/contract/limits';
import type { RequestRow } from '@switchyard/contract/requests';
import { z } from 'zod';
import { openRowParameter } from '../../shared/listing/list-query.ts';
import { withView } from '../../shared/listing/views/view-address.ts';
import { localSettings } from '../../shared/local-settings.ts';
import { paths } from '../../shared/paths.ts';
import { isSigningOut } from '../../shared/session/session-store.ts';
import { readRequestId } from '../../traffic/request-id.ts';

/** Groups of the palette. They are shown in the order of their first items. */
export type PaletteGroup =
  | 'Recent'
  | 'Pages'
  | 'Actions'
  | 'Apps'
  | 'Users'
  | 'Buyers'
  | 'Servers'
  | 'Roles'
  | 'Streams'
  | 'Views'
  | 'Requests'
  | 'Investigate';

/** An item of the palette: a page, or an action. */
export type PaletteItem = { group: PaletteGroup; label: string; detail?: string } & ({ href: string } | { run: () => void });

/** The page of a list; null for lists of one app. A list whose page has another name than the list is a case of its own. */
function listPath(list: ViewList): string | null {
  switch (list) {
    case 'buyers':
      return paths.users('Buyers');
    case 'black-ips':
      return paths.blackIps();
    case 'events':
    case 'pushes':
    case 'conversions':
      return null;
    default:
      return paths[list]();
  }
}

/** A result of the search as an item; null if its page is closed to the reader, or belongs to an app that a view does not name. */
export function toPaletteItem(item: FoundItem, mayOpen: (path: string) => boolean): PaletteItem | null {
  const description = describeFound(item);
  const href = description?.hrefs.find((path) => mayOpen(path));
  if (description === null || href === undefined) return null;
  const { group, label, detail } = description;
  return { group, label, ...(detail === '' ? {} : { detail }), href };
}

type ItemParts = { group: PaletteGroup; label: string; detail: string; hrefs: readonly string[] };

function describeFound(item: FoundItem): ItemParts | null {
  switch (item.kind) {
    case 'app':
      return {
        group: 'Apps',
        label: item.name,
        detail: item.is_archived ? `${shownDomain(item.domain)}, archived` : shownDomain(item.domain),
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
      return { group: 'Streams', label: item.name, detail: item.app.name, hrefs: [paths.streamRequests(item.app.id, item.uid)] };
    case 'view':
      break;
  }
  const path = listPath(item.list);
  if (path === null) return null;
  return { group: 'Views', label: item.name, detail: item.owner, hrefs: [withView(path, item.id)] };
}

/** The lists with a search by the same texts, and their groups. */
const listOfKind = new Map<FoundItem['kind'], { group: PaletteGroup; path: (search: string) => string }>([
  ['app', { group: 'Apps', path: paths.apps }],
  ['user', { group: 'Users', path: (search) => paths.users('Users', { search }) }],
  ['buyer', { group: 'Buyers', path: (search) => paths.users('Buyers', { search }) }],
  ['server', { group: 'Servers', path: paths.servers }],
]);

/** For each kind of which there may be more results than the search gives, the list of all. */
export function wholeListItems(items: readonly FoundItem[], text: string, mayOpen: (path: string) => boolean): PaletteItem[] {
  return Array.from(listOfKind, ([kind, { group, path }]) => ({ kind, group, href: path(text) }))
    .filter(({ kind, href }) => items.filter((item) => item.kind === kind).length === foundPerKind && mayOpen(href))
    .map(({ group, href }) => ({ group, label: `All ${group.toLowerCase()} with "${text}"`, href }));
}

/** Fewest characters of a text that looks like a client uid. */
const shortestUid = 6;

/**
 * The page about a text that is an IP address or a block, or may be a client uid: it looks like one, or nothing else
 * was found.
 */
export function subjectItems(text: string, mayOpen: (path: string) => boolean, isOnlyChoice: boolean): PaletteItem[] {
  const item = isAddressOrBlock(text)
    ? { label: `${text.includes('/') ? 'Block' : 'Address'} ${canonicalIp(text) ?? text.toLowerCase()}`, href: paths.address(text) }
    : isOnlyChoice || looksLikeUid(text)
      ? { label: `Client ${text}`, href: paths.client(text) }
      : null;
  return item !== null && mayOpen(item.href) ? [{ group: 'Investigate', ...item }] : [];
}

/** A word alone may be a name; a number may be an id. */
function looksLikeUid(text: string): boolean {
  return (
    text.length >= shortestUid &&
    text.length <= clientUidCharacters &&
    /^[^\s]*\d[^\s]*$/.test(text) &&
    /\D/.test(text) &&
    !text.startsWith('#')
  );
}

/** The id of a request in a text such as `#191080` or `191080`; null if it has none. */
export function requestIdOf(text: string): number | null {
  return readRequestId(text.replace(/^#/, ''));
}

/**
 * Opens a request in a list that the reader may open. A request that was not found is offered for a text with `#`, because
 * the list says why it is missing.
 */
export function requestItems(text: string, row: RequestRow | undefined, mayOpen: (path: string) => boolean): PaletteItem[] {
  const id = requestIdOf(text);
  if (id === null || (row === undefined && !text.startsWith('#'))) return [];
  const open = `${openRowParameter}=${id}`;
  const hrefs = [`${paths.requests()}?${open}`, ...(row === undefined ? [] : [`${paths.appEdit(row.app_id, 'Event')}&${open}`])];
  const href = hrefs.find((path) => mayOpen(path));
  const detail = row && `${row.type}, ${row.app_bundle}`;
  return href === undefined ? [] : [{ group: 'Requests', label: `Request #${id}`, ...(detail !== undefined && { detail }), href }];
}

/** Results for a text: the palette's own pages and actions, results of the server, a request, a client and an address. */
type PaletteParts = {
  own: readonly PaletteItem[];
  namedItems: readonly PaletteItem[];
  /** The results are similar to the text and do not contain it. */
  isApproximate: boolean;
  requests: readonly PaletteItem[];
  subjects: readonly PaletteItem[];
};

/** Kinds of results that come before pages and actions. */
const firstGroups: ReadonlySet<PaletteGroup> = new Set(['Apps', 'Users', 'Buyers', 'Servers']);

/**
 * Items in the order of the palette: a page or action of exactly this name, the apps, accounts and servers that contain the
 * text, then everything else, and clients and addresses last.
 */
export function inPaletteOrder(text: string, { own, namedItems, isApproximate, requests, subjects }: PaletteParts): PaletteItem[] {
  const isExact = ({ label }: PaletteItem): boolean => label.toLowerCase() === text.toLowerCase();
  const isFirst = ({ group }: PaletteItem): boolean => !isApproximate && firstGroups.has(group);
  return [
    ...own.filter(isExact),
    ...namedItems.filter(isFirst),
    ...requests,
    ...own.filter((item) => !isExact(item)),
    ...namedItems.filter((item) => !isFirst(item)),
    ...subjects,
  ];
}

/** Items whose label contains every word of the text. */
export function matchingItems(items: readonly PaletteItem[], text: string): readonly PaletteItem[] {
  const words = comparableText(text).split(/\s+/);
  return items.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
}

const recentItem = z.object({
  label: z.string().max(300),
  detail: z.string().max(300).optional(),
  href: z.string().startsWith('/').max(4_500),
});
const recent = localSettings.json('recent_items', z.object({ account: z.int(), items: z.array(recentItem).max(8) }));
// Names and addresses are not left on a device whose reader has signed out.
isSigningOut.subscribe(recent.remove);

/** The items of the account that is signed in on this device, also while it views as another one. */
function ownRecent(account = localSettings.user.get()?.id) {
  const kept = recent.get();
  return kept !== null && kept.account === account ? kept.items : [];
}

/** Items that the reader opened last from the palette and may still open, newest first. */
export function recentItems(mayOpen: (path: string) => boolean): PaletteItem[] {
  return ownRecent()
    .filter(({ href }) => mayOpen(href))
    .map(({ label, detail, href }) => ({ group: 'Recent', label, href, ...(detail === undefined ? {} : { detail }) }));
}

/** Notes an opened page on this device. */
export function noteRecent({ label, detail, href }: { label: string; detail?: string | undefined; href: string }): void {
  const account = localSettings.user.get()?.id;
  if (account === undefined) return;
  const others = ownRecent(account).filter((item) => item.href !== href);
  recent.set({ account, items: [{ label, href, ...(detail === undefined ? {} : { detail }) }, ...others].slice(0, 8) });
}
