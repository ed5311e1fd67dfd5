import { foundPerKind, type FoundItem } from '@switchyard/contract/search';
import type { Permission } from '@switchyard/contract/permissions';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { localSettings } from '../../shared/local-settings.ts';
import { sessionStore } from '../../shared/session/session-store.ts';
import { closeSignedOut } from '../../shared/session/sign-out.ts';
import { renderPages } from '../../testing/render-pages.tsx';
import { sampleRequest } from '../../testing/sample-request.ts';
import { stubApi } from '../../testing/stub-api.ts';
import { isPaletteOpen, useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { noteRecent, recentItems } from './palette-items.ts';
import { Palette } from './palette.tsx';

const acme: FoundItem = { kind: 'app', id: 12, name: 'Acme Bet', domain: 'acme-bet.example', bundle: 'com.acme.bet', is_archived: false };
const olga: FoundItem = { kind: 'user', id: 7, name: 'Olga Acme', email: 'olga@example.com' };
const closedPaths = new Set(['/users/7/edit']);
const caller = {
  id: 1,
  name: 'Olga',
  email: 'o@x.y',
  panel: 'user' as const,
  hasAllApps: true,
  isSuperAdmin: false,
  roles: [],
  badges: [],
};
const token = { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 };
const sessionOf = (permissions: Permission[]) => ({ user: { ...caller, permissions }, token });
const onSignOut = vi.fn<() => void>();

function Screen() {
  useShortcuts(() => undefined);
  return (
    <Palette pages={[{ letter: 'a', label: 'Apps', href: '/apps' }]} mayOpen={(path) => !closedPaths.has(path)} onSignOut={onSignOut} />
  );
}

/** Results of the server, for any text. */
function answer(data: { items: FoundItem[]; is_approximate: boolean }): void {
  stubApi(() => Response.json({ success: true, data }));
}

/** The same, and requests by their id; others do not exist. */
function answerRequests(data: { items: FoundItem[]; is_approximate: boolean }, ids: readonly number[]): void {
  stubApi((url) => {
    const id = Number(/\/api\/requests\/(\d+)/.exec(url)?.[1]);
    if (Number.isNaN(id)) return Response.json({ success: true, data });
    if (!ids.includes(id)) return Response.json({ success: false, message: 'Request not found' }, { status: 404 });
    return Response.json({ success: true, data: { ...sampleRequest(id), asn: null, server: null, blocked_by: [] } });
  });
}

const open = async () => {
  const pages = ['/', '/apps', '/apps/12/edit', '/addresses/$ip', '/clients/$uid', '/users', '/requests'] as const;
  return renderPages(
    pages.map((path) => [path, path, () => <Screen />] as const),
    ['/'],
  );
};
const field = page.getByRole('textbox', { name: 'Search apps, accounts, pages and actions' });
const options = () =>
  page
    .getByRole('option')
    .elements()
    .map((option) => option.textContent);

beforeEach(() => {
  isPaletteOpen.set(false);
  localStorage.removeItem('switchyard_recent_items');
  onSignOut.mockReset();
  sessionStore.open(sessionOf([]));
});

afterEach(() => sessionStore.close());

describe('command palette', () => {
  it('[CMD-004, CMD-005] opens by Ctrl+K, finds by the server, opens what Enter chooses, and lists it as recent', async () => {
    answer({ items: [acme, olga], is_approximate: true });
    const history = await open();
    await userEvent.keyboard('{Control>}k{/Control}');
    await expect.element(field).toHaveFocus();
    await expect.poll(options).toContain('Apps');
    await userEvent.keyboard('acme');
    await expect.poll(options).toEqual(['Acme Betacme-bet.example', 'Olga Acmeolga@example.com']);
    await expect.element(page.getByText('No exact match. These are similar.')).toBeVisible();
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => history.location.pathname).toBe('/apps/12/edit');
    await expect.element(field).not.toBeInTheDocument();

    await userEvent.keyboard('{Meta>}k{/Meta}');
    await expect.poll(() => options()[0]).toBe('Acme Betacme-bet.example');
    await expect.element(page.getByText('Recent')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(field).not.toBeInTheDocument();
  });

  it('[IDN-144] keeps recent items of the account that opened them, until it signs out', async () => {
    answer({ items: [], is_approximate: false });
    noteRecent({ label: 'Acme Bet', href: '/apps/12/edit' });
    expect(recentItems(() => true)).toMatchObject([{ label: 'Acme Bet' }]);
    localSettings.user.set({ ...sessionOf([]).user, id: 2 });
    expect(recentItems(() => true)).toEqual([]);
    noteRecent({ label: 'Apps', href: '/apps' });
    expect(localStorage.getItem('switchyard_recent_items')).not.toContain('Acme');
    closeSignedOut();
    expect(localStorage.getItem('switchyard_recent_items')).toBeNull();
  });

  it('[CMD-011] offers to create a user only to accounts that can complete it', async () => {
    answer({ items: [], is_approximate: false });
    const asHolderOf = async (...permissions: Permission[]) => {
      sessionStore.open(sessionOf(permissions));
      await expect.poll(options).toContain('Create buyer');
      return options().includes('Create user');
    };
    await open();
    await userEvent.keyboard('{Control>}k{/Control}create');
    expect(await asHolderOf('manager_user_buyer_create', 'manager_app_statistics')).toBe(false);
    expect(await asHolderOf('manager_user_create')).toBe(false);
    expect(await asHolderOf('manager_user_create', 'manager_app_statistics')).toBe(true);
  });

  it('[CMD-005] offers a list where the page of a result is closed to the reader', async () => {
    answer({ items: [olga], is_approximate: false });
    const history = await open();
    // Nobody waits for the field. As shortcuts, the first two letters would open the page of apps.
    await userEvent.keyboard('{Control>}k{/Control}ga olga');
    await expect.element(field).toHaveValue('ga olga');
    await expect.poll(options).toEqual(['Olga Acmeolga@example.com']);
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => history.location.pathname).toBe('/users');
  });

  it('[VIEW-009] opens a view by its id, and leaves out views of lists that belong to an app', async () => {
    const bets: FoundItem = { kind: 'view', id: 5, name: 'Bets', list: 'apps', query: 'search=bet&add=1', owner: 'Olga' };
    const buyers: FoundItem = { ...bets, id: 6, name: 'Better buyers', list: 'buyers' };
    answer({ items: [bets, buyers, { ...bets, id: 7, list: 'events' }], is_approximate: false });
    const history = await open();
    await userEvent.keyboard('{Control>}k{/Control}');
    await expect.element(field).toHaveFocus();
    await userEvent.keyboard('bet');
    await expect.poll(options).toEqual(['BetsOlga', 'Better buyersOlga']);
    await userEvent.keyboard('{ArrowDown}{Enter}');
    await expect.poll(() => history.location.href).toBe('/users?startTabName=Buyers&view=6');
    await userEvent.keyboard('{Control>}k{/Control}');
    await expect.element(field).toHaveFocus();
    await userEvent.keyboard('bet');
    await expect.poll(options).toEqual(['BetsOlga', 'Better buyersOlga']);
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => history.location.href).toBe('/apps?view=5');
  });

  it('[CMD-012] leads to the list of all where there may be more results of a kind', async () => {
    const apps = Array.from({ length: foundPerKind }, (_, nth) => ({ ...acme, id: 20 + nth, name: `Acme ${nth}` }));
    answer({ items: [...apps, { ...olga, id: 8 }], is_approximate: false });
    const history = await open();
    await userEvent.keyboard('{Control>}k{/Control}acme & co');
    await expect.poll(options).toContain('All apps with "acme & co"');
    expect(options()).not.toContain('All users with "acme & co"');
    await page.getByRole('option', { name: 'All apps with "acme & co"' }).click();
    await expect
      .poll(() => [history.location.pathname, new URLSearchParams(history.location.search).get('search')])
      .toEqual(['/apps', 'acme & co']);
  });

  it('[CMD-006] investigates an address or a client uid, and runs actions', async () => {
    answer({ items: [], is_approximate: false });
    const history = await open();
    await userEvent.keyboard('{Control>}k{/Control}');
    await expect.element(field).toHaveFocus();
    await userEvent.keyboard('2001:DB8::1');
    await expect.poll(options).toEqual(['Address 2001:db8::1']);
    await userEvent.clear(field);
    await userEvent.keyboard('c-88/a1');
    await expect.poll(options).toEqual(['Client c-88/a1']);
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => history.location.pathname).toBe('/clients/c-88%2Fa1');

    await userEvent.keyboard('{Control>}k{/Control}');
    await expect.element(field).toHaveFocus();
    await userEvent.keyboard('sign ou{Enter}');
    expect(onSignOut).toHaveBeenCalledOnce();
  });

  it('[CMD-007] lists apps, accounts and servers before pages and actions, and an address last', async () => {
    const server: FoundItem = { kind: 'server', id: 3, name: 'apps-2', url: 'https://edge.example' };
    const role: FoundItem = { kind: 'role', id: 4, name: 'apps-22 readers', panel: 'user' };
    answer({ items: [acme, server, role], is_approximate: false });
    await open();
    await userEvent.keyboard('{Control>}k{/Control}');
    await expect.element(field).toHaveFocus();
    await userEvent.keyboard('apps-2');
    await expect
      .poll(options)
      .toEqual(['Acme Betacme-bet.example', 'apps-2https://edge.example', 'apps-22 readersRole of users', 'Client apps-2']);
    await userEvent.clear(field);
    // A page of exactly this name is meant; one word is no client uid.
    await userEvent.keyboard('apps');
    await expect.poll(options).toEqual(['Apps', 'Acme Betacme-bet.example', 'apps-2https://edge.example', 'apps-22 readersRole of users']);
    await userEvent.clear(field);
    await userEvent.keyboard('app');
    await expect
      .poll(options)
      .toEqual(['Acme Betacme-bet.example', 'apps-2https://edge.example', 'Apps', 'Create app', 'apps-22 readersRole of users']);
    answer({ items: [acme], is_approximate: true });
    await userEvent.clear(field);
    await userEvent.keyboard('pps');
    await expect.poll(options).toEqual(['Apps', 'Acme Betacme-bet.example']);
  });

  it('[CMD-008] investigates a block, and a word that is found nowhere', async () => {
    answer({ items: [], is_approximate: false });
    const history = await open();
    await userEvent.keyboard('{Control>}k{/Control}');
    await expect.element(field).toHaveFocus();
    await userEvent.keyboard('nowhere');
    await expect.poll(options).toEqual(['Client nowhere']);
    await userEvent.clear(field);
    await userEvent.keyboard('10.0.0.0/8');
    await expect.poll(options).toEqual(['Block 10.0.0.0/8']);
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => history.location.pathname).toBe('/addresses/10.0.0.0%2F8');
  });

  it('[CMD-009] opens a request by its id, and the reason why it is missing where it is named with #', async () => {
    answerRequests({ items: [], is_approximate: false }, [191_080]);
    const history = await open();
    await userEvent.keyboard('{Control>}k{/Control}');
    await expect.element(field).toHaveFocus();
    for (const text of ['191080', '#191080']) {
      await userEvent.clear(field);
      await userEvent.keyboard(text);
      await expect.poll(options).toEqual(['Request #191080create, com.acme.bet']);
    }
    await userEvent.clear(field);
    await userEvent.keyboard('#191081');
    await expect.poll(options).toEqual(['Request #191081']);
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => history.location.href).toBe('/requests?request=191081');
  });

  it('[CMD-010] takes a client uid of 128 characters whole', async () => {
    answer({ items: [], is_approximate: false });
    const history = await open();
    await userEvent.keyboard('{Control>}k{/Control}');
    await expect.element(field).toHaveFocus();
    const uid = 'c1'.repeat(64);
    await userEvent.fill(field, uid);
    await expect.poll(options).toEqual([`Client ${uid}`]);
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => history.location.pathname).toBe(`/clients/${uid}`);
  });
});
