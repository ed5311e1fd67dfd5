import type { Board, UnseenTile } from '@switchyard/contract/boards';
import { type HomeCard, type Place, type Tile, tileMessages } from '@switchyard/contract/dashboard';
import type { Report, ReportGroup } from '@switchyard/contract/reports';
import type { SavedView } from '@switchyard/contract/saved-views';
import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { queryClient } from '../../../shared/api/query-client.ts';
import { sessionStore } from '../../../shared/session/session-store.ts';
import { emulateMedia } from '../../../testing/media.ts';
import { renderPages } from '../../../testing/render-pages.tsx';
import { stubApi } from '../../../testing/stub-api.ts';
import HomeBoard, { type BoardProps } from './home-board.tsx';
import { unsavedWork } from '../../../shared/unsaved-work.ts';

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
  rows: 5,
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

const storedTile = { shape: 'figure', measure: 'requests', rows: 5, role_ids: [] };

type Call = { method: string; path: string; body: unknown };

const sampleBoard: Board = {
  id: 3,
  name: 'Traffic <b>',
  query: 'period=last_week',
  role_ids: [],
  accounts: [],
  owner,
  is_own: true,
  version: 4,
};
/** A sent board as it is stored. */
function storedFields({ account_ids: ids = [], read_version: version = 0, ...fields }: { account_ids?: number[]; read_version?: number }) {
  return { ...fields, accounts: ids.map((id) => ({ id, name: 'Sam' })), version: version + 1 };
}

type Options = {
  fail?: (path: string) => Response | undefined;
  /** What each write waits for. */
  whileWriting?: () => Promise<unknown>;
  hidden?: number;
  places?: Place[];
  isStart?: boolean;
  version?: number;
  cards?: BoardProps['cards'];
  board?: Board | null;
  unseen?: UnseenTile[];
  /** Those of the history, of which the last one is open. */
  addresses?: string[];
};
const at = (of: number | HomeCard, x: number, y: number, w = 3, h = 4): Place => ({ of, x, y, w, h, is_hidden: false });

