import { pageOf } from '@switchyard/contract/page-of';
import { emptyCounterSet } from '@switchyard/contract/app-statistics';
import type { AppRow } from '@switchyard/contract/apps';
import type { Permission } from '@switchyard/contract/permissions';
import { describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { noteFirstRender, queryClient } from '../../../shared/api/query-client.ts';
import { sessionStore } from '../../../shared/session/session-store.ts';
import { clearNotifications } from '../../../shared/ui/notifications/notification-center.ts';
import { renderPages } from '../../../testing/render-pages.tsx';
import { stubApi } from '../../../testing/stub-api.ts';
import { AppsPage, preloadApps } from './apps-page.tsx';

const none = emptyCounterSet();
const sample: AppRow = {
  id: 12,
  name: 'Goal Rush',
  bundle: 'com.goalrush.app',
  domain: 'goal.example',
  label: 'Goal Rush',
  vertical: 'bet',
  expiration_at: null,
  deleted_at: null,
  app_mode: 'default',
  response_mode: 'white',
  cloak_mode: 'default',
  has_clients: true,
  check_domains: [],
  monitoring: null,
  users_count: 2,
  statistics: { all: { today: none, all_time: none }, qa: none },
  created_at: '2026-11-01 00:00:00',
  updated_at: '2026-11-01 00:00:00',
};
const pagination = {
  total: 2,
  count: 2,
  limit: 20,
  currentPage: 1,
  totalPages: 1,
  current_page: 1,
  last_page: 1,
  prev_cursor: null,
  next_cursor: null,
  links: [],
};
const days = ['15', '16', '17', '18', '19', '20', '21'].map((day) => `2026-11-${day}`);
const curves = { days, apps: [{ id: 12, requests: [0, 5, 1200, 0, 0, 0, 3] }] };

type Server = { permissions?: Permission[]; fails?: boolean; lacksEvents?: () => boolean; address?: string };

function signIn(permissions: Permission[]): void {
  const user = { id: 1, name: 'Olga', email: 'o@x.y', panel: 'user', hasAllApps: true, isSuperAdmin: false } as const;
  sessionStore.open({
    user: { ...user, roles: [], badges: [], permissions },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
}

/** Opens the list over a server of the test's own; gives what it was asked and the history. */
async function show({
  permissions = ['manager_app_statistics'],
  fails = false,
  lacksEvents = () => false,
  address = '/apps?search=go',
}: Server = {}) {
  const asked: string[] = [];
  stubApi((url) => {
    const { pathname, searchParams } = new URL(url, 'http://console');
    asked.push(`${pathname.replace('/api/', '')}?${decodeURIComponent(searchParams.toString())}`);
    if (pathname.endsWith('/download')) return new Response('id\r\n1\r\n', { headers: { 'content-type': 'text/csv' } });
    const statistics: AppRow['statistics'] = lacksEvents()
      ? { ...sample.statistics, missing: ['create', 'receive', 'bots'] }
      : sample.statistics;
    if (pathname.endsWith('/days') && lacksEvents()) return Response.json({ success: true, data: { days, apps: null } });
    if (pathname.endsWith('/days')) {
      const failure = { success: false, message: 'Service unavailable' };
      return fails ? Response.json(failure, { status: 503 }) : Response.json({ success: true, data: curves });
    }
    const named = (name: string) => ({ id: 5, name, email: 'i@x.y', role: 'Buyer', has_access: true });
    if (pathname === '/api/picks/buyers') return Response.json({ success: true, ...pageOf([named('Ivan')], { page: 1, limit: 50 }) });
    if (pathname === '/api/servers/list') return Response.json({ success: true, data: [{ id: 5, name: 'edge-ams-3', ip: null }] });
    if (pathname.endsWith('/total')) return Response.json({ success: true, data: { users_count: 2, statistics } });
    const rows = [
      { ...sample, statistics },
      { ...sample, id: 7, name: 'Idle', statistics },
    ];
    const data = permissions.includes('manager_app_statistics')
      ? rows
      : rows.map((row) => ({ ...row, users_count: null, statistics: { ...row.statistics, all: { today: none, all_time: null } } }));
    return Response.json({ success: true, data, pagination });
  });
  signIn(permissions);
  const history = await renderPages([['/apps', 'Apps', AppsPage]], [address]);
  await expect.element(page.getByText('Goal Rush', { exact: true })).toBeVisible();
  return { asked, history };
}

const daysCalls = (asked: readonly string[]) => asked.filter((call) => call.startsWith('apps/statistics/days'));

/** The calls before the page renders at an address, beside that of the views. */
async function preloadCalls(address: string, { permissions = [], isDefault = false }: { permissions?: Permission[]; isDefault?: boolean }) {
  const calls: string[] = [];
  const view = { id: 5, list: 'apps', name: 'Bets', query: 'search=bet', columns: { hidden: [], shown: [], widths: {} }, role_ids: [] };
  const own = { sharing: 'private', owner: { id: 1, name: 'Olga' }, is_own: true, updated_at: '2026-11-20 10:11:12' };
  stubApi(
    (url) => {
      const { pathname, search } = new URL(url, 'http://console');
      if (pathname === '/api/views')
        return Response.json({ success: true, data: { views: [{ ...view, ...own, is_default: isDefault }], roles: [] } });
      calls.push(decodeURIComponent(pathname.replace('/api/', '') + search));
      const data = pathname.endsWith('/total') ? { users_count: 2, statistics: sample.statistics } : [sample];
      return Response.json({ success: true, data, ...(!pathname.endsWith('/total') && { pagination }) });
    },
    { answersViews: true },
  );
  queryClient.clear();
  signIn(permissions);
  await preloadApps(address);
  return calls;
}

describe('the apps list', () => {
  it('[LIST-004, VIEW-007] loads rows and sums before the page renders, unless a view opens or the account may not see them', async () => {
    const permissions: Permission[] = ['manager_app_statistics'];
    const rows = 'apps?page=1&limit=20&orderBy=keyId&orderDirection=desc&status=active&isCache=1';
    expect(await preloadCalls('', { permissions })).toEqual([rows, 'apps/statistics/total?status=active&isCache=1']);
    const found = await preloadCalls('?search=go&view=none', { permissions, isDefault: true });
    expect(found.map((call) => call.split('&search=')[1]?.split('&')[0])).toEqual(['go', 'go']);
    expect(await preloadCalls('', {})).toEqual([rows]);
    expect(await preloadCalls('', { permissions, isDefault: true })).toEqual([]);
    expect(await preloadCalls('?view=5', { permissions })).toEqual([]);
    const calls = await preloadCalls('', {});
    noteFirstRender();
    await preloadApps('');
    expect(calls, 'fresh for the page').toEqual([rows]);
  });

  it('[LIST-004] draws the requests of seven days for each app, with one call for the page, and says the numbers', async () => {
    await page.viewport(1440, 900);
    const { asked } = await show();
    const numbers = page.getByRole('img', { name: /^15\.11\.2026: 0, 16\.11\.2026: 5, 17\.11\.2026: 1.200, .* today: 3$/ });
    await expect.element(numbers).toBeInTheDocument();
    const bars = numbers.element().closest('td')?.querySelectorAll('path[stroke-width]') ?? [];
    const heights = Array.from(bars, (bar) =>
      bar
        .getAttribute('d')
        ?.match(/(?<=v-)\d+/g)
        ?.map(Number),
    );
    expect(heights, 'today apart').toEqual([[0, 1, 18, 0, 0, 0], [1]]);
    await expect.element(page.getByRole('img', { name: /^15\.11\.2026: 0, .* today: 0$/ })).toBeInTheDocument();
    expect(daysCalls(asked)).toEqual(['apps/statistics/days?ids[]=12&ids[]=7']);
  });

  it('[LIST-004] asks for no days where the column is hidden or not allowed, and shows a dash when they cannot be read', async () => {
    await page.viewport(1440, 900);
    localStorage.setItem('switchyard_hidden_columns_apps', '["days"]');
    expect(daysCalls((await show()).asked)).toEqual([]);
    localStorage.removeItem('switchyard_hidden_columns_apps');
    expect(daysCalls((await show({ permissions: ['manager_app_edit'] })).asked)).toEqual([]);
    await show({ fails: true });
    const cells = page.getByRole('row', { name: /Idle/ }).getByRole('gridcell');
    await expect.poll(() => cells.elements().some((cell) => cell.textContent === '-'), { timeout: 5000 }).toBe(true);
  });

  it('[APPS-036] leads to an app from its name and its actions, but leaves a press with a key to the browser', async () => {
    await page.viewport(1440, 900);
    const { history } = await show({ permissions: ['manager_app_edit'] });
    const link = page.getByRole('link', { name: 'Goal Rush', exact: true });
    const presses: boolean[] = [];
    const notePress = (event: MouseEvent): void => {
      presses.push(event.defaultPrevented);
      event.preventDefault();
    };
    document.addEventListener('click', notePress);
    for (const key of ['ctrlKey', 'metaKey', 'shiftKey', 'altKey'])
      link.element().dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, [key]: true }));
    expect(presses).toEqual([false, false, false, false]);
    expect(history.location.pathname).toBe('/apps');
    await link.click();
    expect(presses.at(-1)).toBe(true);
    document.removeEventListener('click', notePress);
    await expect.poll(() => history.location.href).toBe('/apps/12/edit?startTabName=General');
  });

  it('[APPS-062] filters by vertical, buyer, server, domain and traffic, with chips that name what was chosen', async () => {
    await page.viewport(1440, 900);
    const { asked, history } = await show({ permissions: ['manager_app_edit', 'manager_app_statistics'], address: '/apps' });
    for (const [label, option] of [
      ['Vertical', 'Casino'],
      ['Buyer', 'Ivan'],
      ['Server', 'edge-ams-3'],
      ['Domain', 'Without certificate'],
      ['Traffic', 'None in 24 hours'],
    ] as const) {
      await page.getByRole('combobox', { name: label }).click();
      await page.getByRole('option', { name: option }).click();
    }
    await page.getByRole('button', { name: 'Apply filter' }).click();
    const filters = 'vertical=casino&buyerId=5&serverId=5&domainState=no_certificate&traffic=none';
    await expect.poll(() => history.location.search).toBe(`?${filters}`);
    for (const path of ['apps?', 'apps/statistics/total?'])
      await expect.poll(() => asked.findLast((call) => call.startsWith(path))?.replaceAll('[]', '')).toContain(filters);
    for (const chip of ['Casino', 'Ivan', 'edge-ams-3', 'Without certificate', 'None in 24 hours'])
      await expect.element(page.getByRole('button', { name: `Remove filter ${chip}` })).toBeVisible();
  });

  it('[APPS-062] offers no filter that the reader may not use, and shows one of the address', async () => {
    await page.viewport(1440, 900);
    await show({ permissions: ['manager_app_requests'], address: '/apps?buyerId=7' });
    for (const label of ['Buyer', 'Server', 'Traffic']) expect(page.getByRole('combobox', { name: label }).query()).toBeNull();
    await expect.element(page.getByRole('combobox', { name: 'Vertical' })).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Remove filter #7' })).toBeVisible();
  });

  it('[LIST-001] sorts by a figure from its header, by the higher first', async () => {
    await page.viewport(1440, 900);
    const { asked, history } = await show();
    for (const [header, key] of [
      ['T_C', 'keyTodayCreate'],
      ['U', 'keyUsers'],
      ['All_Conversion', 'keyAllConversion'],
    ] as const) {
      await page.getByRole('columnheader', { name: header, exact: true }).getByRole('button').click();
      await expect.poll(() => history.location.search).toBe(`?orderBy=${key}&search=go`);
      await expect.poll(() => asked.some((call) => call.includes(`orderBy=${key}&orderDirection=desc`))).toBe(true);
    }
  });

  it('[LIST-006] [LIST-007] downloads what the filters ask for, in the order of the list, also for Excel', async () => {
    vi.stubGlobal('showSaveFilePicker', undefined);
    const { asked } = await show();
    await page.getByRole('searchbox', { name: 'Search' }).fill('rush');
    await page.getByRole('button', { name: 'Download' }).click();
    await expect
      .poll(() => asked.find((call) => call.startsWith('apps/download')))
      .toBe('apps/download?orderBy=keyId&orderDirection=desc&status=active&search=rush&isCache=1');
    // Each ends within the test: a late notification would be found in the next one.
    const saved = page.getByTestId('notification').filter({ hasText: 'apps.csv is saved' });
    await expect.element(saved).toBeVisible();
    clearNotifications();
    await page.getByRole('button', { name: 'File formats' }).click();
    await page.getByRole('menuitem', { name: 'CSV for Excel' }).click();
    await expect.poll(() => asked.findLast((call) => call.startsWith('apps/download'))).toMatch(/&isCache=1&format=excel$/);
    await expect.element(saved).toBeVisible();
  });

  const dashes = page.getByText('Missing', { exact: true });
  const notice = page.getByRole('alert').filter({ hasText: 'Statistics are missing: the event store is unavailable' });

  it.each([1440, 390])('[OUT-005] shows missing figures as dashes with one notice in %i px, until they are there again', async (width) => {
    await page.viewport(width, 900);
    const server = { lacksEvents: true };
    const { asked } = await show({ lacksEvents: () => server.lacksEvents });
    await expect.element(notice).toBeVisible();
    expect(notice.elements()).toHaveLength(1);
    // Of the two rows and the total: seven figures and, in rows, the days; cards show one figure each at first.
    await expect.poll(() => dashes.elements().length).toBe(width === 1440 ? 3 * 7 + 2 : 3);
    expect(page.getByText('cannot be sorted').query()).toBeNull();
    const before = asked.length;
    await notice.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => asked.length).toBe(before + 3);
    server.lacksEvents = false;
    await notice.getByRole('button', { name: 'Try again' }).click();
    await expect.element(notice).not.toBeInTheDocument();
    await expect.poll(() => dashes.elements().length).toBe(0);
    const notifications = document.querySelectorAll('[data-testid="notification"]');
    expect(Array.from(notifications, (notification) => notification.textContent)).toEqual([]);
  });

  it('[OUT-003] says that the apps are not in the order of a missing figure, but are in that of one that is known', async () => {
    await page.viewport(1440, 900);
    await show({ lacksEvents: () => true, address: '/apps?orderBy=keyTodayCreate&orderDirection=desc' });
    await expect.element(page.getByText('The apps cannot be sorted by them: the newest are first.')).toBeVisible();
    await show({ lacksEvents: () => true, address: '/apps?orderBy=keyAllPush&orderDirection=desc' });
    await expect.element(notice).toBeVisible();
    expect(page.getByText('cannot be sorted').query()).toBeNull();
  });

  it('[OUT-005] is loaded again by itself every ten seconds while figures are missing', async () => {
    await page.viewport(1440, 900);
    vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout', 'clearInterval', 'clearTimeout'] });
    try {
      const server = { lacksEvents: true };
      const { asked } = await show({ lacksEvents: () => server.lacksEvents });
      // All three answers have arrived, so that their intervals have begun.
      await vi.waitFor(() => expect(dashes.elements()).toHaveLength(23), 5_000);
      server.lacksEvents = false;
      const before = asked.length;
      await vi.advanceTimersByTimeAsync(4_000);
      expect(asked.length).toBe(before);
      await vi.advanceTimersByTimeAsync(8_000);
      // A busy machine needs longer than the default of a second.
      await vi.waitFor(() => expect(document.body.textContent).not.toContain('Statistics are missing'), 5_000);
      await vi.advanceTimersByTimeAsync(60_000);
      const paths = asked.slice(before).map((call) => call.replace(/\?.*/, ''));
      expect(paths.toSorted()).toEqual(['apps', 'apps/statistics/days', 'apps/statistics/total']);
    } finally {
      vi.useRealTimers();
    }
  });
});
