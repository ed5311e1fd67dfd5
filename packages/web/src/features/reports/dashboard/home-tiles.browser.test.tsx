import { type Tile, tileMessages } from '@switchyard/contract/dashboard';
import type { Report, ReportGroup } from '@switchyard/contract/reports';
import type { SavedView } from '@switchyard/contract/saved-views';
import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { sessionStore } from '../../../shared/session/session-store.ts';
import { renderPages } from '../../../testing/render-pages.tsx';
import { stubApi } from '../../../testing/stub-api.ts';
import HomeTiles from './home-tiles.tsx';

const group = (value: string, name: string | null, requests: number): ReportGroup => ({
  keys: [{ value, name }],
  current: { requests, success_share: 0.5 },
  compared: null,
  few: [],
});
const report: Report = {
  group_by: ['app'],
  columns: ['requests', 'success_share'],
  groups: [group('12', 'Acme Bet', 1_500), group('7', null, 500)],
  total_groups: 9,
  totals: { current: { requests: 2_000 }, compared: { requests: 1_600 }, few: [] },
  pivot: null,
  from: '2026-11-14',
  to: '2026-11-20',
  compared_from: '2026-11-07',
  compared_to: '2026-11-13',
  compared_until: null,
  complete_from: '2026-08-22',
  is_complete: true,
  compared_is_complete: true,
  source: 'roll-ups',
};
const owner = { id: 1, name: 'Olga' };
const view = { id: 9, name: 'Last week <b>\u202e', query: 'groupBy=app&measure=requests,success_share&ratio=Deposits:conversions/create' };
const figure: Tile = {
  id: 1,
  shape: 'figure',
  measure: 'requests',
  role_ids: [],
  owner,
  is_own: true,
  view,
  state: 'ready',
  report,
  message: null,
};
const savedView: SavedView = {
  ...view,
  list: 'reports',
  columns: { hidden: [], shown: [], widths: {} },
  sharing: 'roles',
  role_ids: [4],
  owner,
  is_own: true,
  is_default: false,
  updated_at: '2026-11-20 10:11:12',
};

type Call = { method: string; path: string; body: unknown };