/** Shows the board over a server with these tiles; `fail` answers a write in its place. */
async function show(
  initial: Tile[] | Response,
  {
    fail,
    whileWriting,
    hidden = 0,
    places = [],
    isStart = false,
    version = 1,
    cards = [],
    board = null,
    unseen = [],
    addresses = ['/'],
  }: Options = {},
) {
  const state = { tiles: initial, board, places, version: isStart ? 0 : version, isStart };
  const calls: Call[] = [];
  const data = (value: unknown, status = 200): Response => Response.json({ success: true, data: value }, { status });
  stubApi(
    async (url, { method, body }) => {
      const path = url.replace(/^.*\/api\//, '');
      const parsedBody = typeof body === 'string' ? JSON.parse(body) : undefined;
      calls.push({ method, path, body: parsedBody });
      if (method !== 'GET') await whileWriting?.();
      const failure = method === 'GET' ? undefined : fail?.(path);
      if (failure !== undefined) return failure;
      if (path.startsWith('reports?')) return data({ ...report, group_by: ['status_conversion'], groups: [], total_groups: 0 });
      if (path === 'boards' && method === 'GET') return data(state.board === null ? [] : [state.board]);
      if (path === 'boards' || path.startsWith('boards/'))
        return method === 'DELETE'
          ? new Response(null, { status: 204 })
          : data({ ...(state.board ?? sampleBoard), ...storedFields(parsedBody), unseen }, method === 'POST' ? 201 : 200);
      if (path.startsWith('marks?')) return data([]);
      if (path.startsWith('users/pick') || path.startsWith('users/')) return data([{ id: 9, name: 'Sam', email: 'sam@example.com' }]);
      if (path.startsWith('views'))
        return data({
          views: [savedView],
          roles: [
            { id: 4, name: 'Analysts' },
            { id: 5, name: 'Admin' },
          ],
        });
      if (method === 'DELETE') {
        if (Array.isArray(state.tiles)) state.tiles = state.tiles.filter(({ id }) => path !== `dashboard/tiles/${id}`);
        state.version = Math.max(state.version, 1);
        return new Response(null, { status: 204 });
      }
      if (path === 'dashboard/start' && Array.isArray(state.tiles)) {
        state.tiles = state.tiles.map((one) => ({ ...one, id: 10 - one.id }));
        [state.isStart, state.version] = [false, 1];
        return data({ ids: state.tiles.map(({ id }) => id), version: 1 }, 201);
      }
      if (path === 'dashboard/layout') {
        [state.places, state.version] = [parsedBody.places, parsedBody.read_version + 1];
        return data({ version: state.version });
      }
      if (method === 'PUT') {
        const { name: _name, ...fields } = parsedBody;
        return data({ ...storedTile, id: Number(path.split('/')[2]), ...fields });
      }
      if (state.tiles instanceof Response) return state.tiles.clone();
      const ids = new URL(url, 'http://console').searchParams.getAll('id[]');
      const tiles = ids.length === 0 ? state.tiles : state.tiles.filter(({ id }) => ids.includes(String(id)));
      return data({ tiles, hidden, is_start: state.isStart, places: state.places, version: state.version, board: state.board, unseen });
    },
    { answersViews: true, answersMarks: true },
  );
  const user = { ...owner, email: 'o@x.y', panel: 'user', hasAllApps: true, isSuperAdmin: false } as const;
  sessionStore.open({
    user: { ...user, roles: [], badges: [], permissions: ['manager_app_statistics', 'manager_user_edit'] },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  const history = await renderPages([['/', 'Home', () => <HomeBoard line={<p>Welcome.</p>} cards={cards} />]], addresses);
  return { history, state, calls, writes: () => calls.filter(({ method }) => method !== 'GET') };
}

const tile = (index: number) => page.getByRole('listitem').nth(index);
const options = (index: number) => tile(index).getByRole('button', { name: /^Options of/ });
async function choose(index: number, item: string): Promise<void> {
  await options(index).click();
  await page.getByRole('menuitem', { name: item }).click();
}

describe('tiles of Home', () => {
  it('[MARK-032] mark what changed in lines over time, of the apps of the report and the board', async () => {
    const byDay: Report = { ...report, group_by: ['day'] };
    const chart: Tile = {
      ...figure,
      shape: 'chart',
      report: { ...byDay, groups: [group('2026-11-15', null, 1_500)], total_groups: 1 },
    };
    const { calls } = await show([{ ...chart, view: { ...view, query: 'appId=12&appId=7' } }], {
      board: sampleBoard,
      addresses: ['/?board=3'],
    });
    await expect.element(tile(0).getByRole('figure', { name: /Line chart: Requests by day/ })).toBeVisible();
    await expect.poll(() => calls.filter(({ path }) => path.startsWith('marks?')).length).toBe(1);
    const marksCall = calls.find(({ path }) => path.startsWith('marks?'));
    const { searchParams } = new URL(marksCall?.path ?? '', 'http://console');
    expect([searchParams.getAll('appId[]'), searchParams.get('startDate')?.slice(0, 10)]).toEqual([['12', '7'], '2026-11-14']);
  });

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
    await expect.element(tile(1).getByText('Requests', { exact: true })).toBeVisible();
    const cells = [...tile(2).element().querySelectorAll('td, th')].map((cell) => cell.textContent);
    expect(cells).toEqual([
      'App',
      'Requests',
      'Success share',
      'Acme Bet',
      '1,500',
      '50.0%',
      '#7',
      '500',
      '50.0%',
      'Others (7)',
      '0',
      '–',
      'Total',
      '2,000',
      '–',
    ]);
    await expect.element(tile(2).getByText('First 2 of 9')).toBeVisible();
    await expect.element(tile(2).getByText(/by Ivan/)).toBeVisible();
    await expect.element(options(2)).toBeVisible();
    await expect.element(page.getByText('2 more shared reports are not shown.')).toBeVisible();
  });

  it('[DASH-102] say how to pin a report while there is none, and what failed', async () => {
    const { state } = await show(Response.json({ success: false, message: 'The server is busy, try again' }, { status: 503 }));
    await expect.element(page.getByText('Pinned reports could not be loaded')).toBeVisible();
    state.tiles = [];
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.element(page.getByText(/Choose Pin to Home in/)).toBeVisible();
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
    expect(calls.map(({ path }) => decodeURIComponent(path)).filter((path) => path !== 'boards')).toEqual([
      'dashboard',
      'dashboard?id[]=2',
      'dashboard?id[]=3',
    ]);
    await expect.element(tile(3).getByText('Its owner does not share it with you.')).toBeVisible();
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
      const reads = () => calls.filter(({ path }) => path === 'dashboard');
      expect(reads()).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(2_000);
      await vi.waitFor(() => expect(reads()).toHaveLength(2));
    } finally {
      vi.useRealTimers();
    }
  });

  it('[DASH-104] are moved in reading order by their menu, and keep the focus', async () => {
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
    await expect
      .poll(() => writes().at(-1))
      .toEqual({
        method: 'PUT',
        path: 'dashboard/layout',
        body: { places: [at(2, 0, 0), at(1, 3, 0), at(3, 6, 0), at(4, 9, 0)], read_version: 1, board_id: null },
      });
    await expect.element(tile(1).getByText(/Last week/)).toBeVisible();
    await expect.element(options(1)).toHaveFocus();
    await options(3).click();
    await expect.poll(items).toEqual(['Move earlier', 'Hide']);
    await page.getByRole('menuitem', { name: 'Hide' }).click();
    await expect.poll(() => page.getByRole('listitem').elements().length).toBe(3);
    expect(writes().at(-1)?.body).toMatchObject({ places: [{}, {}, {}, { of: 4, is_hidden: true }], read_version: 2 });
  });

  it('[DASH-108] are moved and sized by arrow keys, announced in words, and stored by Done alone', async () => {
    await page.viewport(1280, 900);
    const cards = [{ id: 'today', title: 'Today', content: <h2>Today</h2> }] as const;
    const { writes } = await show([figure, { ...figure, id: 2, view: { ...view, name: 'Second' } }], {
      cards,
      places: [at(1, 0, 0), at(2, 3, 0), at('today', 0, 4, 12)],
    });
    await page.getByRole('button', { name: 'Edit board' }).click();
    const grip = page.getByRole('button', { name: 'Move Second' });
    grip.element().focus();
    await userEvent.keyboard('{ArrowLeft}');
    await expect.element(page.getByText('Second: Column 1 of 12, row 1, 3 columns wide, 4 rows high')).toBeInTheDocument();
    await expect.element(grip).toHaveFocus();
    await userEvent.keyboard('{Shift>}{ArrowRight}{ArrowDown}{/Shift}');
    await expect.element(page.getByText('Second: Column 1 of 12, row 1, 4 columns wide, 5 rows high')).toBeInTheDocument();
    page.getByRole('button', { name: 'Size Today' }).element().focus();
    await userEvent.keyboard('{ArrowLeft}');
    page.getByRole('button', { name: 'Move Today' }).element().focus();
    await userEvent.keyboard('{ArrowUp}{ArrowUp}');
    await expect.element(page.getByText('Today: Column 1 of 12, row 1, 11 columns wide, 4 rows high')).toBeInTheDocument();
    expect(writes()).toEqual([]);
    await page.getByRole('button', { name: 'Done' }).click();
    const stored = [at('today', 0, 0, 11), at(2, 0, 4, 4, 5), at(1, 3, 9)];
    await expect.poll(() => writes().at(-1)?.body).toEqual({ places: stored, read_version: 1, board_id: null });
    await expect.element(page.getByRole('button', { name: 'Edit board' })).toBeVisible();
    await page.getByRole('button', { name: 'Edit board' }).click();
    await page.getByRole('button', { name: 'Move Second' }).click();
    await userEvent.keyboard('{ArrowUp}');
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(writes()).toHaveLength(1);
  });

  it('[DASH-010, DASH-110] are moved by the version that the server has after a removal, and while others are counted', async () => {
    const others: Tile[] = [2, 3].map((id) => ({ ...figure, id }));
    const { state, calls, writes } = await show([figure, ...others], { version: 0 });
    const reads = () => calls.filter(({ method, path }) => method === 'GET' && path.startsWith('dashboard')).length;
    await choose(0, 'Remove from Home');
    await expect.poll(reads).toBe(2);
    await choose(0, 'Move later');
    await expect.poll(() => writes().at(-1)?.body).toMatchObject({ read_version: 1 });
    const pending: Tile = { ...figure, id: 3, state: 'pending', report: null };
    state.tiles = [{ ...figure, id: 2 }, pending];
    await choose(0, 'Move later');
    await expect.poll(() => writes().at(-1)?.body).toMatchObject({ read_version: 2 });
    await expect.element(page.getByText('Still counting…')).toBeVisible();
    state.version = 7;
    const readsBefore = reads();
    await expect.poll(reads, { timeout: 5_000 }).toBeGreaterThan(readsBefore);
    await choose(0, 'Move later');
    await expect.poll(() => writes().at(-1)?.body).toMatchObject({ read_version: 7 });
  });

  it('[DASH-126] are moved again while the server still stores the move before', async () => {
    const others: Tile[] = [2, 3].map((id) => ({ ...figure, id, view: { ...view, name: `Report ${id}` } }));
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const { writes, state } = await show([figure, ...others], { whileWriting: () => promise });
    await choose(0, 'Move later');
    await choose(2, 'Move earlier');
    await expect.poll(() => writes().length).toBe(1);
    resolve(undefined);
    await expect.poll(() => state.version).toBe(3);
    expect(writes().at(-1)?.body).toMatchObject({ places: [{ of: 2 }, { of: 3 }, { of: 1 }], read_version: 2 });
  });

  it('[DASH-107] are dragged by their handle and sized at their corner', async () => {
    await page.viewport(1280, 900);
    const { writes } = await show(
      [1, 2, 3].map((id) => ({ ...figure, id, view: { ...view, name: `Report ${id}` } })),
      {
        places: [at(1, 0, 0), at(2, 3, 0, 6), at(3, 9, 0)],
      },
    );
    await page.getByRole('button', { name: 'Edit board' }).click();
    await userEvent.dragAndDrop(page.getByRole('button', { name: 'Move Report 1' }), page.getByRole('button', { name: 'Move Report 3' }));
    await expect.element(page.getByText(/^Report 1: Column 10 of 12/)).toBeInTheDocument();
    await userEvent.dragAndDrop(page.getByRole('button', { name: 'Size Report 2' }), page.getByRole('button', { name: 'Size Report 1' }));
    await expect.element(page.getByText(/^Report 2: Column 4 of 12, row 1, 9 columns wide/)).toBeInTheDocument();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect
      .poll(() => writes().at(-1)?.body)
      .toMatchObject({
        places: [
          { of: 2, x: 3, y: 0, w: 9 },
          { of: 1, x: 9 },
          { of: 3, x: 9 },
        ],
      });
  });

  it('[DASH-109] are made the reader’s own by the first change', async () => {
    const start: Tile[] = [-1, -2].map((id) => ({ ...figure, id, view: { id: null, name: `Start ${id}`, query: '' } }));
    const { writes } = await show(start, { isStart: true, places: [at(-1, 0, 0), at(-2, 3, 0)] });
    await choose(1, 'Move earlier');
    await expect
      .poll(() => writes())
      .toEqual([
        { method: 'POST', path: 'dashboard/start', body: undefined },
        { method: 'PUT', path: 'dashboard/layout', body: { places: [at(12, 0, 0), at(11, 3, 0)], read_version: 1, board_id: null } },
      ]);
    await expect.element(tile(0).getByText('Start -2')).toBeVisible();
    await choose(1, 'Remove from Home');
    await expect.poll(() => writes().at(-1)?.path).toBe('dashboard/tiles/11');
  });

  it('[DASH-110] keep the edited layout when it cannot be stored, and say why', async () => {
    const fails = [
      Response.json({ success: false, message: 'The server is busy, try again' }, { status: 503 }),
      Response.json({ success: false, message: tileMessages.changed }, { status: 409 }),
    ];
    const { calls } = await show([figure], { fail: () => fails.shift() ?? new Response(null, { status: 500 }) });
    await page.getByRole('button', { name: 'Edit board' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.element(page.getByRole('alert')).toMatchTextContent(/The server is busy, try again/);
    const reads = () => calls.filter(({ path }) => path === 'dashboard').length;
    const before = reads();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.element(page.getByRole('alert').last()).toMatchTextContent(/changed elsewhere/);
    await expect.element(page.getByRole('button', { name: 'Cancel' })).toBeVisible();
    await expect.poll(reads).toBe(before + 1);
  });

  it('[DASH-109, DASH-110] stay in the editor when they became the reader’s own and their layout could not be stored', async () => {
    const start: Tile[] = [-1, -2].map((id) => ({ ...figure, id, view: { id: null, name: `Start ${id}`, query: '' } }));
    const fails = [Response.json({ success: false, message: 'The server is busy, try again' }, { status: 503 })];
    const fail = (path: string) => (path === 'dashboard/layout' ? fails.pop() : undefined);
    const { writes } = await show(start, { isStart: true, places: [at(-1, 0, 0), at(-2, 3, 0)], fail });
    await page.getByRole('button', { name: 'Edit board' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.element(page.getByRole('alert')).toMatchTextContent(/The server is busy, try again/);
    await expect.element(page.getByRole('button', { name: 'Move Start -1' })).toBeVisible();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => writes().at(-1)?.body).toEqual({ places: [at(11, 0, 0), at(12, 3, 0)], read_version: 1, board_id: null });
  });

  it('[DASH-010, DASH-110] are stored by the version that was read when their editing began, also after another tab stored its own', async () => {
    const { state, writes } = await show([figure, { ...figure, id: 2 }], { places: [at(1, 0, 0), at(2, 3, 0)], version: 5 });
    await page.getByRole('button', { name: 'Edit board' }).click();
    state.places = [at(1, 6, 0, 6, 10), { ...at(2, 0, 0), is_hidden: true }];
    state.version = 6;
    await queryClient.invalidateQueries({ queryKey: ['dashboard'] });
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => writes().at(-1)?.body).toMatchObject({ read_version: 5 });
  });

  it('[DASH-125] are not stored on a board that Back opens while another one is edited', async () => {
    const places = [at(1, 6, 0), at(2, 0, 0)];
    const { history, state, writes } = await show([figure, { ...figure, id: 2 }], {
      board: sampleBoard,
      places,
      addresses: ['/?board=4', '/?board=3'],
    });
    await page.getByRole('button', { name: 'Edit board' }).click();
    await page.getByRole('button', { name: /^Move/ }).first().click();
    await userEvent.keyboard('{ArrowDown}');
    state.tiles = [{ ...figure, id: 8 }];
    state.places = [at(8, 0, 0)];
    history.back();
    await expect.poll(() => history.location.href).toBe('/?board=4');
    await expect.element(page.getByRole('button', { name: 'Edit board' })).toBeVisible();
    expect(page.getByRole('button', { name: 'Done' }).elements()).toHaveLength(0);
    await page.getByRole('button', { name: 'Edit board' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => writes().map(({ body }) => body)).toEqual([{ places: [at(8, 0, 0)], read_version: 1, board_id: 4 }]);
  });

  it('[DASH-112] keep the settings that are being typed when another tab saves the board', async () => {
    const { state, writes } = await show([figure], { board: sampleBoard, addresses: ['/?board=3'] });
    await page.getByRole('button', { name: /^Board: Traffic/ }).click();
    await page.getByRole('menuitem', { name: /Name and sharing/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Board settings' });
    await dialog.getByLabelText('Name').fill('Traffic of the team');
    state.board = { ...sampleBoard, name: 'Renamed', version: 5 };
    await queryClient.invalidateQueries({ queryKey: ['dashboard'] });
    await expect.element(page.getByRole('button', { name: 'Board: Renamed', includeHidden: true })).toBeInTheDocument();
    await expect.element(dialog.getByLabelText('Name')).toHaveValue('Traffic of the team');
    await dialog.getByRole('button', { name: 'Save board' }).click();
    await expect.poll(() => writes().at(-1)?.body).toMatchObject({ name: 'Traffic of the team', read_version: 4 });
  });

  it('[DASH-105] that keep their own report open it by its query, and are renamed and given rows in the dialog', async () => {
    const own: Tile = { ...figure, shape: 'table', measure: null, view: { id: null, name: 'Apps', query: 'groupBy=app&days=30' } };
    const { state, writes } = await show([own]);
    await expect.element(tile(0).getByRole('link', { name: 'Apps' })).toHaveAttribute('href', '/reports?groupBy=app&days=30');
    await choose(0, 'Change…');
    const dialog = page.getByRole('dialog', { name: 'Change tile' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Apps of the month');
    await dialog.getByRole('textbox', { name: 'Rows' }).fill('40');
    state.tiles = [{ ...own, view: { id: null, name: 'Apps of the month', query: '' } }];
    // Without a view that others have to see, it can be shared with every role.
    expect(dialog.getByRole('checkbox').elements()).toHaveLength(2);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => page.getByRole('dialog').elements().length).toBe(0);
    expect(writes().at(-1)?.body).toEqual({ shape: 'table', measure: null, rows: 40, role_ids: [], name: 'Apps of the month' });
    await expect.element(tile(0).getByRole('link', { name: 'Apps of the month' })).toBeVisible();
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
      fail: () =>
        fail?.() ?? Response.json({ success: true, data: { id: 1, shape: 'chart', measure: 'ratio:Deposits', rows: 5, role_ids: [4] } }),
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

  it('[DASH-101] offer the measures of every kind in their dialog, whatever the kind is called', async () => {
    const query = 'measure=pushes_by_status,conversions_of:sent_by_status';
    await show([{ ...figure, measure: 'requests', view: { id: null, name: 'Kinds', query } }]);
    await choose(0, 'Change…');
    await page.getByRole('combobox', { name: 'Measure' }).click();
    const measures = page.getByRole('option');
    await expect.poll(() => measures.elements().map((option) => option.textContent)).toEqual(['Conversions of sent_by_status', 'Requests']);
  });

  it('[DASH-111] of a board by name are opened by its menu, within a period that the reader chooses and the owner saves', async () => {
    await page.viewport(1280, 900);
    const { history, calls, writes } = await show([figure], {
      board: sampleBoard,
      cards: [{ id: 'today', title: 'Today', content: 'Today' }],
    });
    await page
      .getByRole('button', { name: 'Board: Home' })
      .or(page.getByRole('button', { name: /^Board: Traffic/ }))
      .click();
    await page.getByRole('menuitem', { name: 'Traffic <b>' }).click();
    await expect.poll(() => history.location.search).toBe('?board=3');
    await expect.poll(() => calls.some(({ path }) => path === 'dashboard?board=3')).toBe(true);
    await expect.element(page.getByRole('combobox', { name: 'Period' })).toHaveTextContent('Last week');
    await page.getByRole('combobox', { name: 'Period' }).click();
    await page.getByRole('option', { name: 'Last 30 days' }).click();
    await expect.poll(() => new URLSearchParams(history.location.search).get('filters')).toBe('days=30');
    await expect.poll(() => calls.some(({ path }) => path === 'dashboard?board=3&filters=days%3D30')).toBe(true);
    await page.getByRole('button', { name: 'Save for this board' }).click();
    await expect.poll(() => writes().at(-1)).toEqual({ method: 'PUT', path: 'boards/3', body: { query: 'days=30', read_version: 4 } });
    await expect.poll(() => history.location.search).toBe('?board=3');
  });

  it('[DASH-111] of a board are shown without its period and filters, which its owner can save', async () => {
    await page.viewport(1280, 900);
    const { history, calls, writes } = await show([figure], { board: { ...sampleBoard, query: 'geo=DE' }, addresses: ['/?board=3'] });
    await page.getByRole('button', { name: /^Remove filter / }).click();
    await expect.poll(() => history.location.search).toBe('?board=3&filters=none');
    await expect.poll(() => calls.some(({ path }) => path === 'dashboard?board=3&filters=none')).toBe(true);
    await expect.poll(() => page.getByRole('button', { name: /^Remove filter / }).elements()).toEqual([]);
    await page.getByRole('button', { name: 'Save for this board' }).click();
    await expect.poll(() => writes().at(-1)).toEqual({ method: 'PUT', path: 'boards/3', body: { query: '', read_version: 4 } });
  });

  it('[DASH-132] are counted in the days that the reader chooses in place of the period, which is named no more', async () => {
    await page.viewport(1440, 900);
    const { history } = await show([figure], { board: sampleBoard, addresses: ['/?board=3'] });
    const period = page.getByRole('combobox', { name: 'Period' });
    const filters = (): string | null => new URLSearchParams(history.location.search).get('filters');
    await page
      .getByRole('button', { name: /Start day/ })
      .first()
      .click();
    await page.getByRole('button', { name: /^5 / }).first().click();
    await page.getByRole('button', { name: 'Apply filter' }).click();
    await expect.poll(filters).toMatch(/^startDate=\d{4}-\d{2}-05$/);
    await expect.element(period).toHaveTextContent('As each tile has it');
    history.push(`/?board=3&filters=${encodeURIComponent('period=last_month&endDate=2026-10-06')}`);
    await expect.element(page.getByRole('button', { name: 'Remove filter 06.10.2026' })).toBeVisible();
    await expect.element(period).toHaveTextContent('As each tile has it');
    await period.click();
    await page.getByRole('option', { name: 'Last week' }).click();
    await expect.poll(filters).toBeNull();
    await expect.element(period).toHaveTextContent('Last week');
  });

  it('[DASH-111] lead to their reports within the period and filters of the board', async () => {
    const { state, history } = await show([figure], { board: { ...sampleBoard, query: 'geo=DE&days=30' }, addresses: ['/?board=3'] });
    const link = page.getByRole('link', { name: /^Last week/ });
    const valueOf = (name: string) => new URL(link.element().getAttribute('href') ?? '', 'http://x').searchParams.get(name);
    await expect.element(link).toBeVisible();
    expect(['view', 'groupBy', 'measure', 'geo', 'days'].map(valueOf)).toEqual(['9', 'app', 'requests', 'DE', '30']);
    state.tiles = [{ ...figure, view: { ...view, query: 'groupBy=app&type=create' } }];
    state.board = { ...sampleBoard, id: 5, query: 'type=error,receive' };
    history.push('/?board=5');
    await expect.poll(() => ['type', 'within[]'].map(valueOf)).toEqual(['create', 'type=error,receive']);
    state.board = { ...sampleBoard, id: 4, query: '' };
    history.push('/?board=4');
    await expect.poll(() => link.element().getAttribute('href')).toBe('/reports?view=9');
  });

  it('[DASH-111] of another board have no filters that were chosen and not applied', async () => {
    await page.viewport(1280, 900);
    const { history, state } = await show([figure], { board: sampleBoard, addresses: ['/?board=3'] });
    const openBoard = async (id: number): Promise<void> => {
      state.board = { ...sampleBoard, id, name: `Board ${id}` };
      history.push(`/?board=${id}`);
      await expect.element(page.getByRole('button', { name: `Board: Board ${id}` })).toBeVisible();
    };
    await openBoard(4);
    await openBoard(5);
    await page.getByRole('combobox', { name: 'Add filter' }).click();
    await page.getByRole('option', { name: 'Geo' }).click();
    await page.getByLabelText('Find in geo').fill('Germany');
    await userEvent.keyboard('{Enter}{Escape}');
    await expect.element(page.getByRole('combobox', { name: 'Geo' })).toMatchTextContent(/Germany/);
    await openBoard(4);
    await expect.element(page.getByRole('combobox', { name: 'Geo' })).not.toBeInTheDocument();
    await page.getByRole('button', { name: 'Apply filter' }).click();
    expect(history.location.search).toBe('?board=4');
  });

  it('[DASH-111] of a board that was deleted say so when it is saved', async () => {
    const missing = () => Response.json({ success: false, message: 'Not found' }, { status: 404 });
    await show([figure], { board: sampleBoard, addresses: ['/?board=3&filters=days%3D30'], fail: missing });
    await page.getByRole('button', { name: 'Save for this board' }).click();
    await expect.element(page.getByRole('alert')).toMatchTextContent(/This board was deleted, or is no longer shared with you\./);
  });

  it('[SHELL-084] count what is typed into their dialogs as unsaved, until it is stored', async () => {
    const { history } = await show([figure], { board: { ...sampleBoard, query: '' } });
    await choose(0, 'Change…');
    const tileDialog = page.getByRole('dialog', { name: 'Change tile' });
    await expect.element(tileDialog).toBeVisible();
    expect(unsavedWork.isHeld()).toBe(false);
    await tileDialog.getByText('Table', { exact: true }).click();
    expect(unsavedWork.isHeld()).toBe(true);
    await tileDialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(unsavedWork.isHeld).toBe(false);
    await page.getByRole('button', { name: /^Board: Traffic/ }).click();
    await page.getByRole('menuitem', { name: 'New board…' }).click();
    const dialog = page.getByRole('dialog', { name: 'New board' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Casino');
    expect(unsavedWork.isHeld()).toBe(true);
    const held: boolean[] = [];
    history.subscribe(() => held.push(unsavedWork.isHeld()));
    await dialog.getByRole('button', { name: 'Create board' }).click();
    await expect.poll(() => held).toEqual([false]);
  });

  it('[DASH-112] of a shared board say who does not see them; its owner names and shares it in a dialog', async () => {
    await page.viewport(1280, 900);
    const unseen = [
      { tile_id: null, reader: 'Nobody' },
      { tile_id: 1, reader: 'Analysts' },
    ];
    const { writes } = await show([figure], { board: sampleBoard, unseen, addresses: ['/?board=3'] });
    await expect.element(page.getByText('Nobody may not open reports.')).toBeVisible();
    await expect.element(page.getByText(/^Analysts does not see Last week/)).toBeVisible();
    await page.getByRole('button', { name: /^Board: Traffic/ }).click();
    await page.getByRole('menuitem', { name: 'Name and sharing…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Board settings' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Casino');
    await dialog.getByRole('checkbox', { name: 'Analysts' }).click();
    await dialog.getByRole('combobox', { name: 'Share with people' }).click();
    await page.getByRole('option', { name: 'Sam' }).click();
    await userEvent.keyboard('{Escape}');
    await dialog.getByRole('button', { name: 'Save board' }).click();
    await expect.poll(() => writes().at(-1)?.body).toEqual({ name: 'Casino', role_ids: [4], account_ids: [9], read_version: 4 });
    await page.getByRole('button', { name: /^Board: / }).click();
    await page.getByRole('menuitem', { name: 'Delete board…' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Delete|Yes|Continue|Confirm|OK/ })
      .click();
    await expect.poll(() => writes().at(-1)).toEqual({ method: 'DELETE', path: 'boards/3', body: undefined });
  });

  it('[DASH-130] are printed whole, with the name of their board and without buttons', async () => {
    await page.viewport(1280, 900);
    const groups = Array.from({ length: 14 }, (_, n) => group(String(n), `App ${'of a long name '.repeat(6)}${n}`, 100));
    const table: Tile = { ...figure, shape: 'table', measure: null, rows: 50, report: { ...report, groups, total_groups: 14 } };
    await show([table], { board: sampleBoard, places: [at(1, 0, 0)], addresses: ['/?board=3'] });
    const total = tile(0).getByRole('rowheader', { name: 'Total' });
    await expect.element(total).toBeInTheDocument();
    const endOf = (element: Element): number => Math.round(element.getBoundingClientRect().bottom);
    expect(endOf(total.element())).toBeGreaterThan(endOf(tile(0).element()));
    await emulateMedia({ print: true });
    await expect.poll(() => endOf(tile(0).element()) - endOf(total.element())).toBeGreaterThan(0);
    const name = tile(0)
      .getByRole('cell', { name: /^App of .* 13$/ })
      .element();
    expect([name.scrollWidth, getComputedStyle(name).whiteSpace]).toEqual([name.clientWidth, 'normal']);
    await expect.element(page.getByText('Traffic <b>').first()).toBeVisible();
    expect(page.getByRole('region', { name: 'Board' }).getByRole('button').elements()).toEqual([]);
  });
});