/** Shows the tiles over a server with these; `fail` answers a write in its place. */
async function show(initial: Tile[] | Response, { fail, hidden = 0 }: { fail?: () => Response; hidden?: number } = {}) {
  const state = { tiles: initial };
  const calls: Call[] = [];
  stubApi(
    (url, { method, body }) => {
      const path = url.replace(/^.*\/api\//, '');
      const parsedBody = typeof body === 'string' ? JSON.parse(body) : undefined;
      calls.push({ method, path, body: parsedBody });
      if (path.startsWith('views'))
        return Response.json({
          success: true,
          data: {
            views: [savedView],
            roles: [
              { id: 4, name: 'Analysts' },
              { id: 5, name: 'Admin' },
            ],
          },
        });
      if (method !== 'GET' && fail !== undefined) return fail();
      if (method === 'DELETE' || path === 'dashboard/order') return new Response(null, { status: 204 });
      if (method === 'PUT') return Response.json({ success: true, data: { id: Number(path.split('/')[2]), ...parsedBody } });
      if (state.tiles instanceof Response) return state.tiles.clone();
      const ids = new URL(url, 'http://console').searchParams.getAll('id[]');
      return Response.json({
        success: true,
        data: { tiles: ids.length === 0 ? state.tiles : state.tiles.filter(({ id }) => ids.includes(String(id))), hidden },
      });
    },
    { answersViews: true },
  );
  const user = { ...owner, email: 'o@x.y', panel: 'user', hasAllApps: true, isSuperAdmin: false } as const;
  sessionStore.open({
    user: { ...user, roles: [], badges: [], permissions: ['manager_app_statistics'] },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  await renderPages([['/', 'Home', () => <HomeTiles />]], ['/']);
  return { state, calls, writes: () => calls.filter(({ method }) => method !== 'GET') };
}

const tile = (id: number) => page.getByRole('listitem').nth(id);
const options = (at: number) => tile(at).getByRole('button', { name: /^Options of/ });
async function choose(at: number, item: string): Promise<void> {
  await options(at).click();
  await page.getByRole('menuitem', { name: item }).click();
}

describe('tiles of Home', () => {
  it('[DASH-102] show a figure with its change, a chart and the first rows, and open their report', async () => {
    await show(
      [
        figure,
        { ...figure, id: 2, shape: 'chart' },
        { ...figure, id: 3, shape: 'table', measure: null, is_own: false, owner: { id: 3, name: 'Ivan' } },
      ],
      { hidden: 2 },
    );
    await expect.element(tile(0).getByText('2,000')).toBeVisible();
    await expect.element(tile(0).getByText(/\+25% from 1,600 \(07\.11\.2026 – 13\.11\.2026\)/)).toBeVisible();
    await expect.element(page.getByRole('link', { name: /Last week <b>/ }).first()).toHaveAttribute('href', '/reports?view=9');
    await expect.element(tile(1).getByRole('figure', { name: /Bar chart: Requests by app/ })).toBeVisible();
    const cells = [...tile(2).element().querySelectorAll('td, th')].map((cell) => cell.textContent);
    expect(cells).toEqual(['App', 'Requests', 'Success share', 'Acme Bet', '1,500', '50.0%', '#7', '500', '50.0%']);
    await expect.element(tile(2).getByText('First 2 of 9')).toBeVisible();
    await expect.element(tile(2).getByText(/by Ivan/)).toBeVisible();
    expect(options(2).elements()).toEqual([]);
    await expect.element(page.getByText('2 more shared reports are not shown.')).toBeVisible();
  });

  it('[DASH-102] say how to pin a report while there is none, and what failed', async () => {
    const { state } = await show(Response.json({ success: false, message: 'The server is busy, try again' }, { status: 503 }));
    await expect.element(page.getByText('Pinned reports could not be loaded')).toBeVisible();
    state.tiles = [];
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.element(page.getByText(/choose Pin to Home to see it here/)).toBeVisible();
    await expect.element(page.getByRole('link', { name: 'Reports' })).toHaveAttribute('href', '/reports');
  });

  it('[DASH-103] show what is ready at once and ask again for a pending tile alone; one that failed is counted again', async () => {
    const failed: Tile = { ...figure, id: 3, state: 'failed', report: null, message: tileMessages.tooSlow };
    const denied: Tile = { ...figure, id: 4, state: 'denied', report: null, view: null };
    const { state, calls, writes } = await show([figure, { ...figure, id: 2, state: 'pending', report: null }, failed, denied]);
    await expect.element(tile(0).getByText('2,000')).toBeVisible();
    await expect.element(tile(1).getByText('Still counting…')).toBeVisible();
    await expect.element(tile(2).getByText(tileMessages.tooSlow)).toBeVisible();
    state.tiles = [figure, { ...figure, id: 2 }, { ...figure, id: 3 }, denied];
    await expect.element(tile(1).getByText('2,000')).toBeVisible();
    await tile(2).getByRole('button', { name: 'Try again' }).click();
    await expect.element(tile(2).getByText('2,000')).toBeVisible();
    expect(calls.map(({ path }) => decodeURIComponent(path))).toEqual(['dashboard', 'dashboard?id[]=2', 'dashboard?id[]=3']);
    await expect.element(tile(3).getByText('Its owner no longer shares it with you.')).toBeVisible();
    await choose(3, 'Remove from Home');
    await expect.poll(() => page.getByRole('listitem').elements().length).toBe(3);
    expect(writes()).toEqual([{ method: 'DELETE', path: 'dashboard/tiles/4', body: undefined }]);
  });

  it('[DASH-103] are read again every minute', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout', 'clearInterval', 'clearTimeout'] });
    try {
      const { calls } = await show([figure]);
      await vi.waitFor(() => expect(document.body.textContent).toContain('2,000'));
      await vi.advanceTimersByTimeAsync(59_000);
      expect(calls).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(2_000);
      await vi.waitFor(() => expect(calls).toHaveLength(2));
    } finally {
      vi.useRealTimers();
    }
  });

  it('[DASH-104] are moved by keyboard, and keep the focus', async () => {
    const others: Tile[] = [2, 3].map((id) => ({ ...figure, id, view: { ...view, name: `Report ${id}` } }));
    const { writes } = await show([figure, ...others, { ...figure, id: 4, is_own: false }]);
    await expect.element(options(0)).toBeVisible();
    options(0).element().focus();
    await userEvent.keyboard('{Enter}');
    const items = () =>
      page
        .getByRole('menuitem')
        .elements()
        .map((item) => item.textContent);
    await expect.poll(items).toEqual(['Move later', 'Change…', 'Remove from Home']);
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(page.getByRole('menuitem', { name: 'Move later' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => writes().at(-1)?.body).toEqual({ ids: [2, 1, 3] });
    await expect.element(tile(1).getByText(/Last week/)).toBeVisible();
    await expect.element(options(1)).toHaveFocus();
    await choose(2, 'Move earlier');
    await expect.poll(() => writes().at(-1)?.body).toEqual({ ids: [2, 3, 1] });
  });

  it('[DASH-101] are changed in a dialog that offers the measures of the report and the roles that see it', async () => {
    let fail: (() => Response) | undefined = () =>
      Response.json(
        {
          success: false,
          message: 'Invalid',
          errors: { measure: [tileMessages.measure] },
          data: { errors: { measure: [tileMessages.measure] } },
        },
        { status: 422 },
      );
    const { writes } = await show([figure], {
      fail: () => fail?.() ?? Response.json({ success: true, data: { id: 1, shape: 'chart', measure: 'ratio:Deposits', role_ids: [4] } }),
    });
    await choose(0, 'Change…');
    const dialog = page.getByRole('dialog', { name: 'Change tile' });
    await dialog.getByText('Chart', { exact: true }).click();
    await dialog.getByRole('combobox', { name: 'Measure' }).click();
    const measures = () =>
      page
        .getByRole('option')
        .elements()
        .map((option) => option.textContent);
    await expect.poll(measures).toEqual(['Requests', 'Success share', 'Deposits']);
    await page.getByRole('option', { name: 'Deposits' }).click();
    expect(dialog.getByRole('checkbox').elements()).toHaveLength(1);
    await dialog.getByRole('checkbox', { name: 'Analysts' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.element(dialog.getByRole('alert')).toHaveTextContent(tileMessages.measure);
    fail = undefined;
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => page.getByRole('dialog').elements().length).toBe(0);
    expect(writes().at(-1)).toEqual({
      method: 'PUT',
      path: 'dashboard/tiles/1',
      body: { shape: 'chart', measure: 'ratio:Deposits', role_ids: [4] },
    });
  });
});
